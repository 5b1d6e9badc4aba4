#pragma once

#include <string>

#include "vinculum/expr/layout.hpp"

namespace vinculum::expr {

/// The expression in the notation of the model language, with as few brackets as possible and numbers with the digits
/// they need (`2*q1*cos(q2)`). Positive terms of a sum come first: `q1 - q2`, not `-q2 + q1`. Order of factors:
/// numbers, symbols by declaration, functions, sums in brackets. Equal factors are combined: `x^2`.
/// \param max_nodes  after this many printed operands the rest is printed as `...`, because the text repeats shared
///   nodes and may be exponentially longer than the graph. Nesting deeper than 500 is abbreviated as well.
[[nodiscard]] std::string to_text(Expr e, std::size_t max_nodes = 100000);
/// The text of an expression in which some nodes are written by name (see `name_shared`).
[[nodiscard]] std::string to_text(Expr e, const Names& names);

}  // namespace vinculum::expr
