#include "vinculum/compiled/values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "vinculum/compiled/embedded_rows.hpp"
#include "vinculum/compiled/implicit_equations.hpp"
#include "vinculum/model/evaluate.hpp"

namespace vinculum::sim {
namespace {

/// A state like any other: what is asked of parameters alone does not depend on it.
model::Instant anywhere(const CompiledModel& plant) {
  model::Instant at;
  at.q.assign(plant.model->coordinates.size(), 0.5);
  at.q_dot = at.q_ddot = at.q;
  at.parameters = plant.parameters;
  return at;
}

/// Parameters defined by others take the values that these give them.
void follow_definitions(CompiledModel& plant) {
  const std::vector<model::Parameter>& parameters = plant.model->parameters;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (plant.is_set[i] != 0) continue;
    plant.parameters[i] = model::TermValues(*plant.model, anywhere(plant)).scalar(parameters[i].definition).value;
  }
}

}  // namespace

Outcome<std::shared_ptr<const CompiledModel>, Refusal> with(const CompiledModel& plant,
                                                            std::span<const ParameterValue> values) {
  const auto refuse = [](std::string parameter, std::string reason) {
    return Unexpected<Refusal>{{std::move(parameter), std::move(reason)}};
  };
  const std::vector<model::Parameter>& parameters = plant.model->parameters;
  auto changed = std::make_shared<CompiledModel>(plant);
  for (const ParameterValue& value : values) {
    const auto found = std::ranges::find(parameters, value.name, &model::Parameter::name);
    if (found == parameters.end())
      return refuse(value.name, fmt::format("the model has no parameter `{}`", value.name));
    const auto at = static_cast<std::size_t>(found - parameters.begin());
    changed->parameters[at] = value.value;
    changed->is_set[at] = 1;
  }
  follow_definitions(*changed);
  std::vector<char> changes(parameters.size(), 0);
  std::ranges::transform(changed->parameters, plant.parameters, changes.begin(), std::not_equal_to<>());
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (changes[i] == 0) continue;
    const std::string& name = parameters[i].name;
    if (!std::isfinite(changed->parameters[i])) return refuse(name, fmt::format("`{}` is a finite number", name));
    if (parameters[i].fixed_by.empty()) continue;
    return refuse(name, fmt::format("`{}` is read when the model is built, by {}", name, parameters[i].fixed_by));
  }
  for (const model::Requirement& requirement : plant.model->requirements) {
    const auto concerned =
        std::ranges::find_if(requirement.parameters, [&](model::ParameterId id) { return changes[id.index()] != 0; });
    if (concerned == requirement.parameters.end()) continue;
    model::TermValues now(*plant.model, anywhere(*changed));
    std::vector<double> numbers;
    for (const model::Term term : requirement.terms) numbers.push_back(now.scalar(term).value);
    if (!requirement.holds(numbers)) {
      return refuse(parameters[concerned->index()].name, fmt::format("in a model {}", requirement.text));
    }
  }
  for (const auto kernel : kKernels) {
    BoundKernel& bound = (*changed).*kernel;
    if (bound.kernel) bound.constants = bound.kernel->prepare(changed->bound_values());
  }
  if (!changed->evidence->still_holds(changed->parameters, changes)) {
    changed->judge_rows(changed->parameters);
    changed->trusts_generated = changed->fits_embedding();
    changed->implicit_equations = changed->implicit_equations->with(Structure(*changed));
  }
  if (changed->conserved_judge) {
    if (auto judged = changed->conserved_judge(*changed); !judged) {
      return refuse(values.empty() ? "" : values.front().name, judged.error().message);
    }
  }
  return changed;
}

}  // namespace vinculum::sim
