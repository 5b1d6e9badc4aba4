#include "vinculum/expr/rounding.hpp"

#include <algorithm>
#include <cmath>

#include "vinculum/base/contract.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/expr/traversal.hpp"

namespace vinculum::expr {
namespace {

constexpr double kUnitsOfFunction = 4.0;  // of the C library's functions, in the last place
constexpr double kModerate = 4.0;         // argument of an exponential that leaves digits to what stands beside it
constexpr double kAsleep = 30.0;          // argument of one that leaves none: e^−30 is 1e-13

bool saturates(Op op) {
  return op == Op::kExponential || op == Op::kHyperbolicSine || op == Op::kHyperbolicCosine ||
         op == Op::kHyperbolicTangent;
}

class Interpretation {
 public:
  Interpretation(std::span<const Expr> roots, std::span<const Expr> symbols, std::span<const double> values)
      : graph_(roots[0].graph()), nodes_(roots), result_(nodes_.size()) {
    VINCULUM_EXPECTS(symbols.size() == values.size());
    for (std::size_t i = 0; i < symbols.size(); ++i) {
      const std::uint32_t at = nodes_.position(symbols[i].node());
      if (at != Subgraph::kOutside) result_[at] = {values[i], 0.0};
    }
  }
  /// \param damping  factor of all arguments of exponentials.
  void run(double damping);
  [[nodiscard]] double largest_exponent() const { return largest_exponent_; }
  [[nodiscard]] const Rounded& of(Expr root) const { return result_[nodes_.position(root.node())]; }

 private:
  [[nodiscard]] Rounded function(const Graph::Node& node, Rounded a, const Rounded& b, const Rounded& c) const;
  [[nodiscard]] static double noise_of_function(Op op, const Rounded& x, const Rounded& y, double value);

  const Graph& graph_;
  Subgraph nodes_;
  std::vector<Rounded> result_;
  double largest_exponent_ = 0.0;
};

/// What the noise of its operands does to a function: first derivatives.
double Interpretation::noise_of_function(Op op, const Rounded& x, const Rounded& y, double value) {
  switch (op) {
    case Op::kPower: {
      const double by_base = x.value != 0.0 ? std::abs(y.value * value / x.value) * x.noise : x.noise;
      const double own = std::abs(y.value * value) * tolerance::kRounding;  // powers are products
      return own + by_base + (y.noise > 0.0 && x.value > 0.0 ? std::abs(value * std::log(x.value)) * y.noise : 0.0);
    }
    case Op::kSquareRoot: return x.value > x.noise ? 0.5 * x.noise / value : std::sqrt(x.noise);
    case Op::kExponential: return std::abs(value) * x.noise;
    case Op::kLogarithm: return x.noise / std::abs(x.value);
    case Op::kTangent: return x.noise * (1.0 + value * value);
    case Op::kArcSine:
    case Op::kArcCosine: {
      const double rest = 1.0 - x.value * x.value;
      return rest > x.noise ? x.noise / std::sqrt(rest) : std::sqrt(x.noise);
    }
    case Op::kArcTangent: return x.noise / (1.0 + x.value * x.value);
    case Op::kArcTangent2: {
      const double square = x.value * x.value + y.value * y.value;
      return square > 0.0 ? (std::abs(y.value) * x.noise + std::abs(x.value) * y.noise) / square : 0.0;
    }
    case Op::kHyperbolicSine: return std::cosh(x.value) * x.noise;
    case Op::kHyperbolicCosine: return std::abs(std::sinh(x.value)) * x.noise;
    default: return std::max(x.noise, y.noise);  // sine, cosine, tanh, |x|, min, max: slopes up to 1
  }
}

Rounded Interpretation::function(const Graph::Node& node, Rounded a, const Rounded& b, const Rounded& c) const {
  const double value = evaluate_operation(node.op, a.value, b.value, c.value);
  const double own = tolerance::kRounding * std::abs(value);
  switch (node.op) {
    case Op::kAdd:
    case Op::kSubtract: return {value, a.noise + b.noise + own};
    case Op::kMultiply: return {value, std::abs(a.value) * b.noise + (std::abs(b.value) + b.noise) * a.noise + own};
    case Op::kDivide: return {value, (a.noise + std::abs(value) * b.noise) / std::abs(b.value) + own};
    case Op::kNegate: return {value, a.noise};
    case Op::kSelect: return {value, a.value != 0.0 ? b.noise : c.noise};
    case Op::kSign:
    case Op::kFloor:
    case Op::kLess:
    case Op::kLessEqual:
    case Op::kEqual:
    case Op::kNotEqual:
    case Op::kAnd:
    case Op::kOr:
    case Op::kNot: return {value, 0.0};
    default: return {value, noise_of_function(node.op, a, b, value) + kUnitsOfFunction * own};
  }
}

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
      const Spline& spline = graph_.spline(TableId(node.payload));
      const double value = spline.evaluate(x.value, node.derivative_order);
      const double slope = spline.evaluate(x.value, node.derivative_order + 1);
      result_[i] = {value, std::abs(slope) * x.noise + kUnitsOfFunction * tolerance::kRounding * std::abs(value)};
      continue;
    }
    if (saturates(node.op)) {
      if (std::isfinite(x.value)) largest_exponent_ = std::max(largest_exponent_, std::abs(x.value));
      x = {x.value * damping, x.noise * damping};
    }
    result_[i] = function(node, x, operand(1), operand(2));
  }
}

}  // namespace

bool Rounded::is_zero() const { return std::abs(value) <= noise; }

std::vector<Rounded> interpret_with_noise(std::span<const Expr> roots, std::span<const Expr> symbols,
                                          std::span<const double> values) {
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
  Interpretation once(roots, symbols, values);
  once.run(1.0);
  return once.largest_exponent() > kAsleep;
}

}  // namespace vinculum::expr
