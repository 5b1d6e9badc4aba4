#include "vinculum/out/report/columns.hpp"

namespace vinculum::out {

std::vector<std::string> state_names(const sim::CompiledModel& compiled) {
  const mechanics::Model& model = *compiled.model;
  std::vector<std::string> names;
  for (const auto& coordinate : model.coordinates) names.push_back(coordinate.name);
  for (const auto& speed : model.speeds) names.push_back(speed.name);
  names.insert(names.end(), compiled.system->z_names.begin(), compiled.system->z_names.end());
  return names;
}

std::vector<std::string> output_column_names(const sim::CompiledModel& compiled) {
  std::vector<std::string> names;
  const auto& outputs = compiled.model->outputs;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const int count = compiled.output_columns[i].count;
    if (count == 1) {
      names.push_back(outputs[i].name);
    } else if (outputs[i].value.is_valid() && outputs[i].value.is_vector()) {
      for (const char* axis : {".x", ".y", ".z"}) names.push_back(outputs[i].name + axis);
    } else {
      for (int k = 1; k <= count; ++k) names.push_back(outputs[i].name + "[" + std::to_string(k) + "]");
    }
  }
  return names;
}

std::string unit_suffix(const mechanics::Model& model, const Dimension& dimension) {
  if (!model.has_units || dimension.is_dimensionless()) return "";
  return " " + si_unit(dimension);
}

std::string residual_unit(const mechanics::Model& model, const mechanics::Constraint& constraint) {
  return unit_suffix(model, constraint.dimension);
}

}  // namespace vinculum::out
