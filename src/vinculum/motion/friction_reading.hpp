#pragma once

#include <optional>
#include <vector>

#include "vinculum/base/linear_algebra.hpp"
#include "vinculum/solve/contacts/contact_problem.hpp"

namespace vinculum::sim {

/// Friction of all contacts at one state as one problem (theory.md §4.6). Shapes: "slides" counts the friction contacts
/// of the model, ns the components of their velocities, "contacts" the contacts of `problem`, n the components of the
/// forces of `problem`.
struct ContactReading {
  solve::ContactProblem problem;
  std::vector<int> slides;    ///< [contacts] index into System::slides
  std::vector<Matrix> basis;  ///< [contacts] orthonormal tangential directions of the contact, in components of its
                              ///< velocity
  std::vector<int> left_out;  ///< contacts at rest without any possible direction of motion: no force moves them
  Vector lambda;              ///< [nc] multipliers without friction
  Matrix lambda_of_x;         ///< [nc × n] derivative of the multipliers by the friction forces
  Vector v;                   ///< [ns] sliding velocities
  Vector guess;  ///< [nc] multipliers at which bounds not of the form given + mu |normal force| were evaluated
  bool is_of_guess = false;  ///< whether there are such bounds
};

/// Rates of sliding velocities, and forces of sticking contacts compared with their bounds.
struct FrictionReading {
  Vector v_dot;         ///< [ns] rates of all sliding velocities
  Vector force;         ///< [ns] force of each sticking contact that keeps v = 0, in components of v
  Vector bound;         ///< [slides] bound of each sticking contact: its |force| if it slid
  Vector static_bound;  ///< [slides] largest |force| at which the contact can stick
  /// True if forces of sticking contacts are not unique. Then `force` is the choice with the largest `margin`.
  bool is_shared = false;
  Vector margin;  ///< [slides] 1 − |force|/static_bound of the sticking contacts; set if the forces are not unique
  solve::ContactAnswer shares;  ///< set if the forces are not unique
  std::optional<ContactReading> contacts;
};

/// Changes of the multipliers and of the friction directions (forces divided by their bounds) that do not change the
/// motion. A reported quantity is unique if its derivative along them is 0. Empty if the forces of sticking contacts
/// are unique; then the null space of the rows decides alone.
struct FreeForces {
  Matrix lambda;  ///< [nc × k]
  Matrix s;       ///< [ns × k]
};

}  // namespace vinculum::sim
