#pragma once

#include <span>
#include <vector>

#include "vinculum/expr/graph.hpp"

namespace vinculum::expr {

/// The most that the size of each of some expressions can be by its form, as |sin x| ≤ 1 and |a b + c| ≤ |a| |b| + |c|:
/// an expression of constants and fixed symbols alone, not valid where the form tells no bound. Terms that are never
/// large at once are added all the same.   Law: greatest_size_test.cpp.
/// \param of  of one graph, which grows.   \param fixed  symbols whose values do not vary
[[nodiscard]] std::vector<Expr> greatest_sizes(std::span<const Expr> of, std::span<const Expr> fixed);

}  // namespace vinculum::expr
