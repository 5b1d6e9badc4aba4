#include "vinculum/integrate/event.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/integrate/shorthands.hpp"

namespace vinculum::integrate {
namespace {

using testing::kInfinity;

TEST(Passage, HasASignAndADirection) {
  EXPECT_EQ(passage(1.0, -1.0, Direction::kEither), -1);
  EXPECT_EQ(passage(-1.0, 1.0, Direction::kEither), 1);
  EXPECT_EQ(passage(1.0, 0.0, Direction::kFalling), -1);
  EXPECT_EQ(passage(1.0, -1.0, Direction::kRising), 0);
  EXPECT_EQ(passage(0.0, 1.0, Direction::kEither), 0) << "what begins there has not passed";
  EXPECT_EQ(passage(1.0, std::nan(""), Direction::kEither), 0);
}

TEST(FindCrossing, BracketsARootToTheLastDigits) {
  int calls = 0;
  const auto margin = [&](double t) -> Outcome<double> {
    ++calls;
    return std::cos(t);
  };
  const Crossing found = find_crossing(margin, 0.0, 1.0, 3.0, std::cos(3.0), 0.0);
  EXPECT_LE(found.before, std::acos(0.0));
  EXPECT_GE(found.after, std::acos(0.0));
  EXPECT_LE(found.after - found.before, 4.5e-16);
  EXPECT_LT(calls, 40);
  EXPECT_FALSE(found.blind);
}

TEST(FindCrossing, FindsJumpsAndDistantScales) {
  for (const double where : {1e-9, 0.3, 0.999999}) {
    const auto jump = [where](double t) -> Outcome<double> { return t < where ? 1e-12 : -1e12; };
    const Crossing found = find_crossing(jump, 0.0, 1e-12, 1.0, -1e12, 1e-12);
    EXPECT_NEAR(found.after, where, 2e-12);
    EXPECT_GE(found.after, where);
  }
}

TEST(FindCrossing, StopsWhereItCannotSee) {
  Failure dark;
  dark.message = "dark";
  const auto margin = [&](double t) -> Outcome<double> {
    if (t > 0.4) return fail(dark);
    return 1.0;
  };
  const Crossing found = find_crossing(margin, 0.0, 1.0, 1.0, -1.0, 0.0);
  ASSERT_TRUE(found.blind);
  EXPECT_EQ(found.blind->message, "dark");
  EXPECT_EQ(found.after, 1.0);
}

TEST(FindJump, TellsAJumpFromAQuickTurn) {
  const auto jumps = [](double t, Vector& v) {
    v = Vector{{t < 0.37 ? 1.0 : 0.8, t < 0.37 ? 0.0 : 0.6}};
    return true;
  };
  const auto turns = [](double t, Vector& v) {
    const double angle = 0.6435 * 0.5 * (1.0 + std::tanh(200.0 * (t - 0.37)));
    v = Vector{{std::cos(angle), std::sin(angle)}};
    return true;
  };
  const auto found = find_jump(jumps, 0.0, 1.0);
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->t, 0.37, 1e-12);
  EXPECT_TRUE(found->exists);
  EXPECT_NEAR(found->shorter, 1.0, 1e-15);
  EXPECT_FALSE(find_jump(turns, 0.0, 1.0));
}

}  // namespace
}  // namespace vinculum::integrate
