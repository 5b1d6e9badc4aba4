// Writes the provenance of results into files, and reads it.
#include "vinculum/api/provenance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <ranges>

#include "vinculum/api/shared.hpp"

namespace vinculum {
namespace {

using ProvenanceJson = nlohmann::ordered_json;

/// \throws nlohmann::json::exception if a member is missing or has another type
FinishedRun finished_run(const ProvenanceJson& json) {
  FinishedRun run;
  const ProvenanceJson& from = json.at("provenance");
  Provenance& its = run.provenance;
  its.version = from.at("version");
  its.model = from.at("model");
  its.file = from.at("file");
  its.text_hash = from.at("text_hash");
  for (const auto& [name, value] : from.at("set").items()) its.set.emplace_back(name, value.get<std::string>());
  its.backend = from.at("backend");
  its.method = from.at("method");
  its.formulation = from.at("formulation");
  its.until = from.at("until");
  its.tolerance = from.at("tolerance");
  its.step = from.at("step");
  if (from.contains("start")) {
    const ProvenanceJson& start = from.at("start");
    its.start = State{start.at("t"), start.at("q"), start.at("u"), start.at("z")};
  }
  for (const auto& [name, value] : its.set) run.settings.set.emplace_back(name, value);
  if (from.contains("inputs")) {
    for (const ProvenanceJson& text : from.at("inputs")) {
      its.inputs.push_back(text.get<std::string>());
      const auto record = InputRecord::parse(its.inputs.back());
      run.options.inputs.push_back(record ? *record : InputRecord{its.inputs.back()});
    }
  }
  run.t = json.at("t");
  const ProvenanceJson& stopped = json.at("stopped");
  run.was_interrupted = !stopped.is_null() && stopped.at("kind") == "interrupted";
  run.options.start = its.start;
  run.options.until = run.was_interrupted ? run.t : its.until;
  run.options.tolerance = its.tolerance;
  run.options.method = its.method;
  run.options.formulation = find_formulation(its.formulation);
  if (its.step > 0.0) run.options.step = its.step;
  for (const auto& [name, value] : json.at("state").items())
    run.state.emplace_back(name, value.is_number() ? value.get<double>() : std::nan(""));
  return run;
}

}  // namespace

std::string Provenance::json() const { return report::to_json(provenance_node(*this)); }

report::Node provenance_node(const Provenance& provenance) {
  report::Node set = report::Node::object();
  for (const auto& [name, value] : provenance.set) set.add(name, value);
  report::Node all = report::Node::object({{"version", provenance.version},
                                           {"model", provenance.model},
                                           {"file", provenance.file},
                                           {"text_hash", provenance.text_hash},
                                           {"set", std::move(set)},
                                           {"backend", provenance.backend},
                                           {"method", provenance.method},
                                           {"formulation", provenance.formulation},
                                           {"until", provenance.until},
                                           {"tolerance", provenance.tolerance},
                                           {"step", provenance.step}});
  if (!provenance.inputs.empty()) {
    report::Node& inputs = all.add("inputs", report::Node::list());
    for (const std::string& input : provenance.inputs) inputs.add(input);
  }
  if (const auto& start = provenance.start)
    all.add("start", report::Node::object({{"t", start->t}, {"q", start->q}, {"u", start->u}, {"z", start->z}}));
  return all;
}

std::string provenance_line(const Provenance& provenance) {
  ProvenanceJson set = ProvenanceJson::object();
  for (const auto& [name, value] : provenance.set) set[name] = value;
  const ProvenanceJson line = {{"version", provenance.version},
                               {"model", provenance.model},
                               {"text_hash", provenance.text_hash},
                               {"set", std::move(set)}};
  return line.dump(-1, ' ', false, ProvenanceJson::error_handler_t::replace);
}

Result<FinishedRun> FinishedRun::read(const std::filesystem::path& folder) {
  const std::filesystem::path path = folder / "result.json";
  std::ifstream stream(path, std::ios::binary);
  if (!stream)
    return wrong_call(fmt::format("`{}` contains no results of a run: there is no result.json", folder.string()));
  try {
    const ProvenanceJson json = ProvenanceJson::parse(stream);
    if (!json.contains("provenance"))
      return wrong_call(fmt::format("`{}` does not say which model it comes from: run the model again", path.string()));
    return finished_run(json);
  } catch (const ProvenanceJson::exception&) {
    return wrong_call(fmt::format("`{}` is not a result of this version: run the model again", path.string()));
  }
}

Result<State> FinishedRun::end(const Model& model) const {
  const auto bound = model.shared_->compiled();  // only the equations determine which derivatives are states
  if (!bound) return Unexpected<Error>{bound.error()};
  State end{t, {}, {}, {}};
  std::size_t known = 0;
  const auto take = [&](const auto& names, std::vector<double>& values) -> Result<void> {
    for (const std::string& name : names) {
      const auto found = std::ranges::find(state, name, &std::pair<std::string, double>::first);
      if (found == state.end())
        return wrong_call(
            fmt::format("the results have no `{}`, which is part of the state of `{}`", name, model.name()));
      if (std::isnan(found->second)) return wrong_call(fmt::format("the results have no value of `{}`", name));
      values.push_back(found->second);
      ++known;
    }
    return {};
  };
  auto done = take(model.coordinates() | std::views::transform(&Entity::name), end.q);
  if (done) done = take(model.speeds() | std::views::transform(&Entity::name), end.u);
  if (done) done = take((*bound)->compiled->system->z_names, end.z);
  if (!done) return Unexpected<Error>{done.error()};
  if (known == state.size()) return end;
  return wrong_call(fmt::format("the results are of `{}`, whose state has {} entries; that of `{}` has {}",
                                provenance.model, state.size(), model.name(), known));
}

bool FinishedRun::is_of(const Trajectory& motion) const {
  for (const auto& [name, value] : state) {
    const auto column = motion.column(name);
    if (!column || column->values.empty()) return false;
    if (column->values.back() != value && !std::isnan(value)) return false;
  }
  return true;
}

}  // namespace vinculum
