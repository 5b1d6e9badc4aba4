#pragma once

#include <string>
#include <vector>

#include "vinculum/motion/dynamics.hpp"

namespace vinculum::sim {

/// Decides, at a start, which contacts stick and in which directions the others set off; in `mode.friction`
/// afterwards. Those that move take the direction of their velocity. Nothing to do where a model has no friction.
/// \param y  brought to v = 0 of what sticks.
/// \returns kFrictionNoSolution where no modes agree with the law, kFrictionManySolutions where those of more than one
/// motion do, kNegativeFriction.
[[nodiscard]] Outcome<void> settle_friction(Dynamics& dynamics, Mode& mode, double t, double* y);
/// The same in the mode at hand.
[[nodiscard]] Outcome<void> settle_friction(Dynamics& dynamics, double t, double* y);
/// The same for the contacts at rest and those that stick no longer, in the midst of a motion.
/// \param time  [s] in which the motion has changed lately, for example a step; 0: not known.
[[nodiscard]] Outcome<void> go_on_from_rest(Dynamics& dynamics, Mode& mode, double t, double* y,
                                            const std::vector<int>& resting, const std::vector<int>& released,
                                            double time = 0.0);

/// The same for what sticks, where forces have jumped.
[[nodiscard]] Outcome<void> settle_again(Dynamics& dynamics, Mode& mode, double t, double* y);

[[nodiscard]] const equations::Slide& slide_of(const Dynamics& dynamics, int slide);
/// How messages name it: its constraint, or its load.
[[nodiscard]] std::string name_of_slide(const Dynamics& dynamics, int slide);
/// Of a slide, with the rows of its constraint.   \param what  sentence with a place {} for its name.
[[nodiscard]] Failure friction_failure(const Dynamics& dynamics, FailureKind kind, double t, int slide,
                                       const char* what);

}  // namespace vinculum::sim
