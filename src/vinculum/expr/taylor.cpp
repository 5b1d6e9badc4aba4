#include "vinculum/expr/taylor.hpp"

#include <array>
#include <cmath>

#include "vinculum/base/contract.hpp"

namespace vinculum::expr {
namespace {

/// Sum of the products a_i b_(k−i) for i from `first` to `last`.
double convolved(const double* a, const double* b, int k, int first, int last) {
  double sum = 0.0;
  for (int i = first; i <= last; ++i) sum += a[i] * b[k - i];
  return sum;
}

/// Sum of the products i a_i b_(k−i) for i from 1 to `last`. With last = k it is k times coefficient k of ∫ a' b.
double convolved_rate(const double* a, const double* b, int k, int last) {
  double sum = 0.0;
  for (int i = 1; i <= last; ++i) sum += i * a[i] * b[k - i];
  return sum;
}

/// Coefficient k > 0 of the series y that satisfies y' w = a'.
double quotient_of_rates(const double* a, const double* w, const double* y, int k) {
  return (k * a[k] - convolved_rate(y, w, k, k - 1)) / (k * w[0]);
}

/// Coefficient k of a square root, from coefficient k of its argument and the lower coefficients of the root.
double root_of(double of, const double* root, int k) {
  return (of - convolved(root, root, k, 1, k - 1)) / (2.0 * root[0]);
}

/// Coefficient k of Σ_j d_j (a − a_0)^j.   \param d  coefficients from j = 0 on
double composed(std::span<const double> d, const double* a, int k) {
  if (k == 0) return d[0];
  std::vector<double> sum(static_cast<std::size_t>(k) + 1, 0.0), next(sum.size());
  for (std::size_t j = d.size(); j-- > 0;) {  // Horner's scheme in a − a_0
    for (int i = k; i >= 0; --i) {
      double product = 0.0;
      for (int l = 1; l <= i; ++l) product += a[l] * sum[static_cast<std::size_t>(i - l)];
      next[static_cast<std::size_t>(i)] = product;
    }
    next[0] += d[j];
    std::swap(sum, next);
  }
  return sum.back();
}

/// Number of auxiliary series that an operation needs.
std::size_t helpers_of(const Graph::Node& node) {
  switch (node.op) {
    case Op::kSine:
    case Op::kCosine:
    case Op::kHyperbolicSine:
    case Op::kHyperbolicCosine:
    case Op::kTangent:
    case Op::kHyperbolicTangent:
    case Op::kArcSine:
    case Op::kArcCosine:
    case Op::kArcTangent:
    case Op::kArcTangent2: return 1;
    case Op::kPower: return 2;
    default: return 0;
  }
}

}  // namespace

TaylorSeries::TaylorSeries(std::vector<Expr> roots, std::vector<Expr> symbols, int highest)
    : width_(static_cast<std::size_t>(highest) + 1) {
  VINCULUM_EXPECTS(highest >= 0);
  const Subgraph subgraph(roots);
  if (!roots.empty()) graph_ = &roots[0].graph();
  std::size_t count = subgraph.size();
  std::size_t open = 0;
  for (std::size_t i = 0; i < subgraph.size(); ++i) {
    const Graph::Node& node = graph_->node(subgraph[i]);
    nodes_.push_back(subgraph[i]);
    auto& operands = operands_.emplace_back();
    for (std::size_t k = 0; k < 3; ++k)
      operands[k] = node.operands[k].is_valid() ? subgraph.position(node.operands[k]) : Subgraph::kOutside;
    beside_.push_back(static_cast<std::uint32_t>(count));
    count += helpers_of(node);
    open += node.op == Op::kSymbol ? 1U : 0U;
  }
  for (const Expr& root : roots) roots_.push_back(subgraph.position(root.node()));
  for (const Expr& symbol : symbols) {
    symbols_.push_back(subgraph.position(symbol.node()));
    if (symbols_.back() != Subgraph::kOutside) --open;
  }
  VINCULUM_EXPECTS(open == 0);
  coefficients_.assign(count * width_, 0.0);
}

void TaylorSeries::set(std::size_t symbol, int k, double coefficient) {
  if (symbols_[symbol] != Subgraph::kOutside) series(symbols_[symbol])[k] = coefficient;
}

void TaylorSeries::compute(int k) {
  VINCULUM_EXPECTS(k >= 0 && static_cast<std::size_t>(k) < width_);
  for (std::size_t at = 0; at < nodes_.size(); ++at) compute(at, k);
}

void TaylorSeries::compute(std::size_t at, int k) {
  const Graph::Node& node = graph_->node(nodes_[at]);
  const auto operand = [&](std::size_t i) {
    return operands_[at][i] == Subgraph::kOutside ? nullptr : series(operands_[at][i]);
  };
  const double *a = operand(0), *b = operand(1), *c = operand(2);
  double* e = series(at);
  switch (node.op) {
    case Op::kSymbol: return;
    case Op::kConstant: e[k] = k == 0 ? node.value : 0.0; return;
    case Op::kAdd: e[k] = a[k] + b[k]; return;
    case Op::kSubtract: e[k] = a[k] - b[k]; return;
    case Op::kNegate: e[k] = -a[k]; return;
    case Op::kMultiply: e[k] = convolved(a, b, k, 0, k); return;
    case Op::kDivide: e[k] = (a[k] - convolved(b, e, k, 1, k)) / b[0]; return;
    case Op::kMinimum:
    case Op::kMaximum: e[k] = ((node.op == Op::kMinimum ? a[0] < b[0] : b[0] < a[0]) ? a : b)[k]; return;
    case Op::kSelect: e[k] = (a[0] != 0.0 ? b : c)[k]; return;
    case Op::kAbsolute: e[k] = k == 0 ? std::fabs(a[0]) : evaluate_operation(Op::kSign, a[0]) * a[k]; return;
    case Op::kPower: raise(node, at, a, b, k); return;
    case Op::kTable: {
      std::array<double, 4> d{};
      double factorial = 1.0;
      for (int j = 0; j < 4; ++j) {
        factorial *= j > 1 ? j : 1;
        if (node.derivative_order + j < 4)
          d[static_cast<std::size_t>(j)] =
              graph_->spline(TableId(node.payload)).evaluate(a[0], node.derivative_order + j) / factorial;
      }
      e[k] = composed(d, a, k);
      return;
    }
    default: break;
  }
  if (k == 0) e[0] = evaluate_operation(node.op, a[0], b != nullptr ? b[0] : 0.0);
  transcend(node, at, a, k);
}

/// Coefficient k of a function that satisfies a differential equation, with up to one auxiliary series w; all other
/// operations are piecewise constant.
void TaylorSeries::transcend(const Graph::Node& node, std::size_t at, const double* a, int k) {
  double* e = series(at);
  double* w = helpers_of(node) > 0 ? series(beside_[at]) : nullptr;
  switch (node.op) {
    case Op::kSquareRoot:
      if (k > 0) e[k] = root_of(a[k], e, k);
      return;
    case Op::kExponential:
      if (k > 0) e[k] = convolved_rate(a, e, k, k) / k;
      return;
    case Op::kLogarithm:
      if (k > 0) e[k] = quotient_of_rates(a, a, e, k);
      return;
    case Op::kSine:
    case Op::kCosine:
    case Op::kHyperbolicSine:
    case Op::kHyperbolicCosine: {
      const bool is_circular = node.op == Op::kSine || node.op == Op::kCosine;
      const bool is_sine = node.op == Op::kSine || node.op == Op::kHyperbolicSine;
      const Op other =
          is_circular ? (is_sine ? Op::kCosine : Op::kSine) : (is_sine ? Op::kHyperbolicCosine : Op::kHyperbolicSine);
      if (k == 0) {
        w[0] = evaluate_operation(other, a[0]);
        return;
      }
      const double of_e = is_circular && !is_sine ? -1.0 : 1.0, of_w = is_circular && is_sine ? -1.0 : 1.0;
      const double e_k = of_e * convolved_rate(a, w, k, k) / k;
      w[k] = of_w * convolved_rate(a, e, k, k) / k;
      e[k] = e_k;
      return;
    }
    case Op::kTangent:
    case Op::kHyperbolicTangent: {  // for tan and tanh, e' = (1 ± e²) a'
      const double sign = node.op == Op::kTangent ? 1.0 : -1.0;
      if (k > 0) e[k] = convolved_rate(a, w, k, k) / k;
      w[k] = (k == 0 ? 1.0 : 0.0) + sign * convolved(e, e, k, 0, k);
      return;
    }
    case Op::kArcSine:
    case Op::kArcCosine: {  // for arc sine and arc cosine, e' = ± a'/√(1 − a²)
      const double under = (k == 0 ? 1.0 : 0.0) - convolved(a, a, k, 0, k);
      const double sign = node.op == Op::kArcSine ? 1.0 : -1.0;
      w[k] = k == 0 ? sign * std::sqrt(under) : root_of(under, w, k);
      if (k > 0) e[k] = quotient_of_rates(a, w, e, k);
      return;
    }
    case Op::kArcTangent:
      w[k] = (k == 0 ? 1.0 : 0.0) + convolved(a, a, k, 0, k);
      if (k > 0) e[k] = quotient_of_rates(a, w, e, k);
      return;
    case Op::kArcTangent2: {  // for atan2(y, x), (y² + x²) e' = x y' − y x'
      const double *y = a, *x = series(operands_[at][1]);
      w[k] = convolved(y, y, k, 0, k) + convolved(x, x, k, 0, k);
      if (k > 0)
        e[k] = (convolved_rate(y, x, k, k) - convolved_rate(x, y, k, k) - convolved_rate(e, w, k, k - 1)) / (k * w[0]);
      return;
    }
    default:
      if (k > 0) e[k] = 0.0;  // sign, floor, comparisons and logic are piecewise constant
  }
}

/// Coefficient k of e = a^b. A positive integer power is a polynomial, also defined at a = 0. For other constant b, e
/// follows from a e' = b a' e. Otherwise it follows from e' = (b log a)' e.
void TaylorSeries::raise(const Graph::Node& node, std::size_t at, const double* a, const double* b, int k) {
  double *e = series(at), *logarithm = series(beside_[at]), *exponent = series(beside_[at] + 1);
  if (k == 0) e[0] = evaluate_power(a[0], b[0]);
  const Graph::Node& by = graph_->node(node.operands[1]);
  if (by.op != Op::kConstant) {
    logarithm[k] = k == 0 ? std::log(a[0]) : quotient_of_rates(a, a, logarithm, k);
    exponent[k] = convolved(b, logarithm, k, 0, k);
    if (k > 0) e[k] = convolved_rate(exponent, e, k, k) / k;
    return;
  }
  if (k == 0) return;
  const double p = by.value;
  if (p > 0.0 && p <= kLargestWholePower && p == std::floor(p)) {
    std::vector<double> d(static_cast<std::size_t>(p) + 1);  // coefficients of δ^j in (a_0 + δ)^p
    double binomial = 1.0;
    for (std::size_t j = 0; j < d.size(); ++j) {
      d[j] = binomial * evaluate_power(a[0], p - static_cast<double>(j));
      binomial *= (p - static_cast<double>(j)) / static_cast<double>(j + 1);
    }
    if (d.size() > static_cast<std::size_t>(k) + 1) d.resize(static_cast<std::size_t>(k) + 1);
    e[k] = composed(d, a, k);
    return;
  }
  double sum = 0.0;
  for (int i = 1; i <= k; ++i) sum += (i * (p + 1.0) - k) * a[i] * e[k - i];
  e[k] = sum / (k * a[0]);
}

}  // namespace vinculum::expr
