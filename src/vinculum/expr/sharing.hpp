#pragma once

#include <functional>
#include <span>
#include <vector>

#include "vinculum/expr/layout.hpp"

namespace vinculum::expr {

/// Decides which subexpressions get a line and a name of their own.
struct SharingRule {
  /// Smallest named size: operations and leaves, printed without names; smaller subexpressions are repeated
  std::size_t least_size = 2;
  std::size_t most_size = 200;  ///< larger subexpressions are named even if used once, so that lines stay readable
  int most_depth = 40;          ///< deeper subexpressions are named even if used once
  bool counts_squares = false;  ///< whether x*x counts as two uses of x (code) or one (x^2)
};

/// Subexpressions to be written first, in this order, each in terms of the earlier ones.
struct Shared {
  std::vector<Expr> definitions;
  Names names;  ///< of the definitions, and the names that were given
};

/// Names the subexpressions that the roots use more than once, and those that are too long for one line. Constants,
/// symbols and their negatives get no names, nor do nodes with a name in `given` (symbols in another notation).
/// \param name  makes the name of the k-th definition, k from 0; must be unique.
[[nodiscard]] Shared name_shared(std::span<const Expr> roots, const SharingRule& rule,
                                 const std::function<std::string(Expr definition, std::size_t k)>& name,
                                 const Names& given = {});

}  // namespace vinculum::expr
