#include <gtest/gtest.h>

#include <cmath>

#include "support/motion/test_models.hpp"

/// Events and event sources that are defined outside the program (here in the test) and passed to a run in its list of
/// sources.
namespace vinculum::sim {
namespace {

using integrate::Action;
using integrate::Direction;
using integrate::Event;
using testing::reason;
using testing::run_for;
using testing::Sketch;

/// A particle with x'' = −x from x = 1 at rest: x = cos t.
Sketch oscillator() {
  Sketch s("oscillator");
  const auto P = s.particle("p", 1.0, 1);
  s.builder.add_force(P, s.number(-1.0) * s.from_origin(P));
  s.start_all({1.0}, {0.0});
  return s;
}

Event passes(double level, Action action, Direction direction = Direction::kEither) {
  Event event{"passes"};
  event.guard = [level](double, const Vector& y) { return y[0] - level; };
  event.direction = direction;
  event.action = action;
  event.reason.kind = FailureKind::kNotUnique;
  event.reason.message = "as far as this test goes";
  return event;
}

TEST(EventHandedOver, StopsARunWhereItsGuardIsZero) {
  auto dynamics = oscillator().dynamics();
  SimulateOptions options = run_for(10.0, 1e-10);
  options.sources.push_back(source_of(passes(0.5, Action::kStop)));
  const Trajectory run = simulate(dynamics, options);
  ASSERT_TRUE(run.stopped);
  EXPECT_EQ(run.stopped->message, "as far as this test goes");
  EXPECT_NEAR(run.stopped->t, std::acos(0.5), 1e-9);
  EXPECT_NEAR(run.end().q[0], 0.5, 1e-6);
  EXPECT_LE(run.end().t, run.stopped->t);
}

TEST(EventHandedOver, IsMarkedEachTimeAndChangesNoBit) {
  auto dynamics = oscillator().dynamics();
  SimulateOptions options = run_for(20.0, 1e-9);
  const Trajectory without = simulate(dynamics, options);
  options.sources.push_back(source_of(passes(0.0, Action::kMark, Direction::kFalling)));
  const Trajectory run = simulate(dynamics, options);
  EXPECT_FALSE(run.stopped) << reason(run);
  ASSERT_EQ(run.all<Mark>().size(), 3u);  // at π/2 + 2πk
  for (std::size_t k = 0; k < run.all<Mark>().size(); ++k) {
    EXPECT_NEAR(run.all<Mark>()[k].t, std::acos(0.0) * static_cast<double>(1 + 4 * k), 1e-7);
    EXPECT_EQ(run.all<Mark>()[k].event, "passes");
  }
  EXPECT_EQ(run.step_times, without.step_times);
  EXPECT_EQ(run.end().q, without.end().q);
}

TEST(EventHandedOver, OfTwoInOneStepTheEarlierCounts) {
  auto dynamics = oscillator().dynamics();
  SimulateOptions options = run_for(10.0, 1e-4);
  for (const double level : {0.49, 0.5, 0.48}) options.sources.push_back(source_of(passes(level, Action::kStop)));
  const Trajectory run = simulate(dynamics, options);
  ASSERT_TRUE(run.stopped);
  EXPECT_NEAR(run.stopped->t, std::acos(0.5), 1e-3);
  EXPECT_NEAR(run.end().q[0], 0.5, 1e-4);
}

/// A wall at x = 0 that reverses the velocity at an impact, and so changes the state.
class Wall final : public EventSource {
 public:
  Outcome<void> check(const integrate::Step& step, std::vector<Found>& found) override {
    const double at_begin = step.y_begin()[0], at_end = step.y_end()[0];
    if (integrate::passage(at_begin, at_end, Direction::kFalling) == 0) return {};
    Vector y;
    const auto height = [&](double t) -> Outcome<double> {
      if (auto done = step.interpolate(t, y); !done) return fail(done.error());
      return y[0];
    };
    const auto crossing = integrate::find_crossing(height, step.t_begin(), at_begin, step.t_end(), at_end, 0.0);
    found.push_back({crossing.before, Action::kChange});
    return {};
  }
  Outcome<void> pass(const Found& found, Transition& to) override {
    to.y[1] = std::abs(to.y[1]);
    to.events.push_back(Mark{found.t, "wall"});
    return {};
  }
};

TEST(SourceHandedOver, ChangesTheMotionFromItsEventOn) {
  auto dynamics = oscillator().dynamics();
  SimulateOptions options = run_for(10.0, 1e-11);
  options.sources.push_back({"wall", [](const Watched&) { return std::make_unique<Wall>(); }});
  const Trajectory run = simulate(dynamics, options);
  EXPECT_FALSE(run.stopped) << reason(run);
  EXPECT_EQ(run.all<Mark>().size(), 3u);  // at π/2, 3π/2, 5π/2
  for (const Sample& sample : run.samples) EXPECT_NEAR(sample.q[0], std::abs(std::cos(sample.t)), 1e-8) << sample.t;
}

/// An event source that ends the second step at the step's start.
class AtBegin final : public EventSource {
 public:
  AtBegin(Vector& begin, Vector& passed) : begin_(begin), passed_(passed) {}
  Outcome<void> check(const integrate::Step& step, std::vector<Found>& found) override {
    if (++steps_ != 2) return {};
    begin_ = step.y_begin();
    found.push_back({step.t_begin(), Action::kChange});
    return {};
  }
  Outcome<void> pass(const Found&, Transition& to) override {
    passed_ = to.y;
    return {};
  }

 private:
  Vector &begin_, &passed_;
  int steps_ = 0;
};

TEST(SourceHandedOver, FindsTheStateOfTheEventHoweverShortTheStep) {
  auto dynamics = oscillator().dynamics();
  SimulateOptions options = run_for(10.0, 1e-8);
  options.largest_step = 1e-13;  // so short that start and end of a step count as one instant of the run
  options.most_steps = 4.0;
  Vector begin, passed;
  options.sources.push_back({"at begin", [&](const Watched&) { return std::make_unique<AtBegin>(begin, passed); }});
  (void)simulate(dynamics, options);
  ASSERT_EQ(begin.size(), 2);
  EXPECT_EQ(passed, begin);
}

TEST(SourceHandedOver, IsTheWholeListWhereItIsAlone) {
  // The standard sources would stop this motion. With an empty list, no source monitors the gradient.
  auto dynamics = testing::four_bar(0.0, 3.0).dynamics();
  SimulateOptions options = run_for(1.0, 1e-8);
  options.sources.clear();
  const Trajectory run = simulate(dynamics, options);
  EXPECT_TRUE(run.all<RankDrop>().empty());
  options.sources = standard_sources();
  EXPECT_FALSE(simulate(dynamics, options).all<RankDrop>().empty());
}

/// Extremes of a coordinate and its integral over time.
struct Statistics final : Sink {
  Wants wants() const override { return {.states = true, .nodes = true}; }
  void sample(const Sample& at) override { times.push_back(at.t); }
  void state(const Sample& at) override {
    least = std::min(least, at.q[0]);
    largest = std::max(largest, at.q[0]);
  }
  void node(const Sample& at, double weight) override { integral += weight * at.q[0]; }
  void reached(double t) override { last = t; }
  std::vector<double> times;
  double least = 1e9, largest = -1e9, integral = 0.0, last = 0.0;
};

TEST(SinkHandedOver, TakesWhatTheTrajectoryNeedNotKeep) {
  auto dynamics = oscillator().dynamics();
  SimulateOptions options = run_for(7.0, 1e-10);
  const Trajectory kept = simulate(dynamics, options);
  Statistics seen;
  options.sinks.push_back(&seen);
  options.keeps_samples = false;
  const Trajectory streamed = simulate(dynamics, options);
  ASSERT_EQ(seen.times.size(), kept.samples.size());
  for (std::size_t i = 0; i < seen.times.size(); ++i) EXPECT_EQ(seen.times[i], kept.samples[i].t);
  ASSERT_EQ(streamed.samples.size(), 2u);
  EXPECT_EQ(streamed.start().t, 0.0);
  EXPECT_EQ(streamed.end().q, kept.end().q);  // sinks do not change any bit of the motion
  EXPECT_EQ(streamed.step_times, kept.step_times);
  EXPECT_NEAR(seen.least, -1.0, 1e-3);
  EXPECT_NEAR(seen.largest, 1.0, 1e-8);
  EXPECT_NEAR(seen.integral, std::sin(7.0), 1e-8);
  EXPECT_EQ(seen.last, 7.0);
}

}  // namespace
}  // namespace vinculum::sim
