#pragma once

#include <functional>
#include <span>
#include <vector>

#include "vinculum/expr/layout.hpp"

namespace vinculum::expr {

/// Rule for the subexpressions that get a line and a name of their own.
struct SharingRule {
  /// Smallest size of a named subexpression: its operations and leaves in print, without names. Smaller ones are
  /// repeated
  std::size_t least_size = 2;
  /// larger subexpressions are named even if they occur once, so that lines stay readable
  std::size_t most_size = 200;
  int most_depth = 40;          ///< subexpressions nested deeper are named even if they occur once
  bool counts_squares = false;  ///< whether `x*x` counts as two uses of x (in code) or as one (in print, as `x^2`)
};

/// Subexpressions to be written first, in this order. Each one uses only earlier ones.
struct Shared {
  std::vector<Expr> definitions;
  Names names;  ///< names of the definitions, and the names in `given`
};

/// Names the subexpressions that the roots use more than once, and those that are too long for one line. Constants,
/// symbols and their negatives get no names, and neither do nodes with a name in `given` (symbols in another notation).
/// \param name  makes the name of the k-th definition, k from 0; the names must be unique
[[nodiscard]] Shared name_shared(std::span<const Expr> roots, const SharingRule& rule,
                                 const std::function<std::string(Expr definition, std::size_t k)>& name,
                                 const Names& given = {});

}  // namespace vinculum::expr
