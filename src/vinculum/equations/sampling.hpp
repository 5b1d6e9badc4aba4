#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "vinculum/expr/graph.hpp"

namespace vinculum::equations {

/// Whether no operation on the way has branches or pieces (`select`, `abs`, `floor`, comparisons, tables, …): only then
/// does what holds at random states hold everywhere.
[[nodiscard]] bool is_analytic(expr::Expr expression);
/// Whether all are.
[[nodiscard]] bool are_analytic(std::span<const expr::Expr> expressions);
/// The same as a function of these symbols alone: a branch that the others choose is one and the same.
[[nodiscard]] bool is_analytic(expr::Expr expression, std::span<const expr::Expr> in);

/// Values of expressions at a few random states: decides what holds generically, that is with probability one for
/// expressions that are analytic where they are sampled.
class Sampler {
 public:
  /// \param symbols  everything the expressions may depend on.   \param seed  of the states.
  Sampler(std::vector<expr::Expr> symbols, std::uint64_t seed);

  /// [states][expressions]; only states where every expression is finite, at most `wanted` of them; empty when none of
  /// the states tried is.
  [[nodiscard]] std::vector<std::vector<double>> sample(std::span<const expr::Expr> expressions, int wanted = 3) const;

  /// Whether an analytic expression vanishes at every sampled state, to what rounding does to it there
  /// (expr/rounding: in whatever units it is written); what has branches only when it is 0.
  [[nodiscard]] bool is_generically_zero(expr::Expr expression) const {
    return are_generically_zero({&expression, 1})[0] != 0;
  }
  /// Of each; one pass through what they have in common at a state, not one each.
  [[nodiscard]] std::vector<char> are_generically_zero(std::span<const expr::Expr> expressions) const;

 private:
  std::vector<expr::Expr> symbols_;
  std::vector<std::vector<double>> states_;
};

}  // namespace vinculum::equations
