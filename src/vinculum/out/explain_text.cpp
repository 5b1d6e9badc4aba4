#include <fmt/format.h>
#include <fmt/ranges.h>

#include "vinculum/out/columns.hpp"
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
  if (description.is_internal) text += "    these forces balance each other: nothing comes from outside\n";
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

std::string point_forces_text(const Explanation& explanation, const ConstraintDescription& constraint) {
  if (!explanation.at_start) return "";
  std::string text;
  const auto& forces = explanation.compiled->point_forces;
  for (std::size_t i = 0; i < forces.size(); ++i) {
    if (forces[i].constraint != constraint.constraint) continue;
    text += fmt::format("  the force on {} is {} under the constraints at the start\n",
                        explanation.compiled->model->point(forces[i].point).name,
                        explanation.at_start->point_force_unique[i] ? "unique" : "NOT unique");
  }
  return text;
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
  text += fmt::format("\n  {}; {} {}", !law.empty() ? law : "law " + law_name(stated), constraint.rows.size(),
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
  return text + point_forces_text(explanation, constraint);
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
  text += fmt::format("{} constraint {}, rank {}{}\n", rows, rows == 1 ? "equation" : "equations", explanation.rank,
                      explanation.rank < rows ? fmt::format(": {} redundant", rows - explanation.rank) : "");
  const int freedoms = compiled.nu() - explanation.rank;
  text += fmt::format("{} {} of freedom\n", freedoms, freedoms == 1 ? "degree" : "degrees");
  if (explanation.mass_rank < compiled.nu()) {
    text += fmt::format("mass matrix singular, rank {} of {}: constraints must determine the rest\n", explanation.mass_rank,
                        compiled.nu());
  }
  int row = 0;
  for (const ConstraintDescription& constraint : explanation.constraints) {
    text += constraint_text(explanation, constraint, row);
    row += static_cast<int>(constraint.rows.size());
  }
  if (explanation.no_start) {
    text += "\nno consistent start; ranks are those at random states\n";
    text += failure_text(model, compiled.system.get(), *explanation.no_start);
  }
  return text;
}

}  // namespace vinculum::out
