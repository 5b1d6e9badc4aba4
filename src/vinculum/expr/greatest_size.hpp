#pragma once

#include <span>
#include <vector>

#include "vinculum/expr/graph.hpp"

namespace vinculum::expr {

/// Upper bounds of the absolute values of expressions, from their form: |sin x| ≤ 1, |a b + c| ≤ |a| |b| + |c|. A bound
/// is an expression of constants and fixed symbols, or invalid if the form gives no bound. Bounds may be coarse: terms
/// that are never large at the same time are added.   Test: greatest_size_test.cpp.
/// \param of  expressions of one graph, which grows   \param fixed  symbols whose values do not vary
[[nodiscard]] std::vector<Expr> greatest_sizes(std::span<const Expr> of, std::span<const Expr> fixed);

}  // namespace vinculum::expr
