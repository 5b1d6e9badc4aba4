#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "vinculum/lang/ast.hpp"

namespace vinculum::lang {

/// Marks in formatted text for possible line breaks. The first becomes a blank if the line is not broken there, the
/// second nothing. The third becomes a blank as well and separates parts of a statement: a part is broken inside only
/// if it is too long for a line of its own.
inline constexpr char kBreakOrBlank = '\x01';
inline constexpr char kBreak = '\x02';
inline constexpr char kBreakBetweenParts = '\x03';

/// An expression in canonical spelling, with marks for possible line breaks.
[[nodiscard]] std::string format_with_breaks(const Expression& expression);

/// `B[i]`, `x.P`, `q[1..3]`.
[[nodiscard]] std::string format_with_breaks(const Name& name);

/// The range `a..b` of a `for`.
[[nodiscard]] std::string format_range_with_breaks(const Expression& from, const Expression& to);

/// The value and closing unit of an item of `param`, `speed` or `start`. The value is bracketed if its last number
/// would otherwise take the unit, or if a last index would be read as a unit.
[[nodiscard]] std::string format_item(const Expression& value, const std::optional<Unit>& unit);

/// An expression where a first word from `words` would be misread: bracketed if it begins with such a word.
[[nodiscard]] std::string format_unless_word(const Expression& expression, std::span<const std::string_view> words);

[[nodiscard]] std::string format_unit(const Unit& unit);

}  // namespace vinculum::lang
