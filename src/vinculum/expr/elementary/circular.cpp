#include "vinculum/expr/elementary/circular.hpp"

#include <bit>
#include <cmath>
#include <cstdint>

#include "vinculum/expr/elementary/circular_kernel.hpp"
#include "vinculum/expr/elementary/far_angle.hpp"

namespace vinculum::expr::elementary {
namespace {

/// The Machine of circular_kernel.hpp that computes with doubles.
struct OneDouble {
  using Number = double;
  using Bits = std::uint64_t;
  using Truth = bool;
  static double number(double x) { return x; }
  static double size(double x) { return std::fabs(x); }
  static bool is_at_most(double x, double y) { return x <= y; }
  static bool both(bool p, bool q) { return p && q; }
  static Bits bits(double x) { return std::bit_cast<Bits>(x); }
  static Bits next(Bits word) { return word + 1; }
  static double negated(double x, Bits word) { return std::bit_cast<double>(bits(x) ^ (word & 2) << 62); }
  static double chosen(Bits word, double odd, double even) { return (word & 1) != 0 ? odd : even; }
};

ReducedAngle<OneDouble> reduce(double x) {
  if (std::fabs(x) <= kReduced) return {x, 0.0, 0, true};
  const auto near = reduce_near(OneDouble{}, x);
  if (near.holds) [[likely]]
    return near;
  if (!std::isfinite(x)) return {x - x, 0.0, 0, false};
  const FarAngle far = reduce_far(x);
  return {far.rest.high, -far.rest.low, far.turn, true};
}

/// The polynomial c(z) as a pair, with the full precision of its first coefficient. The tangent is a quotient of sine
/// and cosine, so it needs both with more digits than a double has.
Pair series(const double (&c)[6], double z) {
  return quick_sum(c[0], z * (c[1] + z * (c[2] + z * (c[3] + z * (c[4] + z * c[5])))));
}

}  // namespace

SineAndCosine sine_and_cosine(double x) noexcept {
  const auto angle = reduce(x);
  const auto both = sine_and_cosine_of(OneDouble{}, angle.high, angle.low, angle.turn);
  return {both.sine, both.cosine};
}

double sine(double x) noexcept { return sine_and_cosine(x).sine; }
double cosine(double x) noexcept { return sine_and_cosine(x).cosine; }

double tangent(double x) noexcept {
  if (std::fabs(x) < 0x1p-30) return x;
  const auto angle = reduce(x);
  const Pair r = quick_sum(angle.high, -angle.low), z = r * r;
  const Pair s = r - r * z * series(tables::kSine, z.high);
  const Pair c = Pair{1.0, 0.0} - scaled(z, 0.5) + z * z * series(tables::kCosine, z.high);
  return rounded((angle.turn & 1) == 0 ? s / c : -c / s);
}

}  // namespace vinculum::expr::elementary
