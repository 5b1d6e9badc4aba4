#pragma once

#include "vinculum/lang/ast.hpp"
#include "vinculum/lang/cursor.hpp"

namespace vinculum::lang {

/// What may end an expression besides its own grammar.
enum class ExpressionEnd {
  kPlain,
  kUnit,       ///< in `param`, `speed`, `start`: a unit that closes the item is left standing
  kPlusMinus,  ///< in `expect`: `+-` without a space between is the tolerance's sign, not two operators
};

/// An expression at the cursor. Never null: after a failure some expression, the cursor knows.
[[nodiscard]] ExpressionPtr parse_expression_at(Cursor& cursor, ExpressionEnd end = ExpressionEnd::kPlain);

/// A name with its primes, indices and members, as on the left of a `start`.
[[nodiscard]] ExpressionPtr parse_variable_at(Cursor& cursor);

enum class Ranges { kNo, kYes };

/// indices = "[" expression { "," expression } "]", at whose bracket the cursor stands. With `Ranges::kYes` each may be
/// a range: ranges = "[" range { "," range } "]", range = expression [ ".." expression ].
[[nodiscard]] std::vector<ExpressionPtr> parse_indices_at(Cursor& cursor, Ranges ranges);

/// The unit in brackets at the cursor, or nothing when it stands at no `[`.
[[nodiscard]] std::optional<Unit> parse_unit_at(Cursor& cursor);

/// Whether the cursor stands at a bracket that can only be read as a unit which closes an item: something like
/// `[kg*m/s^2]`, and then a comma or the end.
[[nodiscard]] bool is_at_closing_unit(const Cursor& cursor);

/// Whether the bracket, the token `begin` ahead, behind a name that is declared with nothing else, as by `coord`, holds
/// its indices and not its unit: where another bracket follows, a range is in it, or it directly follows the name and
/// can be no unit (`q[2]`, `q[i]`).
[[nodiscard]] bool is_at_declared_indices(const Cursor& cursor, std::size_t begin);

}  // namespace vinculum::lang
