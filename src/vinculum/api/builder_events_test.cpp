#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "vinculum/builder.hpp"
#include "vinculum/vinculum.hpp"

// Inputs, sampled states, events and `when` of a Builder: the same bits as from a text, and diagnostics.
namespace vinculum::builder_events_test {
namespace {

void expect_same(Builder b, const std::string& text) {
  const Model built = Model::from_builder(std::move(b), {.backend = Backend::kTape}).value();
  const Model read = Model::from_text(text, {.backend = Backend::kTape}).value();
  const Trajectory one = built.run({.until = 1.0}).value(), other = read.run({.until = 1.0}).value();
  ASSERT_EQ(one.names(), other.names());
  for (const std::string& name : one.names())
    EXPECT_EQ(one.column(name).value().values, other.column(name).value().values) << name;
  const std::vector<Event> events = one.events(), same = other.events();
  ASSERT_EQ(events.size(), same.size());
  for (std::size_t i = 0; i < events.size(); ++i) {
    EXPECT_EQ(events[i].t, same[i].t);
    EXPECT_EQ(events[i].kind, same[i].kind);
  }
}

TEST(BuilderEvents, GiveTheBitsOfATextWithEvents) {
  Builder b("ball");
  const Term e = b.parameter("e", 0.8), z = b.coordinate("z"), dz = b.rate(z);
  const auto N = b.newtonian();
  b.particle("P", b.number(2.0), b.fixed_point("O", N), z * b.axis(N, 2));
  b.gravity(-10.0 * b.axis(N, 2));
  const Term hits = b.state("hits", b.number(0.0));
  b.event("hit", z, Builder::Crossing::kFalling, {Builder::set(dz, -e * dz), Builder::set(hits, hits + 1.0)});
  b.event_every("tick", b.number(0.25), {Builder::record()});
  b.terminate_when(hits > b.number(1.5));
  b.start(z, 0.5);
  expect_same(std::move(b), R"(model ball
frame N newtonian
param e = 0.8
coord z
point O fixed in N
particle P mass 2 at O + z*N.z
gravity -10*N.z
state hits' = 0
event hit: z = 0 falling {
    set z' = -e*z'
    set hits = hits + 1
}
event tick: every 0.25 record
terminate when hits > 1.5
start z = 0.5
)");
}

TEST(BuilderEvents, GiveTheBitsOfATextWithAControllerAndAClutch) {
  Builder b("drive");
  const auto N = b.newtonian();
  const Term q = b.coordinate("q"), r = b.coordinate("r");
  const auto A = b.frame("A", N, q, 2), B = b.frame("B", N, r, 2);
  const auto O = b.fixed_point("O", N);
  const Term two = b.number(2.0), three = b.number(3.0);
  const auto driver = b.body("driver", A, b.number(1.0), {two, two, two}, O, 0.0 * b.axis(N, 0));
  b.body("driven", B, b.number(1.0), {three, three, three}, O, 0.0 * b.axis(N, 0));
  const Term wanted = b.input("wanted", "", b.number(2.0));
  const Term u = b.sampled_state("u", b.number(0.1));
  b.sample(u, 0.5 * u + 4.0 * (wanted - b.rate(q)));
  b.torque(driver.frame, u * b.axis(N, 2));
  const auto plate = b.constraint("plate", b.rate(q) - b.rate(r));
  b.when(plate, b.number(0.3) <= b.time() && !(b.time() >= b.number(0.7)));
  for (const Term one : {q, b.rate(q), r, b.rate(r)}) b.start(one, 0.0);
  expect_same(std::move(b), R"(model drive
frame N newtonian
coord q, r
frame A = N rotated q about z
frame B = N rotated r about z
point O fixed in N
body driver frame A mass 1 inertia (2, 2, 2) at O
body driven frame B mass 1 inertia (3, 3, 3) at O
input wanted = 2
state u every 0.1 = 0.5*u + 4*(wanted - q')
torque on driver = u*N.z
constraint plate: q' = r'
    when 0.3 <= t and not t >= 0.7
start q = 0, q' = 0, r = 0, r' = 0
)");
}

TEST(BuilderEvents, HaveDiagnosticsWithTheirNames) {
  Builder b("wrong");
  const Term x = b.coordinate("x");
  const auto N = b.newtonian();
  b.particle("P", b.number(1.0), b.fixed_point("O", N), x * b.axis(N, 0));
  b.event("jump", x, Builder::Crossing::kEither, {Builder::set(x, x)});
  b.event("jump", x, Builder::Crossing::kEither, {Builder::stop()});
  b.event("idle", x, Builder::Crossing::kEither, {});
  b.terminate_when(x);
  b.event_at("moving", x, {Builder::stop()});
  const auto built = Model::from_builder(std::move(b));
  ASSERT_FALSE(built);
  EXPECT_EQ(built.error().about, Error::About::kModel);
  std::vector<std::string> said;
  for (const Diagnostic& one : built.error().diagnostics.all) said.push_back(one.kind + ": " + one.message);
  EXPECT_EQ(said, (std::vector<std::string>{
                      "duplicate-name: there is an event `jump` already",
                      "missing-statement: event `idle` has no action",
                      "not-allowed-here: the condition of `terminate_when` is a number and not a condition",
                      "not-allowed-here: the time of event `moving` changes along a motion",
                      "not-allowed-here: event `jump` sets `x`, which is a coordinate: a place cannot jump",
                  }));
  EXPECT_EQ(built.error().message, "there is an event `jump` already");
}

}  // namespace
}  // namespace vinculum::builder_events_test
