#pragma once

#include <span>
#include <string>
#include <vector>

#include "vinculum/expr/graph.hpp"

namespace vinculum::expr {

/// Evaluates expressions node by node, directly from the definition of the operations. Compiled code is compared with
/// these values. Slow; allocates memory.
/// \param symbols and \param values  values of the symbols; a missing symbol causes an InternalError.
[[nodiscard]] std::vector<double> interpret(std::span<const Expr> roots, std::span<const Expr> symbols,
                                            std::span<const double> values);

/// The first operation in `roots` whose operands are finite but whose value is not, as text with numbers: "sqrt(q1 - 1)
/// with q1 - 1 = -0.3", "table prices.csv at x = 3.2 outside [0, 3]". Empty if all values are finite.
[[nodiscard]] std::string explain_non_finite(std::span<const Expr> roots, std::span<const Expr> symbols,
                                             std::span<const double> values);

}  // namespace vinculum::expr
