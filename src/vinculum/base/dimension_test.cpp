#include "vinculum/base/dimension.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "vinculum/base/contract.hpp"

namespace vinculum {
namespace {

TEST(Rational, IsKeptInLowestTermsWithPositiveDenominator) {
  EXPECT_EQ(make_rational(6, -4), (Rational{-3, 2}));
  EXPECT_EQ(make_rational(0, -7), (Rational{0, 1}));
  EXPECT_EQ(make_rational(1, 2) + make_rational(1, 3), (Rational{5, 6}));
  EXPECT_EQ(make_rational(2, 3) * make_rational(3, 4), (Rational{1, 2}));
  EXPECT_THROW(static_cast<void>(make_rational(1, 0)), InternalError);
}

TEST(Rational, SaturatesInsteadOfOverflowing) {
  constexpr int kMax = std::numeric_limits<int>::max();
  EXPECT_EQ(Rational({kMax, 1}) + Rational({kMax, 1}), (Rational{kMax, 1}));
  EXPECT_EQ(Rational({kMax, 1}) * Rational({-kMax, 1}), (Rational{-kMax, 1}));
}

TEST(Dimension, PowersAndQuotientsAreConsistent) {
  const Dimension force = make_dimension(1, 1, -2);
  const Dimension length = make_dimension(0, 1, 0);
  EXPECT_EQ(force / force, Dimension{});
  EXPECT_TRUE((force / force).is_dimensionless());
  EXPECT_EQ(power(force, {2, 1}), force * force);
  EXPECT_EQ(power(power(length, {1, 2}), {2, 1}), length);
  EXPECT_EQ(power(length, {-1, 1}) * length, Dimension{});
}

TEST(Dimension, IsDescribedByNameAndSiUnit) {
  EXPECT_EQ(describe(make_dimension(0, 1, -1)), "velocity, m/s");
  EXPECT_EQ(describe(make_dimension(0, 1, -2)), "acceleration, m/s^2");
  EXPECT_EQ(describe(make_dimension(1, 1, -2)), "force, N");
  EXPECT_EQ(describe(Dimension{}), "dimensionless");
  EXPECT_EQ(describe(make_dimension(2, 0, -1)), "kg^2/s");
  EXPECT_EQ(si_unit(make_dimension(0, 0, -1)), "rad/s");
  EXPECT_EQ(si_unit(make_dimension(-1, -1, 0)), "1/kg/m");
  EXPECT_EQ(si_unit(Dimension{}), "1");
  EXPECT_EQ(si_unit(power(make_dimension(0, 1, 0), {1, 2})), "m^(1/2)");
  EXPECT_EQ(si_unit(power(make_dimension(1, 1, 0), {3, 2})), "kg^(3/2)*m^(3/2)");
}

}  // namespace
}  // namespace vinculum
