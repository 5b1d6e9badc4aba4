#pragma once

#include "vinculum/motion/friction/reaction_forces.hpp"
#include "vinculum/motion/state_kernels.hpp"

namespace vinculum::sim {

/// How the friction bound of a contact depends on reactions: given + mu |factor λ|.
struct ContactBound {
  double given = 0.0, mu = 0.0;
  Matrix factor;         ///< [components × rows it depends on]
  bool is_given = true;  ///< false: the bound has another form, and `given` is its value at guessed reactions
};

/// The friction bound of a contact along the directions T, read off the motion that friction causes within W.
/// \param T  [components × directions]
/// \param W  [nu × nu] response of the speeds to forces
/// \param guess  [nc] reactions
/// \returns kFrictionNoSolution if a clause states a force that does not oppose the sliding velocity.
/// \pre `StateKernels::read_slides` and `ReactionForces::take_state` at a state
[[nodiscard]] Outcome<ContactBound> bound_of_contact(const StateKernels& at, ReactionForces& forces, int slide,
                                                     const Matrix& T, const Matrix& W, const Vector& guess);

}  // namespace vinculum::sim
