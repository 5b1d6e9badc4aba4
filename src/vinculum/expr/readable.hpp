#pragma once

#include <span>
#include <vector>

#include "vinculum/expr/graph.hpp"

namespace vinculum::expr {

/// Length of an expression on paper: number of leaves and operations, counting repetitions. Saturates.
[[nodiscard]] std::size_t printed_size(Expr e);

/// Equivalent expressions that are easier to read: like terms collected, a sin² + a cos² and 1 − sin² simplified,
/// common factors taken out (`m*L^2*(cos(q1) + cos(q2))`). Each is used only if it is shorter than the original. Values
/// are equal up to rounding where both are finite; a factor may cancel against a divisor, so that a removable 0/0
/// disappears.
///
/// For printing only: code is generated from the canonical form of Graph, whose rules never reorder. Sums of more than
/// `most_terms` products are left as they are; their parts are simplified. Grows the graph of the roots.
/// \cost about O(nodes · most_terms²).
[[nodiscard]] std::vector<Expr> readable(std::span<const Expr> roots, std::size_t most_terms = 48);

}  // namespace vinculum::expr
