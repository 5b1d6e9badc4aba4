#pragma once

#include <utility>
#include <vector>

#include "vinculum/model/model.hpp"

namespace vinculum::model {

/// Kane's quantities for one auxiliary speed: a motion of a point or a body in addition to the real one, as in
/// `revealed`. The speed is 0 along every motion; its partial velocities and the power of all forces in them give the
/// force of the joint.   Source: [R] 2.5, 3.5; theory.md §5.5.
struct AuxiliarySpeed {
  std::vector<std::pair<PointId, Term>> velocities;          ///< ∂v/∂u of particles and mass centers, without zeros
  std::vector<std::pair<FrameId, Term>> angular_velocities;  ///< ∂ω/∂u of bodies, without zeros
  Term direction;                                            ///< unit vector along which the speed is measured
  Term active;                                               ///< F of all loads and of the reactions of all constraints
  Term inertia;                                              ///< F* of all particles and bodies
};

/// The auxiliary speed for measure number k of a reveal, which is −(active + inertia).
[[nodiscard]] AuxiliarySpeed auxiliary_speed(const Model& model, RevealId reveal, int k);

}  // namespace vinculum::model
