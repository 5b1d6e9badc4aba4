#include "vinculum/run/simulate.hpp"

namespace vinculum::sim {

SimulateOptions options_of(const model::Model& model) {
  SimulateOptions options;
  if (!model.run) return options;
  options.duration = model.run->duration;
  options.tolerance = model.run->tolerance;
  options.method = model.run->method;
  options.formulation = equations::find_formulation(model.run->formulation).value_or(equations::Formulation::kExplicit);
  options.largest_step = model.run->max_step.value_or(0.0);
  options.output_step = model.run->step.value_or(0.0);
  return options;
}

}  // namespace vinculum::sim
