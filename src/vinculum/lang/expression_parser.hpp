#pragma once

#include "vinculum/lang/ast.hpp"
#include "vinculum/lang/cursor.hpp"

namespace vinculum::lang {

/// Tokens that may follow an expression, in addition to the tokens that always end it.
enum class ExpressionEnd {
  kPlain,
  kUnit,       ///< in `param`, `speed`, `start`: the unit at the end of the item, which is not consumed
  kRelation,   ///< in a unilateral constraint: the comparison sign outside brackets, which is not consumed
  kPlusMinus,  ///< in `expect`: `+-` without a space in between is the tolerance sign, not two operators
};

/// Parses an expression at the cursor. Never null: after a failure the result is an arbitrary expression, and
/// `cursor.is_faulty()` is true.
[[nodiscard]] ExpressionPtr parse_expression_at(Cursor& cursor, ExpressionEnd end = ExpressionEnd::kPlain);

/// Parses a name with primes, indices and members, as on the left side of a `start`.
[[nodiscard]] ExpressionPtr parse_variable_at(Cursor& cursor);

enum class Ranges { kNo, kYes };

/// indices = "[" expression { "," expression } "]". The cursor must be at the bracket. With `Ranges::kYes` each index
/// may be a range: ranges = "[" range { "," range } "]", range = expression [ ".." expression ].
[[nodiscard]] std::vector<ExpressionPtr> parse_indices_at(Cursor& cursor, Ranges ranges);

/// Parses the unit in brackets at the cursor; nothing if the cursor is not at a `[`.
[[nodiscard]] std::optional<Unit> parse_unit_at(Cursor& cursor);

/// Whether the bracket at the cursor can only be the unit at the end of an item: something like `[kg*m/s^2]`, followed
/// by a comma or by the end of the statement.
[[nodiscard]] bool is_at_closing_unit(const Cursor& cursor);

/// Whether the bracket `begin` tokens after the current one contains indices rather than a unit. The bracket must
/// follow a declared name, as in `coord`. It contains indices if another bracket follows, if it contains a range, or if
/// it directly follows the name and cannot be a unit (`q[2]`, `q[i]`).
[[nodiscard]] bool is_at_declared_indices(const Cursor& cursor, std::size_t begin);

}  // namespace vinculum::lang
