#pragma once

#include "vinculum/expr/graph.hpp"

namespace vinculum::expr {

/// The canonical form of `op` applied to canonical operands, by a rule of algebra. Invalid if no rule applies; the
/// operation then becomes a node as it is. See Graph for the allowed rules.
[[nodiscard]] Expr canonical_form(Op op, Expr first, Expr second, Expr third);

/// Whether the order of the two operands does not matter. Graph::make then puts a constant first; otherwise the older
/// node.
[[nodiscard]] bool is_commutative(Op op);

/// Whether e carries a minus sign that a sum, product or quotient can absorb: −x, c x or c/x with c < 0, or c < 0.
[[nodiscard]] bool has_minus(Expr e);

}  // namespace vinculum::expr
