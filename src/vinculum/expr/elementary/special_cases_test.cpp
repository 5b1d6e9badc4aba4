#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "support/expr/elementary_sweep.hpp"

namespace vinculum::expr::elementary {
namespace {

const double kUndefinedValue = std::numeric_limits<double>::quiet_NaN();
constexpr double kUnbounded = std::numeric_limits<double>::infinity();

bool is_same(double a, double b) {
  return std::isnan(a) ? std::isnan(b) : a == b && std::signbit(a) == std::signbit(b);
}

const std::vector<double>& special_values() {
  static const std::vector<double> all = [] {
    std::vector<double> values = {kUndefinedValue};
    for (const double x : {0.0, 0x1p-1074, 0x1.8p-1023, 0x1p-1022, 0x1p-600, 0x1p-31, 0.5, 1.0, 2.0, 3.0, 65.0, 0x1p53,
                           0x1p60, 0x1.fffffffffffffp+1023, kUnbounded}) {
      values.push_back(x);
      values.push_back(-x);
    }
    return values;
  }();
  return all;
}

// Special cases of IEEE 754 and of Annex F of C: zeros, infinities and NaN. There the C library is exact.
TEST(SpecialCases, OfOneArgumentAreThoseOfTheStandard) {
  for (const auto& f : test_support::kFunctionsOfOne) {
    for (const double x : special_values()) {
      if (x != x || x == 0.0 || std::isinf(x) || std::fabs(x) == 1.0) {
        const auto truth = static_cast<double>(f.truth(x));
        EXPECT_LE(test_support::ulps(f.function(x), truth), 1.0) << f.name << ' ' << x;
        EXPECT_EQ(std::isnan(truth), std::isnan(f.function(x))) << f.name << ' ' << x;
        if (truth == 0.0 || std::isinf(truth)) {
          EXPECT_TRUE(is_same(f.function(x), truth)) << f.name << ' ' << x;
        }
      }
    }
  }
}

TEST(SpecialCases, OfTwoArgumentsAreThoseOfTheStandard) {
  for (const double x : special_values()) {
    for (const double y : special_values()) {
      for (const auto& [f, truth] : {std::pair{&power, static_cast<double (*)(double, double)>(std::pow)},
                                     std::pair{&arc_tangent2, static_cast<double (*)(double, double)>(std::atan2)}}) {
        const double value = f(x, y), expected = truth(x, y);
        if (std::isfinite(expected) && expected != 0.0) {
          EXPECT_LE(test_support::ulps(value, expected), 1.0) << x << ' ' << y;
          EXPECT_EQ(std::signbit(value), std::signbit(expected)) << x << ' ' << y;
        } else {
          EXPECT_TRUE(is_same(value, expected)) << x << ' ' << y << ": " << value << " and " << expected;
        }
      }
    }
  }
}

TEST(SpecialCases, OverflowAndUnderflowWhereTheValueDoes) {
  EXPECT_EQ(exponential(0x1.62e42fefa39efp+9), 0x1.fffffffffff2ap+1023);
  EXPECT_EQ(exponential(0x1.62e42fefa39f0p+9), kUnbounded);
  EXPECT_EQ(exponential(-0x1.74910d52d3051p+9), 0x1p-1074);
  EXPECT_EQ(exponential(-0x1.74910d52d3053p+9), 0.0);
  EXPECT_LT(hyperbolic_cosine(710.4), kUnbounded);
  EXPECT_EQ(hyperbolic_sine(-711.0), -kUnbounded);
  EXPECT_EQ(hyperbolic_cosine(1e300), kUnbounded);
}

}  // namespace
}  // namespace vinculum::expr::elementary
