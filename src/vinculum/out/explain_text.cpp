#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "vinculum/out/columns.hpp"
#include "vinculum/out/derive_statements.hpp"
#include "vinculum/out/explain_report.hpp"
#include "vinculum/out/failure_report.hpp"
#include "vinculum/out/law_text.hpp"

namespace vinculum::out {
namespace {

using dynamics::ConstraintDescription;
using dynamics::RowDescription;

std::string quantity_list(const auto& quantities, const mechanics::Model& model) {
  std::string text;
  for (std::size_t i = 0; i < quantities.size(); ++i) {
    text += (i == 0 ? "" : ", ") + quantities[i].name;
    const bool closes = i + 1 == quantities.size() || !(quantities[i + 1].dimension == quantities[i].dimension);
    if (closes && model.has_units) text += fmt::format(" [{}]", si_unit(quantities[i].dimension));
  }
  return text.empty() ? "none" : text;
}

std::string vector_text(const std::array<std::string, 3>& numbers, const std::string& frame) {
  return fmt::format("[{}, {}, {}] in {}", numbers[0], numbers[1], numbers[2], frame);
}

// λ times the formula, bracketed where it is a sum.
std::string times(const std::string& multiplier, const std::string& formula) {
  int depth = 0;
  for (std::size_t i = 0; i < formula.size(); ++i) {
    depth += formula[i] == '(' ? 1 : formula[i] == ')' ? -1 : 0;
    if (depth == 0 && i > 0 && formula[i] == ' ' && (formula[i + 1] == '+' || formula[i + 1] == '-')) {
      return fmt::format("{} * ({})", multiplier, formula);
    }
  }
  return fmt::format("{} * {}", multiplier, formula);
}

// Opposite to each other, or from outside (theory.md §5.3).
std::string outside_text(const RowDescription& row) {
  const std::size_t places = row.forces.size() + row.torques.size();
  if (places < 2) return "";
  const bool has_torques = !row.torques.empty();
  if (row.is_internal && row.is_balanced) {
    return has_torques ? "    forces and torques balance each other: nothing comes from outside\n"
                       : "    these forces balance each other: nothing comes from outside\n";
  }
  if (row.is_internal) return "    the forces balance each other, their moments do not: a moment comes from outside\n";
  return row.forces.size() > 1 ? "    these forces do not balance each other: the rest comes from outside\n" : "";
}

std::string numbers_text(const std::array<double, 3>& numbers, double size, const std::string& frame) {
  const auto shown = [size](double x) { return std::abs(x) < 1e-12 * size ? 0.0 : x; };
  return fmt::format("[{:.6g}, {:.6g}, {:.6g}] in {}", shown(numbers[0]), shown(numbers[1]), shown(numbers[2]), frame);
}

std::string row_text(const Explanation& explanation, const ConstraintDescription& constraint, std::size_t k, int row) {
  const mechanics::Model& model = *explanation.compiled->model;
  const std::string frame = model.frames.front().name;
  const RowDescription& description = constraint.rows[k];
  const auto index = static_cast<std::size_t>(row);
  std::string text = fmt::format("  {}: {} level; {}\n", explanation.compiled->row_name(row),
                                 mechanics::to_string(description.level), description.row_class.text);
  for (const auto& force : description.forces) {
    text += fmt::format("    force on {} = {}\n", force.name, times(description.multiplier, force.W));
    const std::string measured = vector_text(force.measure_numbers, frame);
    text += fmt::format("      {:>{}}   {}\n", "", force.name.size() + 6, measured);
  }
  for (const auto& torque : description.torques) {
    text += fmt::format("    torque on {} = {}\n", torque.name, times(description.multiplier, torque.tau));
    text += fmt::format("      {:>{}}   {}\n", "", torque.name.size() + 7, vector_text(torque.measure_numbers, frame));
  }
  text += outside_text(description);
  for (const auto& bare : description.bare) {
    text += fmt::format("    generalized force on {} = {}\n", bare.name, times(description.multiplier, bare.coefficient));
  }
  if (!description.bare.empty() && description.forces.empty()) {
    text += "    the coordinates stand bare in the relation: there is no point for a force to act at\n";
  }
  if (explanation.at_start) {
    const sim::Sample& sample = *explanation.at_start;
    const bool unique = index < sample.row_unique.size() && sample.row_unique[index];
    text += fmt::format("    at the start the multiplier is {:.10g}{}\n", sample.reaction.lambda()[row],
                        unique ? "" : ", not unique: the equation is redundant there");
  }
  return text;
}

// What the constraint exerts at the start: at points, on bodies, together on each body; and its power.
std::string loads_text(const Explanation& explanation, mechanics::ConstraintId constraint) {
  if (!explanation.at_start) return "";
  const mechanics::Model& model = *explanation.compiled->model;
  double size = 0.0;
  for (const LoadAtStart& load : explanation.loads) {
    for (const double x : load.value) size = std::max(size, std::abs(x));
  }
  std::string text;
  for (const LoadAtStart& load : explanation.loads) {
    if (load.constraint != constraint) continue;
    const std::string numbers = numbers_text(load.value, size, model.frames.front().name);
    const char* unique = load.is_unique ? "is unique" : "is NOT unique";
    switch (load.kind) {
      case LoadAtStart::Kind::kForce:
        text += fmt::format("  the force on {} {} under the constraints at the start: {}\n", load.on, unique, numbers);
        break;
      case LoadAtStart::Kind::kTorque:
        text += fmt::format("  the torque on {} {} under the constraints at the start: {}\n", load.on, unique, numbers);
        break;
      case LoadAtStart::Kind::kResultantForce:
        text += fmt::format("  together on {}: the force {}: {}\n", load.on, unique, numbers);
        break;
      case LoadAtStart::Kind::kResultantMoment:
        text += fmt::format("  {:>{}}  the moment about the mass centre {}: {}\n", "", 12 + load.on.size(), unique, numbers);
        break;
    }
  }
  const PowerOfConstraint& power = explanation.power[constraint.index()];
  if (!power.is_known) return text;
  if (!power.does_work) return text + "  it does no work\n";
  return text + fmt::format("  it does work: at the start its power is {:.6g}{}\n", power.at_start, model.has_units ? " W" : "");
}

std::string exerted_text(const dynamics::NonidealDescription& part) {
  return fmt::format("{} {} on {}{}", part.is_torque ? "torque" : "force", part.force, part.on,
                     part.from.empty() ? "" : ", and the opposite on " + part.from);
}

std::string bodies_text(const mechanics::Model& model) {
  std::string text;
  for (const mechanics::Body& body : model.bodies) text += statement_of(model, body) + "\n";
  return text;
}

std::string revealed_text(const Explanation& explanation) {
  std::string text;
  for (const RevealedAtStart& revealed : explanation.revealed) {
    text += fmt::format("\nreveal {}: {}, exerted by what is embedded in the coordinates\n", revealed.name, revealed.what);
    for (std::size_t k = 0; k < revealed.along.size(); ++k) {
      text += fmt::format("  along {}", revealed.along[k]);
      if (k < revealed.value.size()) text += fmt::format(": at the start {:.10g}", revealed.value[k]);
      text += "\n";
    }
  }
  return text;
}

/// What constraints of higher order make of the equations: what is differentiated, and which derivatives are states.
std::string higher_order_text(const sim::CompiledModel& compiled) {
  const auto& higher = compiled.system->higher;
  if (!higher) return "";
  std::string text = "\nhigher order: found at once are ";
  int free = 0;
  for (std::size_t i = 0; i < higher->unknowns.size(); ++i) {
    text += (i == 0 ? "" : ", ") + higher->unknowns[i].name;
    free += higher->unknowns[i].order - higher->equations[i].times;
  }
  text += "\n  states beside coordinates and speeds: ";
  for (std::size_t i = 0; i < compiled.system->z_names.size(); ++i) text += (i == 0 ? "" : ", ") + compiled.system->z_names[i];
  text += "\n";
  for (const auto& equation : higher->equations) {
    if (equation.times > 0) text += fmt::format("  differentiated {}: {}\n", equation.times == 1 ? "once" : std::to_string(equation.times) + " times", equation.name);
  }
  return text + fmt::format("  {} initial values determine the motion\n", free);
}

std::string constraint_text(const Explanation& explanation, const ConstraintDescription& constraint, int first_row) {
  const mechanics::Model& model = *explanation.compiled->model;
  const mechanics::Constraint& stated = model.constraint(constraint.constraint);
  std::string text = fmt::format("\nconstraint {}: {}", constraint.name, constraint.relation);
  if (!model.source_text.text().empty()) {
    const diag::Position place = model.source_text.position(stated.range.begin);
    text += fmt::format("   ({}:{})", place.file, place.line);
  }
  const std::string law = law_line(model, stated);
  if (mechanics::is_higher_order(stated)) {
    return text + fmt::format("\n  {}; {} level; {} {} beside the equations of motion\n", law, mechanics::to_string(stated.level), stated.rows.size(),
                              stated.rows.size() == 1 ? "row" : "rows") +
           loads_text(explanation, constraint.constraint);
  }
  text += fmt::format("\n  {}; {}{} {}", !law.empty() ? law : "law " + law_name(stated),
                      stated.joint.empty() ? "" : stated.joint + " joint, ", constraint.rows.size(),
                      constraint.rows.size() == 1 ? "row" : "rows");
  if (!explanation.constraint_rank.empty()) {
    text += fmt::format(", rank {}", explanation.constraint_rank[constraint.constraint.index()]);
  }
  text += "\n";
  for (std::size_t k = 0; k < constraint.rows.size(); ++k) {
    text += row_text(explanation, constraint, k, first_row + static_cast<int>(k));
  }
  for (const auto& nonideal : constraint.nonideal) {
    text += fmt::format("  stated beside it: {} on {}{}\n", nonideal.force, nonideal.on,
                        nonideal.from.empty() ? "" : ", and the opposite on " + nonideal.from);
  }
  for (std::size_t k = 0; k < constraint.actuators.size(); ++k) {
    for (const auto& part : constraint.actuators[k].exerts) {
      text += fmt::format("  kept by {} times the {}\n", constraint.actuators[k].effort, exerted_text(part));
    }
  }
  return text + loads_text(explanation, constraint.constraint);
}

}  // namespace

std::string explain_text(const Explanation& explanation) {
  const sim::CompiledModel& compiled = *explanation.compiled;
  const mechanics::Model& model = *compiled.model;
  std::string text = model.name;
  if (!model.title.empty()) text += "  " + model.title;
  text += "\n";
  for (const std::string& source : model.sources) text += "  after " + source + "\n";
  const auto plural = [](int count) { return count == 1 ? "" : "s"; };
  text += fmt::format("\n{} coordinate{}: {}\n", compiled.nq(), plural(compiled.nq()), quantity_list(model.coordinates, model));
  text += fmt::format("{} speed{}: {}\n", compiled.nu(), plural(compiled.nu()), quantity_list(model.speeds, model));
  const int rows = compiled.nc();
  const char* unassembled = explanation.no_start ? " at random states, not assembled" : "";
  text += fmt::format("{} constraint {}, rank {}{}{}\n", rows, rows == 1 ? "equation" : "equations", explanation.rank,
                      explanation.rank < rows ? fmt::format(": {} redundant", rows - explanation.rank) : "", unassembled);
  const int freedoms = compiled.nu() - explanation.rank;
  text += fmt::format("{} {} of freedom{}\n", freedoms, freedoms == 1 ? "degree" : "degrees", unassembled);
  if (explanation.mass_rank < compiled.nu()) {
    text += fmt::format("mass matrix singular, rank {} of {}: constraints must determine the rest\n", explanation.mass_rank,
                        compiled.nu());
  }
  text += bodies_text(model);
  int row = 0;
  for (const ConstraintDescription& constraint : explanation.constraints) {
    text += constraint_text(explanation, constraint, row);
    row += static_cast<int>(constraint.rows.size());
  }
  text += higher_order_text(compiled) + revealed_text(explanation);
  if (explanation.no_start) {
    text += "\nno consistent start; ranks and degrees of freedom are those at random states, where nothing is assembled\n";
    text += failure_text(model, compiled.system.get(), *explanation.no_start);
  }
  return text;
}

}  // namespace vinculum::out
