#pragma once

#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "vinculum/expr/graph.hpp"

namespace vinculum::sim::invariants {

/// Evaluates expressions at the states of a probe, each one only once. Many expressions are evaluated together in one
/// pass over their common subexpressions.
class ValuesAtStates {
 public:
  struct Known {
    std::vector<double> numbers;     ///< [states] value at each state
    std::vector<char> is_saturated;  ///< [states] whether an exponential in the expression has underflowed at the state
    bool is_generically_zero = false;
    bool is_of_reactions = false;
    /// Whether the expression is 0 at the states relative to its own rounding error; no value if it contains reactions.
    std::optional<bool> vanishes;
  };

  /// \param symbols    all symbols of expressions.
  /// \param reactions  the symbols whose values come from solving the equations of motion.
  /// \param states     [states][symbols]
  /// \param are_exact  whether the states are exact up to their last digits. This is so if there are no constraints and
  /// so no projection.
  ValuesAtStates(std::vector<expr::Expr> symbols, std::vector<expr::Expr> reactions,
                 std::vector<std::vector<double>> states, bool are_exact)
      : symbols_(std::move(symbols)),
        reactions_(std::move(reactions)),
        states_(std::move(states)),
        are_exact_(are_exact) {}

  /// Evaluates those of the given expressions that have not been evaluated yet.
  void look_at(std::span<const expr::Expr> values);
  /// \pre `value` was among the arguments of `look_at`
  [[nodiscard]] const Known& of(expr::Expr value) const;
  /// [states][values] The numbers alone; they are not stored.
  [[nodiscard]] std::vector<std::vector<double>> numbers(std::span<const expr::Expr> values) const;

 private:
  void judge_own_rounding(std::span<const expr::Expr> values);

  std::vector<expr::Expr> symbols_, reactions_;
  std::vector<std::vector<double>> states_;
  bool are_exact_;
  std::unordered_map<std::size_t, Known> known_;  ///< values evaluated so far, by index of the expression's node
};

}  // namespace vinculum::sim::invariants
