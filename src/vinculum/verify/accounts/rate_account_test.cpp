#include "vinculum/verify/accounts/rate_account.hpp"

#include <gtest/gtest.h>

#include "support/motion/test_models.hpp"
#include "vinculum/verify/accounts/audit_accounts.hpp"

namespace vinculum::sim {
namespace {

using testing::run_for;

Trajectory balanced(testing::Sketch sketch, bool is_audited) {
  auto dynamics = sketch.dynamics();
  SimulateOptions options = run_for(3.0, 1e-9);
  if (is_audited) options.accounts = audit_accounts;
  return simulate(dynamics, options);
}

TEST(RateAccount, LeavesTheMotionAsItIs) {
  const Trajectory with = balanced(testing::double_pendulum(1, 0.7), true),
                   without = balanced(testing::double_pendulum(1, 0.7), false);
  ASSERT_TRUE(with.rates.has_value());
  EXPECT_FALSE(without.rates.has_value());
  EXPECT_EQ(with.step_times, without.step_times);
  EXPECT_EQ(with.statistics.evaluations, without.statistics.evaluations);
  EXPECT_EQ(with.end().q, without.end().q);
  EXPECT_EQ(with.end().u, without.end().u);
}

TEST(RateAccount, AddsUpToTheChangeOfTheState) {
  const Trajectory run = balanced(testing::double_pendulum(1, 0.7), true);
  const RateBalance& rates = *run.rates;
  EXPECT_EQ(rates.stretches, static_cast<long>(run.step_times.size()));
  EXPECT_EQ(rates.unread, 0);
  EXPECT_EQ(rates.t_begin, run.start().t);
  EXPECT_EQ(rates.t_end, run.end().t);
  Vector change(rates.change.size());
  change << run.end().q - run.start().q, run.end().u - run.start().u;
  for (Eigen::Index i = 0; i < change.size(); ++i) {
    EXPECT_LE(std::abs(change[i] - rates.change[i]), rates.limit[i] + rates.rounding[i]) << i;
    // The permitted error must also be small enough to detect a wrong rate.
    EXPECT_LT(rates.limit[i] + rates.rounding[i], 1e-4 * rates.size[i]) << i;
  }
}

}  // namespace
}  // namespace vinculum::sim
