#pragma once

#include <span>
#include <vector>

#include "vinculum/compiled/random_states.hpp"

namespace vinculum::sim {

/// Rows of velocity level under the ideal law that are integrals of the motion under everything else: with u' from M,
/// f, C and the other rows, e = b − A u' = 0 at every state on the constraints. Such a row needs no force, λ = 0, and
/// no equation of the motion is lost where its gradient vanishes, as that of an energy does at a turning point.
///
/// Judged at random states with random values of the parameters, so that a row that is an integral for special values
/// only is not one. A row that others imply is redundant, not an integral. No row is returned for models with friction,
/// efforts, relations that are of higher order or not linear in u', expressions with branches, indefinite M, or more
/// than some hundred speeds and rows.
/// \param declared  values of the parameters around which others are drawn.  \param states  with the declared values.
/// \returns rows, ascending.
/// \pre rows, starts and embedding of the structure are known; its `integrals` are empty.
/// \cost a solve with M and the rows for each candidate and state; nothing without candidates.
/// Source: [R] 5.3; theory.md §2.   Test: integral_rows_test.cpp.
[[nodiscard]] std::vector<int> integral_rows(const Structure& structure, std::span<const double> declared,
                                             const RandomStates& states, unsigned seed);

}  // namespace vinculum::sim
