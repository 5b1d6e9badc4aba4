#pragma once

#include <string>
#include <vector>

#include "vinculum/motion/dynamics.hpp"

namespace vinculum::sim {

/// Decides at a start which contacts stick and in which directions the others start to slide, and stores it in
/// `mode.friction`. Contacts that move take the direction of their velocity. Does nothing if the model has no friction.
/// \param y  is changed so that the velocities of sticking contacts are 0
/// \returns kFrictionNoSolution if no combination of stick and slip satisfies the friction law, kFrictionManySolutions
/// if combinations with different motions do, kNegativeFriction.
[[nodiscard]] Outcome<void> settle_friction(Dynamics& dynamics, Mode& mode, double t, double* y);
/// The same in the stored mode of `dynamics`.
[[nodiscard]] Outcome<void> settle_friction(Dynamics& dynamics, double t, double* y);
/// The same during a motion, for the contacts at rest and the contacts that no longer stick.
/// \param time  [s] time in which the motion has changed recently, for example a step; 0: not known
[[nodiscard]] Outcome<void> go_on_from_rest(Dynamics& dynamics, Mode& mode, double t, double* y,
                                            const std::vector<int>& resting, const std::vector<int>& released,
                                            double time = 0.0);

/// The same for the contacts that stick, after the forces have jumped.
[[nodiscard]] Outcome<void> settle_again(Dynamics& dynamics, Mode& mode, double t, double* y);

[[nodiscard]] const equations::Slide& slide_of(const Dynamics& dynamics, int slide);
/// Name of a contact for messages: the name of its constraint or of its load.
[[nodiscard]] std::string name_of_slide(const Dynamics& dynamics, int slide);
/// Failure of a contact, with the rows of its constraint.
/// \param what  sentence with a placeholder {} for the name
[[nodiscard]] Failure friction_failure(const Dynamics& dynamics, FailureKind kind, double t, int slide,
                                       const char* what);

}  // namespace vinculum::sim
