#pragma once

#include "vinculum/expr/graph.hpp"

namespace vinculum::expr {

/// The canonical form of `op` applied to canonical operands, if a rule of algebra gives one; see Graph for the rules.
/// Invalid if no rule applies; the operation is then stored as a node.
[[nodiscard]] Expr canonical_form(Op op, Expr first, Expr second, Expr third);

/// Whether the order of the two operands has no effect. If so, Graph::make puts a constant first, otherwise the older
/// node.
[[nodiscard]] bool is_commutative(Op op);

/// Whether a sum, product or quotient can absorb a minus sign of e: e is −x, c x or c/x with c < 0, or a constant < 0.
[[nodiscard]] bool has_minus(Expr e);

}  // namespace vinculum::expr
