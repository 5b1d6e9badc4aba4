#include "vinculum/exports/derive_contents.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "vinculum/exports/derive_events.hpp"
#include "vinculum/exports/derive_projection.hpp"
#include "vinculum/exports/derive_reveal.hpp"
#include "vinculum/exports/derive_statements.hpp"
#include "vinculum/model/unit_texts.hpp"

namespace vinculum::report {
namespace {

using equations::System;
using model::Model;

std::string about(const Derivation& derivation) {
  const System& system = *derivation.system;
  const Model& model = *system.model;
  std::string text = model.name + (model.title.empty() ? "" : ": " + model.title) + "\n";
  for (const std::string& source : model.sources) text += "after " + source + "\n";
  if (system.higher)
    text +=
        "\nEquations of motion of higher order: q' = G u + g, J x = r for the highest derivatives x, u' and z' among z "
        "and x.\n";
  else
    text += fmt::format("\nEquations of motion, {} form: q' = G u + g, M u' = f{} + A^T lambda{}, A u' = b{}.\n",
                        to_string(derivation.form), system.has_nonideal ? " + C" : "",
                        system.directed.empty() ? "" : " + Gamma^T e",
                        system.z.empty() ? "" : ", z' in t, q, u, z and lambda");
  return text + "SI units.";
}

// Writes a text on a multiplier: its row, and how the row is enforced.
std::string multiplier(const Derivation& derivation, std::size_t i) {
  const System& system = *derivation.system;
  const auto& constraint = system.model->constraint(system.rows[i].constraint);
  const std::string row = row_name(system, i);
  const bool is_directed =
      std::ranges::find(derivation.directed_rows, static_cast<int>(i)) != derivation.directed_rows.end();
  const bool is_held = std::ranges::find(derivation.held_rows, static_cast<int>(i)) != derivation.held_rows.end();
  const bool is_by_mu = !constraint.law->mu().empty();
  return fmt::format("  lambda[{}]  {} of {}: {}{}{}\n", i, is_by_mu ? "ideal multiplier" : "multiplier", row,
                     constraint.text, is_directed ? ", kept by efforts" : "",
                     is_held ? ", which the coordinates satisfy with the parameters as declared" : "");
}

std::string contents(const Derivation& derivation, const ProgramOutputs& outputs,
                     const std::vector<SwitchingSurface>& surfaces) {
  const System& system = *derivation.system;
  const Model& model = *system.model;
  std::string text;
  const auto entry = [&](std::string_view array, std::size_t i, std::string_view name, const UnitText& unit) {
    const std::string bracket = !model.has_units ? "" : fmt::format(" [{}]", unit.si.empty() ? "1" : unit.si);
    text += fmt::format("  {}[{}]  {}{}\n", array, i, name, bracket);
  };
  const auto list = [&](std::string_view array, const auto& quantities) {
    for (std::size_t i = 0; i < quantities.size(); ++i)
      entry(array, i, quantities[i].name, unit_of(model, quantities[i]));
  };
  list("p", model.parameters);
  list("q", model.coordinates);
  list("u", model.speeds);
  std::vector<model::Speed> nonlinear;
  for (const model::NonlinearSpeed& one : model.nonlinear_speeds) nonlinear.push_back(one.speed);
  list("v", nonlinear);
  for (std::size_t i = 0; i < model.states.size(); ++i)
    entry("z", i, text_of_state(model, model::StateId(i)), unit_of(model, model.states[i]));
  for (std::size_t i = model.states.size(); i < system.z.size(); ++i)
    entry("z", i, system.z_names[i], unit_of(model, system.z_dimensions[i]));
  if (system.higher) {
    const auto& unknowns = system.higher->unknowns;
    for (std::size_t i = 0; i < unknowns.size(); ++i) text += fmt::format("  x[{}]  {}\n", i, unknowns[i].name);
  }
  for (std::size_t i = 0; i < system.rows.size(); ++i) text += multiplier(derivation, i);
  text += contents_of_events(derivation);
  std::size_t next = 0;
  for (const RevealedForce& one : revealed_forces(derivation))
    entry("revealed", next++, one.name, model::unit_of_force(model, model.reveal(one.reveal).body.is_valid()));
  text += contents_of_outputs(outputs, model.has_units) + contents_of_switches(surfaces);
  if (const std::string why = why_no_projection(derivation); !why.empty() && (system.higher || !system.rows.empty()))
    text += "There is no function project: " + why + ".\n";
  if (derivation.form != equations::Formulation::kMinimal) return text;
  text += "\nIndependent speeds:";
  for (const int s : derivation.independent) text += fmt::format(" {}", model.speeds[static_cast<std::size_t>(s)].name);
  text += derivation.independent.empty() ? " none\n" : "\n";
  return text + fmt::format("Chosen {}; the accelerations fail where the choice is singular.\n", derivation.chosen);
}

}  // namespace

std::string row_name(const equations::System& system, std::size_t row) {
  const auto& constraint = system.model->constraint(system.rows[row].constraint);
  return constraint.rows.size() == 1 ? constraint.name
                                     : fmt::format("{}[{}]", constraint.name, system.rows[row].index + 1);
}

void describe(const Derivation& derivation, const ProgramOutputs& outputs,
              const std::vector<SwitchingSurface>& surfaces, Program& program) {
  program.about = about(derivation);
  program.contents = contents(derivation, outputs, surfaces);
}

}  // namespace vinculum::report
