#include "vinculum/expr/rounding.hpp"

#include <algorithm>
#include <cmath>

#include "vinculum/base/contract.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/expr/series.hpp"
#include "vinculum/expr/traversal.hpp"

namespace vinculum::expr {
namespace {

constexpr double kModerate = 4.0;  // argument of an exponential that leaves digits to what stands beside it
constexpr double kAsleep = 30.0;   // argument of one that leaves none: e^−30 is 1e-13

bool saturates(Op op) {
  return op == Op::kExponential || op == Op::kHyperbolicSine || op == Op::kHyperbolicCosine ||
         op == Op::kHyperbolicTangent;
}

class Interpretation {
 public:
  Interpretation(std::span<const Expr> roots, std::span<const Expr> symbols, std::span<const Rounded> values)
      : graph_(roots[0].graph()), nodes_(roots), result_(nodes_.size()) {
    VINCULUM_EXPECTS(symbols.size() == values.size());
    for (std::size_t i = 0; i < symbols.size(); ++i) {
      const std::uint32_t at = nodes_.position(symbols[i].node());
      if (at != Subgraph::kOutside) result_[at] = values[i];
    }
  }
  /// \param damping  factor of all arguments of exponentials.
  void run(double damping);
  [[nodiscard]] double largest_exponent() const { return largest_exponent_; }
  [[nodiscard]] const Rounded& of(Expr root) const { return result_[nodes_.position(root.node())]; }

 private:
  const Graph& graph_;
  Subgraph nodes_;
  std::vector<Rounded> result_;
  double largest_exponent_ = 0.0;
};

void Interpretation::run(double damping) {
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const Graph::Node& node = graph_.node(nodes_[i]);
    if (node.op == Op::kSymbol) continue;
    if (node.op == Op::kConstant) {
      result_[i] = {node.value, tolerance::kRounding * std::abs(node.value)};
      continue;
    }
    const auto operand = [&](int k) {
      return node.operands[k].is_valid() ? result_[nodes_.position(node.operands[k])] : Rounded{};
    };
    Rounded x = operand(0);
    if (node.op == Op::kTable) {
      result_[i] = evaluate_series(graph_.spline(TableId(node.payload)), node.derivative_order, Series(x)).value();
      continue;
    }
    if (saturates(node.op)) {
      if (std::isfinite(x.value)) largest_exponent_ = std::max(largest_exponent_, std::abs(x.value));
      x = {x.value * damping, x.error * damping};
    }
    result_[i] = evaluate_series(node.op, Series(x), Series(operand(1)), Series(operand(2))).value();
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
  std::vector<Rounded> result;
  if (roots.empty()) return result;
  Interpretation once(roots, symbols, values);
  once.run(1.0);
  if (once.largest_exponent() > kModerate) once.run(kModerate / once.largest_exponent());
  for (const Expr& root : roots) result.push_back(once.of(root));
  return result;
}

bool is_saturated(std::span<const Expr> roots, std::span<const Expr> symbols, std::span<const double> values) {
  if (roots.empty()) return false;
  Interpretation once(roots, symbols, exact(values));
  once.run(1.0);
  return once.largest_exponent() > kAsleep;
}

}  // namespace vinculum::expr
