#pragma once

#include <vector>

#include "vinculum/base/linear_algebra.hpp"
#include "vinculum/base/tolerance.hpp"

namespace vinculum::solve {

enum class ContactMode : char { kOpen, kSticks, kSlides };

/// A contact with friction: a tangential force with the bound g = given + mu · |normal force|.
struct Contact {
  /// First index and number of its tangential force components in x, along orthonormal directions. The number is 1 on a
  /// line, 2 in a plane, 3 in space.
  int first = 0, count = 1;
  /// Indices of components of r. The length of these components is the normal force. Empty: the bound is `given`.
  std::vector<int> normal = {};
  /// Index of the component of x that is the normal force of a one-sided contact: x ≥ 0, w ≥ 0, x w = 0. `normal` then
  /// is a row of R that selects this component. −1: the normal force is a reaction of rows that always act, with either
  /// sign.
  int unilateral = -1;
  /// The normal force has one component, which is positive: it is the reaction of a closed unilateral constraint.
  bool is_pushing = false;
  /// For a one-sided contact; only ratios matter. If normal forces are not unique, those with the least Σ compliance x²
  /// are taken, as for contacts that yield a little. 0: rigid.
  double compliance = 0.0;
  double mu = 0.0, given = 0.0;
  double static_ratio = 1.0;  ///< the bound of a contact at rest is static_ratio · g
  Vector slip = {};           ///< [count] unit direction of the slip velocity; empty: the contact is at rest

  [[nodiscard]] bool is_at_rest() const { return slip.size() == 0; }
  [[nodiscard]] bool has_normal() const { return !normal.empty() && mu != 0.0; }
  /// Components of the normal force, selected from the reactions r.
  [[nodiscard]] Vector normal_force(const Vector& r) const { return r(normal); }
};

/// The friction problem at one instant, or in one impact, of a system with bilateral constraint rows:
///
///   w = G x + b   accelerations as functions of forces (or velocities of impulses)     r = R x + r₀ + Z y   reactions
///
/// x are the forces of the contacts and w the rates of their velocities along x. y is arbitrary, because reactions of
/// dependent rows are not unique. The members `*_size` are the magnitudes of the terms that are summed in w, x and r. b
/// is not used as a size, because it may vanish when terms cancel (docs/theory.md §4.6).
struct ContactProblem {
  Matrix G;                       ///< [n×n] symmetric, positive semidefinite
  Vector G_size;                  ///< [n] > 0, size of the terms of G_ii; if G_ii < 1e-12 × this, force i moves nothing
  Vector b;                       ///< [n] rates w without contact forces
  Matrix R;                       ///< [m×n] reactions per unit of each contact force
  Vector r0;                      ///< [m] reactions without contact forces
  Matrix Z;                       ///< [m×k], k may be 0
  Vector w_size, x_size, r_size;  ///< [n], [n], [m] > 0, typical sizes of w, x, r
  std::vector<Contact> contacts;
};

/// Assumed modes of all contacts, which `answer_of` verifies.
struct ContactModes {
  std::vector<ContactMode> mode;
  Vector direction;  ///< [n] unit direction of each sliding contact, 0 elsewhere
  /// [contacts] Unit direction of the normal force, with as many components as `Contact::normal`; ±1 for one component.
  std::vector<Vector> normal;
};

/// Forces for given modes. If they are not unique, the least forces relative to their bounds are chosen. But if one of
/// these is within a thousandth of its bound, the forces with the greatest margin are chosen.
struct ContactAnswer {
  ContactModes modes;
  Vector x, w, r;
  /// Smallest value of all conditions of the modes, each relative to its size: > 0 if all are satisfied strictly, 0 if
  /// a force is at its bound, < 0 if the modes are wrong.
  double margin = 0.0;
  std::vector<double> margins;  ///< [contacts] smallest value of the conditions of each contact
  bool has_forces = false;      ///< whether the equations of the modes have a solution
  bool are_forces_unique = true;
  /// [n×k], [columns of Z × k] directions in which the forces x and the arbitrary y are not unique.
  Matrix free_x, free_y;
  bool is_motion_unique = true;  ///< w is the same for all forces that are possible with these modes

  /// True if the modes are valid: all conditions are satisfied up to `tolerance::kConditioned` × their sizes.
  [[nodiscard]] bool holds() const { return has_forces && margin >= -tolerance::kConditioned; }
};

/// Computes the forces for given modes; the conditions of the modes may be violated. A contact without
/// friction (`given` = 0, no normal force) slides, without a direction.
/// \cost O(n³), and some tens of Newton steps if forces are not unique.   Test: contact_problem_test.cpp.
[[nodiscard]] ContactAnswer answer_of(const ContactProblem& problem, ContactModes modes);
/// As `answer_of`, but always with the least forces if they are not unique. These are linear in the known forces, and
/// are computed much faster.
[[nodiscard]] ContactAnswer least_answer_of(const ContactProblem& problem, ContactModes modes);

}  // namespace vinculum::solve
