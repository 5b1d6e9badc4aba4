#include <gtest/gtest.h>

#include <cmath>

#include "support/motion/test_models.hpp"

namespace vinculum::sim {
namespace {

using testing::run_for;
using testing::Sketch;
using testing::StartKind;
using testing::Term;

TEST(Simulate, MovesParallelPucksAsTheReference) {
  // Roithmayr 2007, Example 3. The reference has 18 digits, from an extrapolation code and from polar coordinates.
  struct Row {
    double t;
    double q[4];
    double lambda;
  };
  const Row reference[] = {
      {1,
       {0.305357629357296308, 2.02658905209569542, 2.18703942469094385, 3.99661419777561408},
       -0.0448949183982633620},
      {2,
       {0.731630709572771942, 3.11455905113001245, 3.74774792504210871, 7.98509354499645492},
       -0.0407831697818518176},
      {3, {1.29549837413293666, 4.27349339111421387, 5.68131771879717365, 11.9635597985435575}, -0.0364686125194534215},
      {4, {2.01445613569204474, 5.50946904799863104, 7.98669084459671097, 15.9304110779769855}, -0.0322099437059590275},
  };
  auto dynamics = testing::parallel_pucks().dynamics();
  const Trajectory run = simulate(dynamics, run_for(4.0, 1e-10, {1, 2, 3, 4}));
  ASSERT_FALSE(run.stopped) << run.stopped->message;
  ASSERT_EQ(run.asked.size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(run.asked[i].t, reference[i].t);
    for (int j = 0; j < 4; ++j) EXPECT_NEAR(run.asked[i].q[j], reference[i].q[j], 1e-9);
    EXPECT_NEAR(run.asked[i].reaction.lambda()[0], reference[i].lambda, 1e-9);
  }
  EXPECT_LT(run.worst_residual[0], 1e-12);
  EXPECT_NEAR(run.start().reaction.lambda()[0], -0.0484848484848484848, 1e-14);
}

TEST(Simulate, SamplesDenseOutputOnTheConstraints) {
  auto dynamics = testing::double_pendulum(1, 1.0).dynamics();
  SimulateOptions options = run_for(2.0, 1e-6);
  options.output_step = 0.01;
  const Trajectory run = simulate(dynamics, options);
  ASSERT_FALSE(run.stopped);
  ASSERT_EQ(run.samples.size(), 201u);
  EXPECT_GT(run.samples.size(), static_cast<std::size_t>(2 * run.statistics.steps));
  for (const Sample& sample : run.samples) {
    EXPECT_NEAR(sample.t, 0.01 * static_cast<double>(&sample - run.samples.data()), 1e-12);
    EXPECT_LT(sample.residual.maxCoeff(), 1e-14);
  }
  EXPECT_LT(run.worst_residual.maxCoeff(), 1e-14);
}

TEST(Report, GivesAHangingMassTheMultiplierMinusItsWeight) {
  Sketch s;
  const auto P = s.particle("p", 2.0, 2);
  s.builder.add_gravity(s.number(-9.81) * s.axis(1));
  const auto rod = s.builder.add_constraint("rod", s.builder.terms().norm(s.from_origin(P)) - s.number(0.5));
  s.builder.add_output("lambda", s.builder.terms().multiplier(rod, 0));
  s.start_all({0.0, -0.5}, {0.0, 0.0});
  auto dynamics = s.dynamics();
  const Trajectory run = simulate(dynamics, run_for(1.0, 1e-8));
  ASSERT_FALSE(run.stopped) << run.stopped->message;
  EXPECT_NEAR(run.end().reaction.lambda()[0], -2.0 * 9.81, 1e-12);
  EXPECT_NEAR(run.end().outputs[0], -2.0 * 9.81, 1e-12);
  EXPECT_NEAR(run.end().reaction.Q_c[1], 2.0 * 9.81, 1e-12);
  EXPECT_NEAR(run.end().q[1], -0.5, 1e-14);
}

TEST(Simulate, FollowsTheBeadOnARotatingWireInClosedForm) {
  // A wire through the origin turns in the plane at the rate w: r'' = w² r, so r = cosh(w t) from rest. The wire is a
  // time-dependent position constraint, so A_t and g_tt must enter b.
  const double w = 1.5;
  Sketch s;
  const auto P = s.particle("p", 1.0, 2);
  const Term angle = s.number(w) * s.builder.time();
  const Term normal = s.builder.cos(angle) * s.axis(1) - s.builder.sin(angle) * s.axis(0);
  s.builder.add_constraint("wire", s.dot(s.from_origin(P), normal));
  s.start_all({1.0, 0.0}, {0.0}, StartKind::kHeld);
  auto dynamics = s.dynamics();
  const Trajectory run = simulate(dynamics, run_for(2.0, 1e-11, {1.0, 2.0}));
  ASSERT_FALSE(run.stopped) << run.stopped->message;
  EXPECT_NEAR(run.start().u[1], w, 1e-13);  // the speed of the wire, found by the assembly of the start
  for (const Sample& sample : run.asked) {
    const double r = std::cosh(w * sample.t);
    EXPECT_NEAR(sample.q[0], r * std::cos(w * sample.t), 1e-9 * r);
    EXPECT_NEAR(sample.q[1], r * std::sin(w * sample.t), 1e-9 * r);
    // λ is the force along the normal: 2 m w r' with r' = w sinh(w t).
    EXPECT_NEAR(sample.reaction.lambda()[0], 2.0 * w * w * std::sinh(w * sample.t), 1e-8 * r);
  }
}

TEST(Simulate, IntegratesFreeFallWithoutConstraints) {
  Sketch s;
  s.particle("p", 3.0, 3);
  s.builder.add_gravity(s.number(-9.81) * s.axis(2));
  s.start_all({0.0, 0.0, 10.0}, {1.0, 2.0, 3.0});
  auto dynamics = s.dynamics();
  const Trajectory run = simulate(dynamics, run_for(1.0, 1e-10));
  ASSERT_FALSE(run.stopped);
  EXPECT_NEAR(run.end().q[2], 10.0 + 3.0 - 0.5 * 9.81, 1e-12);
  EXPECT_EQ(run.end().reaction.Q_c.norm(), 0.0);
}

TEST(Projection, ConservesTheMomentumOfInternalConstraintsToRounding) {
  // Two free masses in the ratio 1:100 on a rod that rotates fast. A projection in another metric than M would change
  // the momentum.
  Sketch s;
  const auto P = s.particle("p", 1.0, 2);
  const auto Q = s.particle("q", 100.0, 2);
  s.builder.add_constraint("rod", s.square(s.builder.pos(Q, P)) - s.number(1.0));
  s.start_all({0.0, 0.0, 1.0, 0.0}, {0.3, 7.0, 0.3, -0.4});
  auto dynamics = s.dynamics();
  const Trajectory run = simulate(dynamics, run_for(20.0, 1e-6));
  ASSERT_FALSE(run.stopped) << run.stopped->message;
  ASSERT_GT(run.statistics.steps, 50);
  for (const int axis : {0, 1}) {
    const double before = run.start().u[axis] + 100.0 * run.start().u[2 + axis];
    const double after = run.end().u[axis] + 100.0 * run.end().u[2 + axis];
    EXPECT_NEAR(after, before, 1e-12 * 40.0);
  }
}

TEST(Projection, LeavesTheNumberOfStepsAsItIs) {
  auto dynamics = testing::double_pendulum(1, 1.0).dynamics();
  SimulateOptions options = run_for(10.0, 1e-9);
  const Trajectory projected = simulate(dynamics, options);
  options.project = false;
  const Trajectory drifting = simulate(dynamics, options);
  ASSERT_FALSE(projected.stopped);
  ASSERT_FALSE(drifting.stopped);
  const auto steps = static_cast<double>(drifting.statistics.steps);
  EXPECT_NEAR(static_cast<double>(projected.statistics.steps), steps, 0.02 * steps + 1.0);
  EXPECT_LT(projected.worst_residual.maxCoeff(), 1e-14);
  EXPECT_GT(drifting.worst_residual.maxCoeff(), 1e-10);
}

TEST(Projection, BringsAStateFromAfarToRounding) {
  auto dynamics = testing::double_pendulum(3, 0.7).dynamics();
  const auto start = assemble(dynamics);
  ASSERT_TRUE(start);
  Vector y(8);
  y << start->q, start->u;
  for (int i = 0; i < 8; ++i) y[i] += 0.02 * (i % 3 - 1);
  ASSERT_TRUE(dynamics.project(0.0, y.data()));
  Matrices m;
  ASSERT_TRUE(dynamics.matrices(dynamics.mode(), 0.0, y.data(), m));
  EXPECT_LT(m.phi.cwiseAbs().maxCoeff(), 1e-15 * 5.0);
  EXPECT_LT(m.psi.cwiseAbs().maxCoeff(), 1e-15 * 5.0);
}

}  // namespace
}  // namespace vinculum::sim
