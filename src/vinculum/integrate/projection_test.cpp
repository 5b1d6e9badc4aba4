#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>
#include <vector>

#include "support/integrate/shorthands.hpp"
#include "vinculum/integrate/integrator.hpp"

namespace vinculum::integrate {
namespace {

using testing::kNoCallback;
using testing::make_failure;

/// Motion on the unit circle with the angular speed of a pendulum released from rest at the horizontal. The speed is a
/// function of t alone, so that the projection is independent of the dynamics.
struct Circle {
  Problem problem;
  double correction_returned = 1.0;
  long evaluations = 0;
  long projections = 0;
  double t_evaluated = 0.0;
  std::vector<double> y_evaluated;
  double largest = 0.0;

  Circle() {
    problem.size = 2;
    problem.reached = Vector::Ones(2);
    problem.derivative = [this](double t, const double* y, double* y_dot) -> Outcome<void> {
      ++evaluations;
      t_evaluated = t;
      y_evaluated.assign(y, y + 2);
      const double speed = 1.0 + 0.5 * std::sin(t);
      y_dot[0] = -speed * y[1];
      y_dot[1] = speed * y[0];
      return {};
    };
    problem.project = [this](double t, double* y) -> Outcome<double> {
      ++projections;
      EXPECT_EQ(t, t_evaluated);
      EXPECT_EQ(y[0], y_evaluated[0]);
      EXPECT_EQ(y[1], y_evaluated[1]);
      const double norm = std::hypot(y[0], y[1]);
      largest = std::max(largest, std::abs(norm - 1.0));
      y[0] /= norm;
      y[1] /= norm;
      return correction_returned;
    };
  }
};

TEST(Projection, FollowsEveryAcceptedStepWithTheDerivativeAtTheSameStateBeforeIt) {
  for (const Method& method : method_table()) {
    Circle circle;
    double t = 0.0;
    Vector y{{1.0, 0.0}};
    const auto done =
        integrate(circle.problem, {.method = method.name}, t, y, 10.0, [](const Step& step) -> Outcome<Continue> {
          EXPECT_NEAR(step.y_end().norm(), 1.0, 4e-16);
          return Continue::kYes;
        });
    ASSERT_TRUE(done);
    EXPECT_EQ(circle.projections, done->steps);
    EXPECT_GT(circle.largest, 1e-13) << "there was something to project";
    EXPECT_NEAR(y[0], std::cos(10.0 + 0.5 * (1.0 - std::cos(10.0))), 1e-6);
  }
}

TEST(Projection, KeepsTheDerivativeBeforeItUnlessTheCorrectionIsLarge) {
  for (const Method& method : method_table()) {
    if (method.runge_kutta.stages == 0) continue;  // an implicit method needs a varying number of iterations
    const auto evaluations_a_step = [&](double correction) {
      Circle circle;
      circle.correction_returned = correction;
      double t = 0.0;
      Vector y{{1.0, 0.0}};
      const auto done =
          integrate(circle.problem, {.method = method.name, .fixed_step = 0.0625}, t, y, 1.0, kNoCallback);
      EXPECT_TRUE(done);
      EXPECT_EQ(done->evaluations, circle.evaluations);
      return (done->evaluations - 1) / done->steps;
    };
    EXPECT_EQ(evaluations_a_step(9.9), method.runge_kutta.stages);
    EXPECT_EQ(evaluations_a_step(10.1), method.runge_kutta.stages + 1);
  }
}

TEST(Projection, LeavesTheOutputContinuousAtTheProjectedEnd) {
  Circle circle;
  double t = 0.0;
  Vector y{{1.0, 0.0}};
  Vector sample;
  ASSERT_TRUE(integrate(circle.problem, {.tolerance = 1e-4}, t, y, 10.0, [&](const Step& step) -> Outcome<Continue> {
    EXPECT_TRUE(step.interpolate(step.t_end() - 1e-12 * (step.t_end() - step.t_begin()), sample));
    EXPECT_LT((sample - step.y_end()).norm(), 1e-11);
    return Continue::kYes;
  }));
}

TEST(Projection, LeavesTheEndsOfTheOutputWhereTimesRoundBeyondThem) {
  Circle circle;
  double t = 0.3;
  Vector y{{1.0, 0.0}};
  Vector sample;
  ASSERT_TRUE(integrate(circle.problem, {}, t, y, 10.0, [&](const Step& step) -> Outcome<Continue> {
    EXPECT_TRUE(step.interpolate(std::nextafter(step.t_end(), 20.0), sample));
    EXPECT_EQ(sample, step.y_end());
    EXPECT_TRUE(step.interpolate(std::nextafter(step.t_begin(), 0.0), sample));
    EXPECT_EQ(sample, step.y_begin());
    return Continue::kYes;
  }));
}

TEST(Projection, RejectsTheStepWhereItFails) {
  // The projection fails if the step has left the circle too far. The run must then continue with smaller steps.
  Circle circle;
  const auto inner = circle.problem.project;
  long failed = 0;
  circle.problem.project = [&](double t, double* y) -> Outcome<double> {
    if (std::abs(std::hypot(y[0], y[1]) - 1.0) > 1e-9) {
      ++failed;
      return fail(make_failure(FailureKind::kRankDrop));
    }
    return inner(t, y);
  };
  double t = 0.0;
  Vector y{{1.0, 0.0}};
  const auto done = integrate(circle.problem, {.tolerance = 1e-4}, t, y, 10.0, kNoCallback);
  ASSERT_TRUE(done);
  EXPECT_GT(failed, 0);
  EXPECT_GE(done->rejected, failed);
  EXPECT_LT(circle.largest, 1e-9);
}

/// Motion with a prescribed speed s(t): y = (x, x'), y' = (x', s'), projected onto x' = s.
Problem prescribed_speed(const std::function<double(double)>& s, const std::function<double(double)>& s_dot) {
  Problem problem;
  problem.size = 2;
  problem.reached = Vector::Ones(2);
  problem.derivative = [=](double t, const double* y, double* y_dot) -> Outcome<void> {
    y_dot[0] = y[1];
    y_dot[1] = s_dot(t);
    return {};
  };
  problem.project = [=](double t, double* y) -> Outcome<double> {
    const double moved = std::abs(s(t) - y[1]);
    y[1] = s(t);
    return moved;
  };
  return problem;
}

TEST(Projection, SendsBackAStepThatHasPassedOverARampOfThePrescribedSpeed) {
  // A smooth ramp from 0 to 1 within [0.5, 0.5 + w]: all stages of a long step are outside the ramp.
  for (const double w : {1e-2, 1e-3, 1e-5, 1e-8}) {
    const auto s = [w](double t) {
      const double x = std::clamp((t - 0.5) / w, 0.0, 1.0);
      return x * x * (3.0 - 2.0 * x);
    };
    const auto s_dot = [w](double t) {
      const double x = std::clamp((t - 0.5) / w, 0.0, 1.0);
      return 6.0 * x * (1.0 - x) / w;
    };
    const Problem problem = prescribed_speed(s, s_dot);
    for (const Method& method : method_table()) {
      for (const double tolerance : {1e-4, 1e-7, 1e-10}) {
        double t = 0.0;
        Vector y{{0.0, 0.0}};
        const auto done = integrate(problem, {.method = method.name, .tolerance = tolerance}, t, y, 1.0, kNoCallback);
        ASSERT_TRUE(done) << method.name << " w = " << w << ": " << done.error().message;
        EXPECT_NEAR(y[0], 0.5 - 0.5 * w, 100.0 * tolerance) << method.name << " w = " << w;
        EXPECT_EQ(y[1], 1.0);
      }
    }
  }
}

TEST(Projection, EndsTheRunWhereTheInvariantJumpsInTime) {
  const Problem problem = prescribed_speed([](double t) { return t < 0.5 ? 0.0 : 1.0; }, [](double) { return 0.0; });
  for (const Method& method : method_table()) {
    double t = 0.0;
    Vector y{{0.0, 0.0}};
    const auto done = integrate(problem, {.method = method.name}, t, y, 1.0, kNoCallback);
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().kind, FailureKind::kStepTooSmall);
    EXPECT_EQ(done.error().coordinates, std::vector<int>{1});
    // The size is in tolerances. An implicit method uses the tolerances of its error estimate.
    const bool is_explicit = method.runge_kutta.stages > 0;
    EXPECT_NEAR(done.error().size, is_explicit ? 1e8 : 20.0 * std::pow(1e8, 2.0 / 3.0), 1.0);
    EXPECT_NE(done.error().message.find("correction"), std::string::npos) << done.error().message;
    EXPECT_NEAR(t, 0.5, 1e-14);
    EXPECT_EQ(y[1], 0.0);
  }
}

TEST(Projection, KeepsStepsWhoseCorrectionIsRounding) {
  // Near a singular configuration rounding errors are amplified to 1e-11. This is many tolerances of 1e-14, although
  // the stages have skipped nothing.
  for (const double noise : {9e-11, 1.1e-10}) {
    Problem problem = prescribed_speed([](double) { return 0.0; }, [](double) { return 0.0; });
    problem.project = [noise](double t, double* y) -> Outcome<double> {
      y[1] += t > 0.5 && t < 0.6 ? noise : 0.0;
      return noise;
    };
    double t = 0.0;
    Vector y{{0.0, 0.0}};
    const auto done = integrate(problem, {.tolerance = 1e-14, .largest_step = 0.01}, t, y, 1.0, kNoCallback);
    EXPECT_EQ(static_cast<bool>(done), noise < 1e-10);
  }
}

TEST(Projection, IsTheReasonWhenItFailsForEveryStep) {
  Circle circle;
  circle.problem.project = [](double t, double*) -> Outcome<double> {
    if (t > 1.0) return fail(make_failure(FailureKind::kNotUnique, {2}));
    return 0.0;
  };
  double t = 0.0;
  Vector y{{1.0, 0.0}};
  const auto done = integrate(circle.problem, {}, t, y, 10.0, kNoCallback);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().kind, FailureKind::kNotUnique);
  EXPECT_EQ(done.error().rows, std::vector<int>{2});
  EXPECT_LE(t, 1.0);
  EXPECT_NEAR(t, 1.0, 1e-13);
}

TEST(Projection, IsNotAcceptedWhereItsResultIsNotFinite) {
  Circle circle;
  circle.problem.project = [](double t, double* y) -> Outcome<double> {
    if (t > 1.0) y[1] = std::nan("");
    return 0.0;
  };
  double t = 0.0;
  Vector y{{1.0, 0.0}};
  const auto done = integrate(circle.problem, {}, t, y, 10.0, kNoCallback);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().kind, FailureKind::kNonFinite);
  EXPECT_EQ(done.error().coordinates, std::vector<int>{1});
  EXPECT_TRUE(y.allFinite());
}

}  // namespace
}  // namespace vinculum::integrate
