#pragma once

#include <string>

#include "vinculum/expr/layout.hpp"

namespace vinculum::expr {

/// The expression in the language's own notation, fewest brackets, numbers with the digits they need (`2*q1*cos(q2)`).
/// Sums print positive terms first: `q1 - q2`, not `-q2 + q1`.
/// Factors: numbers, symbols in the order of their declaration, functions, sums in brackets. Equal factors join: `x^2`.
/// \param max_nodes  after that many printed operands the rest is shown as `...`: text repeats what a graph shares, and
///                   may be exponentially longer. So is what nests more than 500 deep.
[[nodiscard]] std::string to_text(Expr e, std::size_t max_nodes = 100000);
/// The same with some nodes under names of their own (`name_shared`).
[[nodiscard]] std::string to_text(Expr e, const Names& names);

}  // namespace vinculum::expr
