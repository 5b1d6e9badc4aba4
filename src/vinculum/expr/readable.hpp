#pragma once

#include <span>
#include <vector>

#include "vinculum/expr/graph.hpp"

namespace vinculum::expr {

/// Length of an expression in print: the number of leaves and operations, counted with repetitions; limited to a
/// maximum.
[[nodiscard]] std::size_t printed_size(Expr e);

/// Equivalent expressions that are easier to read: like terms are collected, a sin² + a cos² and 1 − sin² simplified,
/// and common factors taken out (`m*L^2*(cos(q1) + cos(q2))`). Each result is used only if it is shorter than the
/// original. Values are equal up to rounding where both are finite. A factor may cancel against a divisor, so a
/// removable 0/0 disappears.
///
/// Use it for printing only. Code is generated from the canonical form of Graph, whose rules never reorder. Sums of
/// more than `most_terms` products stay as they are; their summands are simplified. The graph of the roots grows.
/// \cost about O(nodes · most_terms²)
[[nodiscard]] std::vector<Expr> readable(std::span<const Expr> roots, std::size_t most_terms = 48);

}  // namespace vinculum::expr
