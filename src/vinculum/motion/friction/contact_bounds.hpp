#pragma once

#include "vinculum/motion/friction/reaction_forces.hpp"
#include "vinculum/motion/state_kernels.hpp"

namespace vinculum::sim {

/// The friction bound of a contact as a function of the multipliers λ: given + mu |factor λ|.
struct ContactBound {
  double given = 0.0, mu = 0.0;
  Matrix factor;         ///< [components × number of rows on which the bound depends] factor of λ in the bound
  bool is_given = true;  ///< false: the bound is not of this form, and `given` is its value at guessed reactions
};

/// Whether the contact is that of a unilateral constraint. Its normal force is not negative: where it would be, as just
/// after the contact opens, the bound is 0.
[[nodiscard]] bool is_of_unilateral(const CompiledModel& compiled, int slide);

/// Computes the friction bound of a contact along the directions T, from the change of the sliding velocity that the
/// friction force causes through W.
/// \param T  [components × directions]
/// \param W  [nu × nu] response of the speeds to forces
/// \param guess  [nc] multipliers at which a bound of another form is evaluated
/// \returns kFrictionNoSolution if a clause states a force that does not oppose the sliding velocity.
/// \pre `StateKernels::read_slides` and `ReactionForces::take_state` were called at the state
[[nodiscard]] Outcome<ContactBound> bound_of_contact(const StateKernels& at, ReactionForces& forces, int slide,
                                                     const Matrix& T, const Matrix& W, const Vector& guess);

}  // namespace vinculum::sim
