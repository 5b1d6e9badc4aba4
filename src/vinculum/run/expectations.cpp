#include "vinculum/run/expectations.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "vinculum/base/tolerance.hpp"
#include "vinculum/model/unit_texts.hpp"

namespace vinculum::sim {
namespace {

using model::Expectation;
using Shape = ExpectationColumns::Shape;

std::vector<double> piece(const Vector& all, int first, int count) {
  return {all.data() + first, all.data() + first + count};
}

/// Writes SI values as numbers in a unit, followed by the unit.
std::string numbers(std::vector<double> values, const UnitText& unit) {
  for (double& value : values) value /= unit.scale;
  const std::string behind = unit.shown.empty() ? "" : " " + unit.shown;
  if (values.size() == 1) return fmt::format("{:.15g}{}", values.front(), behind);
  return fmt::format("[{:.15g}]{}", fmt::join(values, ", "), behind);
}

/// Whether a comparison is stored with its number first although it was written with the number last: `x > 1` is stored
/// as 1 < x.
bool is_turned(const model::Term& comparison) { return comparison.operand(0).is_number(); }

const char* relation(const model::Term& comparison) {
  switch (comparison.op()) {
    case expr::Op::kLess: return is_turned(comparison) ? ">" : "<";
    case expr::Op::kLessEqual: return is_turned(comparison) ? ">=" : "<=";
    case expr::Op::kNotEqual: return "!=";
    default: return "==";
  }
}

/// Returns the reason shown for an expectation that was judged and failed.
std::string reason_of(const model::Model& model, const Expectation& expectation, Shape shape,
                      const ExpectationResult& result) {
  const model::Term left = expectation.left;
  if (shape == Shape::kEquality) {
    const UnitText unit =
        model::unit_of_value(model, left.is_number() ? expectation.right : left, expectation.dimension);
    const std::string behind = unit.shown.empty() ? "" : " " + unit.shown;
    return fmt::format("found {} instead of {}, off by {:.3g}{} (allowed: {:.3g}{}) at t = {:.9g} s",
                       numbers(result.value, unit), numbers(result.expected, unit), result.deviation / unit.scale,
                       behind, expectation.tolerance / unit.scale, behind, result.t);
  }
  if (shape == Shape::kComparison) {
    std::optional<UnitText> unit = model::unit_of_variable(model, left.operand(0));
    if (!unit) unit = model::unit_of_variable(model, left.operand(1));
    return fmt::format("{} is not {} {} at t = {:.9g} s", numbers(result.value, unit.value_or(UnitText())),
                       relation(left), numbers(result.expected, unit.value_or(UnitText())), result.t);
  }
  return fmt::format("is not true at t = {:.9g} s", result.t);
}

ExpectationResult judge_stop(const Expectation& expectation, const Trajectory& trajectory) {
  ExpectationResult result{expectation.text, expectation.range};
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

bool is_stop_expected(const model::Model& model, const Failure& stopped) {
  return std::ranges::any_of(model.expectations, [&stopped](const Expectation& expectation) {
    return expectation.when == Expectation::When::kStop && expectation.stop_kind == failure_info(stopped.kind).name;
  });
}

ExpectationCheck::ExpectationCheck(std::shared_ptr<const Binding> bound, double run_tolerance)
    : bound_(std::move(bound)), run_tolerance_(run_tolerance), always_(bound_->compiled->model->expectations.size()) {}

std::vector<double> ExpectationCheck::times() const {
  std::vector<double> times;
  for (const Expectation& expectation : bound_->compiled->model->expectations) {
    if (expectation.when == Expectation::When::kAt) times.push_back(expectation.time);
  }
  return times;
}

Sink::Wants ExpectationCheck::wants() const {
  const auto is_always = [](const Expectation& e) { return e.when == Expectation::When::kAlways; };
  return {.states = std::ranges::any_of(bound_->compiled->model->expectations, is_always)};
}

/// Computes the deviation of the expectation at a state. The expectation fails if the deviation exceeds its tolerance
/// (0 for conditions).
ExpectationResult ExpectationCheck::look(std::size_t index, const Sample& sample) const {
  const Expectation& expectation = bound_->compiled->model->expectations[index];
  const ExpectationColumns& columns = bound_->compiled->expectation_columns[index];
  ExpectationResult result{expectation.text, expectation.range};
  result.evaluated = true;
  result.t = sample.t;
  const Vector& all = sample.expectations;
  switch (columns.shape) {
    case Shape::kNone: break;
    case Shape::kEquality:
      result.value = piece(all, columns.first, columns.count);
      result.expected = piece(all, columns.first + columns.count, columns.count);
      for (int i = 0; i < columns.count; ++i) {
        const double miss = std::abs(all[columns.first + i] - all[columns.first + columns.count + i]);
        if (!(miss <= result.deviation)) result.deviation = miss;  // NaN counts as the largest deviation
      }
      break;
    case Shape::kComparison: {
      result.value = {all[columns.first + 1]};
      result.expected = {all[columns.first + 2]};
      if (is_turned(expectation.left)) std::swap(result.value, result.expected);
      const double passed_by = std::abs(result.value[0] - result.expected[0]);
      result.deviation = all[columns.first] != 0.0 ? -passed_by : passed_by;
      // A condition that is false with both sides equal, as x < x, must still count as failed, so its deviation is made
      // > 0.
      if (all[columns.first] == 0.0 && !(result.deviation > 0.0)) result.deviation = std::numeric_limits<double>::min();
      if (std::isnan(passed_by)) result.deviation = passed_by;
      break;
    }
    case Shape::kCondition:
      result.deviation = all[columns.first] != 0.0 && !std::isnan(all[columns.first]) ? 0.0 : 1.0;
      break;
  }
  if (std::isnan(result.deviation)) result.deviation = std::numeric_limits<double>::infinity();
  return result;
}

bool ExpectationCheck::is_met_within_accuracy(std::size_t index, const Sample& sample, const SampleSizes& sizes) const {
  const ExpectationColumns& columns = bound_->compiled->expectation_columns[index];
  if (columns.shape != Shape::kComparison && columns.shape != Shape::kCondition) return false;
  const expr::Expr condition = bound_->compiled->expectation_values[static_cast<std::size_t>(columns.first)];
  return holds_within_accuracy(*bound_, condition, sample, sizes, run_tolerance_);
}

void ExpectationCheck::state(const Sample& sample) {
  if (!sizes_) sizes_ = typical_sizes(*bound_, sample);
  sizes_->raise(sample);
  const auto& expectations = bound_->compiled->model->expectations;
  for (std::size_t i = 0; i < expectations.size(); ++i) {
    if (expectations[i].when != Expectation::When::kAlways) continue;
    ExpectationResult found = look(i, sample);
    const bool is_worst = !always_[i].evaluated || found.deviation > always_[i].deviation;
    if (is_worst && found.deviation > 0.0 && is_met_within_accuracy(i, sample, *sizes_)) found.deviation = 0.0;
    if (is_worst) always_[i] = std::move(found);
  }
}

/// Returns the result at the instant at which the expectation is to be judged; not evaluated if the run did not reach
/// that instant.
ExpectationResult ExpectationCheck::found(std::size_t index, const Trajectory& trajectory, bool is_complete) const {
  const Expectation& expectation = bound_->compiled->model->expectations[index];
  const auto at = [&](const Sample& sample) {
    if (sample.expectations.size() == 0) return ExpectationResult{expectation.text, expectation.range};
    ExpectationResult result = look(index, sample);
    if (!(result.deviation > 0.0)) return result;
    SampleSizes sizes = typical_sizes(*bound_, trajectory.start());
    for (const Sample& other : trajectory.samples) sizes.raise(other);
    if (is_met_within_accuracy(index, sample, sizes)) result.deviation = 0.0;
    return result;
  };
  if (expectation.when == Expectation::When::kAlways && always_[index].evaluated) return always_[index];
  if (!trajectory.samples.empty()) {
    if (expectation.when == Expectation::When::kStart) return at(trajectory.start());
    if (expectation.when == Expectation::When::kEnd && is_complete) return at(trajectory.end());
  }
  for (const Sample& sample : trajectory.asked) {
    if (expectation.when != Expectation::When::kAt) break;
    const double span = std::max(std::abs(expectation.time), trajectory.end().t - trajectory.start().t);
    if (std::abs(sample.t - expectation.time) <= tolerance::kSameTime * span) return at(sample);
  }
  return {expectation.text, expectation.range};
}

std::vector<ExpectationResult> ExpectationCheck::finish(const Trajectory& trajectory) const {
  const model::Model& model = *bound_->compiled->model;
  const auto& stopped = trajectory.stopped;
  const bool is_complete = !stopped || is_stated_end(stopped->kind) || is_stop_expected(model, *stopped);
  std::vector<ExpectationResult> results;
  for (std::size_t i = 0; i < model.expectations.size(); ++i) {
    const Expectation& expectation = model.expectations[i];
    if (expectation.when == Expectation::When::kStop) {
      results.push_back(judge_stop(expectation, trajectory));
      continue;
    }
    ExpectationResult& result = results.emplace_back(found(i, trajectory, is_complete));
    const Shape shape = bound_->compiled->expectation_columns[i].shape;
    const double allowed = shape == Shape::kEquality ? expectation.tolerance : 0.0;
    result.passed = result.evaluated && result.deviation <= allowed;
    if (!result.evaluated) {
      result.note = !stopped ? "its time is outside the run"
                             : fmt::format("the run ended before with {} at t = {:.9g} s: {}",
                                           failure_info(stopped->kind).name, stopped->t, stopped->message);
    } else if (!result.passed) {
      result.note = reason_of(model, expectation, shape, result);
    } else if (expectation.when == Expectation::When::kAlways && !is_complete) {
      result.passed = false;
      result.note = fmt::format("it was true until the run ended early with {} at t = {:.9g} s",
                                failure_info(stopped->kind).name, stopped->t);
    }
  }
  return results;
}

CheckedRun run_with_expectations(Dynamics& dynamics, SimulateOptions options) {
  ExpectationCheck check(dynamics.shared_binding(), options.tolerance);
  for (const double time : check.times()) options.sample_times.push_back(time);
  options.sinks.push_back(&check);
  Trajectory trajectory = simulate(dynamics, options);
  auto results = check.finish(trajectory);
  return {std::move(trajectory), std::move(results)};
}

}  // namespace vinculum::sim
