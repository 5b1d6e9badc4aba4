#include "vinculum/sim/run/expectations.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace vinculum::sim {
namespace {

using mechanics::Expectation;
using Shape = ExpectationColumns::Shape;

constexpr double kSameInstant = 1e-12;

std::vector<double> piece(const Vector& all, int first, int count) {
  return {all.data() + first, all.data() + first + count};
}

const Expectation* stop_expected(const mechanics::Model& model) {
  for (const Expectation& expectation : model.expectations) {
    if (expectation.when == Expectation::When::kStop) return &expectation;
  }
  return nullptr;
}

ExpectationResult result_of(const Expectation& expectation) {
  ExpectationResult result;
  result.text = expectation.text;
  result.range = expectation.range;
  return result;
}

std::string numbers(const std::vector<double>& values) {
  if (values.size() == 1) return fmt::format("{:.15g}", values.front());
  return fmt::format("[{:.15g}]", fmt::join(values, ", "));
}

/// `x > 1` is stored as 1 < x.
bool is_turned(const mechanics::Term& comparison) { return comparison.operand(0).is_number(); }

const char* relation(const mechanics::Term& comparison) {
  switch (comparison.op()) {
    case expr::Op::kLess: return is_turned(comparison) ? ">" : "<";
    case expr::Op::kLessEqual: return is_turned(comparison) ? ">=" : "<=";
    case expr::Op::kNotEqual: return "!=";
    default: return "==";
  }
}

/// What is wrong with a judged expectation that failed.
std::string reason_of(const Expectation& expectation, Shape shape, const ExpectationResult& result) {
  if (shape == Shape::kEquality) {
    return fmt::format("found {} in place of {}, off by {:.3g} at t = {:.9g} s", numbers(result.value),
                       numbers(result.expected), result.deviation, result.t);
  }
  if (shape == Shape::kComparison) {
    return fmt::format("{} is not {} {} at t = {:.9g} s", numbers(result.value), relation(expectation.left),
                       numbers(result.expected), result.t);
  }
  return fmt::format("does not hold at t = {:.9g} s", result.t);
}

ExpectationResult judge_stop(const Expectation& expectation, const Trajectory& trajectory) {
  ExpectationResult result = result_of(expectation);
  result.evaluated = true;
  if (!trajectory.stopped) {
    result.note = "the run reached its end";
    return result;
  }
  const Failure& stopped = *trajectory.stopped;
  const std::string kind(failure_info(stopped.kind).name);
  result.t = stopped.t;
  if (kind != expectation.stop_kind) {
    result.note = fmt::format("the run ended with {} at t = {:.9g} s: {}", kind, stopped.t, stopped.message);
    return result;
  }
  result.passed = true;
  if (expectation.has_time) {
    result.value = {stopped.t};
    result.expected = {expectation.time};
    result.deviation = std::abs(stopped.t - expectation.time);
    result.passed = result.deviation <= expectation.tolerance;
    if (!result.passed)
      result.note = fmt::format("the run ended {:.3g} s away from the time expected", result.deviation);
  }
  return result;
}

}  // namespace

ExpectationCheck::ExpectationCheck(std::shared_ptr<const CompiledModel> compiled)
    : compiled_(std::move(compiled)), always_(compiled_->model->expectations.size()) {}

std::vector<double> ExpectationCheck::times() const {
  std::vector<double> times;
  for (const Expectation& expectation : compiled_->model->expectations) {
    if (expectation.when == Expectation::When::kAt) times.push_back(expectation.time);
  }
  return times;
}

bool ExpectationCheck::needs_every_state() const {
  const auto& all = compiled_->model->expectations;
  return std::any_of(all.begin(), all.end(), [](const Expectation& e) { return e.when == Expectation::When::kAlways; });
}

/// By how much the expectation deviates at a state; `deviation` > tolerance, or above 0 for conditions, is a failure.
ExpectationCheck::State ExpectationCheck::judge(std::size_t index, const Sample& sample) const {
  const ExpectationColumns& columns = compiled_->expectation_columns[index];
  State state{true, 0.0, sample.t, {}, {}};
  const Vector& all = sample.expectations;
  switch (columns.shape) {
    case Shape::kNone: break;
    case Shape::kEquality:
      state.value = piece(all, columns.first, columns.count);
      state.expected = piece(all, columns.first + columns.count, columns.count);
      for (int i = 0; i < columns.count; ++i) {
        const double miss = std::abs(all[columns.first + i] - all[columns.first + columns.count + i]);
        if (!(miss <= state.deviation)) state.deviation = miss;  // a NaN deviates most
      }
      break;
    case Shape::kComparison: {
      state.value = {all[columns.first + 1]};
      state.expected = {all[columns.first + 2]};
      if (is_turned(compiled_->model->expectations[index].left)) std::swap(state.value, state.expected);
      const double passed_by = std::abs(state.value[0] - state.expected[0]);
      state.deviation = all[columns.first] != 0.0 ? -passed_by : passed_by;
      // A condition that fails with both sides equal, as x < x, still fails.
      if (all[columns.first] == 0.0 && !(state.deviation > 0.0)) state.deviation = std::numeric_limits<double>::min();
      if (std::isnan(passed_by)) state.deviation = std::numeric_limits<double>::infinity();
      break;
    }
    case Shape::kCondition:
      state.deviation = all[columns.first] != 0.0 && !std::isnan(all[columns.first]) ? 0.0 : 1.0;
      break;
  }
  if (std::isnan(state.deviation)) state.deviation = std::numeric_limits<double>::infinity();
  return state;
}

void ExpectationCheck::observe(const Sample& sample) {
  const auto& expectations = compiled_->model->expectations;
  for (std::size_t i = 0; i < expectations.size(); ++i) {
    if (expectations[i].when != Expectation::When::kAlways) continue;
    State state = judge(i, sample);
    if (!always_[i].seen || state.deviation > always_[i].deviation) always_[i] = std::move(state);
  }
}

std::vector<ExpectationResult> ExpectationCheck::finish(const Trajectory& trajectory) const {
  const mechanics::Model& model = *compiled_->model;
  const Expectation* const expected_stop = stop_expected(model);
  const bool stopped_as_expected = trajectory.stopped && expected_stop != nullptr &&
                                   failure_info(trajectory.stopped->kind).name == expected_stop->stop_kind;
  const bool is_complete = !trajectory.stopped || stopped_as_expected;
  const auto why_not = [&] {
    return fmt::format("the run ended before with {} at t = {:.9g} s: {}", failure_info(trajectory.stopped->kind).name,
                       trajectory.stopped->t, trajectory.stopped->message);
  };

  std::vector<ExpectationResult> results;
  for (std::size_t i = 0; i < model.expectations.size(); ++i) {
    const Expectation& expectation = model.expectations[i];
    if (expectation.when == Expectation::When::kStop) {
      results.push_back(judge_stop(expectation, trajectory));
      continue;
    }
    ExpectationResult result = result_of(expectation);
    std::optional<State> state;
    const auto judge_sample = [&](const Sample& sample) {
      if (sample.expectations.size() > 0) state = judge(i, sample);
    };
    switch (expectation.when) {
      case Expectation::When::kStart:
        if (!trajectory.samples.empty()) judge_sample(trajectory.samples.front());
        break;
      case Expectation::When::kEnd:
        if (is_complete && !trajectory.samples.empty()) judge_sample(trajectory.samples.back());
        break;
      case Expectation::When::kAt:
        for (const Sample& sample : trajectory.asked) {
          const double span = std::max(std::abs(expectation.time), trajectory.end().t - trajectory.start().t);
          if (!state && std::abs(sample.t - expectation.time) <= kSameInstant * span) judge_sample(sample);
        }
        break;
      case Expectation::When::kAlways:
        if (always_[i].seen) state = always_[i];
        break;
      case Expectation::When::kStop: break;
    }
    if (!state) {
      result.note = trajectory.stopped ? why_not() : "its time lies outside the run";
      results.push_back(std::move(result));
      continue;
    }
    result.evaluated = true;
    result.value = state->value;
    result.expected = state->expected;
    result.deviation = state->deviation;
    result.t = state->t;
    const Shape shape = compiled_->expectation_columns[i].shape;
    result.passed = shape == Shape::kEquality ? state->deviation <= expectation.tolerance : state->deviation <= 0.0;
    if (!result.passed) {
      result.note = reason_of(expectation, shape, result);
    } else if (expectation.when == Expectation::When::kAlways && !is_complete) {
      result.passed = false;
      result.note = fmt::format("it held as far as the run went, which ended early with {} at t = {:.9g} s",
                                failure_info(trajectory.stopped->kind).name, trajectory.stopped->t);
    }
    results.push_back(std::move(result));
  }
  return results;
}

CheckedRun run_with_expectations(Dynamics& dynamics, SimulateOptions options) {
  ExpectationCheck check(dynamics.shared_compiled());
  for (const double time : check.times()) options.sample_times.push_back(time);
  if (check.needs_every_state()) {
    options.on_state = [&check, also = options.on_state](const Sample& sample) {
      check.observe(sample);
      if (also) also(sample);
    };
  }
  Trajectory trajectory = simulate(dynamics, options);
  auto results = check.finish(trajectory);
  return {std::move(trajectory), std::move(results)};
}

}  // namespace vinculum::sim
