#include "vinculum/verify/invariants/values_at_states.hpp"

#include <cmath>

#include "vinculum/base/contract.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/equations/sampling.hpp"
#include "vinculum/expr/evaluation.hpp"
#include "vinculum/expr/rounding.hpp"

namespace vinculum::sim::invariants {

using expr::Expr;

const ValuesAtStates::Known& ValuesAtStates::of(Expr value) const {
  const auto at = known_.find(value.node().index());
  VINCULUM_EXPECTS(at != known_.end());
  return at->second;
}

std::vector<std::vector<double>> ValuesAtStates::numbers(std::span<const Expr> values) const {
  const expr::Evaluation evaluation(values, symbols_);
  std::vector<std::vector<double>> numbers;
  for (const std::vector<double>& state : states_) numbers.push_back(evaluation.at(state));
  return numbers;
}

void ValuesAtStates::look_at(std::span<const Expr> values) {
  std::vector<Expr> fresh;
  for (const Expr value : values) {
    if (known_.emplace(value.node().index(), Known()).second) fresh.push_back(value);
  }
  if (fresh.empty()) return;
  const std::vector<std::vector<double>> numbers_at = numbers(fresh);
  const std::vector<char> is_zero = equations::Sampler(symbols_, 1).are_generically_zero(fresh);
  const std::vector<char> is_of_reactions = expr::which_depend_on(fresh, reactions_);
  for (std::size_t i = 0; i < fresh.size(); ++i) {
    Known& known = known_[fresh[i].node().index()];
    for (const std::vector<double>& numbers : numbers_at) known.numbers.push_back(numbers[i]);
    known.is_generically_zero = is_zero[i] != 0;
    known.is_of_reactions = is_of_reactions[i] != 0;
  }
  judge_own_rounding(fresh);
}

/// If a state has been projected, it violates its constraints by the residual that the projection leaves. A value that
/// vanishes on the constraints then exceeds its own rounding error in proportion to that residual.
void ValuesAtStates::judge_own_rounding(std::span<const Expr> values) {
  std::vector<char> was_seen(values.size(), 0);
  for (const Expr value : values) known_[value.node().index()].vanishes = true;
  for (std::size_t s = 0; s < states_.size(); ++s) {
    const std::vector<expr::Judged> judged = expr::interpret_each_with_noise(values, symbols_, states_[s]);
    for (std::size_t i = 0; i < values.size(); ++i) {
      Known& known = known_[values[i].node().index()];
      known.is_saturated.push_back(judged[i].is_saturated ? 1 : 0);
      if (!are_exact_ && judged[i].is_saturated) continue;
      was_seen[i] = 1;
      const Rounded& own = judged[i].at;
      const double most = tolerance::kConsistency / tolerance::kRounding * own.error;
      // If the error is not finite, nothing is known about the value.
      const bool is_small =
          std::isfinite(own.error) && (!are_exact_ || own.may_be_zero()) && std::abs(known.numbers[s]) <= most;
      if (!is_small) known.vanishes = false;
    }
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    Known& known = known_[values[i].node().index()];
    if (was_seen[i] == 0) known.vanishes = false;
    if (known.is_of_reactions) known.vanishes.reset();
  }
}

}  // namespace vinculum::sim::invariants
