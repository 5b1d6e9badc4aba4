#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "vinculum/base/index.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/equations/describe.hpp"
#include "vinculum/model/dimensions.hpp"
#include "vinculum/model/row_multiplier.hpp"
#include "vinculum/model/unilateral_text.hpp"
#include "vinculum/model/unit_texts.hpp"
#include "vinculum/report/explained.hpp"

namespace vinculum::report {
namespace {

using equations::ActingDescription;
using equations::ConstraintDescription;
using equations::RowDescription;

/// Writes "multiplier * formula", with parentheses if the formula is a sum.
std::string times(const std::string& multiplier, const std::string& formula) {
  int depth = 0;
  for (std::size_t i = 0; i < formula.size(); ++i) {
    depth += formula[i] == '(' ? 1 : formula[i] == ')' ? -1 : 0;
    if (depth == 0 && i > 0 && formula[i] == ' ' && (formula[i + 1] == '+' || formula[i + 1] == '-'))
      return fmt::format("{} * ({})", multiplier, formula);
  }
  return fmt::format("{} * {}", multiplier, formula);
}

/// Writes the forces ("point", "W" or "E") or torques ("body", "tau" or "E") of a row as formulas. In the text, the
/// contribution μ E of the law follows the contribution λ W on the same point: "force on P = λ * W" / "… + μ * E".
class Acting {
 public:
  Acting(const RowDescription& row, std::string frame) : row_(row), frame_(std::move(frame)) {}

  [[nodiscard]] Node of_row(bool is_torque) const {
    const auto& by_law = is_torque ? row_.varied_torques : row_.varied_forces;
    Node list = Node::list();
    for (const ActingDescription& one : is_torque ? row_.torques : row_.forces) {
      const std::string head = head_of(one, is_torque);
      Node& node = list.add(node_of(one, is_torque, is_torque ? "tau" : "W"));
      node.said = line(one, head, row_.multiplier);
      const auto varied = std::ranges::find(by_law, one.on, &ActingDescription::on);
      if (varied != by_law.end()) node.said += line(*varied, std::string(head.size() - 2, ' ') + "+ ", row_.mu);
    }
    return list;
  }
  [[nodiscard]] Node of_law(bool is_torque) const {
    const auto& by_row = is_torque ? row_.torques : row_.forces;
    Node list = Node::list();
    for (const ActingDescription& one : is_torque ? row_.varied_torques : row_.varied_forces) {
      Node& node = list.add(node_of(one, is_torque, "E"));
      if (std::ranges::find(by_row, one.on, &ActingDescription::on) == by_row.end())
        node.said = line(one, head_of(one, is_torque), row_.mu);
    }
    return list;
  }

 private:
  [[nodiscard]] Node node_of(const ActingDescription& one, bool is_torque, const char* letter) const {
    Node node = Node::object(
        {{is_torque ? "body" : "point", one.on}, {letter, one.formula}, {"measure_numbers", one.measure_numbers}});
    node.frame = frame_;
    return node;
  }
  static std::string head_of(const ActingDescription& one, bool is_torque) {
    return fmt::format("{} on {} = ", is_torque ? "torque" : "force", one.on);
  }
  [[nodiscard]] std::string line(const ActingDescription& one, const std::string& head,
                                 const std::string& factor) const {
    const auto& [x, y, z] = one.measure_numbers;
    return fmt::format("    {}{}\n    {:>{}}  [{}, {}, {}] in frame {}\n", head, times(factor, one.formula), "",
                       head.size() - 3, x, y, z, frame_);
  }

  const RowDescription& row_;
  std::string frame_;
};

/// Describes whether the forces of a row balance each other, or contain a force from outside (theory.md §5.3).
std::string outside_text(const RowDescription& row, bool is_internal, bool is_balanced) {
  if (row.forces.size() + row.torques.size() < 2) return "";
  if (is_balanced) {
    return !row.torques.empty() ? "    forces and torques balance each other: nothing comes from outside\n"
                                : "    these forces balance each other: nothing comes from outside\n";
  }
  if (is_internal) return "    the forces balance each other, their moments do not: a moment comes from outside\n";
  return row.forces.size() > 1 ? "    these forces do not balance each other: the rest comes from outside\n" : "";
}

RowFindings findings_of(const Explained& explained, const RowDescription& row) {
  const bool is_kept = row.system_row >= 0 && !explained.findings.empty();
  return is_kept ? nth(explained.findings, row.system_row) : RowFindings{};
}

/// Adds whether the coordinates satisfy the row identically.
void add_embedding(const Explained& explained, const RowDescription& row, Node& node) {
  const sim::Embedding embedding =
      row.system_row >= 0 ? nth(explained.bound->embedding(), row.system_row) : sim::Embedding::kNone;
  node.add("embedded", embedding == sim::Embedding::kWhole).said =
      embedding == sim::Embedding::kWhole ? "    the coordinates already satisfy it: 0 = 0 within rounding error, and "
                                            "the motion does not determine its multiplier\n"
      : embedding == sim::Embedding::kGradient
          ? "    no speed has a part in it: the coordinates chosen cannot change it\n"
          : "";
}

/// Adds the properties of the row in addition to its class (theory.md §2).
void add_findings(const Explained& explained, const RowDescription& row, Node& node) {
  const RowFindings findings = findings_of(explained, row);
  node.add("virtual_displacements", row.row_class.is_dynamical ? "dependent on velocities" : "classical").said =
      row.row_class.is_dynamical ? "    its virtual displacements depend on the velocities\n" : "";
  node.add("direction_only", findings.is_direction_only).said =
      !findings.is_direction_only ? ""
      : *findings.is_direction_only
          ? "    direction-only: homogeneous in the velocities of points and bodies; an ideal reaction does no work\n"
          : "    not homogeneous in the velocities of points and bodies; an ideal reaction may do work\n";
  node.add("integral", findings.is_integral).said = !findings.is_integral ? ""
                                                    : row.level == model::Level::kPosition
                                                        ? "    needs no force: the motion keeps it by itself\n"
                                                        : "    an integral of the motion: kept without a force\n";
}

/// Adds the multipliers of a row at the start, with the names that results use. If the law has a multiplier of its own,
/// the ideal multiplier is added too.
void add_multipliers(const Explained& explained, model::ConstraintId id, std::size_t k, int system_row, Node& node) {
  const model::Constraint& constraint = explained.model().constraint(id);
  Node multiplier, ideal_multiplier, unique;
  std::string said;
  if (explained.at_start) {
    const sim::Sample& sample = *explained.start;
    const auto mu = constraint.law->mu();
    const bool has_row = system_row >= 0;
    const double lambda = has_row ? sample.reaction.lambda()[system_row] : 0.0;
    const double value = !mu.empty() ? sample.z[static_cast<Eigen::Index>(mu[0][k].index())]
                         : has_row
                             ? lambda
                             : explained.at_start->scalar(explained.model().terms->multiplier(id, static_cast<int>(k)));
    const bool is_unique = !has_row || sample.row_unique[static_cast<std::size_t>(system_row)] != 0;
    multiplier = value;
    unique = is_unique;
    if (!mu.empty() && has_row) ideal_multiplier = lambda;
    const UnitText ideal = unit_of_multiplier(explained.model(), id, k);
    const UnitText unit = unit_of_row_multiplier(explained.model(), id, k);
    said = fmt::format("    at the start the multiplier is {:.10g}{}{}{}\n", value, behind(unit),
                       !mu.empty() && has_row ? fmt::format(", the ideal one {:.10g}{}", lambda, behind(ideal)) : "",
                       is_unique ? "" : ", not unique: the equation is redundant there");
  }
  node.add("unique", unique).said = said;
  node.add("multiplier", multiplier);
  node.add("ideal_multiplier", ideal_multiplier);
}

Node row_of(const Explained& explained, const ConstraintDescription& constraint, std::size_t k) {
  const RowDescription& row = constraint.rows[k];
  const std::string name =
      constraint.rows.size() == 1 ? constraint.name : fmt::format("{}[{}]", constraint.name, k + 1);
  const std::string_view level = model::to_string(row.level);
  Node node = Node::object({{"name", name}, {"level", level}, {"class", row.row_class.text}});
  node.said = fmt::format("  {}: {} level; {}\n", name, level, row.row_class.text);
  add_embedding(explained, row, node);
  add_findings(explained, row, node);
  const Acting acting(row, explained.model().frames.front().name);
  node.add("factor", row.multiplier);
  node.add("forces", acting.of_row(false));
  node.add("torques", acting.of_row(true));
  node.add("law", row.mu.empty()
                      ? Node()
                      : Node::object(
                            {{"factor", row.mu}, {"forces", acting.of_law(false)}, {"torques", acting.of_law(true)}}));
  // A row is internal if its forces sum to zero, and balanced if their moments do so too. Either property follows from
  // the form of the row, or was found numerically at states that satisfy the constraints.
  const RowFindings findings = findings_of(explained, row);
  const bool is_internal = row.is_internal || findings.is_internal,
             is_balanced = row.is_balanced || findings.is_balanced;
  node.add("internal", is_internal).said = outside_text(row, is_internal, is_balanced);
  node.add("balanced", is_balanced);
  Node& bare = node.add("generalized_force", Node::list());
  for (const auto& part : row.bare) {
    bare.add(Node::object({{"speed", part.name}, {"coefficient", part.coefficient}})).said =
        fmt::format("    generalized force on {} = {}\n", part.name, times(row.multiplier, part.coefficient));
  }
  if (!row.bare.empty() && row.forces.empty())
    bare.say("    the relation contains bare coordinates: there is no point at which a force could act\n");
  add_multipliers(explained, constraint.constraint, k, row.system_row, node);
  return node;
}

/// Forces or torques of nonideal clauses: {"on", "force" or "torque", "from"}; as text "HEAD force F on P, and the
/// opposite on Q".
Node exerted(const std::vector<equations::NonidealDescription>& parts, const std::string& head) {
  Node list = Node::list();
  for (const auto& part : parts) {
    const char* what = part.is_torque ? "torque" : "force";
    list.add(Node::object({{"on", part.on}, {what, part.force}, {"from", part.from}})).said =
        fmt::format("  {} {} {} on {}{}\n", head, what, part.force, part.on,
                    part.from.empty() ? "" : ", and the opposite on " + part.from);
  }
  return list;
}

/// Writes a verdict: "is unique", "is unique except along N.z", "is NOT unique".
std::string verdict(const std::array<char, 3>& unique, const std::string& frame) {
  std::vector<std::string> open;
  for (std::size_t k = 0; k < 3; ++k) {
    if (unique[k] == 0) open.push_back(fmt::format("{}.{}", frame, "xyz"[k]));
  }
  if (open.size() == 3) return "is NOT unique";
  return open.empty() ? "is unique" : "is unique except along " + listed(open);
}

Node flags_of(const std::array<char, 3>& unique) {
  return Node(std::array<bool, 3>{unique[0] != 0, unique[1] != 0, unique[2] != 0});
}

/// Adds the loads at the start. \param size  magnitude of the largest load. Loads that are rounding relative to it are
/// shown as zero.
void add_loads(const Explained& explained, const Loads& loads, double size, Node& node) {
  const std::string& frame = explained.model().frames.front().name;
  const auto said = [&](const Load::Part& part, bool is_moment, const std::string& head, const char* tail) {
    const auto number = [&](int k) {
      const double x = part.value[static_cast<std::size_t>(k)];
      return std::abs(x) <= tolerance::kZero * size ? 0.0 : x;
    };
    return fmt::format("  {} {}{}: [{:.6g}, {:.6g}, {:.6g}]{}\n", head, verdict(part.unique, frame), tail, number(0),
                       number(1), number(2), behind(unit_of_force(explained.model(), is_moment), frame));
  };
  constexpr const char* kUnder = " under the constraints at the start";
  Node& points = node.add("points", Node::list());
  for (const Load& load : loads.points) {
    const auto& force = load.force;
    points
        .add(Node::object({{"point", load.on},
                           {"unique", force ? flags_of(force->unique) : Node()},
                           {"force", force ? Node(force->value) : Node()}}))
        .said = force ? said(*force, false, "the force on " + load.on, kUnder) : "";
  }
  Node& bodies = node.add("bodies", Node::list());
  for (const Load& load : loads.bodies) {
    Node& body = bodies.add(Node::object({{"body", load.on}}));
    const auto add = [&](const char* name, const std::optional<Load::Part>& part, bool is_moment,
                         const std::string& head, const char* tail) {
      if (!part) return static_cast<void>(body.add(name, nullptr));
      body.add(name, Node::object({{"value", part->value}, {"unique", flags_of(part->unique)}})).said =
          said(*part, is_moment, head, tail);
    };
    add("torque", load.torque, true, "the torque on " + load.on, kUnder);
    add("resultant_force", load.force, false, "together on " + load.on + ": the force", "");
    add("resultant_moment", load.moment, true,
        std::string(12 + load.on.size(), ' ') + "  the moment about the mass centre", "");
  }
}

/// Whether a constraint with a `when` clause acts at the start; nothing without a start.
std::optional<bool> acts_at_start(const Explained& explained, const ConstraintDescription& constraint) {
  const int row = constraint.rows.front().system_row;
  if (!explained.start || row < 0 || explained.start->acts.empty()) return std::nullopt;
  return nth(explained.start->acts, row) != 0;
}

Node constraint_of(const Explained& explained, const ConstraintDescription& constraint) {
  const model::Model& model = explained.model();
  const model::Constraint& stated = model.constraint(constraint.constraint);
  const diag::Position place = model.source_text.position(stated.range.begin);
  const bool has_place = !model.source_text.text().empty(), is_higher = model::is_higher_order(stated);
  const std::string law = stated.law->text(model), rows_text = constraint.rows.size() == 1 ? "row" : "rows";
  Node rank;
  const bool is_idle = !acts_at_start(explained, constraint).value_or(true);
  if (!explained.constraint_rank.empty() && !is_idle) rank = explained.constraint_rank[constraint.constraint.index()];
  Node node = Node::object({{"name", constraint.name},
                            {"file", place.file},
                            {"line", place.line},
                            {"relation", constraint.relation},
                            {"law", std::string(model::law_name(stated))},
                            {"joint", stated.joint.empty() ? Node() : Node(stated.joint)},
                            {"rank", rank}});
  node.said = fmt::format("\nconstraint {}: {}{}\n", constraint.name, constraint.relation,
                          has_place ? fmt::format("   ({}:{})", place.file, place.line) : "");
  node.said +=
      is_higher
          ? fmt::format("  {}; {} level; {} {} in addition to the equations of motion\n", law,
                        model::to_string(stated.level), constraint.rows.size(), rows_text)
          : fmt::format("  {}; {}{} {}{}\n", !law.empty() ? law : "law " + std::string(model::law_name(stated)),
                        stated.joint.empty() ? "" : stated.joint + " joint, ", constraint.rows.size(), rows_text,
                        rank.value.index() == 0 ? "" : fmt::format(", rank {}", std::get<std::int64_t>(rank.value)));
  if (stated.when.is_valid()) {
    const std::string condition = stated.unilateral ? "its gap is closed" : model::to_text(model, stated.when);
    const std::optional<bool> acts = acts_at_start(explained, constraint);
    node.add("when", condition).said = fmt::format("  acts while {}{}\n", condition,
                                                   !acts   ? ""
                                                   : *acts ? "; it acts at the start"
                                                           : "; it does not act at the start");
    node.add("acts", acts);
  }
  if (stated.unilateral) {
    Node& clauses = node.add("clauses", Node::list());
    for (const std::string& clause : model::unilateral_clauses(model, *stated.unilateral))
      clauses.add(clause).said = fmt::format("  {}\n", clause);
  }
  Node& rows = node.add("rows", Node::list());
  for (std::size_t k = 0; k < constraint.rows.size(); ++k) rows.add(row_of(explained, constraint, k));
  if (is_higher) rows.hush();
  Node& beside = node.add("beside", Node::list());
  for (const auto& part : constraint.beside) {
    beside.add(Node::object({{"speed", part.name}, {"force", part.coefficient}})).said =
        fmt::format("  generalized force of the law on {}, in addition: {}\n", part.name, part.coefficient);
  }
  node.add("nonideal", exerted(constraint.nonideal, "stated in addition: the"));
  Node& actuators = node.add("actuators", Node::list());
  for (const auto& actuator : constraint.actuators) {
    actuators.add(Node::object({{"effort", actuator.effort},
                                {"scale", actuator.unit.empty() ? Node(actuator.scale) : Node(actuator.unit)},
                                {"exerts", exerted(actuator.exerts, "kept by " + actuator.effort + " times the")}}));
  }
  return node;
}

}  // namespace

Node constraints_of(const Explained& explained) {
  Node list = Node::list();
  if (explained.system == nullptr) return list;
  std::vector<Loads> loads;
  double size = 0.0;
  for (std::size_t c = 0; c < explained.model().constraints.size(); ++c) {
    loads.push_back(loads_of(explained, model::ConstraintId(c)));
    for (const auto* all : {&loads.back().points, &loads.back().bodies}) {
      for (const Load& load : *all) {
        for (const auto& part : {load.force, load.torque, load.moment}) {
          for (int k = 0; part && k < 3; ++k) size = std::max(size, std::abs(part->value[static_cast<std::size_t>(k)]));
        }
      }
    }
  }
  for (const ConstraintDescription& description : equations::describe(*explained.system)) {
    Node& node = list.add(constraint_of(explained, description));
    add_loads(explained, loads[description.constraint.index()], size, node);
    node.add("power", power_of(explained, description.constraint));
  }
  return list;
}

}  // namespace vinculum::report
