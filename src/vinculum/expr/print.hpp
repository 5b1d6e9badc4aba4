#pragma once

#include <string>

#include "vinculum/expr/graph.hpp"

namespace vinculum::expr {

/// The expression in the language's own notation, fewest brackets, numbers with the digits they need (`2*q1*cos(q2)`).
/// Sums print positive terms first: `q1 - q2`, not `-q2 + q1`.
[[nodiscard]] std::string to_text(Expr e);

}  // namespace vinculum::expr
