// Features that are short, thin or late are met within the tolerance, at whatever time or position they are.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <set>
#include <span>

#include "hybrid/places.hpp"
#include "hybrid/slips.hpp"
#include "hybrid/times.hpp"
#include "support/models.hpp"
#include "vinculum/base/failure.hpp"
#include "vinculum/run/simulate.hpp"
#include "vinculum/verify/accounts/side_account.hpp"

namespace vinculum::hybrid {
namespace promise_test {

constexpr double kTolerances[] = {1e-4, 1e-6, 1e-8, 1e-10, 1e-12};
constexpr double kRight = 30.0;  // permitted error in tolerances
constexpr double kRounding = 1e-11;
constexpr long kMostSteps = 10'000;

Cases all_cases() {
  Cases all = cases_in_time();
  for (Case& one : cases_in_space()) all.push_back(std::move(one));
  for (Case& one : cases_of_slips()) all.push_back(std::move(one));
  return all;
}

sim::SimulateOptions options_for(const Meeting& meeting, double tolerance) {
  sim::SimulateOptions options;
  options.duration = meeting.duration;
  options.output_step = meeting.duration;
  options.tolerance = tolerance;
  options.is_interrupted = [steps = 0L]() mutable { return ++steps > kMostSteps; };
  return options;
}

double value_of(const Wanted& wanted, const sim::Sample& sample) {
  switch (wanted.of) {
    case Wanted::Of::kCoordinate: return sample.q[wanted.index];
    case Wanted::Of::kSpeed: return sample.u[wanted.index];
    case Wanted::Of::kState: break;
  }
  return sample.z[wanted.index];
}

/// Largest error in units of the permitted error; infinite if the run ended in a wrong way.
double error_of(const Meeting& meeting, const sim::Trajectory& run, double tolerance) {
  constexpr double kNever = std::numeric_limits<double>::infinity();
  // If the tolerance is smaller than the resolution of time for a short feature, the run may be slow or end with a
  // named failure. But its result must not be wrong.
  const bool may_end = tolerance < meeting.digits_of_time();
  const bool is_too_small = run.stopped && run.stopped->kind == FailureKind::kStepTooSmall;
  if (may_end && (run.is_interrupted || is_too_small)) return 0.0;
  if (meeting.stops.empty() == run.stopped.has_value() || run.is_interrupted) return kNever;
  if (run.stopped) {
    const bool is_named = failure_info(run.stopped->kind).name == meeting.stops;
    return is_named ? std::abs(run.stopped->t - meeting.stops_at) / (tolerance * meeting.duration) / kRight : kNever;
  }
  double worst = 0.0;
  for (const Wanted& one : meeting.wanted) {
    const double error = std::abs(value_of(one, run.end()) - one.value);
    worst = std::max(
        worst,
        error / ((kRight * tolerance + kRounding) * meeting.sensitivity + meeting.digits_of_time() + meeting.rounding) /
            one.reach);
    if (std::isnan(error)) return kNever;
  }
  return worst;
}

/// Whether the distances of the motion from the regions in force, and its excess over conditions of friction, stay
/// within their limits (theory.md §10.5).
bool lies_on_its_sides(const sim::Trajectory& run, const std::optional<sim::SideBalance>& sides) {
  if (run.stopped || run.looking.not_proven > 0 || !sides) return true;
  const auto holds = [](const sim::SideBalance::Miss& miss) { return miss.residual <= miss.limit; };
  return std::ranges::all_of(sides->on_sides, holds) && std::ranges::all_of(sides->as_stated, holds) &&
         std::ranges::all_of(sides->slides, holds);
}

std::string told(const Meeting& meeting, const sim::Trajectory& run) {
  std::string text = meeting.text;
  if (run.is_interrupted) return text + fmt::format("interrupted at {}\n", run.end().t);
  if (run.stopped) return text + fmt::format("stopped at {}: {}\n", run.stopped->t, run.stopped->message);
  for (const Wanted& one : meeting.wanted)
    text += fmt::format("# {:.12g} for {:.12g}, of {:.3g}\n", value_of(one, run.end()), one.value, one.reach);
  return text;
}

/// Draws `draws` variants of a case, and runs each at all tolerances.
void meet(const Case& one, int draws, std::span<const double> tolerances) {
  int wrong = 0;
  double worst = 0.0;  // in units of the permitted error
  for (int i = 0; i < draws; ++i) {
    Draw draw(static_cast<unsigned>(i) + 1U);
    const Meeting meeting = one.draw(draw);
    const auto bound = test_support::compiled(test_support::model_of_text(meeting.text));
    for (const double tolerance : tolerances) {
      sim::Dynamics dynamics(bound);
      std::optional<sim::SideBalance> sides, before;
      sim::SideAccount account(sides, before);
      sim::SimulateOptions options = options_for(meeting, tolerance);
      options.sinks.push_back(&account);
      const sim::Trajectory run = sim::simulate(dynamics, options);
      EXPECT_TRUE(lies_on_its_sides(run, sides)) << one.name << " at " << tolerance << ", draw " << i;
      const double error = error_of(meeting, run, tolerance);
      worst = std::max(worst, error);
      if (error <= 1.0) continue;
      if (wrong++ == 0)
        ADD_FAILURE() << one.name << " at " << tolerance << ", draw " << i << "\n" << told(meeting, run);
    }
  }
  EXPECT_EQ(wrong, 0) << one.name;
  ::testing::Test::RecordProperty("worst", fmt::format("{:.2g}", worst));
}

class Promise : public ::testing::TestWithParam<Case> {};

TEST_P(Promise, ShiftedALittle) {
  constexpr double kTwo[] = {1e-6, 1e-10};
  meet(GetParam(), 3, kTwo);
}

TEST_P(Promise, ShiftedAHundredTimes) { meet(GetParam(), 100, kTolerances); }

INSTANTIATE_TEST_SUITE_P(Cases, Promise, ::testing::ValuesIn(all_cases()), [](const auto& one) {
  std::string name = one.param.name;
  std::ranges::replace_if(name, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
  return name;
});

/// 300 slips; if one is missed, the distance changes by 1/300.
TEST(Creeping, MakesEverySlipOfThreeHundred) {
  constexpr double kFine[] = {1e-10};
  meet(creeping(300, 0.02), 1, kFine);
  constexpr double kBoth[] = {1e-6, 1e-10};
  for (const double width : {0.1, 1e-2, 1e-4}) {
    for (const char* statement : {"load", "clause"}) meet(slipping(statement, width, 300), 1, kBoth);
  }
}

/// Without enclosure checks, steps skip most of the cases.
TEST(Passing, IsOfWhatStepsAlonePassBy) {
  std::set<std::string> names;
  int passed_by = 0;
  for (const Case& one : all_cases()) {
    EXPECT_TRUE(names.insert(one.name).second) << one.name;
    bool is_wrong = false;
    for (unsigned i = 1; i <= 20 && !is_wrong; ++i) {
      Draw draw(i);
      const Meeting meeting = one.draw(draw);
      sim::Dynamics dynamics(test_support::compiled(test_support::model_of_text(meeting.text)));
      sim::SimulateOptions options = options_for(meeting, 1e-8);
      std::erase_if(options.sources, [](const sim::SourceRow& row) { return row.name == "switches"; });
      const sim::Trajectory run = sim::simulate(dynamics, options);
      is_wrong = !run.stopped && !(error_of(meeting, run, 1e-8) <= 1.0);
    }
    passed_by += is_wrong ? 1 : 0;
  }
  EXPECT_GE(passed_by, 60) << "of " << names.size();
}

}  // namespace promise_test
}  // namespace vinculum::hybrid
