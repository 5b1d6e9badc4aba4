#include "vinculum/expr/series.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "vinculum/base/contract.hpp"
#include "vinculum/expr/traversal.hpp"

namespace vinculum::expr {
namespace {

using Coefficients = std::vector<Rounded>;

/// A result of a library function with its error bound. The function's own error is less than one unit in the last
/// place.
Rounded computed(double value, double slope, Rounded x) {
  return {value, (x.error == 0.0 ? 0.0 : std::abs(slope) * x.error) + tolerance::kRounding * std::abs(value)};
}

/// c_k/k! for k = 0 … order, where the c_k repeat periodically, like the derivatives of exp, sin and sinh.
Coefficients over_factorials(std::initializer_list<Rounded> cycle, int order) {
  Coefficients all;
  double factorial = 1.0;
  for (int k = 0; k <= order; ++k) {
    if (k > 0) factorial *= k;
    all.push_back(*(cycle.begin() + static_cast<std::size_t>(k) % cycle.size()) / factorial);
  }
  return all;
}

/// Taylor coefficients in y of (p0 + p1 y + p2 y²)^a.   Source: J. C. P. Miller, in Henrici, Automatic computations
/// (1956).
Coefficients raised(Rounded p0, Rounded p1, Rounded p2, double a, int order) {
  Coefficients h{a == -1.0 ? Rounded(1.0) / p0 : Rounded(1.0) / sqrt(p0)};
  for (int k = 1; k <= order; ++k) {
    Rounded sum = Rounded(a - (k - 1)) * p1 * h[static_cast<std::size_t>(k) - 1];
    if (k > 1) sum += Rounded(2.0 * a - (k - 2)) * p2 * h[static_cast<std::size_t>(k) - 2];
    h.push_back(sum / (Rounded(k) * p0));
  }
  return h;
}

/// Coefficients of the integral of the series h, with the constant term `first`.
Coefficients integrated(Rounded first, const Coefficients& h, int order) {
  Coefficients all{first};
  for (int k = 1; k <= order; ++k) all.push_back(h[static_cast<std::size_t>(k) - 1] / Rounded(k));
  return all;
}

Coefficients of_power(Rounded x, double n, int order) {
  Coefficients all;
  double choose = 1.0;
  for (int k = 0; k <= order; ++k) {
    if (k > 0) choose *= (n - (k - 1)) / k;
    if (choose == 0.0) {
      all.emplace_back();
      continue;
    }
    const double value = evaluate_power(x.value, n - k);
    const double slope = x.error == 0.0 || n == k ? 0.0 : (n - k) * evaluate_power(x.value, n - k - 1.0);
    const double steps = 1.0 + std::min(std::abs(n - k), 2.0 * kLargestWholePower) / 2.0;
    Rounded one = computed(value, slope, x);
    one.error *= steps;
    all.push_back(k == 0 ? one : Rounded(choose) * one);
  }
  return all;
}

/// Taylor coefficients f, f'/1!, f''/2!, … of an operation at x.
Coefficients expansion(Op op, Rounded x, int order) {
  const double v = x.value;
  const auto plain = [&](Op what, double slope) { return computed(evaluate_operation(what, v), slope, x); };
  switch (op) {
    case Op::kExponential: return over_factorials({plain(op, std::exp(v))}, order);
    case Op::kSine:
    case Op::kCosine: {
      const Rounded s = plain(Op::kSine, std::cos(v)), c = plain(Op::kCosine, std::sin(v));
      return op == Op::kSine ? over_factorials({s, c, -s, -c}, order) : over_factorials({c, -s, -c, s}, order);
    }
    case Op::kHyperbolicSine:
    case Op::kHyperbolicCosine: {
      const Rounded s = plain(Op::kHyperbolicSine, std::cosh(v)), c = plain(Op::kHyperbolicCosine, std::sinh(v));
      return op == Op::kHyperbolicSine ? over_factorials({s, c}, order) : over_factorials({c, s}, order);
    }
    case Op::kLogarithm: return integrated(plain(op, 1.0 / v), of_power(x, -1.0, order), order);
    case Op::kArcTangent:
      return integrated(plain(op, 1.0 / (1.0 + v * v)),
                        raised(Rounded(1.0) + x * x, Rounded(2.0) * x, 1.0, -1.0, order), order);
    case Op::kArcSine:
    case Op::kArcCosine: {
      const double root = std::sqrt(1.0 - v * v);
      if (order == 0) return {plain(op, 1.0 / root)};
      Coefficients h = raised(Rounded(1.0) - x * x, Rounded(-2.0) * x, -1.0, -0.5, order);
      if (op == Op::kArcCosine) std::ranges::transform(h, h.begin(), [](Rounded one) { return -one; });
      return integrated(plain(op, 1.0 / root), h, order);
    }
    case Op::kSquareRoot: {
      Coefficients all = of_power(x, 0.5, order);
      all[0] = sqrt(x);
      return all;
    }
    default: break;
  }
  contract_broken("a function of one number", __FILE__, __LINE__);
}

double truth(Op op, const Series& a, const Series& b, const Series& c) {
  return evaluate_operation(op, a.value().value, b.value().value, c.value().value);
}

}  // namespace

/// The series f(x), from the Taylor coefficients of f at the value of x.
class Composition {
 public:
  template <class Function>
  static Series of(const Series& x, const Function& coefficients) {
    // x minus its value is nilpotent: its power `order` + 1 is 0.
    const int order = (x.count_ == 1 ? 0 : x.known_ - 1) + x.changes_;
    const Coefficients f = coefficients(x.at(0, 0), order);
    Series rest = x;
    rest.at(0, 0) = {};
    Series sum(f.back());
    for (std::size_t k = f.size() - 1; k-- > 0;) sum = sum * rest + Series(f[k]);
    sum.at(0, 0) = f[0];  // set directly, because it also exists where derivatives do not, as for the root of 0
    sum.known_ = x.known_;
    return sum;
  }
  static Series with_value(Series x, double value) {
    x.at(0, 0).value = value;
    return x;
  }
};

Series::Series(int known, int count, int changes) : known_(known), count_(count), changes_(changes) {
  const std::size_t size = static_cast<std::size_t>(count) << changes;
  if (size > few_.size()) many_.resize(size);
}

Series Series::along(std::span<const Rounded> derivatives) {
  Series x(static_cast<int>(derivatives.size()), static_cast<int>(derivatives.size()), 0);
  double factorial = 1.0;
  for (int k = 0; k < x.known_; ++k) {
    if (k > 1) factorial *= k;
    const Rounded& of_k = derivatives[static_cast<std::size_t>(k)];
    x.at(0, k) = k > 1 ? of_k / factorial : of_k;
  }
  return x;
}

Series Series::time(double t, int known) {
  Series x(known, std::min(known, 2), 0);
  x.at(0, 0) = t;
  if (known > 1) x.at(0, 1) = 1.0;
  return x;
}

Series Series::power_of_time(int order, int known) {
  Series x(known, std::min(known, order + 1), 0);
  if (known > order) x.at(0, order) = 1.0 / std::tgamma(order + 1.0);
  return x;
}

Rounded Series::derivative(int order) const {
  if (order >= known_) return std::nan("");
  const Rounded of = at(0, order);
  return order > 1 ? of * Rounded(std::tgamma(order + 1.0)) : of;
}

Series Series::rate() const {
  if (known_ <= 1) {
    Series unknown(1, 1, 0);
    unknown.at(0, 0) = std::nan("");
    return unknown;
  }
  Series result(known_ == kAll ? kAll : known_ - 1, std::max(count_ - 1, 1), changes_);
  for (unsigned m = 0; m < 1U << changes_; ++m) {
    for (int k = 0; k + 1 < count_; ++k) result.at(m, k) = k == 0 ? at(m, 1) : Rounded(k + 1.0) * at(m, k + 1);
  }
  return result;
}

Series Series::changed(int change, const Series& part) const {
  Series result(std::min(known_, part.known_), std::max(count_, part.count_), change + 1);
  for (unsigned m = 0; m < 1U << change; ++m) {
    for (int k = 0; k < result.count_; ++k) {
      result.at(m, k) = at(m, k);
      result.at(m | 1U << change, k) = part.at(m, k);
    }
  }
  return result;
}

Series Series::by_change(int change) const {
  Series result(known_, count_, change);
  for (unsigned m = 0; m < 1U << change; ++m) {
    for (int k = 0; k < count_; ++k) result.at(m, k) = at(m | 1U << change, k);
  }
  return result;
}

Series operator-(const Series& a) {
  Series result = a;
  for (std::size_t i = 0; i < static_cast<std::size_t>(a.count_) << a.changes_; ++i)
    result.data()[i] = -result.data()[i];
  return result;
}

Series operator+(const Series& a, const Series& b) {
  const int known = std::min(a.known_, b.known_);
  Series result(known, std::min(known, std::max(a.count_, b.count_)), std::max(a.changes_, b.changes_));
  for (unsigned m = 0; m < 1U << result.changes_; ++m) {
    for (int k = 0; k < result.count_; ++k) result.at(m, k) = a.at(m, k) + b.at(m, k);
  }
  return result;
}

Series operator*(const Series& a, const Series& b) {
  const int known = std::min(a.known_, b.known_);
  Series result(known, std::min(known, a.count_ + b.count_ - 1), std::max(a.changes_, b.changes_));
  const unsigned all = 1U << result.changes_;
  for (unsigned s = 0; s < 1U << a.changes_; ++s) {
    for (unsigned m = 0; m < all; ++m) {
      const unsigned rest = m & ~s;
      if ((s & ~m) != 0 || rest >> b.changes_ != 0) continue;
      for (int i = 0; i < std::min(a.count_, result.count_); ++i) {
        const Rounded of_a = a.at(s, i);
        if (of_a.is_zero()) continue;
        for (int k = 0; k < b.count_ && i + k < result.count_; ++k) result.at(m, i + k) += of_a * b.at(rest, k);
      }
    }
  }
  result.at(0, 0) = a.at(0, 0) * b.at(0, 0);  // set directly, so that zero times infinity is NaN
  return result;
}

Series operator/(const Series& a, const Series& b) {
  const Rounded first = a.at(0, 0) / b.at(0, 0);
  if (b.is_constant()) {
    Series result = a;
    for (std::size_t i = 0; i < static_cast<std::size_t>(a.count_) << a.changes_; ++i) result.data()[i] /= b.at(0, 0);
    result.known_ = std::min(a.known_, b.known_);
    return result;
  }
  const Series inverse = Composition::of(b, [](Rounded x, int order) { return of_power(x, -1.0, order); });
  return Composition::with_value(a * inverse, first.value);
}

Series square_root(const Series& x) { return evaluate_series(Op::kSquareRoot, x); }

Series evaluate_series(const Spline& spline, int derivative_order, const Series& x) {
  return Composition::of(x, [&](Rounded at, int order) {
    Coefficients all;
    double factorial = 1.0;
    for (int k = 0; k <= order; ++k) {
      if (k > 1) factorial *= k;
      const double value = spline.evaluate(at.value, derivative_order + k),
                   slope = spline.evaluate(at.value, derivative_order + k + 1);
      // The distance of x from the beginning of its piece is a difference of rounded numbers.
      const double error =
          std::abs(slope) * (at.error + tolerance::kEqual * std::abs(at.value)) + tolerance::kEqual * std::abs(value);
      all.emplace_back(value / factorial, error / factorial);
    }
    return all;
  });
}

Series evaluate_series(Op op, const Series& a, const Series& b, const Series& c) {
  switch (op) {
    case Op::kAdd: return a + b;
    case Op::kSubtract: return a - b;
    case Op::kMultiply: return a * b;
    case Op::kDivide: return a / b;
    case Op::kNegate: return -a;
    case Op::kPower:
      if (b.is_constant())
        return Composition::of(a, [&](Rounded x, int order) { return of_power(x, b.value().value, order); });
      return Composition::with_value(evaluate_series(Op::kExponential, b * evaluate_series(Op::kLogarithm, a)),
                                     truth(op, a, b, c));
    case Op::kTangent:
      return Composition::with_value(evaluate_series(Op::kSine, a) / evaluate_series(Op::kCosine, a),
                                     truth(op, a, b, c));
    case Op::kHyperbolicTangent:
      return Composition::with_value(
          evaluate_series(Op::kHyperbolicSine, a) / evaluate_series(Op::kHyperbolicCosine, a), truth(op, a, b, c));
    case Op::kArcTangent2: {
      // The angle is computed relative to the angle of the values: tan of the difference = (a b0 − b a0)/(b b0 + a a0).
      const Series a0(a.value()), b0(b.value());
      const Rounded angle = computed(truth(op, a, b, c), 0.0, {});
      if (a.value().is_zero() && b.value().is_zero()) return Series(angle);
      return Series(angle) + evaluate_series(Op::kArcTangent, (a * b0 - b * a0) / (b * b0 + a * a0));
    }
    case Op::kAbsolute: {
      const double x = a.value().value;
      return x < 0.0 ? -a : x > 0.0 ? a : Series(Rounded(std::abs(x), a.value().error));
    }
    case Op::kMinimum: return a.value().value <= b.value().value ? a : b;
    case Op::kMaximum: return a.value().value >= b.value().value ? a : b;
    case Op::kSelect: return a.value().value != 0.0 ? b : c;
    case Op::kSign:
    case Op::kFloor:
    case Op::kLess:
    case Op::kLessEqual:
    case Op::kEqual:
    case Op::kNotEqual:
    case Op::kAnd:
    case Op::kOr:
    case Op::kNot: return truth(op, a, b, c);
    case Op::kConstant:
    case Op::kSymbol:
    case Op::kTable: break;
    default: return Composition::of(a, [&](Rounded x, int order) { return expansion(op, x, order); });
  }
  contract_broken("an operation on series", __FILE__, __LINE__);
}

Rounded evaluate_rounded(Op op, const Rounded& a, const Rounded& b, const Rounded& c) {
  if (op == Op::kAdd || op == Op::kSubtract) return met(a, op == Op::kAdd ? b : -b);
  const double value = evaluate_operation(op, a.value, b.value, c.value);
  if (!std::isfinite(value)) return as_stated(value);
  const double error = evaluate_series(op, Series(a), Series(b), Series(c)).value().error;
  const bool is_hardly_known = std::abs(value) <= error && !(error <= tolerance::kRoot);
  return is_hardly_known ? as_stated(value) : Rounded(value, error);
}

std::vector<Series> interpret_series(std::span<const Expr> roots, std::span<const Expr> symbols,
                                     std::span<const Series> values) {
  VINCULUM_EXPECTS(symbols.size() == values.size());
  std::vector<Series> result;
  if (roots.empty()) return result;
  const Graph& graph = roots[0].graph();
  const Subgraph subgraph(roots);
  std::vector<Series> all(subgraph.size());
  for (std::size_t i = 0; i < symbols.size(); ++i) {
    const std::uint32_t at = subgraph.position(symbols[i].node());
    if (at != Subgraph::kOutside) all[at] = values[i];
  }
  const Series none;
  for (std::size_t i = 0; i < subgraph.size(); ++i) {
    const Graph::Node& node = graph.node(subgraph[i]);
    const auto operand = [&](int k) -> const Series& {
      return node.operands[k].is_valid() ? all[subgraph.position(node.operands[k])] : none;
    };
    switch (node.op) {
      case Op::kConstant: all[i] = node.value; break;
      case Op::kSymbol: break;
      case Op::kTable:
        all[i] = evaluate_series(graph.spline(TableId(node.payload)), node.derivative_order, operand(0));
        break;
      default: all[i] = evaluate_series(node.op, operand(0), operand(1), operand(2));
    }
  }
  for (const Expr& root : roots) result.push_back(all[subgraph.position(root.node())]);
  return result;
}

}  // namespace vinculum::expr
