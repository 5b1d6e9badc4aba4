#include "vinculum/expr/elementary/exponential.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "vinculum/expr/elementary/tables.hpp"

namespace vinculum::expr::elementary {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();

double power_of_two(int exponent) { return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52); }

bool is_whole(double y) { return y == std::floor(y); }
bool is_odd(double y) { return is_whole(y) && std::fabs(y) < 0x1p53 && 0.5 * y != std::floor(0.5 * y); }

/// x^y for x ≥ 0, if x is zero or infinite or y is infinite. Neither is NaN, and y is not 0.
double power_at_the_ends(double x, double y) {
  if (std::isinf(y)) return x == 1.0 ? 1.0 : (x > 1.0) == (y > 0.0) ? kInfinite : 0.0;
  return (x == 0.0) == (y > 0.0) ? 0.0 : kInfinite;
}

/// x^y for finite x > 0.
double power_of_size(double x, double y) {
  int exponent = 0;
  if (x < std::numeric_limits<double>::min()) {
    x *= 0x1p54;
    exponent = -54;
  }
  const Pair log = logarithm_pair(x, exponent);
  const double estimate = y * log.high;
  if (std::fabs(estimate) > kBeyondRange) return estimate > 0.0 ? kInfinite : 0.0;
  if (std::fabs(estimate) < 0x1p-60) return 1.0 + estimate;
  const Pair product = exact_product(y, log.high);
  return rounded(exponential_pair(quick_sum(product.high, product.low + y * log.low)));
}

}  // namespace

// x = k ln 2 / 64 + r with |r| ≤ ln 2 / 128. So exp x = 2^(k/64) (1 + r + r²/2 + …), with the powers of two from a
// table (Tang 1989).
ScaledPair exponential_pair(Pair x) noexcept {
  const double whole = 0x1.8p52;
  const double shifted = x.high * tables::kStepsPerOne + whole;
  const double n = shifted - whole;
  const Pair r = exact_sum(x.high - n * tables::kStep1, x.low - n * tables::kStep2);  // the first difference is exact
  const double z = r.high * r.high;
  const double tail = z * (1.0 / 2.0 + r.high * (1.0 / 6.0 + r.high * (1.0 / 24.0))) +
                      z * z * r.high * (1.0 / 120.0 + r.high * (1.0 / 720.0 + r.high * (1.0 / 5040.0)));
  const int k = static_cast<int>(n);
  const double(&power)[2] = tables::kPowersOfTwo[k & 63];
  const double rest = power[1] + power[0] * (r.high + (r.low + tail));
  return {quick_sum(power[0], rest), k >> 6};
}

// The product is exact unless it is subnormal; then it is rounded a second time. 2^1024 is applied in two steps,
// because it is not a double.
double rounded(const ScaledPair& x) noexcept {
  const int first = x.exponent / 2;
  return rounded(x.value) * power_of_two(first) * power_of_two(x.exponent - first);
}

double exponential(double x) noexcept {
  if (!(std::fabs(x) < kBeyondRange)) return x != x ? x : x > 0.0 ? kInfinite : 0.0;
  return rounded(exponential_pair({x, 0.0}));
}

// x = 2^k m and c m = 1 + r, where c has few bits and is near 1/m. So ln x = k ln 2 − ln c + r − r²/2 + …. Near x = 1
// both k and ln c are 0.
Pair logarithm_pair(double x, int exponent) noexcept {
  const auto word = std::bit_cast<std::uint64_t>(x);
  const auto index = static_cast<int>(word >> 45 & 127);
  const bool is_halved = index >= 53;
  const double k = exponent + static_cast<int>(word >> 52) - 1023 + (is_halved ? 1 : 0);
  const std::uint64_t one = (is_halved ? std::uint64_t{1022} : std::uint64_t{1023}) << 52;
  const double m = std::bit_cast<double>((word & 0xfffffffffffff) | one);
  const double(&row)[3] = tables::kLogarithms[index];
  const Pair cm = exact_product(row[0], m);
  const Pair r = exact_sum(cm.high - 1.0, cm.low);
  const Pair square = exact_product(r.high, 0.5 * r.high);
  const double z = r.high * r.high;
  const double tail = z * r.high *
                      ((1.0 / 3.0 - r.high * (1.0 / 4.0)) + z * (1.0 / 5.0 - r.high * (1.0 / 6.0)) +
                       z * z * ((1.0 / 7.0 - r.high * (1.0 / 8.0)) + z * (1.0 / 9.0 - r.high * (1.0 / 10.0))));
  const Pair base = exact_sum(k * tables::kLogTwo1, row[1]);  // the product is exact
  const Pair with_r = exact_sum(base.high, r.high);
  const Pair with_square = exact_sum(with_r.high, -square.high);
  const double low = (base.low + (k * tables::kLogTwo2 + row[2])) +
                     (with_r.low + (with_square.low + (tail + (r.low - (square.low + r.low * r.high)))));
  return quick_sum(with_square.high, low);
}

double logarithm(double x) noexcept {
  if (!(x > 0.0)) return x == 0.0 ? -kInfinite : x != x ? x : kUndefined;
  if (x == kInfinite) return x;
  const bool is_normal = x >= std::numeric_limits<double>::min();
  return rounded(is_normal ? logarithm_pair(x, 0) : logarithm_pair(x * 0x1p54, -54));
}

double power(double x, double y) noexcept {
  if (y == 0.0 || x == 1.0) return 1.0;
  if (x != x || y != y) return kUndefined;
  const double size = std::fabs(x);
  const double sign = std::signbit(x) && is_odd(y) ? -1.0 : 1.0;
  if (size == 0.0 || std::isinf(size) || std::isinf(y)) return sign * power_at_the_ends(size, y);
  if (x < 0.0 && !is_whole(y)) return kUndefined;
  return sign * power_of_size(size, y);
}

}  // namespace vinculum::expr::elementary
