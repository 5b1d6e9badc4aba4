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

/// An arbitrary state, at which expressions that depend on parameters only are evaluated.
model::Instant anywhere(const Binding& bound) {
  model::Instant at;
  at.q.assign(bound->model->coordinates.size(), 0.5);
  at.q_dot = at.q_ddot = at.q;
  at.parameters = bound.parameters;
  return at;
}

/// Evaluates the parameters that are defined by other parameters and were not set.
void follow_definitions(Binding& bound) {
  const std::vector<model::Parameter>& parameters = bound->model->parameters;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (bound.is_set[i] != 0) continue;
    bound.parameters[i] = model::TermValues(*bound->model, anywhere(bound)).scalar(parameters[i].definition).value;
  }
}

}  // namespace

Vector compliances_of(const Binding& bound) {
  const std::vector<model::Constraint>& constraints = bound->model->constraints;
  const auto yields = [](const model::Constraint& one) {
    return one.unilateral && one.unilateral->compliance.is_valid();
  };
  if (std::ranges::none_of(constraints, yields)) return {};
  model::TermValues now(*bound->model, anywhere(bound));
  Vector all = Vector::Zero(bound->nc());
  for (std::size_t row = 0; row < bound->system->rows.size(); ++row) {
    const model::Constraint& constraint = bound->model->constraint(bound->system->rows[row].constraint);
    if (yields(constraint)) all[static_cast<Eigen::Index>(row)] = now.scalar(constraint.unilateral->compliance).value;
  }
  return all;
}

Outcome<std::shared_ptr<const Binding>, Refusal> with(const Binding& bound, std::span<const ParameterValue> values) {
  const auto refuse = [](std::string parameter, std::string reason) {
    return Unexpected<Refusal>{{std::move(parameter), std::move(reason)}};
  };
  const std::vector<model::Parameter>& parameters = bound->model->parameters;
  auto changed = std::make_shared<Binding>(bound);
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
  std::ranges::transform(changed->parameters, bound.parameters, changes.begin(), std::not_equal_to<>());
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (changes[i] == 0) continue;
    const std::string& name = parameters[i].name;
    if (!std::isfinite(changed->parameters[i])) return refuse(name, fmt::format("`{}` is a finite number", name));
    if (parameters[i].fixed_by.empty()) continue;
    return refuse(name, fmt::format("`{}` is read when the model is built, by {}", name, parameters[i].fixed_by));
  }
  for (const model::Requirement& requirement : bound->model->requirements) {
    const auto concerned =
        std::ranges::find_if(requirement.parameters, [&](model::ParameterId id) { return changes[id.index()] != 0; });
    if (concerned == requirement.parameters.end()) continue;
    model::TermValues now(*bound->model, anywhere(*changed));
    std::vector<double> numbers;
    for (const model::Term term : requirement.terms) numbers.push_back(now.scalar(term).value);
    if (!requirement.holds(numbers)) {
      return refuse(parameters[concerned->index()].name, fmt::format("in a model {}", requirement.text));
    }
  }
  changed->compliance = compliances_of(*changed);
  changed->prepare_kernels();
  if (!changed->rows.evidence->still_holds(changed->parameters, changes)) {
    changed->rows = bound->judge_rows(changed->parameters);
    changed->trusts_generated = bound->fits(changed->embedding());
    changed->implicit_equations = changed->implicit_equations->with(changed->embedding());
  }
  changed->judge_switched_rows();
  if (changed->conserved_judge) {
    if (auto judged = changed->conserved_judge(*changed); !judged) {
      return refuse(values.empty() ? "" : values.front().name, judged.error().message);
    }
  }
  return changed;
}

}  // namespace vinculum::sim
