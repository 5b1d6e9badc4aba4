#pragma once

#include <utility>
#include <vector>

#include "vinculum/model/model.hpp"

namespace vinculum::model {

/// Kane's quantities of one auxiliary speed: the motion that `revealed` gives a point or a body beside the real one.
/// The speed is 0 along every motion; what it would move, and the power of all forces in it, bring the force of the
/// joint into evidence.   Source: [R] 2.5, 3.5; theory.md §5.5.
struct AuxiliarySpeed {
  std::vector<std::pair<PointId, Term>> velocities;          ///< ∂v/∂u of particles and mass centres, without zeros
  std::vector<std::pair<FrameId, Term>> angular_velocities;  ///< ∂ω/∂u of bodies, likewise
  Term direction;                                            ///< unit vector: what the speed is measured along
  Term active;                                               ///< F of all loads and of the reactions of all constraints
  Term inertia;                                              ///< F* of all particles and bodies
};

/// Of measure number k of a reveal, which is −(active + inertia).
[[nodiscard]] AuxiliarySpeed auxiliary_speed(const Model& model, RevealId reveal, int k);

}  // namespace vinculum::model
