#pragma once

#include "vinculum/motion/friction/reaction_forces.hpp"
#include "vinculum/motion/state_kernels.hpp"

namespace vinculum::sim {

/// How the bound of friction at a contact depends on reactions: given + mu |factor λ|.
struct ContactBound {
  double given = 0.0, mu = 0.0;
  Matrix factor;         ///< [components × rows it depends on]
  bool is_given = true;  ///< false: of another form, taken at a guess of the reactions
};

/// The bound of friction at a contact along the directions T, as far as what W moves tells.
/// \param T  [components × directions]   \param W  [nu × nu] what forces move   \param guess  [nc] reactions
/// \returns kFrictionNoSolution where a clause states another force than one against the velocity of sliding.
/// \pre `StateKernels::read_slides`, `ReactionForces::take_state` at a state
[[nodiscard]] Outcome<ContactBound> bound_of_contact(const StateKernels& at, ReactionForces& forces, int slide,
                                                     const Matrix& T, const Matrix& W, const Vector& guess);

}  // namespace vinculum::sim
