#pragma once

#include "vinculum/expr/graph.hpp"

namespace vinculum::expr {

/// The canonical form that `op` of these operands (canonical themselves) takes by a rule of the algebra; not valid when
/// no rule applies and the operation is to become a node as it stands. See Graph for what the rules may do.
[[nodiscard]] Expr canonical_form(Op op, Expr first, Expr second, Expr third);

/// Whether the order of the two operands does not matter; Graph::make then puts constants first, older nodes next.
[[nodiscard]] bool is_commutative(Op op);

/// Whether e carries a minus sign that a sum, product or quotient can absorb: −x, c x or c/x with c < 0, or c < 0.
[[nodiscard]] bool has_minus(Expr e);

}  // namespace vinculum::expr
