#pragma once

#include <span>
#include <vector>

#include "vinculum/compiled/random_states.hpp"

namespace vinculum::sim {

/// Finds the velocity-level rows of ideal law that are integrals of the motion. Row i is an integral if b_i = A_i u' at
/// every state that satisfies the constraints, where u' are the accelerations that follow from M, f, C and the other
/// rows. Such a row needs no force (λ = 0). If it is left out, the equations remain regular at states where its
/// gradient vanishes, such as the turning points of a motion if the row is an energy.
///
/// The test uses random states and random values of the parameters, so that a row which is an integral only for special
/// values does not count. A row that follows from other rows is redundant, not an integral. The result is empty for
/// models with friction, efforts, relations that are of higher order or nonlinear in u', expressions with branches,
/// indefinite M, or more than 400 speeds and rows.
/// \param declared  parameter values near which random values are drawn.  \param states  random states for the declared
///   values.
/// \returns indices of rows, ascending.
/// \pre rows, starts and embedding of the structure are known; its `integrals` are empty.
/// \cost one solution with M and the rows per candidate row and state.
/// Source: [R] 5.3; theory.md §2.   Test: integral_rows_test.cpp.
[[nodiscard]] std::vector<int> integral_rows(const Structure& structure, std::span<const double> declared,
                                             const RandomStates& states, unsigned seed);

}  // namespace vinculum::sim
