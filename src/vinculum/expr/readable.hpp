#pragma once

#include <span>
#include <vector>

#include "vinculum/expr/graph.hpp"

namespace vinculum::expr {

/// How long an expression is on paper: leaves and operations, each as often as it is written. Saturates.
[[nodiscard]] std::size_t printed_size(Expr e);

/// Equal expressions for people to read: like terms collected, a sin² + a cos² and 1 − sin² folded, common factors
/// taken out
/// (`m*L^2*(cos(q1) + cos(q2))`), wherever that is shorter than what was there; else the expression itself. The same
/// value up to rounding where both are finite; a factor may cancel against a divisor, so that a removable 0/0
/// disappears.
///
/// For printing only: code is generated from the canonical form of Graph, whose rules never reorder.
/// Sums of more than `most_terms` products are left as they are, their parts are not. Grows the roots' graph.
/// \cost about O(nodes · most_terms²).
[[nodiscard]] std::vector<Expr> readable(std::span<const Expr> roots, std::size_t most_terms = 48);

}  // namespace vinculum::expr
