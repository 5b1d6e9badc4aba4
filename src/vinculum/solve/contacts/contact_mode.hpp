#pragma once

#include <vector>

#include "vinculum/base/linear_algebra.hpp"
#include "vinculum/base/tolerance.hpp"

namespace vinculum::solve {

enum class ContactMode : char { kOpen, kSticks, kSlides };

/// One contact with friction: a force along its tangential components, bounded by g = given + mu · |normal force|.
struct Contact {
  int first = 0, count = 1;  ///< its tangential components in x, orthonormal directions: 1 in a line, 2 in a plane, 3
  /// Components of r whose length is the normal force. Empty: `given` is the whole bound.
  std::vector<int> normal = {};
  /// Component of x that is the normal force of a one-sided contact: x ≥ 0, w ≥ 0, one of them 0. `normal` then names a
  /// row of R that selects it. −1: the normal force is a reaction of rows that stay in force, of either sign.
  int unilateral = -1;
  double mu = 0.0, given = 0.0;
  double static_ratio = 1.0;  ///< at rest the bound is static_ratio · g
  Vector slip = {};           ///< [count] unit direction in which it slides; empty: at rest

  [[nodiscard]] bool is_at_rest() const { return slip.size() == 0; }
  [[nodiscard]] bool has_normal() const { return !normal.empty() && mu != 0.0; }
  /// The normal force of these reactions, by components.
  [[nodiscard]] Vector normal_force(const Vector& r) const { return r(normal); }
};

/// Friction at one instant, or in one impact, in the space that bilateral rows leave:
///
///   w = G x + b   accelerations against forces (or velocities against impulses)     r = R x + r₀ + Z y   reactions
///
/// y is free: reactions that depend on each other are not unique. Sizes are those of the terms that make w, x and r,
/// never of b, which may vanish where terms cancel (docs/theory.md §4.6).
struct ContactProblem {
  Matrix G;                       ///< [n×n] symmetric, positive semidefinite
  Vector G_size;                  ///< [n] > 0, what G_ii is made of: below 1e-12 of it a force moves nothing
  Vector b;                       ///< [n]
  Matrix R;                       ///< [m×n]
  Vector r0;                      ///< [m]
  Matrix Z;                       ///< [m×k], k may be 0
  Vector w_size, x_size, r_size;  ///< [n], [n], [m] > 0
  std::vector<Contact> contacts;
};

/// What is assumed of every contact, and is to be verified.
struct ContactModes {
  std::vector<ContactMode> mode;
  Vector direction;            ///< [n] unit direction of each contact that slides, 0 elsewhere
  std::vector<Vector> normal;  ///< direction of each contact's normal force [as its `normal`]: ±1 for one component
};

/// Forces that go with modes. Where they are not unique: the least in units of their bounds; if these leave less than a
/// thousandth of a bound, those that keep the largest distance from their bounds.
struct ContactAnswer {
  ContactModes modes;
  Vector x, w, r;
  /// Least of all conditions, each relative to its size: > 0 inside, 0 at a bound, < 0 where the modes do not hold.
  double margin = 0.0;
  std::vector<double> margins;  ///< [contacts] the same, of each
  bool has_forces = false;      ///< the equations of the modes have a solution at all
  bool are_forces_unique = true;
  /// [n×k], [columns of Z × k] directions in which forces, and what is free of the reactions, are not unique.
  Matrix free_x, free_y;
  bool is_motion_unique = true;  ///< w is the same for all forces that these modes allow

  /// Whether the modes hold: all conditions, within `tolerance::kConditioned` of their sizes.
  [[nodiscard]] bool holds() const { return has_forces && margin >= -tolerance::kConditioned; }
};

/// Forces of given modes; their conditions may fail. A contact without any bound slides, along no direction.
/// \cost O(n³), and some tens of Newton steps where forces are not unique.
/// Test: contact_problem_test.cpp.
[[nodiscard]] ContactAnswer answer_of(const ContactProblem& problem, ContactModes modes);

}  // namespace vinculum::solve
