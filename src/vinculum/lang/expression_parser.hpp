#pragma once

#include "vinculum/lang/ast.hpp"
#include "vinculum/lang/cursor.hpp"

namespace vinculum::lang {

/// What may follow an expression, in addition to the tokens that always end it.
enum class ExpressionEnd {
  kPlain,
  kUnit,       ///< in `param`, `speed`, `start`: a unit that closes the item is not consumed
  kPlusMinus,  ///< in `expect`: `+-` without a space is the tolerance sign, not two operators
};

/// Parses an expression at the cursor. Never null: after a failure it is some expression, and the cursor is faulty.
[[nodiscard]] ExpressionPtr parse_expression_at(Cursor& cursor, ExpressionEnd end = ExpressionEnd::kPlain);

/// Parses a name with primes, indices and members, as on the left side of a `start`.
[[nodiscard]] ExpressionPtr parse_variable_at(Cursor& cursor);

enum class Ranges { kNo, kYes };

/// indices = "[" expression { "," expression } "]", with the cursor at the bracket. With `Ranges::kYes` each may be a
/// range: ranges = "[" range { "," range } "]", range = expression [ ".." expression ].
[[nodiscard]] std::vector<ExpressionPtr> parse_indices_at(Cursor& cursor, Ranges ranges);

/// Parses the unit in brackets at the cursor; nothing if the cursor is not at a `[`.
[[nodiscard]] std::optional<Unit> parse_unit_at(Cursor& cursor);

/// Whether the bracket at the cursor can only be a unit that closes an item: something like `[kg*m/s^2]`, followed by a
/// comma or the end.
[[nodiscard]] bool is_at_closing_unit(const Cursor& cursor);

/// Whether the bracket `begin` tokens ahead, after a declared name as in `coord`, contains indices rather than a unit.
/// It does if another bracket follows, if it contains a range, or if it directly follows the name and cannot be a unit
/// (`q[2]`, `q[i]`).
[[nodiscard]] bool is_at_declared_indices(const Cursor& cursor, std::size_t begin);

}  // namespace vinculum::lang
