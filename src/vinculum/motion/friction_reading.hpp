#pragma once

#include <optional>
#include <vector>

#include "vinculum/base/linear_algebra.hpp"
#include "vinculum/solve/contacts/contact_problem.hpp"

namespace vinculum::sim {

/// Friction of all contacts at one state as one contact problem (theory.md §4.6). Shapes: "slides" counts the friction
/// contacts of the model, ns the components of their velocities, "contacts" the contacts of `problem`, n the components
/// of the forces of `problem`.
struct ContactReading {
  solve::ContactProblem problem;
  std::vector<int> slides;    ///< [contacts] index into System::slides; −1: a unilateral row without friction
  std::vector<Matrix> basis;  ///< [contacts] orthonormal tangential directions of the contact, in components of its
                              ///< velocity
  std::vector<int> left_out;  ///< contacts at rest that no force can move; they are not in `problem`
  Vector lambda;              ///< [nc] multipliers without friction
  Matrix free_multipliers;    ///< [nc × k] basis of the multipliers that the equations leave free, if unilateral rows
                              ///< are unknown forces
  Matrix lambda_of_x;         ///< [nc × n] change of the multipliers by a unit of each force x
  Matrix u_dot_of_x;          ///< [nu × n] change of u' by a unit of each force x
  Vector x_effect;            ///< [n] √(Σ W Q²) of the generalized force Q of a unit of each x, with the response W of
                              ///< each speed to a unit force: sizes that do not depend on units
  Vector lambda_effect;       ///< [nc] the same for a unit of each multiplier
  std::vector<int> of_row;    ///< [unilateral rows] the contact of each row
  Vector v;                   ///< [ns] sliding velocities
  Vector guess;  ///< [nc] multipliers at which a bound was evaluated if it does not have the form given + mu |normal
                 ///< force|
  bool is_of_guess = false;  ///< whether a bound was evaluated at `guess`
};

/// Rates of sliding velocities, and forces and friction bounds of the sticking contacts.
struct FrictionReading {
  Vector v_dot;         ///< [ns] rates of all sliding velocities
  Vector force;         ///< [ns] force by which each sticking contact keeps v = 0, in components of v
  Vector bound;         ///< [slides] bound of each sticking contact: the |force| that it would have if it slipped
  Vector static_bound;  ///< [slides] largest |force| at which the contact can stick
  /// True if forces of sticking contacts are not unique. Then `force` is the solution with the largest `margin`.
  bool is_shared = false;
  Vector margin;  ///< [slides] 1 − |force|/static_bound of the sticking contacts; set if the forces are not unique
  solve::ContactAnswer shares;  ///< the chosen forces; set if the forces are not unique
  std::optional<ContactReading> contacts;
};

/// Basis of the changes of multipliers and friction directions (forces divided by their bounds) that do not change the
/// motion. A reported quantity is unique if its derivative along each column is 0. The basis is empty if the forces of
/// sticking contacts are unique; then only the null space of Aᵀ decides which quantities are unique.
struct FreeForces {
  Matrix lambda;  ///< [nc × k] changes of the multipliers
  Matrix s;       ///< [ns × k] changes of the friction directions, in the same columns
};

}  // namespace vinculum::sim
