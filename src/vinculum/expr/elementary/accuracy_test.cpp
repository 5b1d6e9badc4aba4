#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>

#include "support/expr/elementary_sweep.hpp"

namespace vinculum::expr::elementary {
namespace {

using test_support::kHasExtendedPrecision;

TEST(Accuracy, IsBetterThanAUnitInTheLastPlace) {
  if (!kHasExtendedPrecision) GTEST_SKIP() << "long double is no wider than double here";
  for (const auto& f : test_support::kFunctionsOfOne) {
    const test_support::Worst worst = sweep(f, 30000);
    EXPECT_LT(worst.error, 1.0) << f.name << " at " << std::hexfloat << worst.first;
  }
  for (const auto& f : test_support::kFunctionsOfTwo) {
    const test_support::Worst worst = sweep(f, 30000);
    EXPECT_LT(worst.error, 1.0) << f.name << " at " << std::hexfloat << worst.first << ", " << worst.second;
  }
}

// `ulps` itself: it detects an error of one unit in the last place.
TEST(Accuracy, IsMeasuredInUnitsInTheLastPlace) {
  if (!kHasExtendedPrecision) GTEST_SKIP() << "long double is no wider than double here";
  EXPECT_EQ(test_support::ulps(std::nextafter(1.5, 2.0), 1.5L), 1.0);
  EXPECT_EQ(test_support::ulps(0.0, 0x1p-1075L), 0.5);
  EXPECT_EQ(test_support::ulps(1.0, 1.0L + 0x1p-53L), 0.5);
  EXPECT_GT(test_support::ulps(1.0, NAN), 1.0);
}

// The exact bits are part of the definition, on every machine and with every compiler. If these sums change, the bits
// of every run change, and codegen::kTapeVersion must be increased.
TEST(Bits, AreThese) {
  std::uint64_t sum = 0;
  for (int k = 0; k < 100000; ++k) {
    const double x = 1e-3 * k * k;
    for (const double y : {sine(x), cosine(x), tangent(x)}) sum = sum * 31 + std::bit_cast<std::uint64_t>(y);
  }
  EXPECT_EQ(sum, 0x325b929f525f88b7u);
  sum = 0;
  for (int k = 0; k < 100000; ++k) {
    const double x = 7e-5 * k;
    for (const double y :
         {exponential(x), logarithm(x), power(x, 1.3), hyperbolic_sine(x), hyperbolic_cosine(x), hyperbolic_tangent(x),
          arc_tangent(x), arc_sine(x / 7.0), arc_cosine(x / 7.0), arc_tangent2(x, -2.0)}) {
      sum = sum * 31 + std::bit_cast<std::uint64_t>(y);
    }
  }
  EXPECT_EQ(sum, 0xb6d7ba1c51becbf3u);
}

}  // namespace
}  // namespace vinculum::expr::elementary
