#pragma once

#include <span>
#include <vector>

#include "vinculum/compiled/random_states.hpp"

namespace vinculum::sim {

/// Finds the velocity-level rows of ideal law that are integrals of the motion: if u' follows from M, f, C and the
/// other rows, e = b − A u' = 0 at every state on the constraints. Such a row needs no force, λ = 0. If it is left out,
/// the equations remain regular at states where its gradient vanishes, such as a turning point for an energy.
///
/// Judged at random states and with random values of the parameters, so that a row which is an integral only for
/// special values does not count. A row that others imply is redundant, not an integral. The result is empty for models
/// with friction, efforts, relations that are of higher order or nonlinear in u', expressions with branches, indefinite
/// M, or more than some hundred speeds and rows.
/// \param declared  parameter values around which others are drawn.  \param states  random states for the declared
///   values.
/// \returns rows, ascending.
/// \pre rows, starts and embedding of the structure are known; its `integrals` are empty.
/// \cost one solution with M and the rows per candidate and state; nothing without candidates.
/// Source: [R] 5.3; theory.md §2.   Test: integral_rows_test.cpp.
[[nodiscard]] std::vector<int> integral_rows(const Structure& structure, std::span<const double> declared,
                                             const RandomStates& states, unsigned seed);

}  // namespace vinculum::sim
