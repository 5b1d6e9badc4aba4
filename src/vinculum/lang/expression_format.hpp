#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "vinculum/lang/ast.hpp"

namespace vinculum::lang {

/// Marks in formatted text where a line may be broken: the first stands for a blank, the second for nothing. The third,
/// a blank too, stands between the parts of a statement: what lies between two such is broken only where it is too long
/// alone.
inline constexpr char kBreakOrBlank = '\x01';
inline constexpr char kBreak = '\x02';
inline constexpr char kBreakBetweenParts = '\x03';

/// An expression in canonical spelling, with marks where a line may be broken.
[[nodiscard]] std::string format_with_breaks(const Expression& expression);

/// `B[i]`, `x.P`, `q[1..3]`.
[[nodiscard]] std::string format_with_breaks(const Name& name);

/// `a..b` of a `for`.
[[nodiscard]] std::string format_range_with_breaks(const Expression& from, const Expression& to);

/// The value and closing unit of an item of `param`, `speed` or `start`: bracketed where the unit would otherwise be
/// read as that of the value's last number, or a last index as the unit.
[[nodiscard]] std::string format_item(const Expression& value, const std::optional<Unit>& unit);

/// An expression at a place where one of `words` would be read as something else: bracketed if it begins with such.
[[nodiscard]] std::string format_unless_word(const Expression& expression, std::span<const std::string_view> words);

[[nodiscard]] std::string format_unit(const Unit& unit);

}  // namespace vinculum::lang
