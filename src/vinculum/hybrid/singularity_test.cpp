#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "support/motion/test_models.hpp"

namespace vinculum::sim {
namespace {

using testing::kind_of;
using testing::reason;
using testing::run_for;
using testing::Sketch;
using testing::StartKind;
using testing::Term;

// Roithmayr 2007, 5.1.4, a = 0.75, g = 9.81: time t* at which the rising particle comes to rest at the apex, in closed
// form. u3(0) = a g_eff t* with the constant deceleration g a² / (1 + a²).
constexpr double kApex = 0.23743501290135381588;
constexpr double kApexFast = 2.8492201548162457905;

enum class Form { kQuadratic, kRoot };

/// Appell's particle on the cone of velocities u3 = a |(u1, u2)|.
Sketch appell(Form form, const std::vector<double>& u, double a = 0.75) {
  Sketch s("appell");
  const auto P = s.particle("p", 1.0, 3);
  s.builder.add_gravity(s.number(-9.81) * s.axis(2));
  const Term v = s.builder.vel(P);
  const Term u1 = s.dot(v, s.axis(0)), u2 = s.dot(v, s.axis(1)), u3 = s.dot(v, s.axis(2));
  const Term level = u1 * u1 + u2 * u2;
  if (form == Form::kQuadratic) {
    s.builder.add_constraint("cone", u3 * u3 - s.number(a * a) * level);
  } else {
    s.builder.add_constraint("cone", u3 - s.number(a) * s.builder.terms().function(expr::Op::kSquareRoot, level));
  }
  s.start_all({0.0, 0.0, 0.0}, u);
  return s;
}

class AppellRising : public ::testing::TestWithParam<std::tuple<Form, double>> {};

TEST_P(AppellRising, StopsWhereTheGradientVanishesAndSaysSo) {
  const auto [form, tolerance] = GetParam();
  auto dynamics = appell(form, {1.0, 0.5, 0.838525491562421136}).dynamics();
  const Trajectory run = simulate(dynamics, run_for(2.0, tolerance));
  ASSERT_TRUE(run.stopped.has_value());
  EXPECT_EQ(run.stopped->kind, FailureKind::kNotUnique) << run.stopped->message;
  EXPECT_NEAR(run.stopped->t, kApex, 1e-9);
  EXPECT_NE(run.stopped->message.find("`cone`"), std::string::npos) << run.stopped->message;
  EXPECT_NEAR(run.end().t, kApex, 1e-6);
  // Up to the apex all results are correct: the particle is at rest there, and the reaction is the same as during the
  // whole rise.
  EXPECT_NEAR(run.end().q[2], 0.0995478, 1e-6);
  EXPECT_LT(run.end().u.norm(), 2e-5);
  EXPECT_NEAR(run.end().reaction.Q_c[2], 6.2784, 1e-4);  // the gradient there is 1e-6 of its length at the start
  EXPECT_LT(run.worst_residual[0], 1e-14);
}
INSTANTIATE_TEST_SUITE_P(Forms, AppellRising,
                         ::testing::Combine(::testing::Values(Form::kQuadratic, Form::kRoot),
                                            ::testing::Values(1e-6, 1e-8, 1e-10, 1e-12)));

TEST(Appell, StopsOnAFlatConeToo) {
  // The gradient of the root form turns by only 2 atan a: 11 degrees.
  for (const Form form : {Form::kQuadratic, Form::kRoot}) {
    const double a = 0.1, speed = 0.5;
    auto dynamics = appell(form, {speed, 0.0, a * speed}, a).dynamics();
    const Trajectory run = simulate(dynamics, run_for(30.0, 1e-9));
    const double deceleration = 9.81 * a / (1.0 + a * a);  // deceleration of the horizontal speed
    EXPECT_EQ(kind_of(run), FailureKind::kNotUnique) << reason(run);
    EXPECT_NEAR(run.stopped->t, speed / deceleration, 1e-9);
  }
}

TEST(Appell, RunsOnWhereItFalls) {
  for (const Form form : {Form::kQuadratic, Form::kRoot}) {
    // The root form describes only one branch of the cone; u3 = a|u| is negative for a < 0.
    auto dynamics = appell(form, {1.0, 0.5, -0.838525491562421136}, form == Form::kRoot ? -0.75 : 0.75).dynamics();
    const Trajectory run = simulate(dynamics, run_for(2.0, 1e-10));
    ASSERT_FALSE(run.stopped) << run.stopped->message;
    EXPECT_NEAR(run.end().q[0], 10.4233575139608078, 1e-9);
    EXPECT_NEAR(run.end().q[2], -8.74025098312484227, 1e-9);
    EXPECT_NEAR(run.end().reaction.Q_c[0], 4.21167875698040389, 1e-9);
  }
}

TEST(Appell, RisesFastToTwoSecondsAndStopsLater) {
  auto dynamics = appell(Form::kQuadratic, {12.0, 6.0, 10.0623058987490536}).dynamics();
  const Trajectory run = simulate(dynamics, run_for(4.0, 1e-10, {2.0}));
  ASSERT_EQ(run.asked.size(), 1u);
  EXPECT_NEAR(run.asked[0].q[0], 15.5766424860391922, 1e-9);
  EXPECT_NEAR(run.asked[0].q[2], 13.0614117974981073, 1e-9);
  EXPECT_EQ(kind_of(run), FailureKind::kNotUnique);
  EXPECT_NEAR(run.stopped->t, kApexFast, 1e-9);
}

TEST(Appell, StopsExactlyWhereASampleIsAskedForAtTheApex) {
  auto dynamics = appell(Form::kQuadratic, {1.0, 0.5, 0.838525491562421136}).dynamics();
  const Trajectory run = simulate(dynamics, run_for(2.0, 1e-10, {kApex, 1.0}));
  EXPECT_EQ(kind_of(run), FailureKind::kNotUnique);
  EXPECT_NEAR(run.stopped->t, kApex, 1e-9);
}

TEST(Appell, DoesNotStartAtTheApex) {
  for (const Form form : {Form::kQuadratic, Form::kRoot}) {
    auto dynamics = appell(form, {0.0, 0.0, 0.0}).dynamics();
    const Trajectory run = simulate(dynamics, run_for(2.0, 1e-8));
    EXPECT_EQ(kind_of(run), FailureKind::kNotUnique) << reason(run);
    EXPECT_EQ(run.stopped->t, 0.0);
    if (!run.samples.empty()) {
      EXPECT_EQ(run.samples[0].reaction.u_dot().size(), 3);
    }
  }
}

TEST(Appell, DoesNotStartAtTheApexUnstatedEither) {
  // Speeds without a statement have the guess 0, which satisfies the cone, so assembly does not change them.
  for (const Form form : {Form::kQuadratic, Form::kRoot}) {
    auto dynamics = appell(form, {}).dynamics();
    EXPECT_EQ(kind_of(simulate(dynamics, run_for(2.0, 1e-8))), FailureKind::kNotUnique);
  }
}

TEST(Appell, SlowsDownByDragWithoutAFalseAlarm) {
  // On the falling branch with drag the speeds approach a limit; no gradient vanishes.
  Sketch s = appell(Form::kQuadratic, {1.0, 0.5, -0.838525491562421136});
  const auto P = model::PointId(std::size_t{1});
  s.builder.add_force(P, s.number(-2.0) * s.builder.vel(P));
  auto dynamics = s.dynamics();
  const Trajectory run = simulate(dynamics, run_for(20.0, 1e-8));
  EXPECT_FALSE(run.stopped) << reason(run);
}

TEST(PositionCone, StopsAtItsTip) {
  // A particle moves up the inside of the cone z² = x² + y² in a straight line, through the tip, where ∂φ/∂q = 0.
  Sketch s("cone");
  const auto P = s.particle("p", 1.0, 3);
  const Term x = s.dot(s.from_origin(P), s.axis(0)), y = s.dot(s.from_origin(P), s.axis(1)),
             z = s.dot(s.from_origin(P), s.axis(2));
  s.builder.add_constraint("surface", z * z - x * x - y * y);
  s.start_all({-3.0, 0.0, -3.0}, {2.0, 0.0, 2.0});
  auto dynamics = s.dynamics();
  const Trajectory run = simulate(dynamics, run_for(5.0, 1e-8));
  EXPECT_EQ(kind_of(run), FailureKind::kNotUnique) << reason(run);
  EXPECT_NEAR(run.stopped->t, 1.5, 1e-9);
  EXPECT_EQ(run.stopped->rows, std::vector<int>{0});
}

class FourBarPasses : public ::testing::TestWithParam<std::tuple<const char*, double>> {};

TEST_P(FourBarPasses, ItsFlatPoseAndKeepsItsBranch) {
  const auto [method, tolerance] = GetParam();
  for (int k = 0; k < 5; ++k) {
    auto dynamics = testing::four_bar(1.0 + 0.04 * k, 3.0 + 0.01 * k).dynamics();
    SimulateOptions options = run_for(20.0, tolerance);
    options.method = method;
    const Trajectory run = simulate(dynamics, options);
    ASSERT_FALSE(run.stopped) << reason(run) << " at t = " << run.stopped->t;
    EXPECT_GE(run.all<RankDrop>().size(), 18u);  // two singular positions per revolution, about ten revolutions
    for (const RankDrop& drop : run.all<RankDrop>()) {
      EXPECT_EQ(drop.rank, 2);
      EXPECT_EQ(drop.generic_rank, 3);
    }
    for (const Sample& sample : run.samples) {
      // The motion stays on the parallelogram branch with parallel cranks. On the other branch the cranks are crossed.
      EXPECT_NEAR(sample.q[2] - sample.q[0], 2.0, 1e-9);
      EXPECT_NEAR(sample.q[3], sample.q[1], 1e-9);
    }
    if (tolerance > 1e-8) continue;
    const auto energy = [](const Sample& at) {
      return 0.5 * (at.u.head(2).squaredNorm() + 2.0 * at.u.tail(2).squaredNorm()) + at.q[1] + 2.0 * at.q[3];
    };
    EXPECT_NEAR(energy(run.end()), energy(run.start()), 1e-5);
  }
}
INSTANTIATE_TEST_SUITE_P(Tolerances, FourBarPasses,
                         ::testing::Combine(::testing::Values("dop853", "dp5"),
                                            ::testing::Values(1e-4, 1e-6, 1e-8, 1e-9, 1e-10, 1e-12)));

TEST(FourBar, IsNotStartedAtRestInItsFlatPose) {
  auto dynamics = testing::four_bar(0.0, 0.0).dynamics();
  const Trajectory run = simulate(dynamics, run_for(1.0, 1e-8));
  EXPECT_EQ(kind_of(run), FailureKind::kRankDrop) << reason(run);
  EXPECT_EQ(run.stopped->t, 0.0);
}

TEST(FourBar, MayStartMovingInItsFlatPose) {
  auto dynamics = testing::four_bar(0.0, 3.0).dynamics();
  const Trajectory run = simulate(dynamics, run_for(1.0, 1e-8));
  EXPECT_FALSE(run.stopped) << reason(run);
  EXPECT_NEAR(run.end().q[3], run.end().q[1], 1e-9);
}

TEST(VelocityConstraint, WithAGradientThatTurnsIsNoAlarm) {
  // The speed is kept constant on a circle. The gradient v of the constraint makes full turns, but its length is
  // constant.
  Sketch s("speed");
  const auto P = s.particle("p", 1.0, 2);
  s.builder.add_force(P, s.number(-4.0) * s.from_origin(P));
  s.builder.add_constraint("speed", s.square(s.builder.vel(P)) - s.number(4.0));
  s.start_all({1.0, 0.0}, {0.0, 2.0});
  auto dynamics = s.dynamics();
  const Trajectory run = simulate(dynamics, run_for(30.0, 1e-5));
  EXPECT_FALSE(run.stopped) << reason(run);
  EXPECT_LT(run.worst_residual[0], 1e-14);
}

}  // namespace
}  // namespace vinculum::sim
