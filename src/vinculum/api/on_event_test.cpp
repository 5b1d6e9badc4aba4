#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "vinculum/vinculum.hpp"

// A function that is called for the events of a motion.
namespace vinculum::on_event_test {
namespace {

constexpr const char* kBall = R"(model ball
frame N newtonian
point O fixed in N
param e = 0.8
coord z [m]
particle P mass 2 [kg] at O + z*N.z
gravity -10 [m/s^2]*N.z
event hit: z = 0 [m] falling set z' = -e*z'
event late: at 1.9 [s] stop
start z = 1 [m]
run 5 [s] tolerance 1e-11
)";
/// Times of the impacts: the first fall from 1 m, then flights of 0.8 times the length of the one before, the first of
/// which takes 1.6 times the fall.
const double kFirst = std::sqrt(0.2);
double time_of_hit(int k) { return kFirst * (1.0 + 1.6 * (1.0 - std::pow(0.8, k)) / 0.2); }

constexpr const char* kPushed = R"(model pushed
frame N newtonian
point O fixed in N
coord x [m]
particle P mass 2 [kg] at O + x*N.x
input push [N] = 4 [N]
force on P = push*N.x
state count' = 0
event far: x = 1 [m] rising set count = count + 1
event strong: push = 10 [N] rising set count = count + 100
run 3 [s] tolerance 1e-11
)";

Model ball() { return Model::from_text(kBall, {.backend = Backend::kTape}).value(); }
Model pushed() { return Model::from_text(kPushed, {.backend = Backend::kTape}).value(); }

TEST(OnEvent, SeesTheStatesBeforeAndAfter) {
  int hits = 0;
  const Trajectory run = ball()
                             .run({.on_event =
                                       [&](const Event& event, const State& before, const State& after) {
                                         if (event.where != "hit") return false;
                                         EXPECT_EQ(event.kind, "event");
                                         EXPECT_NEAR(event.t, time_of_hit(hits), 1e-9);
                                         EXPECT_NEAR(before.u[0], -10.0 * kFirst * std::pow(0.8, hits), 1e-8);
                                         EXPECT_EQ(after.u[0], -0.8 * before.u[0]);
                                         EXPECT_EQ(after.q[0], before.q[0]);
                                         ++hits;
                                         return false;
                                       }})
                             .value();
  EXPECT_EQ(hits, 3);
  EXPECT_EQ(run.stopped()->kind, "event");
  EXPECT_EQ(run.events().back().kind, "stop");
  EXPECT_EQ(std::get<std::string>(run.events().back().after), "event");
}

TEST(OnEvent, EndsARun) {
  int hits = 0;
  const Trajectory run =
      ball().run({.on_event = [&](const Event&, const State&, const State&) { return ++hits == 3; }}).value();
  EXPECT_EQ(hits, 3);
  EXPECT_EQ(run.stopped()->kind, "interrupted");
  EXPECT_NEAR(run.t().back(), time_of_hit(2), 1e-9);
  EXPECT_GT(run.u()(run.u().rows - 1, 0), 0.0) << "the state after the event";
}

TEST(OnEvent, EndsACallOfAdvance) {
  const Model model = ball();
  Simulation simulation = model.simulation().value();
  simulation.on_event([](const Event&, const State&, const State&) { return true; });
  for (int k = 0; k < 3; ++k) {
    ASSERT_TRUE(simulation.advance(1.8));
    EXPECT_NEAR(simulation.state().t, time_of_hit(k), 1e-9);
  }
  simulation.on_event({});
  Simulation other = model.simulation().value();
  ASSERT_TRUE(other.restore(simulation.save().value()));
  ASSERT_TRUE(simulation.advance(1.85));
  ASSERT_TRUE(other.advance(1.85));
  EXPECT_EQ(simulation.state().q, other.state().q);
  EXPECT_NEAR(simulation.state().u[0], other.state().u[0], 0.0);
}

TEST(OnEvent, ThrowsOutOfTheCall) {
  Simulation simulation = ball().simulation().value();
  int calls = 0;
  simulation.on_event([&](const Event&, const State&, const State&) -> bool {
    ++calls;
    throw std::domain_error("enough");
  });
  EXPECT_THROW((void)simulation.advance(1.0), std::domain_error);
  EXPECT_NEAR(simulation.state().t, kFirst, 1e-9);
  EXPECT_GT(simulation.state().u[0], 0.0);
  simulation.on_event({});
  ASSERT_TRUE(simulation.advance(1.0));
  EXPECT_EQ(simulation.state().t, 1.0);
  EXPECT_EQ(calls, 1);
  const auto run = [] {
    (void)ball().run({.on_event = [](const Event&, const State&, const State&) -> bool { throw 7; }});
  };
  EXPECT_THROW(run(), int);
}

TEST(OnEvent, IsToldOnceOfTheEnd) {
  Simulation simulation = ball().simulation().value();
  std::vector<std::string> kinds;
  simulation.on_event([&](const Event& event, const State&, const State& after) {
    kinds.push_back(event.kind);
    EXPECT_EQ(after.t, event.t);
    return event.kind == "stop";
  });
  for (int k = 0; k < 2; ++k) EXPECT_EQ(simulation.advance(3.0).error().kind, "event");
  EXPECT_EQ(std::ranges::count(kinds, "stop"), 1);
  EXPECT_EQ(kinds.back(), "stop");
}

TEST(OnEvent, MayEvaluateButNotMoveTheSimulation) {
  Simulation simulation = pushed().simulation().value();
  const std::string saved = simulation.save().value();
  int calls = 0;
  simulation.on_event([&](const Event& event, const State&, const State& after) {
    ++calls;
    EXPECT_EQ(simulation.state().t, event.t);
    EXPECT_EQ(simulation.state().q, after.q);
    EXPECT_NEAR(simulation.accelerations().value()[0], 2.0, 1e-12);
    for (const auto& refused : {simulation.advance(9.0), simulation.set_state(after), simulation.set({{"m", 1.0}}),
                                simulation.restore(saved)}) {
      EXPECT_FALSE(refused);
      EXPECT_EQ(refused.error().about, Error::About::kCall);
    }
    EXPECT_EQ(simulation.save().error().message,
              "`save` was called by the function `on_event` while the motion is on its way: call it after `advance`");
    return false;
  });
  ASSERT_TRUE(simulation.advance(2.0));
  EXPECT_EQ(calls, 1);
  EXPECT_NEAR(simulation.state().q[0], 4.0, 1e-9);
}

/// The input holds from the event on. The second route ends `advance` at the event.
TEST(OnEvent, MaySetAnInput) {
  Simulation simulation = pushed().simulation().value(), other = pushed().simulation().value();
  simulation.on_event([&](const Event&, const State&, const State&) {
    EXPECT_TRUE(simulation.set_input("push", -4.0));
    EXPECT_FALSE(simulation.set_input("push", std::nan("")));
    return false;
  });
  other.on_event([](const Event&, const State&, const State&) { return true; });
  ASSERT_TRUE(simulation.advance(3.0));
  ASSERT_TRUE(other.advance(3.0));
  EXPECT_NEAR(other.state().t, 1.0, 1e-9);
  ASSERT_TRUE(other.set_input("push", -4.0));
  ASSERT_TRUE(other.advance(3.0));
  EXPECT_EQ(simulation.state().t, 3.0);
  EXPECT_EQ(simulation.state().q, other.state().q);
  EXPECT_EQ(simulation.state().u, other.state().u);
  EXPECT_NEAR(simulation.state().q[0], 1.0 + 2.0 * 2.0 - 2.0 * 2.0 * 2.0 / 2.0, 1e-9);
}

TEST(OnEvent, IsToldOfEventsThatAnInputCauses) {
  Simulation simulation = pushed().simulation().value();
  std::vector<std::string> names;
  simulation.on_event([&](const Event& event, const State& before, const State& after) {
    names.push_back(event.where);
    EXPECT_EQ(after.z.back(), before.z.back() + (event.where == "far" ? 1.0 : 100.0));
    if (event.where == "far") {
      EXPECT_TRUE(simulation.set_input("push", 12.0));
    }
    return false;
  });
  ASSERT_TRUE(simulation.advance(1.5));
  EXPECT_EQ(names, (std::vector<std::string>{"far", "strong"}));
  ASSERT_TRUE(simulation.set_input("push", 0.0));
  ASSERT_TRUE(simulation.set_input("push", 20.0));
  EXPECT_EQ(names.size(), 3u);
  EXPECT_EQ(names.back(), "strong");
}

TEST(OnEvent, MayNotSetInputsWithoutEnd) {
  Simulation simulation = pushed().simulation().value();
  simulation.on_event([&](const Event&, const State&, const State&) {
    EXPECT_TRUE(simulation.set_input("push", 0.0));
    EXPECT_TRUE(simulation.set_input("push", 20.0));
    return false;
  });
  const auto moved = simulation.advance(2.0);
  ASSERT_FALSE(moved);
  EXPECT_NE(moved.error().message.find("each value causes the event that sets the next"), std::string::npos)
      << moved.error().message;
}

}  // namespace
}  // namespace vinculum::on_event_test
