#include "vinculum/verify/accounts/side_account.hpp"

#include <gtest/gtest.h>

#include "support/motion/test_models.hpp"
#include "vinculum/verify/accounts/audit_accounts.hpp"

namespace vinculum::sim {
namespace {

using expr::Op;
using testing::run_for;
using testing::Sketch;

SimulateOptions audited(double duration) {
  SimulateOptions options = run_for(duration, 1e-8);
  options.accounts = audit_accounts;
  return options;
}

/// x'' = 100 max(−x, 0) − 1 from x = 1: the point falls onto a stiff floor again and again.
Trajectory bouncing(const SimulateOptions& options) {
  Sketch s("bouncing");
  const auto P = s.particle("p", 1.0, 1);
  const auto depth =
      s.builder.terms().function(Op::kMaximum, s.number(-1.0) * s.builder.q(s.coordinates[0]), s.number(0.0));
  s.builder.add_force(P, (s.number(100.0) * depth - s.number(1.0)) * s.axis(0));
  s.start_all({1.0}, {0.0});
  auto dynamics = s.dynamics();
  return simulate(dynamics, options);
}

TEST(SideAccount, LeavesTheMotionAsItIs) {
  SimulateOptions options = audited(10.0);
  const Trajectory with = bouncing(options);
  options.accounts = {};
  const Trajectory without = bouncing(options);
  ASSERT_TRUE(with.sides.has_value());
  EXPECT_FALSE(without.sides.has_value());
  EXPECT_EQ(with.step_times, without.step_times);
  EXPECT_EQ(with.statistics.evaluations, without.statistics.evaluations);
  EXPECT_EQ(with.end().q, without.end().q);
}

TEST(SideAccount, LooksIntoEveryStep) {
  const Trajectory run = bouncing(audited(10.0));
  ASSERT_EQ(run.sides->on_sides.size(), 1U);
  EXPECT_GE(run.sides->instants, 15 * run.rates->stretches);
  EXPECT_LE(run.sides->on_sides[0].residual, run.sides->on_sides[0].limit);
  EXPECT_GT(run.sides->on_sides[0].size, 0.5);
  EXPECT_EQ(run.sides->as_stated[0].residual, 0.0);
}

TEST(SideAccount, SeesAStepOnBothSides) {
  SimulateOptions options = audited(10.0);
  options.sources.clear();
  const Trajectory run = bouncing(options);
  EXPECT_GT(run.sides->as_stated[0].residual, 1e3 * run.sides->as_stated[0].limit);
}

// x'' = −3 sign(x + x') keeps x + x' = 0 by a sliding mode. The state leaves the switching surface only by its errors.
TEST(SideAccount, KnowsWhatGoesAlongASurface) {
  Sketch s("relay");
  const auto P = s.particle("p", 1.0, 1);
  const auto level = s.builder.q(s.coordinates[0]) + s.builder.q_dot(s.coordinates[0]);
  s.builder.add_force(P, s.number(-3.0) * s.builder.terms().function(Op::kSign, level, {}) * s.axis(0));
  s.start_all({1.0}, {0.0});
  auto dynamics = s.dynamics();
  const Trajectory run = simulate(dynamics, audited(5.0));
  ASSERT_FALSE(run.all<SurfaceChange>().empty());
  EXPECT_LE(run.sides->on_sides[0].residual, run.sides->on_sides[0].limit);
  EXPECT_LT(run.sides->on_sides[0].limit, 1e-5);
}

}  // namespace
}  // namespace vinculum::sim
