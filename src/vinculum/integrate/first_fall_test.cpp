#include "vinculum/integrate/first_fall.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>

namespace vinculum::integrate {
namespace {

constexpr int kParts = 400;
constexpr double kLastPlaces = 1e-14;

using Margin = std::function<double(double)>;

FirstFall found(const Margin& margin, double begin, double end, int parts = kParts) {
  const auto fall = find_first_fall([&](double t) -> Outcome<double> { return margin(t); }, begin, end, parts);
  EXPECT_TRUE(fall);
  return fall ? *fall : FirstFall{};
}

void expect_at(const Margin& margin, double begin, double end, double t, double within) {
  const FirstFall fall = found(margin, begin, end);
  ASSERT_TRUE(fall.at.has_value());
  EXPECT_LE(fall.at->before, fall.at->after);
  EXPECT_GT(margin(fall.at->before), 0.0);
  EXPECT_NEAR(fall.at->after, t, within);
  EXPECT_LE(margin(fall.at->after), 0.0);
}

void expect_none(const Margin& margin, double begin, double end) {
  const FirstFall fall = found(margin, begin, end);
  EXPECT_FALSE(fall.at.has_value());
  EXPECT_EQ(fall.shown, end);
}

TEST(FirstFall, IsWhereClosedFormsHaveIt) {
  expect_at([](double t) { return 1.0 - t; }, 0.0, 3.0, 1.0, kLastPlaces);
  expect_at([](double t) { return std::cos(t); }, 0.0, 9.0, std::acos(0.0), kLastPlaces);
  expect_at([](double t) { return std::exp(-t) - 0.25; }, -1.0, 5.0, std::log(4.0), kLastPlaces);
  expect_none([](double t) { return 1.0 + t * t; }, -2.0, 2.0);
}

/// A dip below zero of depth d and width 2√d. The margin leaves and reenters the positive range within one subinterval.
TEST(FirstFall, IsFoundHoweverBrief) {
  for (const double at : {0.1, 0.5, 0.6180339887, 0.93}) {
    for (const double depth : {1e-2, 1e-4, 1e-6, 1e-8, 1e-10}) {
      const auto dips = [=](double t) { return (t - at) * (t - at) - depth; };
      expect_at(dips, 0.0, 1.0, at - std::sqrt(depth), 1e-15 / std::sqrt(depth));
      expect_none([=](double t) { return (t - at) * (t - at) + depth; }, 0.0, 1.0);
    }
  }
}

/// A quadruple root, raised or lowered by `depth`. The margin has almost no slope where it becomes negative.
TEST(FirstFall, IsFoundWhereTheMarginIsFlat) {
  for (const double depth : {1e-4, 1e-8}) {
    const auto quartic = [](double t) { return std::pow(t - 0.37, 4); };
    expect_at([=](double t) { return quartic(t) - depth; }, 0.0, 1.0, 0.37 - std::pow(depth, 0.25), 1e-6);
    expect_none([=](double t) { return quartic(t) + depth; }, 0.0, 1.0);
  }
}

TEST(FirstFall, IsTheFirstOfMany) {
  // The margin becomes negative at π/200 and 63 more times.
  expect_at([](double t) { return std::cos(100.0 * t); }, 0.0, 4.0, std::acos(0.0) / 100.0, kLastPlaces);
}

TEST(FirstFall, IsTheBeginWhereTheMarginBeginsFallen) {
  const FirstFall fall = found([](double t) { return t - 1.0; }, 0.0, 2.0);
  ASSERT_TRUE(fall.at.has_value());
  EXPECT_EQ(fall.at->before, 0.0);
  EXPECT_EQ(fall.shown, 0.0);
}

TEST(FirstFall, SaysUpToWhereItHasLooked) {
  const auto close = [](double t) { return 1.001 + std::cos(50.0 * t); };
  const FirstFall few = found(close, 0.0, 4.0, 12), many = found(close, 0.0, 4.0);
  EXPECT_FALSE(few.at.has_value());
  EXPECT_LT(few.shown, 4.0);
  EXPECT_FALSE(many.at.has_value());
  EXPECT_GT(many.shown, few.shown);
}

TEST(FirstFall, HandsOnWhyTheMarginCannotBeRead) {
  const auto fall = find_first_fall(
      [](double t) -> Outcome<double> {
        if (t < 0.5) return 1.0;
        Failure failure;
        failure.t = t;
        return fail(std::move(failure));
      },
      0.0, 1.0, kParts);
  ASSERT_FALSE(fall);
  EXPECT_GE(fall.error().t, 0.5);
}

/// Trigonometric sums, compared with a dense scan. If the scan finds a value that is not positive, the search must find
/// one. If all scanned values are clearly positive, the search must find none.
TEST(FirstFall, AgreesWithDenseScans) {
  constexpr int kScan = 20000;
  std::mt19937 random(7);
  std::uniform_real_distribution<double> share(-1.0, 1.0), level(0.0, 2.5);
  int falls = 0, stands = 0;
  for (int trial = 0; trial < 300; ++trial) {
    std::array<double, 5> a{}, b{};
    for (std::size_t k = 0; k < a.size(); ++k) a[k] = share(random), b[k] = share(random);
    const double lift = level(random);
    const auto margin = [&](double t) {
      double sum = lift;
      for (std::size_t k = 0; k < a.size(); ++k) {
        const double w = static_cast<double>(k + 1);
        sum += (a[k] * std::cos(w * t) + b[k] * std::sin(w * t)) / w;
      }
      return sum;
    };
    double least = margin(0.0), seen = -1.0;
    if (least <= 0.0) continue;
    for (int i = 1; i <= kScan && seen < 0.0; ++i) {
      const double t = 3.0 * i / kScan;
      least = std::min(least, margin(t));
      if (least <= 0.0) seen = t;
    }
    const FirstFall fall = found(margin, 0.0, 3.0);
    if (seen >= 0.0) {
      ++falls;
      ASSERT_TRUE(fall.at.has_value()) << trial;
      EXPECT_LE(fall.at->before, seen) << trial;  // the scan may have missed an earlier one
      EXPECT_LE(margin(fall.at->after), 0.0) << trial;
    } else if (least > 1e-6) {
      ++stands;
      EXPECT_FALSE(fall.at.has_value()) << trial;
      EXPECT_EQ(fall.shown, 3.0) << trial;
    }
  }
  EXPECT_GT(falls, 50);
  EXPECT_GT(stands, 50);
}

}  // namespace
}  // namespace vinculum::integrate
