#include <gtest/gtest.h>

#include <cmath>

#include "support/motion/test_models.hpp"
#include "vinculum/reaction_laws/laws.hpp"

namespace vinculum::sim {
namespace {

using testing::kind_of;
using testing::reason;
using testing::run_for;
using testing::Sketch;
using testing::Term;

constexpr double kGravity = 9.81;

/// A particle of mass 2 whose height y is controlled to follow 0.1 sin 3t by actuator forces along given directions.
Sketch lifted(const std::vector<Term (*)(Sketch&)>& directions, bool is_via = true, std::vector<double> scales = {}) {
  Sketch s("lifted");
  const auto P = s.particle("p", 2.0, 2);
  s.builder.add_gravity(s.number(-kGravity) * s.axis(1));
  const Term asked = s.number(0.1) * s.builder.sin(s.number(3.0) * s.builder.time());
  const auto height = s.builder.add_constraint("height", s.dot(s.from_origin(P), s.axis(1)) - asked);
  std::vector<model::Actuator> actuators;
  for (std::size_t k = 0; k < directions.size(); ++k) {
    model::Actuator actuator;
    actuator.forces = {{P, directions[k](s), {}}};
    if (k < scales.size()) actuator.scale = scales[k];
    actuators.push_back(std::move(actuator));
  }
  s.builder.set_law(height, reaction_laws::directed(std::move(actuators), is_via));
  for (std::size_t k = 0; k < directions.size(); ++k) {
    s.builder.add_output("e" + std::to_string(k), s.builder.terms().effort(height, static_cast<int>(k)));
  }
  s.start_all({0.0, 0.0}, {0.0, 0.3});
  return s;
}
Term diagonal(Sketch& s) { return s.axis(0) + s.axis(1); }
Term upward(Sketch& s) { return s.axis(1); }
Term sideways(Sketch& s) { return s.axis(0); }
Term turning(Sketch& s) {
  return s.builder.cos(s.builder.time()) * s.axis(1) + s.builder.sin(s.builder.time()) * s.axis(0);
}

class DirectedRun : public ::testing::TestWithParam<equations::Formulation> {};

TEST_P(DirectedRun, MovesAsTheClosedFormSays) {
  // The effort e acts along (1, 1), so e = m (y'' + g) and x'' = y'' + g, which can be integrated in closed form.
  auto dynamics = lifted({diagonal}).dynamics();
  SimulateOptions options = run_for(2.0, 1e-12);
  options.formulation = GetParam();
  const Trajectory run = simulate(dynamics, options);
  ASSERT_FALSE(run.stopped) << reason(run);
  for (const Sample& sample : run.samples) {
    const double t = sample.t, y = 0.1 * std::sin(3.0 * t);
    EXPECT_NEAR(sample.q[0], y - 0.3 * t + 0.5 * kGravity * t * t, 1e-10);
    EXPECT_NEAR(sample.q[1], y, 1e-15);
    const double effort = 2.0 * (kGravity - 9.0 * y);
    EXPECT_NEAR(sample.outputs[0], effort, 1e-11);
    EXPECT_NEAR(sample.reaction.effort[0], effort, 1e-11);
    EXPECT_NEAR(sample.reaction.Q_c[0], effort, 1e-11);
    EXPECT_NEAR(sample.reaction.Q_c[1], effort, 1e-11);
    EXPECT_EQ(sample.reaction.lambda()[0], 0.0);  // actuators enforce the constraint, so the multiplier of its row is 0
  }
  if (GetParam() == equations::Formulation::kExplicit) {
    EXPECT_EQ(run.counts.fallbacks, 0);
  }
}

INSTANTIATE_TEST_SUITE_P(ByEveryFormulation, DirectedRun, ::testing::ValuesIn(equations::kFormulations),
                         [](const auto& way) { return std::string(to_string(way.param)); });

TEST(DirectedRun, LawDirectedHasItsEffortsAsMultipliers) {
  auto dynamics = lifted({diagonal}, false).dynamics();
  const Trajectory run = simulate(dynamics, run_for(0.5, 1e-10));
  ASSERT_FALSE(run.stopped) << reason(run);
  EXPECT_EQ(run.end().reaction.lambda()[0], run.end().reaction.effort[0]);
  EXPECT_EQ(run.end().row_unique, (std::vector<char>{1}));
}

TEST(DirectedRun, MoreActuatorsThanRowsShareTheLeastEffort) {
  // Upward effort e0 and diagonal effort e1 with scales 1 and 2, where e0 + e1 = F is required. The least e0² + e1²/4
  // has e0 = F/5.
  auto dynamics = lifted({upward, diagonal}, true, {1.0, 2.0}).dynamics();
  for (const auto formulation : equations::kFormulations) {
    SimulateOptions options = run_for(1.0, 1e-11);
    options.formulation = formulation;
    const Trajectory run = simulate(dynamics, options);
    ASSERT_FALSE(run.stopped) << reason(run);
    const double y = 0.1 * std::sin(3.0), force = 2.0 * (kGravity - 9.0 * y);
    EXPECT_NEAR(run.end().outputs[0], force / 5.0, 1e-10);
    EXPECT_NEAR(run.end().outputs[1], 4.0 * force / 5.0, 1e-10);
    EXPECT_NEAR(run.end().q[0], 0.8 * (y - 0.3 + 0.5 * kGravity), 1e-9);
  }
}

TEST(DirectedRun, ActuatorsThatDoNotReachTheConstraintAreNamed) {
  auto dynamics = lifted({sideways}).dynamics();
  for (const auto formulation : equations::kFormulations) {
    SimulateOptions options = run_for(1.0, 1e-9);
    options.formulation = formulation;
    const Trajectory run = simulate(dynamics, options);
    EXPECT_EQ(kind_of(run), FailureKind::kInconsistent) << reason(run);
    EXPECT_EQ(run.stopped->rows, (std::vector<int>{0}));
    EXPECT_EQ(run.stopped->message,
              "constraint `height` cannot be kept by its actuators, at this place or any other: no efforts give the "
              "accelerations that it asks for");
    EXPECT_EQ(advice_of(*run.stopped),
              "let an actuator act on what the constraint moves; through a spring or a rope in between it would "
              "act only on a higher derivative of the relation, which is not solved for");
  }
}

TEST(DirectedRun, StopsWhereTheDirectionTurnsAwayFromTheConstraint) {
  auto dynamics = lifted({turning}).dynamics();
  const Trajectory run = simulate(dynamics, run_for(3.0, 1e-8));
  EXPECT_EQ(kind_of(run), FailureKind::kInconsistent) << reason(run);
  EXPECT_NEAR(run.stopped->t, std::acos(0.0), 1e-3);
  EXPECT_EQ(run.stopped->rows, (std::vector<int>{0}));
}

TEST(DirectedRun, RowsOfIdealLawHoldBeside) {
  // A pendulum bob on a rod. An actuator force on the bob along x drives the angle. The rod force is ideal.
  Sketch s;
  const auto P = s.particle("p", 1.5, 2);
  s.builder.add_gravity(s.number(-kGravity) * s.axis(1));
  s.builder.add_constraint("rod", s.square(s.from_origin(P)) - s.number(1.0));
  const Term x = s.dot(s.from_origin(P), s.axis(0));
  const auto drive = s.builder.add_constraint("drive", x - s.number(0.3) * s.builder.sin(s.builder.time()));
  model::Actuator push;
  push.forces = {{P, s.axis(0), {}}};
  s.builder.set_law(drive, reaction_laws::directed({push}, true));
  s.builder.add_output("e", s.builder.terms().effort(drive, 0));
  s.builder.add_nonideal_force(drive, P, s.number(-0.2) * s.builder.vel(P));
  s.start_all({0.0, -1.0}, {0.3, 0.0}, testing::StartKind::kGuess);
  auto dynamics = s.dynamics();
  for (const auto formulation : equations::kFormulations) {
    SimulateOptions options = run_for(2.0, 1e-11);
    options.formulation = formulation;
    const Trajectory run = simulate(dynamics, options);
    ASSERT_FALSE(run.stopped) << reason(run);
    const Sample& end = run.end();
    const double m = 1.5, t = 2.0, px = 0.3 * std::sin(t), vx = 0.3 * std::cos(t), ax = -px,
                 py = -std::sqrt(1.0 - px * px);
    const double vy = -px * vx / py, ay = -(vx * vx + vy * vy + px * ax) / py;
    // Newton's equation of the bob: m a = (2λ px + e − 0.2 vx, 2λ py − m g − 0.2 vy)
    const double lambda = (m * ay + m * kGravity + 0.2 * vy) / (2.0 * py);
    EXPECT_NEAR(end.reaction.lambda()[0], lambda, 1e-9);
    EXPECT_NEAR(end.outputs[0], m * ax - 2.0 * lambda * px + 0.2 * vx, 1e-9);
    // the ideal multiplier excludes the damping force C
    EXPECT_NEAR(end.reaction.lambda_ideal()[0], (m * ay + m * kGravity) / (2.0 * py), 1e-9);
    EXPECT_LT((end.reaction.Q_c - end.reaction.Q_ideal() - end.reaction.Q_nonideal).norm(), 1e-12);
  }
}

}  // namespace
}  // namespace vinculum::sim
