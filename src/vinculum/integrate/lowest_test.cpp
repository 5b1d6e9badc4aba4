#include "vinculum/integrate/lowest.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/integrate/shorthands.hpp"

/// Minima over time of functions that are ≥ 0, such as lengths of vectors: of one function, and of several functions in
/// one search.
namespace vinculum::integrate {
namespace {

using testing::kInfinity;

TEST(FindLowest, FindsTheLowestOfSeveralMinimaAndSkipsWhatItCannotSee) {
  const auto length = [](double t) {
    if (t > 0.9) return kInfinity;
    return 0.1 + std::abs(std::sin(7.0 * t - 1.0)) + 0.05 * t;
  };
  const auto found = find_lowest(length, 0.0, 1.0);
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->t, 1.0 / 7.0, 1e-12);
  EXPECT_NEAR(found->length, 0.1 + 0.05 / 7.0, 1e-12);
  EXPECT_FALSE(find_lowest([](double) { return kInfinity; }, 0.0, 1.0));
}

/// Lengths with zeros at different instants, with a zero next to a positive minimum, and with cusps.
TEST(LowestOfEach, FindsWhatEachLengthAloneWouldHave) {
  const auto length = [](double t, int k) {
    switch (k) {
      case 0: return std::abs(t - 0.4321);
      case 1: return std::sqrt(std::abs(t - 0.4322));
      case 2: return std::pow(t - 0.87, 2);
      default: return std::hypot(0.3, t - 0.2) * std::abs(t - 0.4323);
    }
  };
  LowestOfEach each(
      [&](double t, Vector& lengths) {
        lengths.resize(4);
        for (int k = 0; k < 4; ++k) lengths[k] = length(t, k);
        return true;
      },
      0.0, 1.0);
  const double where[] = {0.4321, 0.4322, 0.87, 0.4323}, within[] = {1e-15, 1e-15, 1e-7, 1e-15};
  for (int k = 0; k < 4; ++k) {
    const auto found = each.find(k, 1e-6);
    ASSERT_TRUE(found);
    EXPECT_NEAR(found->t, where[k], within[k]) << k;
    EXPECT_LT(found->length, 1e-7) << k;
  }
}

TEST(LowestOfEach, ReadsNothingAgainForLengthsThatVanishTogether) {
  int reads = 0;
  constexpr int kCount = 50;
  LowestOfEach each(
      [&](double t, Vector& lengths) {
        ++reads;
        lengths.resize(kCount);
        for (int k = 0; k < kCount; ++k) lengths[k] = (k + 1) * std::abs(t - 0.3);
        return true;
      },
      0.0, 1.0);
  const auto first = each.find(0, 1e-6);
  const int of_one = reads;
  for (int k = 1; k < kCount; ++k) EXPECT_EQ(each.find(k, 1e-6)->t, first->t);
  EXPECT_EQ(reads, of_one);
}

TEST(LowestOfEach, FollowsNoLengthThatStaysFarFromZero) {
  int reads = 0;
  LowestOfEach each(
      [&](double t, Vector& lengths) {
        ++reads;
        lengths = Vector{{std::hypot(1.0, t - 0.3)}};
        return true;
      },
      0.0, 1.0);
  EXPECT_GE(each.find(0, 1e-6)->length, 1.0);
  EXPECT_LE(reads, 20);
}

}  // namespace
}  // namespace vinculum::integrate
