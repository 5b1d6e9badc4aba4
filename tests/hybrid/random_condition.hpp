#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "vinculum/base/tolerance.hpp"

/// Random conditions, as text of the language and with values that an independent program computes.
namespace vinculum::hybrid {

/// A scalar, or a condition with the value 1 or 0.
struct Node;
using Expression = std::shared_ptr<const Node>;
struct Node {
  enum class Kind {
    kNumber,
    kTime,
    kX,
    kY,
    kSum,
    kDifference,
    kProduct,
    kMinimum,
    kMaximum,
    kAbsolute,
    kFloor,
    kChoice,
    kSmoothstep,
    kTable,
    kSine,
    kLess,
    kLessEqual,
    kAnd,
    kOr,
    kNot
  } kind;
  double number = 0.0;
  std::vector<Expression> of = {};
};

inline Expression make(Node::Kind kind, std::vector<Expression> of = {}, double number = 0.0) {
  return std::make_shared<const Node>(Node{kind, number, std::move(of)});
}
inline Expression number(double value) { return make(Node::Kind::kNumber, {}, value); }

inline std::string text_of(const Expression& e) {
  using Kind = Node::Kind;
  const auto part = [&](std::size_t i) { return text_of(e->of[i]); };
  switch (e->kind) {
    case Kind::kNumber: return fmt::format("({:.17g})", e->number);
    case Kind::kTime: return "t";
    case Kind::kX: return "x";
    case Kind::kY: return "y";
    case Kind::kSum: return "(" + part(0) + " + " + part(1) + ")";
    case Kind::kDifference: return "(" + part(0) + " - " + part(1) + ")";
    case Kind::kProduct: return "(" + part(0) + "*" + part(1) + ")";
    case Kind::kMinimum: return "min(" + part(0) + ", " + part(1) + ")";
    case Kind::kMaximum: return "max(" + part(0) + ", " + part(1) + ")";
    case Kind::kAbsolute: return "abs(" + part(0) + ")";
    case Kind::kFloor: return "floor(" + part(0) + ")";
    case Kind::kChoice: return "(" + part(1) + " if " + part(0) + " else " + part(2) + ")";
    case Kind::kSmoothstep: return "smoothstep(" + part(0) + ")";
    case Kind::kTable: return "table(\"ramp.csv\", min(max(" + part(0) + ", 0), 1))";
    case Kind::kSine: return "sin(" + part(0) + ")";
    case Kind::kLess: return "(" + part(0) + " < " + part(1) + ")";
    case Kind::kLessEqual: return "(" + part(0) + " <= " + part(1) + ")";
    case Kind::kAnd: return "(" + part(0) + " and " + part(1) + ")";
    case Kind::kOr: return "(" + part(0) + " or " + part(1) + ")";
    case Kind::kNot: return "(not " + part(0) + ")";
  }
  return "";
}

/// The points of ramp.csv are on the cubic u^2 (3 - 2 u), which four of them determine.
inline constexpr double kKnots[] = {0.0, 0.25, 0.5, 0.75, 1.0};
inline double ramp(double u) { return u * u * (3.0 - 2.0 * u); }

/// A number with a bound of its rounding error. The bound is in units of the rounding error of one operation (running
/// error analysis).
struct Real {
  long double value = 0.0L, units = 0.0L;
  Real() = default;
  Real(double number) : value(number) {}  // exact
  Real(long double number, long double error) : value(number), units(error) {}
};
inline Real operator+(Real a, Real b) {
  const long double sum = a.value + b.value;
  return {sum, a.units + b.units + std::abs(sum)};
}
inline Real operator-(Real a, Real b) {
  const long double difference = a.value - b.value;
  return {difference, a.units + b.units + std::abs(difference)};
}
inline Real operator*(Real a, Real b) {
  const long double product = a.value * b.value;
  return {product, std::abs(a.value) * b.units + std::abs(b.value) * a.units + std::abs(product)};
}
inline Real sine(Real a) {
  const long double value = std::sin(a.value);
  return {value, std::abs(std::cos(a.value)) * a.units + std::abs(value)};
}

/// Evaluates a condition in extended precision at one state, and records the result of each comparison. All operands
/// are evaluated, so the k-th comparison has the same position in the condition at every state.
///
/// Numbers that differ by at most the rounding error of extended precision count as equal, so identities such as (t -
/// 3) - (t - 2) = -1 hold. Numbers that differ by at most the rounding error of double precision are a `tie`.
class Evaluation {
 public:
  Evaluation(double t, double x, double y) : t_(t), x_(x), y_(y) {}
  /// Evaluation in which some of the comparisons have a prescribed result (1, 0 or -1).
  Evaluation(double t, double x, double y, std::vector<char> given, long result)
      : t_(t), x_(x), y_(y), given_(std::move(given)), result_(result) {}
  bool truth_of(const Expression& condition) { return value_of(condition).value != 0.0L; }
  /// Result of each comparison: 1, 0 or -1; for `floor` its integer.
  [[nodiscard]] const std::vector<long>& ways() const { return ways_; }
  [[nodiscard]] const std::vector<char>& ties() const { return ties_; }

 private:
  // Factor applied to the first-order bound of rounding, because the tested program may execute its operations in
  // another order.
  static constexpr long double kOrders = 4.0L;

  /// The sign of x; 0 if x is 0 up to rounding.
  long sign_of(Real x, long double size_of_terms) {
    const long double size = std::abs(x.value), units = kOrders * x.units;
    const std::size_t index = ties_.size();
    const long double rounding =
        std::max(units * std::numeric_limits<double>::epsilon(), tolerance::kRounded * size_of_terms);
    ties_.push_back(size <= rounding ? 1 : 0);
    if (index < given_.size() && given_[index] != 0) return result_;
    if (size <= units * std::numeric_limits<long double>::epsilon()) return 0;
    return x.value > 0.0L ? 1 : -1;
  }
  long compared(Real a, Real b) {
    const long sign = sign_of(a - b, std::abs(a.value) + std::abs(b.value));
    ways_.push_back(sign);
    return sign;
  }
  Real floor_of(Real x) {
    const auto nearest = static_cast<double>(std::round(x.value));
    const long side = sign_of(x - Real(nearest), std::abs(x.value) + 1.0L);
    const double whole = side < 0 ? nearest - 1.0 : nearest;
    ways_.push_back(static_cast<long>(whole));
    return {whole};
  }
  Real clipped(Real x) {
    const long below = compared(x, 0.0), above = compared(x, 1.0);
    return below <= 0 ? Real(0.0) : above >= 0 ? Real(1.0) : x;
  }
  Real value_of(const Expression& e) {
    using Kind = Node::Kind;
    const auto part = [&](std::size_t i) { return value_of(e->of[i]); };
    const auto holds = [&](std::size_t i) { return value_of(e->of[i]).value != 0.0L; };
    switch (e->kind) {
      case Kind::kNumber: return {e->number};
      case Kind::kTime: return {t_};
      case Kind::kX: return {x_};
      case Kind::kY: return {y_};
      case Kind::kSine: return sine(part(0));
      case Kind::kNot: return {holds(0) ? 0.0 : 1.0};
      case Kind::kFloor: return floor_of(part(0));
      case Kind::kAbsolute: {
        const Real x = part(0);
        return compared(x, 0.0) < 0 ? Real(-x.value, x.units) : x;
      }
      case Kind::kChoice: {
        const bool condition = holds(0);
        const Real a = part(1), b = part(2);
        return condition ? a : b;
      }
      case Kind::kSmoothstep: {
        const Real s = clipped(part(0));
        return s * s * s * (s * (Real(6.0) * s - Real(15.0)) + Real(10.0));
      }
      case Kind::kTable: {
        const Real u = clipped(part(0));
        return u * u * (Real(3.0) - Real(2.0) * u);
      }
      case Kind::kAnd: {
        const bool a = holds(0), b = holds(1);
        return {a && b ? 1.0 : 0.0};
      }
      case Kind::kOr: {
        const bool a = holds(0), b = holds(1);
        return {a || b ? 1.0 : 0.0};
      }
      default: return value_of_two(e->kind, part(0), part(1));
    }
  }
  Real value_of_two(Node::Kind kind, Real a, Real b) {
    using Kind = Node::Kind;
    switch (kind) {
      case Kind::kSum: return a + b;
      case Kind::kDifference: return a - b;
      case Kind::kProduct: return a * b;
      case Kind::kMinimum: return compared(a, b) < 0 ? a : b;
      case Kind::kMaximum: return compared(a, b) > 0 ? a : b;
      case Kind::kLess: return {compared(a, b) < 0 ? 1.0 : 0.0};
      default: return {compared(a, b) <= 0 ? 1.0 : 0.0};
    }
  }

  double t_, x_, y_;
  std::vector<char> given_;
  long result_ = 0;
  std::vector<long> ways_;
  std::vector<char> ties_;
};

/// Random expressions. Numbers are few short binary fractions, so that clipped values are exactly equal to them.
class RandomExpressions {
 public:
  explicit RandomExpressions(unsigned seed) : random_(seed) {}
  int below(int n) { return std::uniform_int_distribution<int>(0, n - 1)(random_); }
  double level() {
    constexpr double kLevels[] = {0.0, 0.0, 0.0, 0.25, 0.5, -0.5, 1.0};
    return kLevels[below(7)];
  }
  Expression smooth(int depth) {
    using Kind = Node::Kind;
    switch (depth > 0 ? below(7) : below(3)) {
      case 0: return make(Kind::kX);
      case 1: return make(Kind::kY);
      case 2: return make(Kind::kDifference, {make(Kind::kTime), number(1.0 + below(4))});
      case 3: return make(Kind::kSum, {smooth(depth - 1), number(level())});
      case 4: return make(Kind::kProduct, {smooth(depth - 1), smooth(depth - 1)});
      case 5: return make(Kind::kDifference, {smooth(depth - 1), smooth(depth - 1)});
      default: return make(Kind::kSine, {make(Kind::kProduct, {number(2.0), smooth(depth - 1)})});
    }
  }
  Expression scalar(int depth) {
    using Kind = Node::Kind;
    if (depth <= 0) return smooth(1);
    switch (below(11)) {
      case 0: return make(Kind::kMinimum, {scalar(depth - 1), number(level())});
      case 1: return make(Kind::kMaximum, {scalar(depth - 1), number(level())});
      case 2: return make(Kind::kMaximum, {scalar(depth - 1), scalar(depth - 1)});
      case 3: return make(Kind::kAbsolute, {scalar(depth - 1)});
      case 4: return make(Kind::kFloor, {make(Kind::kProduct, {number(2.0), scalar(depth - 1)})});
      case 5: return make(Kind::kChoice, {condition(depth - 1), scalar(depth - 1), number(level())});
      case 6: return make(Kind::kSmoothstep, {scalar(depth - 1)});
      case 7: return make(Kind::kTable, {scalar(depth - 1)});
      case 8: return make(Kind::kProduct, {scalar(depth - 1), scalar(depth - 1)});
      case 9: return make(Kind::kDifference, {scalar(depth - 1), scalar(depth - 1)});
      default: return smooth(2);
    }
  }
  Expression condition(int depth) {
    using Kind = Node::Kind;
    if (depth > 1 && below(3) == 0) {
      const Kind kinds[] = {Kind::kAnd, Kind::kOr, Kind::kNot};
      const Kind kind = kinds[below(3)];
      return kind == Kind::kNot ? make(kind, {condition(depth - 1)})
                                : make(kind, {condition(depth - 1), condition(depth - 1)});
    }
    const Kind kind = below(2) == 0 ? Kind::kLess : Kind::kLessEqual;
    Expression clipped = scalar(depth), other = below(3) == 0 ? scalar(depth - 1) : number(level());
    if (below(6) == 0) other = make(Kind::kAbsolute, {clipped});
    return below(2) == 0 ? make(kind, {clipped, other}) : make(kind, {other, clipped});
  }

 private:
  std::mt19937_64 random_;
};

}  // namespace vinculum::hybrid
