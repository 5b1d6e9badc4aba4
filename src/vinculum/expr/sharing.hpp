#pragma once

#include <functional>
#include <span>
#include <vector>

#include "vinculum/expr/layout.hpp"

namespace vinculum::expr {

/// When a subexpression gets a line and a name of its own.
struct SharingRule {
  std::size_t least_size = 2;   ///< operations and leaves, printed without names below; smaller ones are repeated
  std::size_t most_size = 200;  ///< larger ones are named even when used once: no line grows beyond reading
  int most_depth = 40;          ///< likewise
  bool counts_squares = false;  ///< x*x uses x twice (code); else once (x^2)
};

/// Subexpressions to be written first, in this order, each in terms of those before it.
struct Shared {
  std::vector<Expr> definitions;
  Names names;  ///< of the definitions, and what was named before
};

/// Names what the roots use more than once, or what is too long for one line. Constants, symbols and their negatives
/// never get names, nor does what has one in `given` (symbols in a notation of their own).
/// \param name  of the k-th definition from 0, unique.
[[nodiscard]] Shared name_shared(std::span<const Expr> roots, const SharingRule& rule,
                                 const std::function<std::string(Expr definition, std::size_t k)>& name,
                                 const Names& given = {});

}  // namespace vinculum::expr
