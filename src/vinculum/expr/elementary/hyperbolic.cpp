#include "vinculum/expr/elementary/hyperbolic.hpp"

#include <cmath>
#include <initializer_list>

#include "vinculum/expr/elementary/exponential.hpp"

namespace vinculum::expr::elementary {
namespace {

constexpr double kSmall = 0.35;      // for smaller |x|, differences of exponentials cancel, so the series are used
constexpr double kOneSided = 40.0;   // for larger |x|, e^-|x| is negligible compared with e^|x|
constexpr double kLinear = 0x1p-30;  // for smaller |x| the function equals its argument

/// sinh x for |x| ≤ kSmall: x + x³/3! + … + x^15/15!.
Pair small_sine(double x) {
  const double z = x * x;
  double sum = 1.0 / 1307674368000.0;
  for (const double c : {1.0 / 6227020800.0, 1.0 / 39916800.0, 1.0 / 362880.0, 1.0 / 5040.0, 1.0 / 120.0, 1.0 / 6.0}) {
    sum = c + z * sum;
  }
  return quick_sum(x, x * (z * sum));
}

/// cosh x for |x| ≤ kSmall: 1 + x²/2! + … + x^16/16!.
Pair small_cosine(double x) {
  const double z = x * x;
  double sum = 1.0 / 20922789888000.0;
  for (const double c :
       {1.0 / 87178291200.0, 1.0 / 479001600.0, 1.0 / 3628800.0, 1.0 / 40320.0, 1.0 / 720.0, 1.0 / 24.0, 1.0 / 2.0}) {
    sum = c + z * sum;
  }
  return quick_sum(1.0, z * sum);
}

/// (e^x + sign e^-x)/2 for x ≥ 0.
double half_sum(double x, double sign) {
  ScaledPair e = exponential_pair({x, 0.0});
  e.exponent -= 1;
  if (x > kOneSided) return rounded(e);
  const Pair half = scaled(e.value, std::ldexp(1.0, e.exponent));
  return rounded(half + Pair{sign * 0.25, 0.0} / half);
}

}  // namespace

double hyperbolic_sine(double x) noexcept {
  const double size = std::fabs(x);
  if (size < kLinear || !(size < kBeyondRange))
    return std::isnan(x) || size < kLinear ? x : x * kBeyondRange * 0x1p1023;
  return size < kSmall ? rounded(small_sine(x)) : std::copysign(half_sum(size, -1.0), x);
}

double hyperbolic_cosine(double x) noexcept {
  const double size = std::fabs(x);
  if (!(size < kBeyondRange)) return std::isnan(x) ? x : size * kBeyondRange * 0x1p1023;
  return size < kSmall ? rounded(small_cosine(x)) : half_sum(size, 1.0);
}

double hyperbolic_tangent(double x) noexcept {
  const double size = std::fabs(x);
  if (size < kLinear || std::isnan(x)) return x;
  if (size < kSmall) return rounded(small_sine(x) / small_cosine(x));
  if (size > kOneSided) return std::copysign(1.0, x);
  const ScaledPair e = exponential_pair({2.0 * size, 0.0});  // tanh x = 1 − 2/(e^2x + 1)
  const Pair denominator = scaled(e.value, std::ldexp(1.0, e.exponent)) + Pair{1.0, 0.0};
  return std::copysign(rounded(Pair{1.0, 0.0} - Pair{2.0, 0.0} / denominator), x);
}

}  // namespace vinculum::expr::elementary
