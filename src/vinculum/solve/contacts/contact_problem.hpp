#pragma once

#include <vector>

#include "vinculum/solve/contacts/contact_mode.hpp"

namespace vinculum::solve {

/// What friction may do at one instant.
struct ContactAnswers {
  /// Modes that hold within 1e-9 of the sizes of their conditions. Several of them may be one motion: forces that are
  /// not unique, or a mode at the end of its range and the one that follows it.
  std::vector<ContactAnswer> answers;
  int motions = 0;          ///< among them that differ in w; 2 also where one of them is not unique by itself
  bool is_complete = true;  ///< else more motions may exist than were found
};

/// Finds what sticks, what slides and along which direction, what opens: the motion first, by Coulomb's conditions
///
///   sticks: w_t = 0, |x_t| ≤ static_ratio · g     slides: x_t = −g d, and from rest w_t = α d with α ≥ 0
///   one-sided: x_n ≥ 0, w_n ≥ 0, x_n w_n = 0
///
/// Contacts that neither G nor R couples are solved apart. Where no bound depends on an unknown force the problem is
/// convex (least ½ xᵀG x + bᵀx within the bounds) and has one motion. Other groups are solved by trying all modes, the
/// direction in which one contact sets off in a plane by all roots of d × w_t, several such directions from a number of
/// starts; groups with more modes than `kMostModes` by iterating over the bounds. `is_complete` is false in the last
/// two cases. Where a contact has a static ratio above 1, sticking is preferred to setting off.
/// \returns no answers where no modes hold.   \cost at most `kMostModes` times that of `answer_of`.
/// Source: docs/theory.md §4.6. Test: contact_problem_test.cpp (against brute force, 4700 random problems).
[[nodiscard]] ContactAnswers solve_contacts(const ContactProblem& problem);

inline constexpr int kMostModes = 5000;

/// Forces of given modes, whatever the directions of normal forces that depend on them: those with the largest margin.
/// \param modes  its `normal` are a first guess.
[[nodiscard]] ContactAnswer best_answer_of(const ContactProblem& problem, const ContactModes& modes);

/// Whether two answers are one motion.
[[nodiscard]] bool is_one_motion(const ContactProblem& problem, const ContactAnswer& one, const ContactAnswer& other);

}  // namespace vinculum::solve
