#include <cmath>
#include <nlohmann/json.hpp>

#include "vinculum/out/report/columns.hpp"
#include "vinculum/out/report/failure_report.hpp"
#include "vinculum/out/report/run_report.hpp"

namespace vinculum::out {
namespace {

using Json = nlohmann::ordered_json;

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

// null where the vector has no such entry: a sample that is not complete has nothing to show there.
Json entry(const Vector& values, int index) { return index < values.size() ? number(values[index]) : Json(nullptr); }

Json state_of(const sim::CompiledModel& compiled, const sim::Sample& sample) {
  Json state = Json::object();
  for (int i = 0; i < compiled.nq(); ++i) {
    state[compiled.model->coordinates[static_cast<std::size_t>(i)].name] = entry(sample.q, i);
  }
  for (int i = 0; i < compiled.nu(); ++i) {
    state[compiled.model->speeds[static_cast<std::size_t>(i)].name] = entry(sample.u, i);
  }
  for (int i = 0; i < compiled.nz(); ++i) {
    state[compiled.system->z_names[static_cast<std::size_t>(i)]] = entry(sample.z, i);
  }
  return state;
}

Json outputs_of(const sim::CompiledModel& compiled, const sim::Sample& sample) {
  Json outputs = Json::object();
  for (std::size_t i = 0; i < compiled.model->outputs.size(); ++i) {
    const auto [first, count] = compiled.output_columns[i];
    const mechanics::Output& output = compiled.model->outputs[i];
    if (count == 1 && output.value.is_valid()) {
      outputs[output.name] = entry(sample.outputs, first);
      continue;
    }
    Json values = Json::array();
    for (int k = 0; k < count; ++k) values.push_back(entry(sample.outputs, first + k));
    outputs[output.name] = std::move(values);
  }
  return outputs;
}

Json residuals_of(const sim::CompiledModel& compiled, const sim::Trajectory& trajectory) {
  Json residuals = Json::object();
  const bool has_motion = !trajectory.samples.empty();
  for (std::size_t i = 0; i < compiled.model->constraints.size(); ++i) {
    residuals[compiled.model->constraints[i].name] =
        has_motion ? entry(trajectory.worst_residual, static_cast<int>(i)) : Json(nullptr);
  }
  return residuals;
}

Json not_unique_of(const sim::CompiledModel& compiled, const sim::Sample& sample) {
  Json names = Json::array();
  for (std::size_t i = 0; i < sample.output_unique.size(); ++i) {
    if (!sample.output_unique[i]) names.push_back(compiled.model->outputs[i].name);
  }
  return names;
}

Json friction_of(const sim::CompiledModel& compiled, const sim::Trajectory& trajectory) {
  using To = sim::FrictionChange::To;
  Json changes = Json::array();
  for (const sim::FrictionChange& change : trajectory.friction_changes) {
    changes.push_back({{"t", number(change.t)},
                       {"constraint", compiled.model->constraint(change.constraint).name},
                       {"to", change.to == To::kSticks   ? "sticks"
                              : change.to == To::kSlides ? "slides"
                                                         : "slides on"}});
  }
  return changes;
}

Json stopped_of(const sim::CompiledModel& compiled, const sim::Trajectory& trajectory) {
  if (!trajectory.stopped) return nullptr;
  const Failure& failure = *trajectory.stopped;
  return {{"kind", failure_info(failure.kind).name},
          {"message", failure.message},
          {"t", number(failure.t)},
          {"where", failure_where(*compiled.model, compiled.system.get(), failure)}};
}

}  // namespace

std::string run_json(const sim::CompiledModel& compiled, const sim::Trajectory& trajectory, const StageSeconds& seconds,
                     bool with_samples) {
  Json result = Json::object();
  result["model"] = compiled.model->name;
  const bool has_motion = !trajectory.samples.empty();
  result["t"] = has_motion ? number(trajectory.end().t) : Json(nullptr);
  result["state"] = has_motion ? state_of(compiled, trajectory.end()) : Json::object();
  result["outputs"] = has_motion ? outputs_of(compiled, trajectory.end()) : Json::object();
  result["residuals"] = residuals_of(compiled, trajectory);
  result["not_unique"] = has_motion ? not_unique_of(compiled, trajectory.end()) : Json::array();
  result["friction"] = friction_of(compiled, trajectory);
  result["steps"] = trajectory.statistics.steps;
  result["rejected"] = trajectory.statistics.rejected;
  result["seconds"] = {{"parse", seconds.parse},
                       {"derive", seconds.derive},
                       {"compile", seconds.compile},
                       {"simulate", seconds.simulate}};
  result["backend"] = codegen::to_string(compiled.report.backend);
  result["stopped"] = stopped_of(compiled, trajectory);
  if (with_samples) {
    Json samples = Json::array();
    for (const sim::Sample& sample : trajectory.asked) {
      samples.push_back(
          {{"t", number(sample.t)}, {"state", state_of(compiled, sample)}, {"outputs", outputs_of(compiled, sample)}});
    }
    result["samples"] = std::move(samples);
  }
  return result.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace vinculum::out
