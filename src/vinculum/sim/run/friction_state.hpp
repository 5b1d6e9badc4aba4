#pragma once

#include <vector>

#include "vinculum/sim/plant/dynamics.hpp"

namespace vinculum::sim {

/// Decides, at a start, which velocities of sliding that are zero there stick and in which directions the others set
/// off; in `dynamics.friction()` afterwards. Others take the direction of v. Nothing to do where a model has no slides.
/// \param y  brought to v = 0 of what sticks.
/// \returns kFrictionNoSolution where neither sticking nor sliding agrees with the law, kFrictionManySolutions where
/// both do.
[[nodiscard]] Outcome<void> settle_friction(Dynamics& dynamics, double t, double* y);
/// The same for the slides at rest and those that stick no longer, in the midst of a motion.
[[nodiscard]] Outcome<void> go_on_from_rest(Dynamics& dynamics, double t, double* y, const std::vector<int>& resting,
                                            const std::vector<int>& released);

[[nodiscard]] const dynamics::Slide& slide_of(const Dynamics& dynamics, int slide);
/// Of a slide, with the rows of its constraint.   \param what  sentence with a place {} for the constraint's name.
[[nodiscard]] Failure friction_failure(const Dynamics& dynamics, FailureKind kind, double t, int slide,
                                       const char* what);

}  // namespace vinculum::sim
