#pragma once

#include <string>
#include <vector>

#include "vinculum/motion/dynamics.hpp"

namespace vinculum::sim {

/// A sliding velocity is zero up to this many times tolerance of the run × typical speed.
inline constexpr double kRestPerTolerance = 10.0;

/// Decides at a start which contacts stick and in which directions the others start to slide, and stores it in
/// `mode.friction`. Contacts that move take the direction of their velocity. Does nothing if the model has no friction.
/// \param y  is changed so that the velocities of sticking contacts are 0
/// \returns kFrictionNoSolution if no combination of stick and slip satisfies the friction law; kFrictionManySolutions
/// if several combinations do and their motions differ; kNegativeFriction if a friction bound is negative.
[[nodiscard]] Outcome<void> settle_friction(Dynamics& dynamics, Mode& mode, double t, double* y);
/// Reads the friction of a state from the velocities of its contacts. Contacts that slide have the direction of their
/// velocity. The others are `resting`, with NaN as direction. No contact sticks yet.
/// \param mode  the mode before: what sticks in it rests unless its velocity exceeds rounding errors of typical speeds
/// \param resting  receives indices into System::slides
[[nodiscard]] FrictionState friction_by_velocities(Dynamics& dynamics, const Mode& mode, double t, const double* y,
                                                   std::vector<int>& resting);
/// True if a contact has begun to slide at this instant: it is still at rest, but its static friction has been
/// overcome.
[[nodiscard]] bool has_let_go(const FrictionState& friction, int slide, double t);
/// `settle_friction` for the mode that `dynamics` stores.
[[nodiscard]] Outcome<void> settle_friction(Dynamics& dynamics, double t, double* y);
/// Decides between stick and slip during a motion, as `settle_friction` does at a start, for two lists of contacts:
/// `resting`, whose velocity is 0, and `released`, which have stuck and no longer do.
/// \param time  [s] time in which the motion has changed recently, for example the last step; 0: not known
/// \param resting, released  indices into System::slides
[[nodiscard]] Outcome<void> go_on_from_rest(Dynamics& dynamics, Mode& mode, double t, double* y,
                                            const std::vector<int>& resting, const std::vector<int>& released,
                                            double time = 0.0);

/// Decides again between stick and slip for the contacts that stick, after the forces have jumped.
[[nodiscard]] Outcome<void> settle_again(Dynamics& dynamics, Mode& mode, double t, double* y);

[[nodiscard]] const equations::Slide& slide_of(const Dynamics& dynamics, int slide);
/// Name of a contact for messages: the name of its constraint or of its load.
[[nodiscard]] std::string name_of_slide(const Dynamics& dynamics, int slide);
/// Failure of a contact, with the rows of its constraint.
/// \param what  sentence with {} where the name stands
[[nodiscard]] Failure friction_failure(const Dynamics& dynamics, FailureKind kind, double t, int slide,
                                       const char* what);
/// Whether the friction is that of a unilateral constraint.
[[nodiscard]] bool is_unilateral(const Dynamics& dynamics, int slide);

}  // namespace vinculum::sim
