#include "vinculum/expr/elementary/circular.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

#include "support/expr/elementary_sweep.hpp"

namespace vinculum::expr::elementary {
namespace {

constexpr double kNoBound = std::numeric_limits<double>::infinity();

struct Known {
  double x, sine, cosine, tangent;
};

// Values computed by mpmath with 2000 bits, for doubles very near to multiples of π/2, the largest double, and both
// sides of 2^20.
constexpr Known kKnown[] = {
    {0x1.6ac5b262ca1ffp+849, 0x1.0000000000000p+0, -0x1.14ae72e6ba22fp-61, -0x1.d9ba9a7975636p+60},
    {0x1.0f0cf064dd592p+73, -0x1.b453ab76bf397p-1, 0x1.0be2cef01c8f4p-1, -0x1.a0f79c1b6b257p+0},
    {0x1.fffffffffffffp+1023, 0x1.452fc98b34e97p-8, -0x1.fffe62ecfab75p-1, -0x1.4530cfe729484p-8},
    {0x1.7e43c8800759cp+996, -0x1.a2c16b010e385p-1, -0x1.2699022adc4c1p-1, 0x1.6be411f37ac77p+0},
    {0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53, -0x1.0000000000000p+0, -0x1.1a62633145c07p-53},
    {0x1.921fb54442d18p+0, 0x1.0000000000000p+0, 0x1.1a62633145c07p-54, 0x1.d02967c31cdb5p+53},
    {0x1.7f7ec53a8d491p+21, -0x1.eacd7c60e9693p-33, 0x1.0000000000000p+0, -0x1.eacd7c60e9693p-33},
    {0x1.6300000000000p+8, -0x1.f9bd0307d1de3p-16, -0x1.fffffffc18e4cp-1, 0x1.f9bd030bacc16p-16},
    {0x1.0000000000000p+20, 0x1.526ccb2fc8656p-2, 0x1.e33ada92fe2aep-1, 0x1.6692e5779206fp-2},
    {0x1.0000000400000p+20, 0x1.535e5e07274a9p-2, 0x1.e3107de032405p-1, 0x1.67b2629b500d3p-2},
    {0x1.d4ec654000000p+27, 0x1.a46e24faa7183p-28, -0x1.0000000000000p+0, -0x1.a46e24faa7183p-28},
};

TEST(Circular, IsRightNearMultiplesOfRightAnglesAndFarOut) {
  using test_support::ulps;
  for (const Known& known : kKnown) {
    EXPECT_LE(ulps(sine(known.x), known.sine), 1.0) << known.x;
    EXPECT_LE(ulps(cosine(known.x), known.cosine), 1.0) << known.x;
    EXPECT_LE(ulps(tangent(known.x), known.tangent), 1.0) << known.x;
    EXPECT_EQ(sine(-known.x), -sine(known.x));
    EXPECT_EQ(cosine(-known.x), cosine(known.x));
    EXPECT_EQ(tangent(-known.x), -tangent(known.x));
  }
}

TEST(Circular, KeepsZerosAndWhatIsSmall) {
  for (double (*f)(double) : {&sine, &tangent}) {
    for (const double x : {0.0, -0.0, 0x1p-1074, -0x1p-1074, 0x1.8p-1022, -0x1.8p-40}) {
      EXPECT_EQ(f(x), x);
      EXPECT_EQ(std::signbit(f(x)), std::signbit(x)) << x;
    }
  }
  EXPECT_EQ(cosine(0.0), 1.0);
  EXPECT_EQ(cosine(-0.0), 1.0);
  EXPECT_EQ(cosine(0x1p-30), 1.0);
}

TEST(Circular, HasNoValueAtInfinity) {
  for (const double x : {kNoBound, -kNoBound, std::nan("")}) {
    EXPECT_TRUE(std::isnan(sine(x)));
    EXPECT_TRUE(std::isnan(cosine(x)));
    EXPECT_TRUE(std::isnan(tangent(x)));
  }
}

TEST(Circular, GivesBothAtOnceWithTheSameBits) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> size(-40.0, 60.0);
  for (int k = 0; k < 10000; ++k) {
    const double x = std::exp2(size(random));
    const SineAndCosine both = sine_and_cosine(x);
    EXPECT_EQ(both.sine, sine(x));
    EXPECT_EQ(both.cosine, cosine(x));
  }
}

}  // namespace
}  // namespace vinculum::expr::elementary
