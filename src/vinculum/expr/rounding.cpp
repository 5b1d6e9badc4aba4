#include "vinculum/expr/rounding.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "vinculum/base/contract.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/expr/series.hpp"
#include "vinculum/expr/traversal.hpp"

namespace vinculum::expr {
namespace {

// Largest argument of an exponential after damping. e^4 is 55, so other terms of a sum lose fewer than two digits.
constexpr double kModerate = 4.0;
// An exponential is saturated if the magnitude of its argument exceeds this. e^30 is 1e13, so in a sum with it, a term
// of order 1 keeps only about three of its 16 digits.
constexpr double kAsleep = 30.0;

bool saturates(Op op) {
  return op == Op::kExponential || op == Op::kHyperbolicSine || op == Op::kHyperbolicCosine ||
         op == Op::kHyperbolicTangent;
}

class Interpretation {
 public:
  Interpretation(std::span<const Expr> roots, std::span<const Expr> symbols, std::span<const Rounded> values)
      : graph_(roots[0].graph()), nodes_(roots), result_(nodes_.size()), exponents_(nodes_.size(), 0.0) {
    VINCULUM_EXPECTS(symbols.size() == values.size());
    for (std::size_t i = 0; i < symbols.size(); ++i) {
      const std::uint32_t at = nodes_.position(symbols[i].node());
      if (at != Subgraph::kOutside) result_[at] = values[i];
    }
  }
  /// \param damping  factor ≤ 1 of all arguments of exponentials
  void run(double damping);
  /// Replaces the error bounds of the roots by errors measured in random trials, if these are smaller.
  void lower_bounds(std::span<const Expr> roots);
  /// Values of the roots in the last run, with lowered bounds.
  [[nodiscard]] std::vector<Rounded> bounded(std::span<const Expr> roots) {
    lower_bounds(roots);
    std::vector<Rounded> values;
    for (const Expr& root : roots) values.push_back(of(root));
    return values;
  }
  /// Largest argument of an exponential in the last run: in all nodes, or in the nodes that one root depends on.
  [[nodiscard]] double largest_exponent() const {
    return exponents_.empty() ? 0.0 : *std::ranges::max_element(exponents_);
  }
  [[nodiscard]] double largest_exponent(Expr root) const { return exponents_[position(root)]; }
  [[nodiscard]] const Rounded& of(Expr root) const { return result_[position(root)]; }
  [[nodiscard]] std::uint32_t position(Expr root) const { return nodes_.position(root.node()); }

 private:
  /// Values of the last run, computed again with every operation perturbed by a random rounding error.
  [[nodiscard]] std::vector<double> stirred(int draw) const;

  const Graph& graph_;
  Subgraph nodes_;
  double damping_ = 1.0;
  std::vector<Rounded> result_;
  std::vector<double> exponents_;  ///< [nodes] largest argument of an exponential on which the node depends
};

void Interpretation::run(double damping) {
  damping_ = damping;
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const Graph::Node& node = graph_.node(nodes_[i]);
    if (node.op == Op::kSymbol) continue;
    if (node.op == Op::kConstant) {
      result_[i] = {node.value, std::max(node.error(), tolerance::kRounding * std::abs(node.value))};
      continue;
    }
    Rounded x[3];
    double exponent = 0.0;
    for (std::size_t k = 0; k < 3; ++k) {
      if (!node.operands[k].is_valid()) continue;
      const std::uint32_t at = nodes_.position(node.operands[k]);
      x[k] = result_[at];
      exponent = std::max(exponent, exponents_[at]);
    }
    if (saturates(node.op)) {
      if (std::isfinite(x[0].value)) exponent = std::max(exponent, std::abs(x[0].value));
      x[0] = {x[0].value * damping, x[0].error * damping};
    }
    exponents_[i] = exponent;
    result_[i] =
        node.op == Op::kTable
            ? evaluate_series(graph_.spline(TableId(node.payload)), node.derivative_order, Series(x[0])).value()
            : evaluate_series(node.op, Series(x[0]), Series(x[1]), Series(x[2])).value();
  }
}

/// Pseudo-random number between −1 and 1 (SplitMix64: Steele, Lea & Flood 2014).
double uniform_of(std::uint64_t state) {
  state += 0x9e3779b97f4a7c15u;
  state = (state ^ (state >> 30)) * 0xbf58476d1ce4e5b9u;
  state = (state ^ (state >> 27)) * 0x94d049bb133111ebu;
  return static_cast<double>(static_cast<std::int64_t>(state ^ (state >> 31))) * 0x1p-63;
}

std::vector<double> Interpretation::stirred(int draw) const {
  std::vector<double> values(nodes_.size());
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const Graph::Node& node = graph_.node(nodes_[i]);
    const double by = uniform_of((static_cast<std::uint64_t>(draw) << 32) + nodes_[i].index());
    if (node.op == Op::kSymbol || node.op == Op::kConstant) {
      values[i] = result_[i].value + by * result_[i].error;
      continue;
    }
    const auto operand = [&](int k) {
      return node.operands[k].is_valid() ? values[nodes_.position(node.operands[k])] : 0.0;
    };
    const double x = operand(0) * (saturates(node.op) ? damping_ : 1.0);
    values[i] = (1.0 + tolerance::kRounding * by) *
                (node.op == Op::kTable ? graph_.spline(TableId(node.payload)).evaluate(x, node.derivative_order)
                                       : evaluate_operation(node.op, x, operand(1), operand(2)));
  }
  return values;
}

void Interpretation::lower_bounds(std::span<const Expr> roots) {
  std::vector<std::uint32_t> doubtful;
  for (const Expr& root : roots) {
    const Rounded& at = of(root);
    if (std::isfinite(at.error) && at.error > tolerance::kConditioned * std::abs(at.value))
      doubtful.push_back(position(root));
  }
  if (doubtful.empty()) return;
  std::vector<double> seen(doubtful.size(), 0.0);
  for (int draw = 1; draw <= RoundingTrials::kDraws; ++draw) {
    const std::vector<double> values = stirred(draw);
    for (std::size_t k = 0; k < doubtful.size(); ++k) {
      const double difference = std::abs(values[doubtful[k]] - result_[doubtful[k]].value);
      // a difference that is NaN is stored too, so that it does not lower the bound
      seen[k] = difference <= seen[k] ? seen[k] : difference;
    }
  }
  for (std::size_t k = 0; k < doubtful.size(); ++k) {
    double& error = result_[doubtful[k]].error;
    const double by_trial = RoundingTrials::kTimesSeen * seen[k];
    if (by_trial < error) error = by_trial;
  }
}

std::vector<Rounded> exact(std::span<const double> values) { return {values.begin(), values.end()}; }

}  // namespace

std::vector<Rounded> interpret_with_noise(std::span<const Expr> roots, std::span<const Expr> symbols,
                                          std::span<const double> values) {
  return interpret_with_noise(roots, symbols, exact(values));
}

std::vector<Rounded> interpret_with_noise(std::span<const Expr> roots, std::span<const Expr> symbols,
                                          std::span<const Rounded> values) {
  if (roots.empty()) return {};
  Interpretation once(roots, symbols, values);
  once.run(1.0);
  if (once.largest_exponent() > kModerate) once.run(kModerate / once.largest_exponent());
  return once.bounded(roots);
}

std::vector<Rounded> interpret_with_bounds(std::span<const Expr> roots, std::span<const Expr> symbols,
                                           std::span<const Rounded> values) {
  if (roots.empty()) return {};
  Interpretation once(roots, symbols, values);
  once.run(1.0);
  return once.bounded(roots);
}

std::vector<Judged> interpret_each_with_noise(std::span<const Expr> roots, std::span<const Expr> symbols,
                                              std::span<const double> values) {
  std::vector<Judged> result;
  if (roots.empty()) return result;
  Interpretation once(roots, symbols, exact(values));
  once.run(1.0);
  once.lower_bounds(roots);
  for (const Expr& root : roots) {
    const double exponent = once.largest_exponent(root);
    result.push_back({exponent > kModerate ? interpret_with_noise({&root, 1}, symbols, values)[0] : once.of(root),
                      exponent > kAsleep});
  }
  return result;
}

bool is_saturated(std::span<const Expr> roots, std::span<const Expr> symbols, std::span<const double> values) {
  if (roots.empty()) return false;
  Interpretation once(roots, symbols, exact(values));
  once.run(1.0);
  return once.largest_exponent() > kAsleep;
}

}  // namespace vinculum::expr
