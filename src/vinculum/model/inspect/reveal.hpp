#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "vinculum/model/model.hpp"

namespace vinculum::model {

/// Kane's quantities for one auxiliary speed of a reveal. The speed belongs to a motion of a point or a body that the
/// joint excludes, so it is 0 along every real motion. The force of the joint follows from the partial velocities of
/// this speed and from the power of all forces in that motion.   Source: [R] 2.5, 3.5; theory.md §5.5.
struct AuxiliarySpeed {
  std::vector<std::pair<PointId, Term>> velocities;  ///< ∂v/∂u of particles and mass centers; zero vectors are left out
  std::vector<std::pair<FrameId, Term>> angular_velocities;  ///< ∂ω/∂u of bodies; zero vectors are left out
  Term direction;                                            ///< unit vector along which the speed is measured
  Term active;   ///< F: generalized force of all loads and of the reactions of all constraints
  Term inertia;  ///< F*: generalized inertia force of all particles and bodies
};

/// The auxiliary speed for measure number k of a reveal. That measure number is −(active + inertia).
[[nodiscard]] AuxiliarySpeed auxiliary_speed(const Model& model, RevealId reveal, int k);
/// A point whose force the reveal of the force on a mass center leaves out, although it acts on the body: the point is
/// fixed in the body, but set off from `base`, not from the mass center, and it carries mass, a load or a reaction.
/// Nothing if there is none, or if the reveal is of another kind.   \cost grows with the points of the body
struct LeftOut {
  PointId point, base;
};
[[nodiscard]] std::optional<LeftOut> left_out_of(const Model& model, RevealId reveal);

}  // namespace vinculum::model
