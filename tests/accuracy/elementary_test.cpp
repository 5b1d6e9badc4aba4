#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <ios>

#include "support/expr/elementary_sweep.hpp"

namespace elementary_test {

using namespace vinculum::test_support;

constexpr long kCount = 10'000'000;

// Every function at 10⁷ arguments.
TEST(Elementary, IsBetterThanAUnitInTheLastPlaceAtTenMillionArguments) {
  if (!kHasExtendedPrecision) GTEST_SKIP() << "long double is no wider than double here";
  for (const auto& f : kFunctionsOfOne) {
    const Worst worst = sweep(f, kCount);
    EXPECT_LT(worst.error, 1.0) << f.name << " at " << std::hexfloat << worst.first;
    std::printf("%-14s %.4f\n", f.name, worst.error);
  }
  for (const auto& f : kFunctionsOfTwo) {
    const Worst worst = sweep(f, kCount);
    EXPECT_LT(worst.error, 1.0) << f.name << " at " << std::hexfloat << worst.first << ", " << worst.second;
    std::printf("%-14s %.4f\n", f.name, worst.error);
  }
}

}  // namespace elementary_test
