// Inputs along a run: closed forms of motions under records whose values are held or interpolated linearly.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "support/models.hpp"
#include "vinculum/run/energy_account.hpp"
#include "vinculum/run/simulate.hpp"
#include "vinculum/verify/accounts/audit_accounts.hpp"
#include "vinculum/verify/audit/audit.hpp"

namespace vinculum::sim {
namespace inputs_test {

constexpr const char* kPushed =
    "model m\nframe N newtonian\npoint O fixed in N\ncoord x\nparticle P mass 1 at O + x*N.x\ninput u = 0.5\n"
    "force on P = u*N.x\nrun 4 step 0.5\n";

std::shared_ptr<const Binding> model_of(const std::string& text) {
  return test_support::compiled(test_support::model_of_text(text));
}

Trajectory run_of(const std::string& text, std::vector<InputRecord> records, double tolerance = 1e-11) {
  const auto bound = model_of(text);
  Dynamics dynamics(bound);
  SimulateOptions options = options_of(*bound->compiled->model);
  options.tolerance = tolerance;
  options.inputs = std::move(records);
  return simulate(dynamics, options);
}

TEST(Input, HasTheStatedValueWithoutARecord) {
  const Trajectory run = run_of(kPushed, {});
  EXPECT_NEAR(run.end().q[0], 0.5 * 0.5 * 16.0, 1e-12);
  EXPECT_EQ(run.end().z[0], 0.5);
}

/// Held values u = 1, −2, 3 on [0, 1), [1, 2.5), [2.5, 4].
TEST(Input, HoldsEachValueUntilTheNextRow) {
  const Trajectory run = run_of(kPushed, {{0, {0.0, 1.0, 2.5, 5.0}, {1.0, -2.0, 3.0, 7.0}, false}});
  const double v1 = 1.0, x1 = 0.5, v2 = v1 - 2.0 * 1.5, x2 = x1 + v1 * 1.5 - 1.5 * 1.5;
  EXPECT_NEAR(run.end().u[0], v2 + 3.0 * 1.5, 1e-12);
  EXPECT_NEAR(run.end().q[0], x2 + v2 * 1.5 + 1.5 * 1.5 * 1.5, 1e-12);
  EXPECT_EQ(run.end().z[0], 3.0);
  for (const double t : {1.0, 2.5})
    EXPECT_TRUE(std::ranges::any_of(run.step_times, [t](double end) { return std::abs(end - t) < 1e-13; })) << t;
  EXPECT_TRUE(run.events.empty());
}

TEST(Input, EndsNoStepWhereItsValueStays) {
  std::vector<double> t, held(41, 0.5);
  for (int i = 0; i <= 40; ++i) t.push_back(0.1 * i);
  EXPECT_EQ(run_of(kPushed, {{0, t, held, false}}).step_times, run_of(kPushed, {}).step_times);
}

/// Linear values: u rises from 0 to 2 in 1 s and falls to 0 in the next 3 s.
TEST(Input, IsLinearBetweenRows) {
  const Trajectory run = run_of(kPushed, {{0, {0.0, 1.0, 4.0}, {0.0, 2.0, 0.0}, true}});
  EXPECT_NEAR(run.end().u[0], 1.0 + 3.0, 1e-12);
  EXPECT_NEAR(run.end().q[0], 2.0 / 6.0 + 1.0 * 3.0 + 2.0 * 4.5 - (2.0 / 3.0) * 27.0 / 6.0, 1e-11);
  EXPECT_NEAR(run.end().z[0], 0.0, 1e-14);
  for (const Sample& sample : run.samples)
    EXPECT_NEAR(sample.z[0], sample.t <= 1.0 ? 2.0 * sample.t : (4.0 - sample.t) * 2.0 / 3.0, 1e-14);
}

TEST(Input, BeginsWithinItsRecord) {
  const Trajectory run = run_of(kPushed, {{0, {-1.0, 1.0, 4.0}, {0.0, 2.0, 2.0}, true}});
  EXPECT_EQ(run.start().z[0], 1.0);
  EXPECT_NEAR(run.end().u[0], 1.5 + 6.0, 1e-12);
}

/// The input's own expression gives x'' = −4 x; a record replaces it.
TEST(Input, ReplacesAValueThatMoves) {
  std::string text = kPushed;
  text.replace(text.find("input u = 0.5"), 13, "input u = -4*x");
  text += "start x = 1\n";
  EXPECT_NEAR(run_of(text, {}).end().q[0], std::cos(8.0), 1e-9);
  const Trajectory given = run_of(text, {{0, {0.0, 4.0}, {0.5, 0.5}, false}});
  EXPECT_NEAR(given.end().q[0], 1.0 + 0.25 * 16.0, 1e-11);
  EXPECT_EQ(given.end().outputs[0], 0.5);
}

/// An input prescribes an acceleration, x'' = u, or drives a prescribed velocity, x' = s with s' = u.
TEST(Input, PrescribesAnAcceleration) {
  std::string text = kPushed;
  text.replace(text.find("force on P = u*N.x"), 18, "constraint c: x'' = u");
  const InputRecord steps{0, {0.0, 1.0, 4.0}, {1.0, -1.0, -1.0}, false};
  const Trajectory run = run_of(text + "output R = multiplier(c)\n", {steps});
  EXPECT_NEAR(run.end().u[0], 1.0 - 3.0, 1e-11);
  EXPECT_NEAR(run.end().outputs[0], -1.0, 1e-11);
  text.replace(text.find("constraint c: x'' = u"), 21, "state s' = u\nconstraint c: x' = s");
  EXPECT_NEAR(run_of(text, {steps}).end().u[0], -2.0, 1e-11);
}

/// An event, a sampled state and a constraint with `when` depend on an input. Each must react to the input's jump.
TEST(Input, CausesEvents) {
  const std::string text = std::string(kPushed) +
                           "state n' = 0\nstate held every 1 = u\nevent up: u = 2 rising set n = n + 1\n"
                           "constraint c: x' = 0\n    when u > 10\n";
  const InputRecord record{0, {0.0, 1.0, 2.0, 3.0, 5.0}, {0.0, 3.0, 1.0, 20.0, 0.0}, false};
  const Trajectory run = run_of(text, {record});
  ASSERT_FALSE(run.stopped) << run.stopped->message;
  EXPECT_EQ(run.end().z[2], 2.0) << "rising through 2 at 1 s and at 3 s";
  EXPECT_EQ(run.end().z[3], 20.0) << "inputs change before states are sampled";
  EXPECT_NEAR(run.end().u[0], 0.0, 1e-12);
  ASSERT_EQ(run.all<Impulse>().size(), 1u);
  EXPECT_NEAR(std::abs(run.last<Impulse>()->rows[0]), 4.0, 1e-11);
}

/// Dry friction with the bound 1 resists a force of 0.9, but not a force of 2, so x'' = 1 from 2 s on.
TEST(Input, LetsAContactSlide) {
  const std::string text = std::string(kPushed) + "friction on x = 1\n";
  const Trajectory run = run_of(text, {{0, {0.0, 2.0, 4.0}, {0.9, 2.0, 2.0}, false}});
  ASSERT_FALSE(run.stopped) << run.stopped->message;
  EXPECT_NEAR(run.end().u[0], 2.0, 1e-9);
  EXPECT_NEAR(run.end().q[0], 2.0, 1e-9);
}

TEST(Input, AuditHoldsAlongARecord) {
  const auto bound = model_of(std::string(kPushed) + "force on P = -3*x*N.x\n");
  Dynamics dynamics(bound);
  SimulateOptions options = options_of(*bound->compiled->model);
  options.tolerance = 1e-10;
  options.inputs = {{0, {0.0, 0.7, 1.9, 4.0}, {1.0, -2.0, 3.0, 0.0}, true}};
  EnergyAccount account(*bound);
  account.follow(options);
  options.accounts = audit_accounts;
  const Trajectory run = simulate(dynamics, options);
  EXPECT_LT(account.worst().relative, 1e-8);
  EXPECT_TRUE(audit::audit(*bound, run).holds());
}

}  // namespace inputs_test
}  // namespace vinculum::sim
