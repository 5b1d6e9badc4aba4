#pragma once

#include <optional>
#include <vector>

#include "vinculum/base/linear_algebra.hpp"
#include "vinculum/solve/contacts/contact_problem.hpp"

namespace vinculum::sim {

/// Friction of all contacts at one state as one problem (docs/theory.md §4.6).
struct ContactReading {
  solve::ContactProblem problem;
  std::vector<int> slides;    ///< [contacts] which of System::slides
  std::vector<Matrix> basis;  ///< [contacts] tangential components of the contact, in components of its velocity
  std::vector<int> left_out;  ///< slides at rest of which not even a direction is known: no force moves them
  Vector lambda;              ///< [nc] multipliers without friction
  Matrix lambda_of_x;         ///< [nc × n] derivative by the forces
  Vector v;                   ///< [ns]
  Vector guess;               ///< [nc] multipliers at which laws of another form than given + mu |normal| were taken
  bool is_of_guess = false;   ///< there are such laws
};

/// Velocities of sliding, and distances from a change of state.
struct FrictionReading {
  Vector v_dot;         ///< [ns] rates of the velocities of all slides
  Vector force;         ///< [ns] of those that stick: the force conjugate to v that keeps them
  Vector bound;         ///< [slides] of those that stick: |force| if they slid
  Vector static_bound;  ///< [slides] most that sticking can take
  /// Forces of those that stick are not unique: `force` is one choice, and `margin` the largest distance from the
  /// bounds, relative to them, that any choice keeps.
  bool is_shared = false;
  Vector margin;                ///< [slides] 1 − |force|/static_bound of those that stick
  solve::ContactAnswer shares;  ///< where they are shared
  std::optional<ContactReading> contacts;
};

/// Changes of multipliers and of the directions of friction (forces over their bounds) that change no motion, of rows
/// and contacts that stick alike: what is shown is unique where its derivative along them vanishes. Only where contacts
/// that stick have a part; else they are the null space of the rows.
struct FreeForces {
  Matrix lambda;  ///< [nc × k]
  Matrix s;       ///< [ns × k]
};

}  // namespace vinculum::sim
