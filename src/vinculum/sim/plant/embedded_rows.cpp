#include "vinculum/sim/plant/embedded_rows.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "vinculum/base/tolerance.hpp"
#include "vinculum/dynamics/sampling.hpp"
#include "vinculum/expr/rounding.hpp"
#include "vinculum/sim/plant/random_states.hpp"

namespace vinculum::sim {
namespace {

using expr::Expr;

constexpr unsigned kSeed = 1788;

/// Which of some expressions are zero at some states, to rounding.
class Zeros {
 public:
  Zeros(RandomStates states, std::vector<Expr> variables)
      : states_(std::move(states)), variables_(std::move(variables)) {
    for (const std::vector<double>& state : states_.values) {
      std::vector<Rounded>& known = values_.emplace_back();
      for (const double number : state) known.emplace_back(number, tolerance::kEqual * std::abs(number));
    }
  }
  /// At the first state, one by one: nothing that is not zero there is so anywhere.
  [[nodiscard]] std::vector<char> at_first(const std::vector<Expr>& expressions) const {
    std::vector<char> zero(expressions.size(), 0);
    if (values_.empty()) return zero;
    const std::vector<Rounded> found = expr::interpret_with_noise(expressions, states_.inputs, values_.front());
    std::ranges::transform(found, zero.begin(), is_zero);
    return zero;
  }
  [[nodiscard]] bool are_all(const std::vector<Expr>& expressions) const {
    const auto vanish_at = [&](const std::vector<Rounded>& state) {
      return std::ranges::all_of(expr::interpret_with_noise(expressions, states_.inputs, state), is_zero);
    };
    return !values_.empty() && std::ranges::all_of(values_, vanish_at) &&
           std::ranges::all_of(expressions, [this](Expr one) { return dynamics::is_analytic(one, variables_); });
  }

 private:
  static bool is_zero(const Rounded& x) { return std::isfinite(x.error) && x.may_be_zero(); }

  RandomStates states_;
  std::vector<Expr> variables_;  ///< t, q, u, z
  std::vector<std::vector<Rounded>> values_;
};

bool is_plain_number(Expr entry) { return entry.is_constant() && !entry.is_zero(); }

/// What is left of a row without its gradient.
std::vector<Expr> rest_of(const dynamics::Row& row) {
  std::vector<Expr> rest{row.b};
  for (const Expr one : {row.phi, row.psi}) {
    if (one.is_valid()) rest.push_back(one);
  }
  return rest;
}

}  // namespace

std::vector<Embedding> embedding_of_rows(const Structure& structure, std::span<const double> parameters) {
  const dynamics::System& system = *structure.system;
  std::vector<Embedding> embedding(system.rows.size(), Embedding::kNone);
  std::vector<std::size_t> candidates;
  std::vector<Expr> all;
  for (std::size_t i = 0; i < system.rows.size(); ++i) {
    const dynamics::Row& row = system.rows[i];
    if (row.chi.is_valid() || std::ranges::any_of(row.A, is_plain_number)) continue;
    candidates.push_back(i);
    all.insert(all.end(), row.A.begin(), row.A.end());
  }
  if (candidates.empty()) return embedding;
  const Zeros zeros(states_anywhere(structure, kSeed, parameters, all), state_symbols(system));
  const std::vector<char> at_first = zeros.at_first(all);
  auto entry = at_first.begin();
  for (const std::size_t i : candidates) {
    const auto end = entry + static_cast<std::ptrdiff_t>(system.rows[i].A.size());
    const bool may_be = std::all_of(std::exchange(entry, end), end, [](char zero) { return zero != 0; });
    if (!may_be || !zeros.are_all(system.rows[i].A)) continue;
    embedding[i] = zeros.are_all(rest_of(system.rows[i])) ? Embedding::kWhole : Embedding::kGradient;
  }
  return embedding;
}

}  // namespace vinculum::sim
