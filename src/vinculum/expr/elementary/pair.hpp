#pragma once

/// Unevaluated sums of two doubles (Dekker 1971, Knuth), computed by plain IEEE operations. So the bits do not depend
/// on whether a machine has fused multiply-adds.
namespace vinculum::expr::elementary {

/// The number high + low, where |low| ≤ about half a unit in the last place of high.
struct Pair {
  double high = 0.0;
  double low = 0.0;
};

/// a + b as a pair, without error.   \pre |a| ≥ |b| or a = 0
[[nodiscard]] inline Pair quick_sum(double a, double b) noexcept {
  const double sum = a + b;
  return {sum, b - (sum - a)};
}

/// a + b as a pair, without error.
[[nodiscard]] inline Pair exact_sum(double a, double b) noexcept {
  const double sum = a + b, part = sum - a;
  return {sum, (a - (sum - part)) + (b - part)};
}

/// a b as a pair, without error, by Veltkamp's splitting.
/// \pre |a|, |b| < 2^996, and the low part does not underflow (2^-1074)
[[nodiscard]] inline Pair exact_product(double a, double b) noexcept {
  constexpr double kHalf = 0x1p27 + 1.0;
  const double a_scaled = kHalf * a, b_scaled = kHalf * b;
  const double a_high = a_scaled - (a_scaled - a), b_high = b_scaled - (b_scaled - b);
  const double a_low = a - a_high, b_low = b - b_high;
  const double product = a * b;
  return {product, ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low};
}

[[nodiscard]] inline Pair operator+(Pair a, Pair b) noexcept {
  const Pair sum = exact_sum(a.high, b.high);
  return quick_sum(sum.high, sum.low + (a.low + b.low));
}

[[nodiscard]] inline Pair operator-(Pair a) noexcept { return {-a.high, -a.low}; }
[[nodiscard]] inline Pair operator-(Pair a, Pair b) noexcept { return a + -b; }

[[nodiscard]] inline Pair operator*(Pair a, Pair b) noexcept {
  const Pair product = exact_product(a.high, b.high);
  return quick_sum(product.high, product.low + (a.high * b.low + a.low * b.high));
}

[[nodiscard]] inline Pair operator/(Pair a, Pair b) noexcept {
  const double quotient = a.high / b.high;
  const Pair back = exact_product(quotient, b.high);
  const double rest = ((a.high - back.high) - back.low + a.low) - quotient * b.low;
  return quick_sum(quotient, rest / b.high);
}

/// a times s.   \pre s is a power of two
[[nodiscard]] inline Pair scaled(Pair a, double s) noexcept { return {a.high * s, a.low * s}; }
[[nodiscard]] inline double rounded(Pair a) noexcept { return a.high + a.low; }

}  // namespace vinculum::expr::elementary
