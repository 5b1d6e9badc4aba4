#include <gtest/gtest.h>

#include "support/motion/test_models.hpp"
#include "vinculum/run/expectations.hpp"

namespace vinculum::sim {
namespace {

using model::Expectation;
using testing::kind_of;
using testing::reason;
using testing::run_for;
using testing::Sketch;
using testing::Term;

Term square_root(Sketch& s, Term x) { return s.builder.terms().function(expr::Op::kSquareRoot, x); }

TEST(Results, AreCompleteInEverySampleOrThereIsNone) {
  Sketch s;
  s.particle("light", 0.0, 1);  // neither mass nor constraint: it has no acceleration at the start
  s.builder.add_output("place", s.builder.q(s.coordinates[0]));
  s.start_all({0.0}, {0.0});
  auto dynamics = s.dynamics();
  const Trajectory run = simulate(dynamics, run_for(1.0, 1e-8, {0.0, 0.5}));
  EXPECT_EQ(kind_of(run), FailureKind::kUndetermined) << reason(run);
  EXPECT_TRUE(run.samples.empty());
  EXPECT_TRUE(run.asked.empty());
}

TEST(Results, ThatAreNotFiniteStopTheRunByName) {
  Sketch s;
  s.particle("p", 1.0, 1);
  const Term x = s.builder.q(s.coordinates[0]);
  s.builder.add_output("fine", x);
  s.builder.add_output("root", square_root(s, s.number(0.55) - x));
  s.start_all({0.0}, {1.0});
  auto dynamics = s.dynamics();
  SimulateOptions options = run_for(2.0, 1e-8);
  options.output_step = 0.125;
  const Trajectory run = simulate(dynamics, options);
  EXPECT_EQ(kind_of(run), FailureKind::kNonFinite);
  EXPECT_DOUBLE_EQ(run.stopped->t, 0.625);
  ASSERT_EQ(run.stopped->statements.size(), 1u);
  EXPECT_EQ(run.stopped->statements[0].kind, StatementId::Kind::kOutput);
  EXPECT_EQ(run.stopped->statements[0].index, 1);
  EXPECT_EQ(run.stopped->message.find("output `root` is not finite: sqrt(0.55 - px) with 0.55 - px = -0.07"), 0u)
      << run.stopped->message;
  EXPECT_NEAR(run.end().t, 0.55, 1e-5) << "the last state whose outputs are finite";
  EXPECT_LT(run.end().t, 0.55);
  EXPECT_TRUE(run.end().outputs.allFinite());
}

TEST(Results, AskedForThatAreNotFiniteStopTheRunToo) {
  Sketch s;
  s.particle("p", 1.0, 1);
  s.builder.add_output("root", square_root(s, s.number(0.4) - s.builder.q(s.coordinates[0])));
  s.start_all({0.0}, {1.0});
  auto dynamics = s.dynamics();
  SimulateOptions options = run_for(2.0, 1e-8, {0.5});
  options.output_step = 1.5;
  const Trajectory run = simulate(dynamics, options);
  EXPECT_EQ(kind_of(run), FailureKind::kNonFinite);
  EXPECT_DOUBLE_EQ(run.stopped->t, 0.5);
  EXPECT_TRUE(run.asked.empty());
}

TEST(Results, ExpectedAlwaysStopTheRunWhereTheyAreNotFinite) {
  Sketch s;
  s.particle("p", 1.0, 1);
  Expectation always{};
  always.when = Expectation::When::kAlways;
  always.left = s.builder.terms().function(
      expr::Op::kLess, square_root(s, s.number(0.5) - s.builder.q(s.coordinates[0])), s.number(5.0));
  always.text = "expect always: sqrt(0.5 - x) < 5";
  s.builder.model().expectations.push_back(always);
  s.builder.model().run = model::RunSettings{2.0, {}, {}, 1e-8, "dop853", "explicit", {}};
  s.start_all({0.0}, {1.0});
  auto dynamics = s.dynamics();
  const CheckedRun run = run_with_expectations(dynamics, options_of(*dynamics.binding()->model));
  EXPECT_EQ(kind_of(run.trajectory), FailureKind::kNonFinite);
  ASSERT_EQ(run.trajectory.stopped->statements.size(), 1u);
  EXPECT_EQ(run.trajectory.stopped->statements[0].kind, StatementId::Kind::kExpectation);
  EXPECT_FALSE(run.results[0].passed);
}

TEST(Results, AskedForComeInTheOrderAsked) {
  Sketch s;
  s.particle("p", 1.0, 1);
  s.start_all({0.0}, {1.0});
  auto dynamics = s.dynamics();
  const Trajectory run = simulate(dynamics, run_for(4.0, 1e-8, {3.0, 1.0, 2.0, 1.0}));
  ASSERT_EQ(run.asked.size(), 4u);
  EXPECT_DOUBLE_EQ(run.asked[0].t, 3.0);
  EXPECT_DOUBLE_EQ(run.asked[1].t, 1.0);
  EXPECT_DOUBLE_EQ(run.asked[2].t, 2.0);
  EXPECT_DOUBLE_EQ(run.asked[3].t, 1.0);
}

}  // namespace
}  // namespace vinculum::sim
