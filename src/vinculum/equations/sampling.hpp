#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "vinculum/expr/graph.hpp"

namespace vinculum::equations {

/// Whether no operation in the expression is defined piecewise (`select`, `abs`, `floor`, comparisons, tables, …). Only
/// then does an identity that holds at random states hold everywhere.
[[nodiscard]] bool is_analytic(expr::Expr expression);
/// Whether all of the expressions are analytic.
[[nodiscard]] bool are_analytic(std::span<const expr::Expr> expressions);
/// Whether the expression is analytic as a function of the symbols `in` alone. A branch that depends only on other
/// symbols does not count.
[[nodiscard]] bool is_analytic(expr::Expr expression, std::span<const expr::Expr> in);

/// Values of expressions at a few random states, which decide whether an identity holds. For expressions that are
/// analytic at these states, the decision is right with probability one.
class Sampler {
 public:
  /// \param symbols  all symbols on which the expressions may depend   \param seed  seed of the random states
  Sampler(std::vector<expr::Expr> symbols, std::uint64_t seed);

  /// [states][expressions] Values at up to `wanted` states at which every expression is finite. Empty if none of the
  /// states tried is such a state.
  [[nodiscard]] std::vector<std::vector<double>> sample(std::span<const expr::Expr> expressions, int wanted = 3) const;

  /// Whether an analytic expression vanishes at every sampled state, within its own rounding error there
  /// (expr/rounding; the error does not depend on units). An expression with branches counts as zero only if it is the
  /// constant 0.
  [[nodiscard]] bool is_generically_zero(expr::Expr expression) const {
    return are_generically_zero({&expression, 1})[0] != 0;
  }
  /// The result of `is_generically_zero` for each expression. Common subexpressions are evaluated once per state.
  [[nodiscard]] std::vector<char> are_generically_zero(std::span<const expr::Expr> expressions) const;

 private:
  std::vector<expr::Expr> symbols_;
  std::vector<std::vector<double>> states_;
};

}  // namespace vinculum::equations
