#include "vinculum/compiled/embedded_rows.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "vinculum/base/tolerance.hpp"
#include "vinculum/compiled/random_states.hpp"
#include "vinculum/equations/sampling.hpp"
#include "vinculum/expr/rounding.hpp"
#include "vinculum/expr/traversal.hpp"

namespace vinculum::sim {
namespace {

using expr::Expr;

constexpr unsigned kSeed = 1788;

/// Whether x may be zero within its error bound.
bool is_zero(const Rounded& x) { return std::isfinite(x.error) && x.may_be_zero(); }

/// Tests which expressions are zero, within their rounding errors, at all sampled states.
class Zeros {
 public:
  Zeros(RandomStates states, std::vector<Expr> variables)
      : states_(std::move(states)), variables_(std::move(variables)) {
    for (const std::vector<double>& state : states_.values)
      std::ranges::transform(state, std::back_inserter(values_.emplace_back()), as_stated);
  }
  [[nodiscard]] const std::vector<Expr>& inputs() const { return states_.inputs; }
  [[nodiscard]] std::vector<Rounded> first() const {
    return values_.empty() ? std::vector<Rounded>{} : values_.front();
  }
  /// Tests each expression at the first state only. An expression that is not zero at this state is not identically
  /// zero.
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
           std::ranges::all_of(expressions, [this](Expr one) { return equations::is_analytic(one, variables_); });
  }

 private:
  RandomStates states_;
  std::vector<Expr> variables_;  ///< t, q, u, z
  std::vector<std::vector<Rounded>> values_;
};

/// Finds the parameters on which expressions depend, and the operation counts of expressions.
class Dependence {
 public:
  Dependence(const std::vector<Expr>& roots, const std::vector<Expr>& parameters)
      : nodes_(roots), masks_(nodes_.size(), 0), lengths_(nodes_.size(), 1.0) {
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      const std::uint32_t at = nodes_.position(parameters[i].node());
      if (at != expr::Subgraph::kOutside) masks_[at] = bit(i);
    }
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      for (const expr::NodeId operand : roots.front().graph().node(nodes_[i]).operands) {
        if (!operand.is_valid()) continue;
        masks_[i] |= masks_[nodes_.position(operand)];
        lengths_[i] += lengths_[nodes_.position(operand)];
      }
    }
  }
  [[nodiscard]] static std::uint64_t bit(std::size_t parameter) { return std::uint64_t{1} << (parameter % 64); }
  [[nodiscard]] std::uint64_t mask(Expr of) const { return masks_[nodes_.position(of.node())]; }
  [[nodiscard]] bool is_cheaper(Expr a, Expr b) const { return cost(a) < cost(b); }

 private:
  [[nodiscard]] std::pair<bool, double> cost(Expr of) const {
    return {mask(of) != 0, lengths_[nodes_.position(of.node())]};
  }

  expr::Subgraph nodes_;
  std::vector<std::uint64_t> masks_;
  std::vector<double> lengths_;
};

bool is_plain_number(Expr entry) { return entry.is_constant() && !entry.is_zero(); }

/// The expressions b, φ and ψ of a row.
std::vector<Expr> rest_of(const equations::Row& row) {
  std::vector<Expr> rest{row.b};
  for (const Expr one : {row.phi, row.psi}) {
    if (one.is_valid()) rest.push_back(one);
  }
  return rest;
}

}  // namespace

bool RowEvidence::still_holds(std::span<const double> parameters, std::span<const char> has_changed) const {
  std::uint64_t changed = 0;
  for (std::size_t i = 0; i < has_changed.size(); ++i) changed |= has_changed[i] != 0 ? Dependence::bit(i) : 0;
  std::vector<Expr> entries;
  for (const Row& row : rows) {
    if ((row.parameters & changed) == 0) continue;
    if (!row.entry.is_valid()) return false;
    entries.push_back(row.entry);
  }
  if (entries.empty()) return true;
  std::vector<Rounded> there = state;
  std::ranges::transform(parameters, there.end() - static_cast<std::ptrdiff_t>(parameters.size()), as_stated);
  return std::ranges::none_of(expr::interpret_with_noise(entries, inputs, there),
                              [](const Rounded& x) { return !std::isfinite(x.error) || x.may_be_zero(); });
}

JudgedRows embedding_of_rows(const Structure& structure, std::span<const double> parameters) {
  const equations::System& system = *structure.system;
  JudgedRows judged;
  judged.embedding.assign(system.rows.size(), Embedding::kNone);
  judged.evidence.rows.resize(system.rows.size());
  std::vector<std::size_t> candidates;
  std::vector<Expr> all, rests;
  for (std::size_t i = 0; i < system.rows.size(); ++i) {
    const equations::Row& row = system.rows[i];
    if (row.chi.is_valid() || std::ranges::any_of(row.A.values(), is_plain_number)) continue;
    candidates.push_back(i);
    append(all, row.A.values());
    append(rests, rest_of(row));
  }
  if (candidates.empty()) return judged;
  const Zeros zeros(states_anywhere(structure, kSeed, parameters, all), state_symbols(system));
  judged.evidence.inputs = zeros.inputs();
  judged.evidence.state = zeros.first();
  const std::vector<char> at_first = zeros.at_first(all);
  append(rests, all);
  const Dependence dependence(rests, system.parameters);
  auto zero = at_first.begin();
  for (const std::size_t i : candidates) {
    const equations::Row& row = system.rows[i];
    RowEvidence::Row& evidence = judged.evidence.rows[i];
    const std::vector<Expr> A = row.A.values();
    for (const Expr entry : A) {
      if (*zero++ != 0) continue;
      if (!evidence.entry.is_valid() || dependence.is_cheaper(entry, evidence.entry)) evidence.entry = entry;
    }
    if (evidence.entry.is_valid()) {
      evidence.parameters = dependence.mask(evidence.entry);
      continue;
    }
    const std::vector<Expr> rest = rest_of(row);
    for (const auto* some : {&A, &rest}) {
      for (const Expr one : *some) evidence.parameters |= dependence.mask(one);
    }
    if (!zeros.are_all(A)) continue;
    judged.embedding[i] = zeros.are_all(rest) ? Embedding::kWhole : Embedding::kGradient;
  }
  return judged;
}

}  // namespace vinculum::sim
