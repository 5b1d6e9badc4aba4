#pragma once

#include <string>

#include "vinculum/lang/ast.hpp"

namespace vinculum::lang {

/// The canonical layout: parse(format(m)) equals m but for ranges, format(parse(format(m))) is format(m) to the byte.
/// Keeps every comment, number spelling and single blank lines; wraps after commas and operators beyond 120 columns.
[[nodiscard]] std::string format(const ModelFile& file);

/// An expression in canonical spelling, with the fewest brackets.
[[nodiscard]] std::string format(const Expression& expression);

}  // namespace vinculum::lang
