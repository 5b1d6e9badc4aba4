#include "vinculum/expr/elementary/arc.hpp"

#include <cmath>
#include <limits>

#include "vinculum/expr/elementary/pair.hpp"
#include "vinculum/expr/elementary/tables.hpp"

namespace vinculum::expr::elementary {
namespace {

constexpr double kTiny = 0x1p-30;  // for smaller |x| the function equals its argument
// If the binary exponents of y and x > 0 differ by more than this, the angle is a right angle, or equal to y/x, within
// rounding errors.
constexpr int kFarApart = 60;
constexpr Pair kQuarter = {tables::kHalfPiHigh, tables::kHalfPiLow};
constexpr Pair kHalf = {2.0 * tables::kHalfPiHigh, 2.0 * tables::kHalfPiLow};

/// atan(y/x) for 0 ≤ y ≤ x, x > 0. It is the angle with the tangent c = k/64, plus the small angle with the tangent u =
/// (y − c x)/(x + c y).
Pair angle_in_octant(Pair y, Pair x) {
  const int k = static_cast<int>(64.0 * (y.high / x.high) + 0.5);
  const Pair c = {k / 64.0, 0.0};
  const Pair u = (y - c * x) / (x + c * y);
  const double z = u.high * u.high;
  const double tail = u.high * z * (-1.0 / 3.0 + z * (1.0 / 5.0 + z * (-1.0 / 7.0 + z * (1.0 / 9.0))));
  const Pair base = {tables::kArcTangents[k][0], tables::kArcTangents[k][1]};
  return base + quick_sum(u.high, u.low + tail);
}

/// atan2(y, x) for x, y ≥ 0.
Pair angle_in_quadrant(Pair y, Pair x) {
  return y.high <= x.high ? angle_in_octant(y, x) : kQuarter - angle_in_octant(x, y);
}

/// √(1 − x²) as a pair, for |x| ≤ 1.
Pair other_side(double x) {
  const Pair square = exact_product(x, x);
  const Pair rest = Pair{1.0, 0.0} - square;
  const double root = std::sqrt(rest.high);
  if (root == 0.0) return {};
  const Pair back = exact_product(root, root);
  return quick_sum(root, ((rest.high - back.high) - back.low + rest.low) / (2.0 * root));
}

/// The angle if x or y is zero or infinite. x and y are absolute values; `is_left` if x was negative.
double angle_at_the_ends(double y, double x, bool is_left) {
  if (std::isinf(y) && std::isinf(x)) return (is_left ? 1.5 : 0.5) * tables::kHalfPiHigh;
  if (y == 0.0 || std::isinf(x)) return is_left ? kHalf.high : 0.0;
  return kQuarter.high;
}

/// The angle for finite absolute values x and y other than 0.
double angle_of_sizes(double y, double x, bool is_left) {
  const int power = std::ilogb(x), apart = std::ilogb(y) - power;
  if (apart > kFarApart) return kQuarter.high;
  if (apart < -kFarApart) return is_left ? kHalf.high : y / x;
  const Pair angle = angle_in_quadrant({std::scalbn(y, -power), 0.0}, {std::scalbn(x, -power), 0.0});
  return rounded(is_left ? kHalf - angle : angle);
}

}  // namespace

double arc_tangent2(double y, double x) noexcept {
  if (y != y || x != x) return std::numeric_limits<double>::quiet_NaN();
  const double a = std::fabs(y), b = std::fabs(x);
  const bool is_end = a == 0.0 || b == 0.0 || std::isinf(a) || std::isinf(b);
  const double angle = is_end ? angle_at_the_ends(a, b, std::signbit(x)) : angle_of_sizes(a, b, std::signbit(x));
  return std::copysign(angle, y);
}

double arc_tangent(double x) noexcept {
  const double size = std::fabs(x);
  if (size < kTiny || x != x) return x;
  if (size > 1.0 / (kTiny * kTiny)) return std::copysign(kQuarter.high, x);
  return std::copysign(rounded(angle_in_quadrant({size, 0.0}, {1.0, 0.0})), x);
}

double arc_sine(double x) noexcept {
  const double size = std::fabs(x);
  if (size < kTiny || x != x) return x;
  if (size > 1.0) return std::numeric_limits<double>::quiet_NaN();
  return std::copysign(rounded(angle_in_quadrant({size, 0.0}, other_side(size))), x);
}

double arc_cosine(double x) noexcept {
  const double size = std::fabs(x);
  if (x != x) return x;
  if (size > 1.0) return std::numeric_limits<double>::quiet_NaN();
  const Pair angle = angle_in_quadrant(other_side(size), {size, 0.0});
  return rounded(x < 0.0 ? kHalf - angle : angle);
}

}  // namespace vinculum::expr::elementary
