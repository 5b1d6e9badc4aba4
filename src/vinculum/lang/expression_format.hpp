#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "vinculum/lang/ast.hpp"

namespace vinculum::lang {

/// Marks in formatted text for possible line breaks. Where the line is not broken, kBreakOrBlank and kBreakBetweenParts
/// become a blank, and kBreak becomes nothing. kBreakBetweenParts separates the options of a statement: a line is
/// broken within an option only if the option is too long for a line of its own.
inline constexpr char kBreakOrBlank = '\x01';
inline constexpr char kBreak = '\x02';
inline constexpr char kBreakBetweenParts = '\x03';

/// An expression in canonical spelling, with marks for possible line breaks.
[[nodiscard]] std::string format_with_breaks(const Expression& expression);

/// A name in canonical spelling: `B[i]`, `x.P`, `q[1..3]`.
[[nodiscard]] std::string format_with_breaks(const Name& name);

/// The range `a..b` of a `for`.
[[nodiscard]] std::string format_range_with_breaks(const Expression& from, const Expression& to);

/// The value and the unit at the end of an item of `param`, `speed` or `start`. The value is bracketed if otherwise its
/// last number would take the unit, or its last index would be read as a unit.
[[nodiscard]] std::string format_item(const Expression& value, const std::optional<Unit>& unit);

/// An expression, in brackets if it begins with one of `words`, because the parser would misread such a word there.
[[nodiscard]] std::string format_unless_word(const Expression& expression, std::span<const std::string_view> words);

/// A side of a unilateral constraint: in brackets if it is a condition or a choice, whose comparison would otherwise be
/// read as the sign of the constraint.
[[nodiscard]] std::string format_side(const Expression& expression);

[[nodiscard]] std::string format_unit(const Unit& unit);

}  // namespace vinculum::lang
