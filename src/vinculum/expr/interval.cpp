#include "vinculum/expr/interval.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "vinculum/base/tolerance.hpp"

namespace vinculum::expr {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr double kLargest = std::numeric_limits<double>::max();
constexpr double kPi = std::numbers::pi;

/// Widens the interval by the rounding error of an operation or a library function.
Interval outward(double lo, double hi) {
  if (!(lo <= hi)) return Interval::whole();
  // A lower bound of ∞ or an upper bound of −∞ comes from an overflow, so the finite number of largest magnitude
  // replaces it.
  return {lo == kInfinite ? kLargest : lo - tolerance::kEqual * std::abs(lo),
          hi == -kInfinite ? -kLargest : hi + tolerance::kEqual * std::abs(hi)};
}

double product(double a, double b) { return a == 0.0 || b == 0.0 ? 0.0 : a * b; }

template <class Function>
Interval rising(const Function& f, Interval x) {
  return outward(f(x.lo), f(x.hi));
}

Interval squared(Interval x) {
  const double a = std::abs(x.lo), b = std::abs(x.hi);
  const double least = x.holds(0.0) ? 0.0 : std::min(a, b), most = std::max(a, b);
  return outward(least * least, most * most);
}

/// Range of a function f of period 2π, with the maximum 1 at `top` and the minimum −1 at `top` + π.
Interval wave(double (*f)(double), double top, Interval x) {
  // Rounding error of the argument compared with multiples of π.
  const double slack = tolerance::kRounded * (1.0 + x.largest());
  if (!(x.width() + 2.0 * slack < 2.0 * kPi)) return {-1.0, 1.0};
  const auto passes = [&](double at) {
    return std::floor((x.hi + slack - at) / (2.0 * kPi)) >= std::ceil((x.lo - slack - at) / (2.0 * kPi));
  };
  const Interval ends = Interval::between(f(x.lo), f(x.hi));
  const Interval range = outward(passes(top + kPi) ? -1.0 : ends.lo, passes(top) ? 1.0 : ends.hi);
  return {std::max(range.lo, -1.0), std::min(range.hi, 1.0)};
}

/// Range of tanh. A bound that is ±1 as a double is not widened.
Interval saturating(Interval x) {
  const double a = std::tanh(x.lo), b = std::tanh(x.hi);
  const Interval range = outward(a, b);
  return {std::abs(a) == 1.0 ? a : std::max(range.lo, -1.0), std::abs(b) == 1.0 ? b : std::min(range.hi, 1.0)};
}

Interval tangent_of(Interval x) {
  const double slack = tolerance::kRounded * (1.0 + x.largest());
  const double turn = std::floor((x.lo - slack) / kPi + 0.5);
  if (!(turn == std::floor((x.hi + slack) / kPi + 0.5))) return Interval::whole();
  return rising([](double v) { return std::tan(v); }, x);
}

Interval angle_of(Interval y, Interval x) {
  if (x.lo <= 0.0 && y.holds(0.0)) return {-outward(0.0, kPi).hi, outward(0.0, kPi).hi};
  const std::array<double, 4> corners = {std::atan2(y.lo, x.lo), std::atan2(y.lo, x.hi), std::atan2(y.hi, x.lo),
                                         std::atan2(y.hi, x.hi)};
  const auto [least, most] = std::ranges::minmax(corners);
  return outward(least, most);
}

Interval power_of(Interval x, Interval y) {
  const bool is_constant = y.lo == y.hi;
  const auto value = [&](double base) { return evaluate_power(base, y.lo); };
  if (is_constant && y.lo == std::floor(y.lo)) {
    const bool is_even = std::fmod(y.lo, 2.0) == 0.0;
    if (y.lo < 0.0) return x.holds(0.0) ? Interval::whole() : Interval{1.0, 1.0} / power_of(x, {-y.lo, -y.lo});
    if (!is_even) return rising(value, x);
    const double a = std::abs(x.lo), b = std::abs(x.hi);
    return outward(x.holds(0.0) ? value(0.0) : value(std::min(a, b)), value(std::max(a, b)));
  }
  if (!(x.lo >= 0.0)) return Interval::whole();
  if (is_constant) {
    if (y.lo >= 0.0) return rising(value, x);
    return x.lo > 0.0 ? outward(value(x.hi), value(x.lo)) : Interval::whole();
  }
  if (x.lo == 0.0) return Interval::whole();
  const std::array<double, 4> corners = {std::pow(x.lo, y.lo), std::pow(x.lo, y.hi), std::pow(x.hi, y.lo),
                                         std::pow(x.hi, y.hi)};
  const auto [least, most] = std::ranges::minmax(corners);
  return outward(least, most);
}

/// [1, 1] if the condition holds for all operands, [0, 0] if for none, otherwise [0, 1].
Interval truth(bool always, bool never) { return {always ? 1.0 : 0.0, never ? 0.0 : 1.0}; }
bool is_never(Interval condition) { return condition.lo == 0.0 && condition.hi == 0.0; }
bool is_always(Interval condition) { return !condition.holds(0.0); }

Interval compare(Op op, Interval a, Interval b) {
  switch (op) {
    case Op::kLess: return truth(a.hi < b.lo, a.lo >= b.hi);
    case Op::kLessEqual: return truth(a.hi <= b.lo, a.lo > b.hi);
    case Op::kEqual: return truth(a.lo == a.hi && a == b, a.hi < b.lo || b.hi < a.lo);
    case Op::kNotEqual: return truth(a.hi < b.lo || b.hi < a.lo, a.lo == a.hi && a == b);
    case Op::kAnd: return truth(is_always(a) && is_always(b), is_never(a) || is_never(b));
    case Op::kOr: return truth(is_always(a) || is_always(b), is_never(a) && is_never(b));
    default: return truth(is_never(a), is_always(a));
  }
}

Interval function_of(Op op, Interval x) {
  switch (op) {
    case Op::kSquareRoot:
      return x.hi < 0.0 ? Interval::whole()
                        : rising([](double v) { return std::sqrt(v); }, {std::max(x.lo, 0.0), x.hi});
    case Op::kExponential: return rising([](double v) { return std::exp(v); }, x);
    case Op::kLogarithm: return x.lo > 0.0 ? rising([](double v) { return std::log(v); }, x) : Interval::whole();
    case Op::kSine: return wave(std::sin, 0.5 * kPi, x);
    case Op::kCosine: return wave(std::cos, 0.0, x);
    case Op::kTangent: return tangent_of(x);
    case Op::kArcSine: return rising([](double v) { return std::asin(v); }, common({-1.0, 1.0}, x));
    case Op::kArcCosine: {
      const Interval inside = common({-1.0, 1.0}, x);
      return outward(std::acos(inside.hi), std::acos(inside.lo));
    }
    case Op::kArcTangent: return rising([](double v) { return std::atan(v); }, x);
    case Op::kHyperbolicSine: return rising([](double v) { return std::sinh(v); }, x);
    case Op::kHyperbolicCosine: {
      const double a = std::cosh(x.lo), b = std::cosh(x.hi);
      return outward(x.holds(0.0) ? 1.0 : std::min(a, b), std::max(a, b));
    }
    case Op::kHyperbolicTangent: return saturating(x);
    case Op::kAbsolute: {
      const double a = std::abs(x.lo), b = std::abs(x.hi);
      return {x.holds(0.0) ? 0.0 : std::min(a, b), std::max(a, b)};
    }
    case Op::kSign: return {x.lo > 0.0 ? 1.0 : x.lo < 0.0 ? -1.0 : 0.0, x.hi > 0.0 ? 1.0 : x.hi < 0.0 ? -1.0 : 0.0};
    default: return {std::floor(x.lo), std::floor(x.hi)};
  }
}

/// x − 1. It is exact for an integer x, because powers of negative numbers need an integer exponent.
Interval one_less(Interval x) {
  if (x.lo == x.hi && x.lo == std::floor(x.lo)) return {x.lo - 1.0, x.lo - 1.0};
  return x - Interval{1.0, 1.0};
}

}  // namespace

Interval operator+(Interval a, Interval b) { return outward(a.lo + b.lo, a.hi + b.hi); }
Interval operator-(Interval a, Interval b) { return outward(a.lo - b.hi, a.hi - b.lo); }
Interval operator-(Interval a) { return {-a.hi, -a.lo}; }

Interval operator*(Interval a, Interval b) {
  const std::array<double, 4> corners = {product(a.lo, b.lo), product(a.lo, b.hi), product(a.hi, b.lo),
                                         product(a.hi, b.hi)};
  const auto [least, most] = std::ranges::minmax(corners);
  return outward(least, most);
}

Interval operator/(Interval a, Interval b) {
  if (a.lo == 0.0 && a.hi == 0.0 && !b.holds(0.0)) return a;
  if (b.holds(0.0)) return Interval::whole();
  return a * outward(1.0 / b.hi, 1.0 / b.lo);
}

Interval hull(Interval a, Interval b) { return {std::min(a.lo, b.lo), std::max(a.hi, b.hi)}; }

Interval common(Interval a, Interval b) {
  const Interval both = {std::max(a.lo, b.lo), std::min(a.hi, b.hi)};
  return both.lo <= both.hi ? both : a;
}

Interval enclose_operation(Op op, Interval first, Interval second, Interval third) {
  switch (op) {
    case Op::kAdd: return first + second;
    case Op::kSubtract: return first - second;
    case Op::kMultiply: return first * second;
    case Op::kDivide: return first / second;
    case Op::kNegate: return -first;
    case Op::kPower: return second.lo == 2.0 && second.hi == 2.0 ? squared(first) : power_of(first, second);
    case Op::kArcTangent2: return angle_of(first, second);
    case Op::kMinimum: return {std::min(first.lo, second.lo), std::min(first.hi, second.hi)};
    case Op::kMaximum: return {std::max(first.lo, second.lo), std::max(first.hi, second.hi)};
    case Op::kLess:
    case Op::kLessEqual:
    case Op::kEqual:
    case Op::kNotEqual:
    case Op::kAnd:
    case Op::kOr:
    case Op::kNot: return compare(op, first, second);
    case Op::kSelect: return is_always(first) ? second : is_never(first) ? third : hull(second, third);
    default: return function_of(op, first);
  }
}

Interval enclose_partial(Op op, int operand, Interval result, Interval first, Interval second) {
  const Interval one = {1.0, 1.0};
  switch (op) {
    case Op::kAdd: return one;
    case Op::kSubtract: return operand == 0 ? one : -one;
    case Op::kMultiply: return operand == 0 ? second : first;
    case Op::kNegate: return -one;
    case Op::kDivide: return operand == 0 ? one / second : -(result / second);
    case Op::kPower:
      if (operand == 0) return second * enclose_operation(Op::kPower, first, one_less(second));
      return result * enclose_operation(Op::kLogarithm, first);
    case Op::kArcTangent2: {
      const Interval squares = squared(first) + squared(second);
      return operand == 0 ? second / squares : -(first / squares);
    }
    case Op::kMinimum:
    case Op::kMaximum: {
      const bool is_below = first.hi<second.lo, is_above = first.lo> second.hi;
      if (!is_below && !is_above) return {0.0, 1.0};
      return (is_below == (op == Op::kMinimum)) == (operand == 0) ? one : Interval{};
    }
    case Op::kSquareRoot: return Interval{0.5, 0.5} / result;
    case Op::kExponential: return result;
    case Op::kLogarithm: return one / first;
    case Op::kSine: return enclose_operation(Op::kCosine, first);
    case Op::kCosine: return -enclose_operation(Op::kSine, first);
    case Op::kTangent: return one + squared(result);
    case Op::kArcSine: return one / enclose_operation(Op::kSquareRoot, one - squared(first));
    case Op::kArcCosine: return -(one / enclose_operation(Op::kSquareRoot, one - squared(first)));
    case Op::kArcTangent: return one / (one + squared(first));
    case Op::kHyperbolicSine: return enclose_operation(Op::kHyperbolicCosine, first);
    case Op::kHyperbolicCosine: return enclose_operation(Op::kHyperbolicSine, first);
    case Op::kHyperbolicTangent: return one - squared(result);
    case Op::kAbsolute: return enclose_operation(Op::kSign, first);
    default: return result.lo == result.hi ? Interval{} : Interval::whole();
  }
}

SplineRanges::SplineRanges(const Spline& spline, int order) : spline_(spline), order_(order) {
  const std::span<const double> knots = spline.knots();
  const std::size_t pieces = knots.size() - 1;
  while (leaves_ < pieces) leaves_ *= 2;
  const Interval nothing = {kInfinite, -kInfinite};
  tree_.assign(2 * leaves_, nothing);
  for (std::size_t k = 0; k < pieces; ++k) tree_[leaves_ + k] = of_piece(k, 0.0, knots[k + 1] - knots[k]);
  for (std::size_t k = leaves_; k-- > 1;) tree_[k] = hull(tree_[2 * k], tree_[2 * k + 1]);
}

/// Hull of the Bernstein coefficients of the derivative over a part of a piece. The part is divided into four for
/// tighter bounds.
Interval SplineRanges::of_piece(std::size_t piece, double from, double to) const {
  const double* c = spline_.coefficients().data() + 4 * piece;
  std::array<double, 4> p = {c[0], c[1], c[2], c[3]};
  for (int k = 0; k < std::min(order_, 4); ++k) p = {p[1], 2.0 * p[2], 3.0 * p[3], 0.0};
  const auto part = [&](double begin, double end) {
    const double w = end - begin;
    const double at = ((p[3] * begin + p[2]) * begin + p[1]) * begin + p[0];
    const double slope = (3.0 * p[3] * begin + 2.0 * p[2]) * begin + p[1], bend = 3.0 * p[3] * begin + p[2];
    const double a1 = slope * w, a2 = bend * w * w, a3 = p[3] * w * w * w;
    const std::array<double, 4> b = {at, at + a1 / 3.0, at + 2.0 * a1 / 3.0 + a2 / 3.0, at + a1 + a2 + a3};
    const auto [least, most] = std::ranges::minmax(b);
    const double terms = std::abs(at) + std::abs(a1) + std::abs(a2) + std::abs(a3);
    return Interval{least - tolerance::kEqual * terms, most + tolerance::kEqual * terms};
  };
  constexpr int kParts = 4;
  Interval range = part(from, from + (to - from) / kParts);
  for (int i = 1; i < kParts; ++i)
    range = hull(range, part(from + (to - from) * i / kParts, from + (to - from) * (i + 1) / kParts));
  return range;
}

std::size_t SplineRanges::piece_of(double x) const {
  const std::span<const double> knots = spline_.knots();
  const auto above = std::upper_bound(knots.begin() + 1, knots.end() - 1, x);
  return static_cast<std::size_t>(above - knots.begin()) - 1;
}

Interval SplineRanges::over(Interval x) const {
  if (order_ > spline_.degree() && spline_.shape().kind == Spline::Kind::kSpline) return {};
  if (!std::isfinite(x.lo) || !std::isfinite(x.hi)) return Interval::whole();
  if (spline_.is_periodic()) return over_period(x);
  const bool ends = spline_.shape().reach == Spline::Reach::kInside;
  if (ends && !(x.lo >= spline_.first() && x.hi <= spline_.last())) return Interval::whole();
  return of_pieces(x);
}

/// Whether the derivative of this order is unbounded, because the value or a lower derivative jumps at the points of
/// the table.
bool SplineRanges::is_unbounded() const {
  const Spline::Kind kind = spline_.shape().kind;
  const int order_of_jump = kind == Spline::Kind::kLookup ? 0 : spline_.order_of_jump();
  return kind != Spline::Kind::kSpline && order_ > order_of_jump;
}

/// Reduces the argument to one period. The remainder is rounded, so it is widened by the rounding error of x.
Interval SplineRanges::over_period(Interval x) const {
  const double period = spline_.period(), rise = order_ == 0 ? spline_.rise() : 0.0;
  const double margin = tolerance::kEqual * (std::abs(x.lo) + std::abs(x.hi) + period);
  x = {x.lo - margin, x.hi + margin};
  const double from = spline_.turns(x.lo), to = spline_.turns(x.hi);
  const auto raised = [rise](Interval range, double turns) {
    return rise == 0.0 ? range : range + Interval{turns, turns} * Interval{rise, rise};
  };
  const auto reduced = [&](double at, double turns) {
    return std::clamp(at - turns * period, spline_.first(), spline_.last());
  };
  if (from == to) return raised(of_pieces({reduced(x.lo, from), reduced(x.hi, to)}), from);
  if (is_unbounded()) return Interval::whole();
  Interval range = hull(raised(of_pieces({reduced(x.lo, from), spline_.last()}), from),
                        raised(of_pieces({spline_.first(), reduced(x.hi, to)}), to));
  if (to - from < 1.5) return range;
  const Interval whole = of_pieces({spline_.first(), spline_.last()});
  return hull(range, hull(raised(whole, from + 1.0), raised(whole, to - 1.0)));
}

Interval SplineRanges::of_pieces(Interval x) const {
  const std::span<const double> knots = spline_.knots();
  const std::size_t first = piece_of(x.lo), last = piece_of(x.hi);
  if (first != last && is_unbounded()) return Interval::whole();
  if (first == last) return of_piece(first, x.lo - knots[first], x.hi - knots[first]);
  Interval range = hull(of_piece(first, x.lo - knots[first], knots[first + 1] - knots[first]),
                        of_piece(last, 0.0, x.hi - knots[last]));
  for (std::size_t a = leaves_ + first + 1, b = leaves_ + last; a < b; a /= 2, b /= 2) {
    if (a % 2 == 1) range = hull(range, tree_[a++]);
    if (b % 2 == 1) range = hull(range, tree_[--b]);
  }
  return range;
}

}  // namespace vinculum::expr
