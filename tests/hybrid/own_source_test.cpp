// An event source that the calling program defines, and that changes a discrete variable.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/models.hpp"
#include "vinculum/run/simulate.hpp"

namespace vinculum::sim {
namespace own_source_test {

using integrate::Action;
using integrate::Direction;

SimulateOptions run_of(double duration) {
  SimulateOptions options;
  options.duration = duration;
  options.tolerance = 1e-11;
  return options;
}

/// A thermostat whose heater is switched by an event. A discrete variable is a state with rate 0.
class Thermostat final : public EventSource {
 public:
  Outcome<void> check(const integrate::Step& step, std::vector<Found>& found) override {
    const bool is_on = step.y_begin()[kHeater] > 0.0;
    const auto margin_of = [&](const Vector& y) { return is_on ? kHot - y[kWarmth] : y[kWarmth] - kCold; };
    const double at_begin = margin_of(step.y_begin()), at_end = margin_of(step.y_end());
    if (integrate::passage(at_begin, at_end, Direction::kFalling) == 0) return {};
    Vector y;
    const auto margin = [&](double t) -> Outcome<double> {
      if (auto done = step.interpolate(t, y); !done) return fail(done.error());
      return margin_of(y);
    };
    const auto crossing = integrate::find_crossing(margin, step.t_begin(), at_begin, step.t_end(), at_end, 0.0);
    found.push_back({crossing.after, Action::kChange});
    return {};
  }
  Outcome<void> pass(const Found& found, Transition& to) override {
    to.y[kHeater] = to.y[kHeater] > 0.0 ? 0.0 : 1.0;
    to.events.push_back(Mark{found.t, to.y[kHeater] > 0.0 ? "on" : "off"});
    return {};
  }
  static constexpr double kHot = 2.0, kCold = 1.0;
  static constexpr int kWarmth = 2, kHeater = 3;
};

/// T' = 3 h − T between T = 1 and 2. T = 3 − 2 e^−t up to t = ln 2, then T = 2 e^−t for the same time, and so on.
TEST(OwnSource, SetsADiscreteVariable) {
  const auto model = test_support::model_of_text(
      "model m\nframe N newtonian\npoint O fixed in N\ncoord x\nparticle P mass 1 at O + x*N.x\nstate T' = 3*h - "
      "T\nstate h' = 0\nstart T = 1, h = 1\nrun 5\n");
  Dynamics dynamics(test_support::compiled(model));
  SimulateOptions options = run_of(5.0);
  options.sources.push_back({"thermostat", [](const Watched&) { return std::make_unique<Thermostat>(); }});
  const Trajectory run = simulate(dynamics, options);
  EXPECT_FALSE(run.stopped) << run.stopped->message;
  const double half = std::log(2.0);
  const auto marks = run.all<Mark>();
  ASSERT_EQ(marks.size(), 7u);
  for (std::size_t k = 0; k < marks.size(); ++k) {
    EXPECT_NEAR(marks[k].t, half * static_cast<double>(k + 1), 1e-9);
    EXPECT_EQ(marks[k].event, k % 2 == 0 ? "off" : "on");
  }
  for (const Sample& sample : run.samples) {
    const double cycle = std::fmod(sample.t, 2.0 * half);
    if (std::min({cycle, std::abs(cycle - half), 2.0 * half - cycle}) < 1e-6) continue;
    EXPECT_EQ(sample.z[1], cycle < half ? 1.0 : 0.0) << sample.t;
    EXPECT_NEAR(sample.z[0], cycle < half ? 3.0 - 2.0 * std::exp(-cycle) : 2.0 * std::exp(half - cycle), 1e-8);
  }
}

}  // namespace own_source_test
}  // namespace vinculum::sim
