#pragma once

#include <vector>

#include "vinculum/solve/contacts/contact_mode.hpp"

namespace vinculum::solve {

/// Possible motions with friction at one instant.
struct ContactAnswers {
  /// Modes that are valid within 1e-9 of the sizes of their conditions. Several of them may be the same motion: if
  /// forces are not unique, or if one mode is at the end of its range and another one begins.
  std::vector<ContactAnswer> answers;
  int motions = 0;          ///< number of answers with different w; 2 also if a single answer has no unique w
  bool is_complete = true;  ///< false: there may be motions that were not found
};

/// Finds which contacts stick, which slide and in which direction, and which open. The motion is determined first, by
/// Coulomb's conditions
///
///   sticks: w_t = 0, |x_t| ≤ static_ratio · g     slides: x_t = −g d, and from rest w_t = α d with α ≥ 0
///   one-sided: x_n ≥ 0, w_n ≥ 0, x_n w_n = 0
///
/// Contacts that neither G nor R couples are treated separately. If no bound depends on an unknown force, the problem
/// is convex (minimum of ½ xᵀG x + bᵀx within the bounds) and has one motion. For other groups all modes are tried. If
/// one contact begins to slide in a plane, its direction is one of the roots of d × w_t; several such directions are
/// sought from a number of starts. Groups with more modes than `kMostModes` are solved by iterating over the bounds.
/// `is_complete` is false in the last two cases. If a contact has a static ratio above 1, sticking is preferred to the
/// start of sliding.
/// \returns no answers if no modes are valid.   \cost at most `kMostModes` times the cost of `answer_of`.
/// Source: docs/theory.md §4.6. Test: contact_problem_test.cpp (compared with brute force, 4700 random problems).
[[nodiscard]] ContactAnswers solve_contacts(const ContactProblem& problem);

inline constexpr int kMostModes = 5000;

/// Forces for given modes. Over all directions of normal forces that they depend on, the forces with the largest
/// margin.
/// \param modes  its `normal` is a first guess.
[[nodiscard]] ContactAnswer best_answer_of(const ContactProblem& problem, const ContactModes& modes);

/// True if two answers are the same motion.
[[nodiscard]] bool is_one_motion(const ContactProblem& problem, const ContactAnswer& one, const ContactAnswer& other);

}  // namespace vinculum::solve
