#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "support/integrate/shorthands.hpp"
#include "vinculum/integrate/integrator.hpp"

namespace vinculum::integrate {
namespace {

using testing::kInfinity;
using testing::kNoCallback;
using testing::make_failure;

Problem one_group(int size) {
  Problem problem;
  problem.size = size;
  problem.reached = Vector::Ones(size);
  return problem;
}

TEST(Stall, NamesTheComponentThatBlowsUp) {
  Problem problem = one_group(3);
  problem.derivative = [](double, const double* y, double* y_dot) -> Outcome<void> {
    y_dot[0] = 1.0;
    y_dot[1] = y[1] * y[1];  // solution 1/(1 − t), with a pole at t = 1
    y_dot[2] = -y[2];
    return {};
  };
  for (const Method& method : method_table()) {
    double t = 0.0;
    Vector y{{0.0, 1.0, 1.0}};
    const auto done = integrate(problem, {.method = method.name}, t, y, 2.0, kNoCallback);
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().kind, FailureKind::kStepTooSmall);
    ASSERT_EQ(done.error().coordinates.size(), 1u);
    EXPECT_EQ(done.error().coordinates[0], 1);
    EXPECT_GT(done.error().size, 0.0);
    EXPECT_NEAR(t, 1.0, 1e-7);  // the pole moves by ten times the tolerance 1e-8
    EXPECT_EQ(done.error().t, t);
    EXPECT_GT(y[1], 1e7);
    EXPECT_NE(done.error().message.find("component 1"), std::string::npos) << done.error().message;
  }
}

TEST(Stall, EndsWhenTheStepCollapsesFarAboveTheResolutionOfTime) {
  // The frequency has a pole at t = 1. Infinitely many oscillations fit before it, and the steps resolve each of them
  // without difficulty.
  Problem problem = one_group(2);
  problem.derivative = [](double t, const double* y, double* y_dot) -> Outcome<void> {
    const double frequency = 1e5 / std::max(1.0 - t, 1e-30);
    y_dot[0] = frequency * y[1];
    y_dot[1] = -frequency * y[0];
    return {};
  };
  double t = 0.9;
  Vector y{{1.0, 0.0}};
  const auto done = integrate(problem, {.tolerance = 1e-4}, t, y, 1e4, kNoCallback);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().kind, FailureKind::kStepTooSmall);
  EXPECT_LT(t, 1.0);
}

TEST(FailingDerivative, IsReturnedAtOnceWhenTheStartFails) {
  Problem problem = one_group(1);
  problem.derivative = [](double, const double*, double*) -> Outcome<void> {
    return fail(make_failure(FailureKind::kUndetermined, {4}));
  };
  double t = 1.5;
  Vector y{{2.0}};
  const auto done = integrate(problem, {}, t, y, 2.0, kNoCallback);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().kind, FailureKind::kUndetermined);
  EXPECT_EQ(done.error().rows, std::vector<int>{4});
  EXPECT_EQ(done.error().t, 1.5);
  EXPECT_EQ(t, 1.5);
  EXPECT_EQ(y[0], 2.0);
}

TEST(FailingDerivative, RejectsTheStepAndGoesOnWhereASmallerOnePasses) {
  // The derivative fails at states that are reached only if the step is too long.
  Problem problem = one_group(2);
  long failed = 0;
  problem.derivative = [&failed](double t, const double* y, double* y_dot) -> Outcome<void> {
    if (std::abs(y[0] - std::cos(t)) > 1e-3) {
      ++failed;
      return fail(make_failure(FailureKind::kRankDrop));
    }
    y_dot[0] = y[1];
    y_dot[1] = -y[0];
    return {};
  };
  double t = 0.0;
  Vector y{{1.0, 0.0}};
  const auto done = integrate(problem, {.first_step = 4.0}, t, y, 20.0, kNoCallback);
  ASSERT_TRUE(done);
  EXPECT_GT(failed, 0);
  EXPECT_GE(done->rejected, failed);
  EXPECT_NEAR(y[0], std::cos(20.0), 1e-6);
}

TEST(FailingDerivative, IsTheReasonWhenNoStepIsSmallEnough) {
  Problem problem = one_group(1);
  problem.derivative = [](double t, const double*, double* y_dot) -> Outcome<void> {
    if (t > 1.0) return fail(make_failure(FailureKind::kInconsistent, {1}));
    y_dot[0] = 2.0;
    return {};
  };
  for (const Method& method : method_table()) {
    double t = 0.0;
    Vector y{{0.0}};
    const auto done = integrate(problem, {.method = method.name}, t, y, 5.0, kNoCallback);
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().kind, FailureKind::kInconsistent);
    EXPECT_EQ(done.error().rows, std::vector<int>{1});
    EXPECT_EQ(done.error().t, t) << "the last good time, not that of the trial";
    EXPECT_LE(t, 1.0);
    EXPECT_NEAR(t, 1.0, 1e-13);
    EXPECT_NEAR(y[0], 2.0 * t, 1e-13);
  }
}

TEST(NonFiniteDerivative, IsTheReasonWhenItPersists) {
  Problem problem = one_group(2);
  problem.derivative = [](double t, const double*, double* y_dot) -> Outcome<void> {
    y_dot[0] = 1.0;
    y_dot[1] = std::sqrt(1.0 - t);
    return {};
  };
  for (const Method& method : method_table()) {
    double t = 0.0;
    Vector y{{0.0, 0.0}};
    const auto done = integrate(problem, {.method = method.name, .tolerance = 1e-6}, t, y, 5.0, kNoCallback);
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().kind, FailureKind::kNonFinite);
    EXPECT_EQ(done.error().coordinates, std::vector<int>{1});
    EXPECT_NEAR(t, 1.0, 1e-9);
    EXPECT_NEAR(y[1], 2.0 / 3.0, 1e-5);
    EXPECT_TRUE(y.allFinite());
  }
}

TEST(NonFiniteDerivative, IsReturnedAtOnceWhenTheStartIsNotFinite) {
  Problem problem = one_group(1);
  problem.derivative = [](double, const double* y, double* y_dot) -> Outcome<void> {
    y_dot[0] = 1.0 / y[0];
    return {};
  };
  double t = 0.25;
  Vector y{{0.0}};
  auto done = integrate(problem, {}, t, y, 1.0, kNoCallback);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().kind, FailureKind::kNonFinite);
  EXPECT_EQ(done.error().t, 0.25);
  y[0] = kInfinity;
  done = integrate(problem, {}, t, y, 1.0, kNoCallback);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().kind, FailureKind::kNonFinite);
  EXPECT_NE(done.error().message.find("state"), std::string::npos);
}

TEST(NonFiniteDerivative, IsNeverAcceptedAtTheEndOfAStep) {
  // The derivative is finite at all inner stages of a step that ends at t = 1. Only the stage at the end of the step is
  // at the pole.
  Problem problem = one_group(1);
  problem.derivative = [](double t, const double*, double* y_dot) -> Outcome<void> {
    y_dot[0] = t == 1.0 ? kInfinity : 0.5;
    return {};
  };
  for (const Method& method : method_table()) {
    double t = 0.0;
    Vector y{{0.0}};
    const auto done = integrate(problem, {.method = method.name}, t, y, 1.0, kNoCallback);
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().kind, FailureKind::kNonFinite);
    EXPECT_LT(t, 1.0);
    EXPECT_TRUE(y.allFinite());
  }
}

TEST(FixedStep, ReturnsTheFirstFailure) {
  Problem problem = one_group(1);
  problem.derivative = [](double t, const double*, double* y_dot) -> Outcome<void> {
    y_dot[0] = std::sqrt(1.0 - t);
    return {};
  };
  double t = 0.0;
  Vector y{{0.0}};
  const auto done = integrate(problem, {.fixed_step = 0.3}, t, y, 2.0, kNoCallback);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().kind, FailureKind::kNonFinite);
  EXPECT_NEAR(t, 0.9, 1e-15);
}

TEST(FailingInterpolation, IsReported) {
  Problem problem = one_group(1);
  bool broken = false;
  problem.derivative = [&broken](double, const double*, double* y_dot) -> Outcome<void> {
    if (broken) return fail(make_failure(FailureKind::kRankDrop));
    y_dot[0] = 1.0;
    return {};
  };
  double t = 0.0;
  Vector y{{0.0}};
  const auto done = integrate(problem, {}, t, y, 1.0, [&](const Step& step) -> Outcome<Continue> {
    broken = true;
    Vector sample;
    const auto result = step.interpolate(0.5 * (step.t_begin() + step.t_end()), sample);
    EXPECT_FALSE(result);
    broken = false;
    return Continue::kNo;
  });
  ASSERT_TRUE(done);
}

}  // namespace
}  // namespace vinculum::integrate
