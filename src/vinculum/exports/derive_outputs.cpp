#include "vinculum/exports/derive_outputs.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "vinculum/equations/derive.hpp"
#include "vinculum/exports/derive_reduction.hpp"
#include "vinculum/expr/derivative.hpp"
#include "vinculum/model/unit_texts.hpp"

namespace vinculum::report {
namespace {

using equations::System;
using expr::Expr;

/// Symbols of quantities that the function `accelerations` does not return.
std::vector<Expr> not_computed(const System& system) {
  std::vector<Expr> all;
  const auto add = [&](const std::vector<Expr>& symbols) {
    std::ranges::copy_if(symbols, std::back_inserter(all), [](Expr symbol) { return symbol.is_valid(); });
  };
  add(system.vectors);
  add(system.lambda_ideal);
  if (!system.higher) return all;
  add(system.higher->top);
  add(system.higher->not_known);
  return all;
}

std::vector<Expr> values_of(const System& system, const model::Output& output) {
  const model::FrameId frame = output.frame.value_or(model::Model::newtonian());
  std::vector<Expr> values;
  if (output.components.empty()) {
    values = equations::lower_known(system, output.value, frame);
  } else {
    for (const model::Term component : output.components)
      std::ranges::copy(equations::lower_known(system, component, frame), std::back_inserter(values));
  }
  // Without `nonideal` clauses the reaction is its ideal part.
  if (!system.has_nonideal) values = expr::substitute(values, system.lambda_ideal, system.lambda);
  return of_sliding(system, values);
}

std::string name_of(const model::Output& output, std::size_t count, std::size_t k) {
  if (count == 1) return output.name;
  return output.components.empty() ? fmt::format("{}.{}", output.name, "xyz"[k])
                                   : fmt::format("{}[{}]", output.name, k + 1);
}

}  // namespace

ProgramOutputs program_outputs(const Derivation& derivation) {
  const System& system = *derivation.system;
  const model::Model& model = *system.model;
  const std::vector<Expr> foreign = not_computed(system);
  ProgramOutputs result;
  for (const model::Output& output : model.outputs) {
    const std::vector<Expr> values = values_of(system, output);
    if (std::ranges::any_of(values, [&](Expr value) { return expr::depends_on(value, foreign); })) {
      result.omitted.push_back(output.name);
      continue;
    }
    const std::vector<UnitText> units = model::units_of(model, output);
    for (std::size_t k = 0; k < values.size(); ++k)
      result.entries.push_back({name_of(output, values.size(), k), units[units.size() == 1 ? 0 : k], values[k]});
  }
  return result;
}

void write_outputs(CodeWriter& writer, const Derivation& derivation, const ProgramOutputs& outputs) {
  std::vector<Expr> values;
  for (const ProgramOutput& one : outputs.entries) values.push_back(one.value);
  writer.assign("output", values);
  const bool has_efforts = !derivation.system->directed.empty();
  writer.write_body(writer.add(
      "outputs", "The outputs of the model, output[NO], at a state with its accelerations and multipliers",
      writer.state_and(has_efforts ? "udot[NU], lambda[NC], effort[NE]" : "udot[NU], lambda[NC]"), "output[NO]", true));
}

std::string contents_of_outputs(const ProgramOutputs& outputs, bool has_units) {
  std::string text;
  for (std::size_t i = 0; i < outputs.entries.size(); ++i) {
    const ProgramOutput& one = outputs.entries[i];
    const std::string bracket = !has_units ? "" : fmt::format(" [{}]", one.unit.si.empty() ? "1" : one.unit.si);
    text += fmt::format("  output[{}]  {}{}\n", i, one.name, bracket);
  }
  for (const std::string& name : outputs.omitted)
    text +=
        fmt::format("  Not in this program: output {}, which needs other quantities than those computed here.\n", name);
  return text;
}

}  // namespace vinculum::report
