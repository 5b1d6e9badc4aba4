#pragma once

#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "vinculum/expr/graph.hpp"

namespace vinculum::sim::invariants {

/// Values of expressions at the states of a probe, each found once, many together in one pass through what they share.
class ValuesAtStates {
 public:
  struct Known {
    std::vector<double> numbers;     ///< [states]
    std::vector<char> is_saturated;  ///< [states] whether an exponential on the way is asleep there
    bool is_generically_zero = false;
    bool is_of_reactions = false;
    /// Whether it vanishes against its own rounding at the states; nothing of what holds reactions.
    std::optional<bool> vanishes;
  };

  /// \param symbols  of everything.   \param reactions  those of them that only the equations of motion tell.
  /// \param states  [states][symbols].   \param are_exact  whether the states hold no more than their own last places
  /// of error: no constraints that they are on as far as a projection takes them.
  ValuesAtStates(std::vector<expr::Expr> symbols, std::vector<expr::Expr> reactions,
                 std::vector<std::vector<double>> states, bool are_exact)
      : symbols_(std::move(symbols)),
        reactions_(std::move(reactions)),
        states_(std::move(states)),
        are_exact_(are_exact) {}

  /// Finds what is not known yet of these.
  void look_at(std::span<const expr::Expr> values);
  /// \pre looked at
  [[nodiscard]] const Known& of(expr::Expr value) const;
  /// [states][values] numbers alone, and not kept.
  [[nodiscard]] std::vector<std::vector<double>> numbers(std::span<const expr::Expr> values) const;

 private:
  void judge_own_rounding(std::span<const expr::Expr> values);

  std::vector<expr::Expr> symbols_, reactions_;
  std::vector<std::vector<double>> states_;
  bool are_exact_;
  std::unordered_map<std::uint32_t, Known> known_;  ///< by node
};

}  // namespace vinculum::sim::invariants
