#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "vinculum/mechanics/inspect/variation.hpp"
#include "vinculum/out/program/derive_statements.hpp"
#include "vinculum/out/report/columns.hpp"
#include "vinculum/out/report/explain_invariants.hpp"
#include "vinculum/out/report/explain_report.hpp"
#include "vinculum/out/report/failure_report.hpp"
#include "vinculum/out/report/law_text.hpp"

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

// λ W, and μ E of the law under the same name: "force on P = λ * W" / "… + μ * E".
template <class Description, class Formula>
std::string acting_text(const char* what, const std::vector<Description>& by_row, const std::string& multiplier,
                        const std::vector<Description>& by_law, const std::string& mu, const std::string& frame,
                        const Formula& formula) {
  std::string text;
  const auto line = [&](const Description& one, const std::string& head, const std::string& factor) {
    text += fmt::format("    {}{}\n", head, times(factor, formula(one)));
    text += fmt::format("    {:>{}}  {}\n", "", head.size() - 3, vector_text(one.measure_numbers, frame));
  };
  const auto find = [](const std::vector<Description>& all, const std::string& name) {
    return std::ranges::find(all, name, &Description::name);
  };
  for (const Description& one : by_row) {
    const std::string head = fmt::format("{} on {} = ", what, one.name);
    line(one, head, multiplier);
    if (const auto varied = find(by_law, one.name); varied != by_law.end())
      line(*varied, std::string(head.size() - 2, ' ') + "+ ", mu);
  }
  for (const Description& one : by_law) {
    if (find(by_row, one.name) == by_row.end()) line(one, fmt::format("{} on {} = ", what, one.name), mu);
  }
  return text;
}

// What the row is beyond its class (theory.md §2).
std::string findings_text(const Explanation& explanation, const RowDescription& row) {
  std::string text;
  if (row.row_class.is_dynamical) text += "    its virtual displacements depend on the velocities\n";
  if (row.system_row < 0 || explanation.findings.empty()) return text;
  const RowFindings& findings = explanation.findings[static_cast<std::size_t>(row.system_row)];
  if (findings.is_direction_only) {
    text +=
        *findings.is_direction_only
            ? "    direction-only: homogeneous in the velocities of points and bodies; an ideal reaction does no work\n"
            : "    not homogeneous in the velocities of points and bodies; an ideal reaction may do work\n";
  }
  if (findings.is_integral) {
    text += row.level == mechanics::Level::kPosition ? "    needs no force: the motion keeps it by itself\n"
                                                     : "    an integral of the motion: kept without a force\n";
  }
  return text;
}

std::string row_text(const Explanation& explanation, const ConstraintDescription& constraint, std::size_t k) {
  const mechanics::Model& model = *explanation.compiled->model;
  const std::string frame = model.frames.front().name;
  const RowDescription& description = constraint.rows[k];
  const std::string name =
      constraint.rows.size() == 1 ? constraint.name : fmt::format("{}[{}]", constraint.name, k + 1);
  std::string text =
      fmt::format("  {}: {} level; {}\n", name, mechanics::to_string(description.level), description.row_class.text);
  text += findings_text(explanation, description);
  text += acting_text("force", description.forces, description.multiplier, description.varied_forces, description.mu,
                      frame, [](const auto& force) { return force.W; });
  text += acting_text("torque", description.torques, description.multiplier, description.varied_torques, description.mu,
                      frame, [](const auto& torque) { return torque.tau; });
  text += outside_text(description);
  for (const auto& bare : description.bare) {
    text +=
        fmt::format("    generalized force on {} = {}\n", bare.name, times(description.multiplier, bare.coefficient));
  }
  if (!description.bare.empty() && description.forces.empty()) {
    text += "    the coordinates stand bare in the relation: there is no point for a force to act at\n";
  }
  if (!explanation.rows_at_start.empty()) {
    const RowAtStart& row = explanation.rows_at_start[constraint.constraint.index()][k];
    text += fmt::format("    at the start the multiplier is {:.10g}", row.multiplier);
    if (row.ideal_multiplier) text += fmt::format(", the ideal one {:.10g}", *row.ideal_multiplier);
    text += row.is_unique ? "\n" : ", not unique: the equation is redundant there\n";
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
        text += fmt::format("  {:>{}}  the moment about the mass centre {}: {}\n", "", 12 + load.on.size(), unique,
                            numbers);
        break;
    }
  }
  const PowerOfConstraint& power = explanation.power[constraint.index()];
  if (!power.is_known) return text;
  if (!power.does_work) return text + "  it does no work\n";
  return text + fmt::format("  it does work: at the start its power is {:.6g}{}\n", power.at_start + 0.0,
                            model.has_units ? " W" : "");
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
    text +=
        fmt::format("\nreveal {}: {}, exerted by what is embedded in the coordinates\n", revealed.name, revealed.what);
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
  for (std::size_t i = 0; i < compiled.system->z_names.size(); ++i)
    text += (i == 0 ? "" : ", ") + compiled.system->z_names[i];
  text += "\n";
  for (const auto& equation : higher->equations) {
    if (equation.times > 0)
      text += fmt::format("  differentiated {}: {}\n",
                          equation.times == 1 ? "once" : std::to_string(equation.times) + " times", equation.name);
  }
  return text + fmt::format("  {} initial values determine the motion\n", free);
}

std::string constraint_text(const Explanation& explanation, const ConstraintDescription& constraint) {
  const mechanics::Model& model = *explanation.compiled->model;
  const mechanics::Constraint& stated = model.constraint(constraint.constraint);
  std::string text = fmt::format("\nconstraint {}: {}", constraint.name, constraint.relation);
  if (!model.source_text.text().empty()) {
    const diag::Position place = model.source_text.position(stated.range.begin);
    text += fmt::format("   ({}:{})", place.file, place.line);
  }
  const std::string law = law_line(model, stated);
  if (mechanics::is_higher_order(stated)) {
    return text +
           fmt::format("\n  {}; {} level; {} {} beside the equations of motion\n", law,
                       mechanics::to_string(stated.level), stated.rows.size(),
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
    text += row_text(explanation, constraint, k);
  }
  for (const auto& beside : constraint.beside) {
    text += fmt::format("  generalized force of the law on {}, beside: {}\n", beside.name, beside.coefficient);
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
  text += fmt::format("\n{} coordinate{}: {}\n", compiled.nq(), plural(compiled.nq()),
                      quantity_list(model.coordinates, model));
  text += fmt::format("{} speed{}: {}\n", compiled.nu(), plural(compiled.nu()), quantity_list(model.speeds, model));
  const int rows = compiled.nc();
  const char* unassembled = explanation.no_start ? " at random states, not assembled" : "";
  text +=
      fmt::format("{} constraint {}, rank {}{}{}\n", rows, rows == 1 ? "equation" : "equations", explanation.rank,
                  explanation.rank < rows ? fmt::format(": {} redundant", rows - explanation.rank) : "", unassembled);
  const int freedoms = compiled.nu() - explanation.rank;
  text += fmt::format("{} {} of freedom{}\n", freedoms, freedoms == 1 ? "degree" : "degrees", unassembled);
  if (explanation.mass_rank < compiled.nu()) {
    text += fmt::format("mass matrix singular, rank {} of {}: constraints must determine the rest\n",
                        explanation.mass_rank, compiled.nu());
  }
  text += bodies_text(model);
  for (const ConstraintDescription& constraint : explanation.constraints)
    text += constraint_text(explanation, constraint);
  text += higher_order_text(compiled) + revealed_text(explanation);
  text += invariants_text(compiled, explanation.invariants);
  if (explanation.no_start) {
    text +=
        "\nno consistent start; ranks and degrees of freedom are those at random states, where nothing is assembled\n";
    text += failure_text(model, compiled.system.get(), *explanation.no_start);
  }
  return text;
}

}  // namespace vinculum::out
