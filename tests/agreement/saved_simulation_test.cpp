#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <variant>

#include "support/models.hpp"
#include "vinculum/vinculum.hpp"

// A simulation that is saved, and restored in another object, continues with the bits of the uninterrupted simulation.
namespace vinculum {
namespace saved_simulation_test {

std::vector<std::uint64_t> bits_of(const State& state) {
  std::vector<std::uint64_t> bits{std::bit_cast<std::uint64_t>(state.t)};
  for (const auto& values : {state.q, state.u, state.z})
    for (const double value : values) bits.push_back(std::bit_cast<std::uint64_t>(value));
  return bits;
}

std::string said(const Result<void>& result) { return result ? "" : result.error().text(); }

/// An event and its states, bit by bit.
struct Told {
  std::string event;
  std::vector<std::uint64_t> before, after;
  bool operator==(const Told&) const = default;
};

Told told(const Event& event, const State& before, const State& after) {
  std::string text = event.kind + " " + event.where;
  for (const EventValue& value : {event.before, event.after}) {
    if (const auto* word = std::get_if<std::string>(&value)) text += " " + *word;
    if (const auto* number = std::get_if<double>(&value)) text += " " + std::to_string(*number);
  }
  return {text, bits_of(before), bits_of(after)};
}

/// Models whose motion has events, contacts with friction, or a memory of another kind.
bool has_events(const std::filesystem::path& file) {
  const std::string text = test_support::read_text(file);
  constexpr const char* kWords[] = {"\nevent ",  "\nterminate ", " every ", "when ",  "friction on",  "conserve ",
                                    "\nbranch ", "    branch ",  "floor(",  "sign(",  "table(",       "min(",
                                    "max(",      "abs(",         " if ",    "input ", "formulation ", "radau"};
  return std::ranges::any_of(kWords, [&](const char* word) { return text.find(word) != std::string::npos; });
}

std::vector<std::filesystem::path> files_with_events() {
  std::vector<std::filesystem::path> files = test_support::model_files();
  std::erase_if(files, [](const auto& file) { return !has_events(file); });
  return files;
}

/// The instants of interruption are also times of events, at which a sample or an event could be lost or happen twice.
constexpr int kTicks = 40;

class SavedSimulation : public testing::TestWithParam<std::filesystem::path> {};

/// The function is called for the rows of `Trajectory::events`, and changes no bit of the motion.
TEST_P(SavedSimulation, HasARunThatTellsItsEvents) {
  const Model model = Model::load(GetParam(), {.backend = Backend::kTape}).value();
  const auto motion = model.run();
  if (!motion || motion->t().empty()) GTEST_SKIP() << "no motion";
  std::vector<Event> seen;
  bool has_times = true;
  const auto watched = model.run({.on_event = [&](const Event& event, const State& before, const State& after) {
    seen.push_back(event);
    has_times = has_times && before.t == after.t && (before.t == event.t || event.kind == "stop");
    return false;
  }});
  ASSERT_TRUE(watched);
  EXPECT_TRUE(has_times);
  const std::vector<Event> events = motion->events(), same = watched->events();
  ASSERT_EQ(seen.size(), events.size());
  ASSERT_EQ(same.size(), events.size());
  for (std::size_t i = 0; i < events.size(); ++i) {
    EXPECT_EQ(seen[i].t, events[i].t) << i;
    EXPECT_EQ(seen[i].kind + seen[i].where, events[i].kind + events[i].where) << i;
    EXPECT_EQ(seen[i].before, events[i].before) << i;
    EXPECT_EQ(seen[i].after, events[i].after) << i;
    EXPECT_EQ(same[i].t, events[i].t) << i;
  }
  EXPECT_TRUE(std::ranges::equal(motion->t(), watched->t()));
  EXPECT_EQ(motion->q().values, watched->q().values);
  EXPECT_EQ(motion->u().values, watched->u().values);
}

TEST_P(SavedSimulation, GoesOnWithTheSameBits) {
  const Model model = Model::load(GetParam(), {.backend = Backend::kTape}).value();
  const auto motion = model.run();
  if (!motion || motion->t().size() < 2) GTEST_SKIP() << "no motion";
  const double end = motion->provenance().until;
  const auto begin = [&] { return model.simulation(); };
  auto whole = begin();
  if (!whole) GTEST_SKIP() << whole.error().text();
  std::vector<std::vector<std::uint64_t>> states;
  std::vector<std::string> errors, saved{whole->save().value()};
  std::vector<Told> told_of_whole;
  whole->on_event([&](const Event& event, const State& before, const State& after) {
    told_of_whole.push_back(told(event, before, after));
    return false;
  });
  std::size_t told_at_save = 0;
  for (int k = 1; k <= kTicks; ++k) {
    errors.push_back(said(whole->advance(end * k / kTicks)));
    states.push_back(bits_of(whole->state()));
    if (k % 2 == 1) continue;
    // Every second saved state is continued in a simulation of its own.
    Simulation other = begin().value();
    ASSERT_TRUE(other.restore(saved.back())) << k;
    std::vector<Told> told_of_other;
    other.on_event([&](const Event& event, const State& before, const State& after) {
      told_of_other.push_back(told(event, before, after));
      (void)other.forces();  // evaluates without an effect on the motion
      (void)other.matrices();
      return false;
    });
    for (int i = k - 1; i <= k; ++i) {
      EXPECT_EQ(said(other.advance(end * i / kTicks)), errors[static_cast<std::size_t>(i - 1)]) << i;
      EXPECT_EQ(bits_of(other.state()), states[static_cast<std::size_t>(i - 1)]) << i;
      (void)other.forces();
    }
    EXPECT_EQ(told_of_other,
              std::vector(told_of_whole.begin() + static_cast<std::ptrdiff_t>(told_at_save), told_of_whole.end()))
        << k;
    told_at_save = told_of_whole.size();
    if (!errors.back().empty() || HasFailure()) break;
    EXPECT_EQ(other.save().value(), whole->save().value()) << k;
    saved.push_back(whole->save().value());
  }
}

INSTANTIATE_TEST_SUITE_P(OfModels, SavedSimulation, testing::ValuesIn(files_with_events()),
                         [](const auto& instance) { return instance.param.stem().string(); });

constexpr const char* kDriven = R"(model driven
param k = 4
coord q
input u = 1
lagrangian 0.5*q'^2 - 0.5*k*q^2
generalized force on q = u
state held every 0.1 = u
state count' = 0
event tick: every 0.25 set count = count + 1
event up: u = 2 rising set count = count + 100
start q = 1
run 10 tolerance 1e-11
)";

TEST(Inputs, OfASimulationHoldUntilTheNextValue) {
  const Model model = Model::from_text(kDriven).value();
  ASSERT_EQ(model.inputs().size(), 1u);
  EXPECT_EQ(model.inputs()[0].name, "u");
  Simulation simulation = model.simulation().value();
  const Simulation::Input u = simulation.input("u").value();
  double q = 1.0, v = 0.0, t = 0.0;
  for (const double value : {1.0, -0.5, 3.0, 0.0}) {
    ASSERT_TRUE(simulation.set_input(u, value));
    t += 0.3;
    ASSERT_TRUE(simulation.advance(t));
    const double rest = value / 4.0, c = std::cos(0.6), s = std::sin(0.6), from = q - rest;
    q = rest + from * c + v / 2.0 * s;
    v = -2.0 * from * s + v * c;
    EXPECT_NEAR(simulation.state().q[0], q, 1e-9);
    EXPECT_NEAR(simulation.accelerations().value()[0], value - 4.0 * q, 1e-8);
  }
  const std::vector<double>& z = simulation.state().z;
  EXPECT_EQ(z.back(), 100.0 + 5.0) << "0, 0.25, …, 1 s, and once through 2";
  const auto wrong = simulation.set_input("w", 1.0);
  ASSERT_FALSE(wrong);
  EXPECT_NE(wrong.error().text().find("the model has no input `w`"), std::string::npos) << wrong.error().text();
  EXPECT_FALSE(simulation.set_input("u", std::nan("")));
  EXPECT_EQ(simulation.state().t, t);
}

/// An input that is set before the first step must give the same motion as the same value in the model text.
TEST(Inputs, BeforeTheStartAreAsStated) {
  std::string text = kDriven;
  Simulation given = Model::from_text(text).value().simulation().value();
  ASSERT_TRUE(given.set_input("u", 2.5));
  text.replace(text.find("input u = 1"), 11, "input u = 2.5");
  Simulation stated = Model::from_text(text).value().simulation().value();
  for (const double t : {0.1, 0.7, 2.0}) {
    ASSERT_TRUE(given.advance(t));
    ASSERT_TRUE(stated.advance(t));
    EXPECT_EQ(bits_of(given.state()), bits_of(stated.state()));
  }
}

TEST(Inputs, AreSavedWithASimulation) {
  const Model model = Model::from_text(kDriven).value();
  Simulation whole = model.simulation().value(), other = model.simulation().value();
  for (int k = 0; k < 20; ++k) {
    ASSERT_TRUE(whole.set_input("u", std::sin(k)));
    ASSERT_TRUE(whole.advance(0.05 * (k + 1)));
    if (k != 9) continue;
    ASSERT_TRUE(whole.set_input("u", 7.0));  // saved after the input is set and before the next step
    ASSERT_TRUE(other.restore(whole.save().value()));
  }
  for (int k = 10; k < 20; ++k) {
    ASSERT_TRUE(other.set_input("u", std::sin(k)));
    ASSERT_TRUE(other.advance(0.05 * (k + 1)));
  }
  EXPECT_EQ(bits_of(other.state()), bits_of(whole.state()));
  EXPECT_EQ(other.save().value(), whole.save().value());
}

TEST(SavedSimulation, IsRefusedByAnotherModel) {
  const Model model = Model::from_text(kDriven).value();
  Simulation simulation = model.simulation().value();
  ASSERT_TRUE(simulation.advance(1.0));
  const std::string saved = simulation.save().value();
  Simulation softer = model.with({{"k", 1.0}}).value().simulation().value();
  EXPECT_FALSE(softer.restore(saved));
  EXPECT_EQ(softer.state().t, 0.0);
  std::string damaged = saved;
  damaged[damaged.size() - 20] ^= 1;
  EXPECT_FALSE(simulation.restore(damaged));
  EXPECT_FALSE(simulation.restore(saved.substr(0, saved.size() / 2)));
  EXPECT_FALSE(simulation.restore("nothing"));
  EXPECT_EQ(simulation.state().t, 1.0);
  EXPECT_TRUE(simulation.restore(saved));
}

/// If a parameter changes at the instant of a sample, the events of this instant are not repeated.
TEST(Simulation, RepeatsNoEventWhenAParameterChanges) {
  Simulation simulation = Model::from_text(kDriven).value().simulation().value();
  ASSERT_TRUE(simulation.advance(0.5));
  ASSERT_TRUE(simulation.set({{"k", 5.0}}));
  ASSERT_TRUE(simulation.advance(0.6));
  EXPECT_EQ(simulation.state().z.back(), 3.0);
}

}  // namespace saved_simulation_test
}  // namespace vinculum
