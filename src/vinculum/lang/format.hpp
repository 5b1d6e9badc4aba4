#pragma once

#include <string>

#include "vinculum/lang/ast.hpp"

namespace vinculum::lang {

/// A model in canonical layout. parse(format(m)) equals m except for source ranges. format(parse(format(m))) equals
/// format(m) to the byte. Keeps all comments, the spelling of numbers and single blank lines. Wraps lines longer than
/// 120 columns after commas and operators.
[[nodiscard]] std::string format(const ModelFile& file);

/// An expression in canonical spelling, with as few brackets as possible.
[[nodiscard]] std::string format(const Expression& expression);

}  // namespace vinculum::lang
