#include <gtest/gtest.h>

#include <cmath>

#include "support/motion/test_models.hpp"

/// Tests that notes on the reasons of slow runs are written while the runs continue.
namespace vinculum::sim {
namespace {

using testing::run_for;
using testing::Sketch;

constexpr double kFewSteps = 2000.0;  // permitted steps of a run; without a limit it would take 1e5 or more

/// A unit mass with x'' = −k x − c x', and in addition a mass that falls.
Trajectory pulled_and_damped(double k, double c, double duration, const std::string& method = "") {
  Sketch s("pulled and damped");
  const auto P = s.particle("p", 1.0, 1), Q = s.particle("q", 1.0, 1);
  s.builder.add_force(P, s.number(-k) * s.from_origin(P));
  s.builder.add_force(P, s.number(-c) * s.builder.vel(P, Sketch::frame()));
  s.builder.add_force(Q, s.number(-10.0) * s.axis(0));
  s.start_all({1.0, 0.0}, {0.0, 0.0});
  auto dynamics = s.dynamics();
  SimulateOptions options = run_for(duration, 1e-6);
  options.method = method;
  options.most_steps = kFewSteps;
  return simulate(dynamics, options);
}

class Slowness : public ::testing::TestWithParam<const char*> {};

TEST_P(Slowness, IsStiffWhereDampingBoundsSteps) {
  const Trajectory run = pulled_and_damped(1e6, 1e6, 10.0, GetParam());
  EXPECT_TRUE(run.is_out_of_steps);
  ASSERT_EQ(run.notes.size(), 1U);
  const Note& note = run.notes.front();
  EXPECT_EQ(note.kind, "stiffness");
  EXPECT_NEAR(note.rate, 1e6, 1e3);
  EXPECT_EQ(note.component, "px'");
  EXPECT_EQ(note.term, "force on p (2)");
  EXPECT_GT(note.steps, 1e5);
}

INSTANTIATE_TEST_SUITE_P(Methods, Slowness, ::testing::Values("dop853", "dp5", "tsit5"));

TEST(Notes, AreNoneWhereAccuracyAsksForSteps) {
  EXPECT_TRUE(pulled_and_damped(1.0, 0.1, 100.0).notes.empty());
  EXPECT_TRUE(pulled_and_damped(1e6, 0.0, 1.0).notes.empty());
}

TEST(Notes, NameALimitOfSteps) {
  Sketch s("free");
  s.particle("p", 1.0, 1);
  s.start_all({0.0}, {1.0});
  auto dynamics = s.dynamics();
  SimulateOptions options = run_for(1.0, 1e-6);
  options.largest_step = 1e-5;
  options.most_steps = 100.0;
  std::vector<std::string> told;
  options.on_note = [&told](const Note& note) { told.push_back(note.kind); };
  const Trajectory run = simulate(dynamics, options);
  EXPECT_EQ(told, std::vector<std::string>{"max-step"});
  ASSERT_EQ(run.notes.size(), 1U);
  EXPECT_NEAR(run.notes.front().steps, 1e5, 1e3);
  EXPECT_EQ(run.statistics.steps, 100);
}

/// The force sign(sin(1e4 t)) switches 3e4 times in 10 s.
TEST(Notes, NameSwitchingsThatFollowEachOther) {
  Sketch s("square wave");
  const auto P = s.particle("p", 1.0, 1);
  auto& terms = s.builder.terms();
  const auto wave = terms.function(expr::Op::kSine, s.number(1e4) * s.builder.time());
  s.builder.add_force(P, terms.function(expr::Op::kSign, wave) * s.axis(0));
  s.start_all({0.0}, {0.0});
  auto dynamics = s.dynamics();
  SimulateOptions options = run_for(10.0, 1e-6);
  options.most_steps = kFewSteps;
  const Trajectory run = simulate(dynamics, options);
  ASSERT_EQ(run.notes.size(), 1U);
  EXPECT_EQ(run.notes.front().kind, "chatter");
  EXPECT_NEAR(run.notes.front().rate, 1e4 / 3.14159265, 50.0);
  EXPECT_FALSE(run.notes.front().term.empty());
}

}  // namespace
}  // namespace vinculum::sim
