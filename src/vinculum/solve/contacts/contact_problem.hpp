#pragma once

#include <vector>

#include "vinculum/solve/contacts/contact_mode.hpp"

namespace vinculum::solve {

/// All motions with friction that are possible at one instant.
struct ContactAnswers {
  /// Valid modes with their forces; conditions may be violated by 1e-9 × their sizes. Several modes may give the same
  /// motion, if forces are not unique, or if a force is exactly at the limit between two modes.
  std::vector<ContactAnswer> answers;
  int motions = 0;  ///< number of answers with different w; also 2 if a single answer has a w that is not unique
  bool is_complete = true;  ///< false: there may be motions that were not found
};

/// Finds which contacts stick, which slide and in which direction d, and which open. Coulomb's conditions relate the
/// tangential and normal forces x_t, x_n, the friction bound g, and the accelerations w_t, w_n of the contact in
/// tangential and normal direction:
///
///   sticks: w_t = 0, |x_t| ≤ static_ratio · g     slides: x_t = −g d, and from rest w_t = α d with α ≥ 0
///   one-sided: x_n ≥ 0, w_n ≥ 0, x_n w_n = 0
///
/// Contacts that neither G nor R couples are treated separately. If no bound g depends on an unknown force, the problem
/// is convex (minimum of ½ xᵀG x + bᵀx within the bounds) and has one motion. For other groups all modes are tried. If
/// one contact begins to slide in a plane, its direction d is one of the roots of d × w_t = 0. If several contacts do,
/// the directions are sought from a number of starts. Groups with more than `kMostModes` modes are solved by iterating
/// over the bounds. `is_complete` is false in the last two cases. If the static ratio of a contact is above 1, sticking
/// is preferred to the start of sliding.
/// \returns no answers if no modes are valid.   \cost at most `kMostModes` times the cost of `answer_of`.
/// Source: docs/theory.md §4.6. Test: contact_problem_test.cpp (compared with brute force, 4700 random problems).
[[nodiscard]] ContactAnswers solve_contacts(const ContactProblem& problem);

inline constexpr int kMostModes = 5000;

/// Forces for given modes, with the directions of the normal forces that give the largest margin.
/// \param modes  `modes.normal` is the first guess of these directions.
[[nodiscard]] ContactAnswer best_answer_of(const ContactProblem& problem, const ContactModes& modes);

/// True if two answers have the same w, that is, are the same motion.
[[nodiscard]] bool is_one_motion(const ContactProblem& problem, const ContactAnswer& one, const ContactAnswer& other);

}  // namespace vinculum::solve
