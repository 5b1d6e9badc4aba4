#pragma once

#include <span>
#include <string>
#include <vector>

#include "vinculum/expr/graph.hpp"

namespace vinculum::expr {

/// Evaluates expressions node by node, straight from their definition: the oracle for compiled code. Slow, allocates.
/// \param symbols and \param values  what the symbols stand for; a symbol without a value is an InternalError.
[[nodiscard]] std::vector<double> interpret(std::span<const Expr> roots, std::span<const Expr> symbols,
                                            std::span<const double> values);

/// The first operation on the way to `roots` whose operands are finite while its value is not, as text with numbers:
/// "sqrt(q1 - 1) with q1 - 1 = -0.3", "table prices.csv at x = 3.2 outside [0, 3]". Empty when all is finite.
[[nodiscard]] std::string explain_non_finite(std::span<const Expr> roots, std::span<const Expr> symbols,
                                             std::span<const double> values);

}  // namespace vinculum::expr
