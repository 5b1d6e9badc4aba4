#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "vinculum/mechanics/calculus.hpp"
#include "vinculum/mechanics/inspect/inspection.hpp"
#include "vinculum/out/report/columns.hpp"
#include "vinculum/out/report/explain_invariants.hpp"
#include "vinculum/out/report/explain_report.hpp"
#include "vinculum/out/report/law_text.hpp"

namespace vinculum::out {
namespace {

using Json = nlohmann::ordered_json;

Json forces_json(const std::vector<dynamics::ForceDescription>& all, const char* letter) {
  Json forces = Json::array();
  for (const auto& force : all)
    forces.push_back({{"point", force.name}, {letter, force.W}, {"measure_numbers", force.measure_numbers}});
  return forces;
}
Json torques_json(const std::vector<dynamics::TorqueDescription>& all, const char* letter) {
  Json torques = Json::array();
  for (const auto& torque : all)
    torques.push_back({{"body", torque.name}, {letter, torque.tau}, {"measure_numbers", torque.measure_numbers}});
  return torques;
}

Json known(const std::optional<bool>& value) { return value ? Json(*value) : Json(nullptr); }

// What a law with a μ of its own adds to the row: E and its factor.
Json law_json(const dynamics::RowDescription& row) {
  if (row.mu.empty()) return nullptr;
  return {{"factor", row.mu},
          {"forces", forces_json(row.varied_forces, "E")},
          {"torques", torques_json(row.varied_torques, "E")}};
}

Json row_json(const Explanation& explanation, const dynamics::ConstraintDescription& constraint, std::size_t k) {
  const dynamics::RowDescription& row = constraint.rows[k];
  Json bare = Json::array();
  for (const auto& part : row.bare) bare.push_back({{"speed", part.name}, {"coefficient", part.coefficient}});
  const RowFindings findings = row.system_row < 0 || explanation.findings.empty()
                                   ? RowFindings{}
                                   : explanation.findings[static_cast<std::size_t>(row.system_row)];
  Json result = {
      {"name", constraint.rows.size() == 1 ? constraint.name : fmt::format("{}[{}]", constraint.name, k + 1)},
      {"level", mechanics::to_string(row.level)},
      {"class", row.row_class.text},
      {"virtual_displacements", row.row_class.is_dynamical ? "dependent on velocities" : "classical"},
      {"direction_only", known(findings.is_direction_only)},
      {"integral", findings.is_integral},
      {"unique", nullptr},
      {"multiplier", nullptr},
      {"ideal_multiplier", nullptr},
      {"factor", row.multiplier},
      {"forces", forces_json(row.forces, "W")},
      {"torques", torques_json(row.torques, "tau")},
      {"law", law_json(row)},
      {"internal", row.is_internal},
      {"balanced", row.is_balanced},
      {"generalized_force", std::move(bare)}};
  if (!explanation.rows_at_start.empty()) {
    const RowAtStart& at_start = explanation.rows_at_start[constraint.constraint.index()][k];
    result["unique"] = at_start.is_unique;
    result["multiplier"] = at_start.multiplier;
    if (at_start.ideal_multiplier) result["ideal_multiplier"] = *at_start.ideal_multiplier;
  }
  return result;
}

const LoadAtStart* find_load(const Explanation& explanation, LoadAtStart::Kind kind, mechanics::ConstraintId constraint,
                             const std::string& on) {
  for (const LoadAtStart& load : explanation.loads) {
    if (load.kind == kind && load.constraint == constraint && load.on == on) return &load;
  }
  return nullptr;
}

// {"value": [x, y, z], "unique": …} at the start, null without.
Json load_json(const LoadAtStart* load) {
  if (load == nullptr) return nullptr;
  return {{"value", load->value}, {"unique", load->is_unique}};
}

Json points_json(const Explanation& explanation, mechanics::ConstraintId constraint) {
  Json points = Json::array();
  const mechanics::Model& model = *explanation.compiled->model;
  for (const mechanics::PointId point : mechanics::points_of(model, constraint)) {
    const std::string& name = model.point(point).name;
    const LoadAtStart* force = find_load(explanation, LoadAtStart::Kind::kForce, constraint, name);
    points.push_back({{"point", name},
                      {"unique", force == nullptr ? Json(nullptr) : Json(force->is_unique)},
                      {"force", force == nullptr ? Json(nullptr) : Json(force->value)}});
  }
  return points;
}

Json bodies_json(const Explanation& explanation, mechanics::ConstraintId constraint) {
  const mechanics::Model& model = *explanation.compiled->model;
  Json bodies = Json::array();
  for (const mechanics::FrameId frame : mechanics::bodies_of(model, constraint)) {
    if (!model.frame(frame).body) continue;
    const std::string& name = model.body(*model.frame(frame).body).name;
    const auto load = [&](LoadAtStart::Kind kind) { return load_json(find_load(explanation, kind, constraint, name)); };
    bodies.push_back({{"body", name},
                      {"torque", load(LoadAtStart::Kind::kTorque)},
                      {"resultant_force", load(LoadAtStart::Kind::kResultantForce)},
                      {"resultant_moment", load(LoadAtStart::Kind::kResultantMoment)}});
  }
  return bodies;
}

Json exerted_json(const std::vector<dynamics::NonidealDescription>& parts) {
  Json result = Json::array();
  for (const auto& part : parts) {
    result.push_back({{"on", part.on}, {part.is_torque ? "torque" : "force", part.force}, {"from", part.from}});
  }
  return result;
}

Json actuators_json(const dynamics::ConstraintDescription& constraint) {
  Json actuators = Json::array();
  for (const auto& actuator : constraint.actuators) {
    actuators.push_back(
        {{"effort", actuator.effort}, {"scale", actuator.scale}, {"exerts", exerted_json(actuator.exerts)}});
  }
  return actuators;
}

Json power_json(const Explanation& explanation, mechanics::ConstraintId constraint) {
  if (explanation.power.empty() || !explanation.power[constraint.index()].is_known) return nullptr;
  const PowerOfConstraint& power = explanation.power[constraint.index()];
  return {{"at_start", power.at_start}, {"does_work", power.does_work}};
}

Json reveals_json(const Explanation& explanation) {
  Json reveals = Json::array();
  for (const RevealedAtStart& revealed : explanation.revealed) {
    reveals.push_back({{"name", revealed.name},
                       {"what", revealed.what},
                       {"along", revealed.along},
                       {"value", revealed.value.empty() ? Json(nullptr) : Json(revealed.value)}});
  }
  return reveals;
}

Json higher_order_json(const sim::CompiledModel& compiled) {
  const auto& higher = compiled.system->higher;
  Json unknowns = Json::array(), differentiated = Json::array();
  for (const auto& unknown : higher->unknowns) unknowns.push_back(unknown.name);
  for (const auto& equation : higher->equations) {
    if (equation.times > 0) differentiated.push_back({{"equation", equation.name}, {"times", equation.times}});
  }
  return {{"highest_derivatives", std::move(unknowns)},
          {"states", compiled.system->z_names},
          {"differentiated", std::move(differentiated)}};
}

}  // namespace

std::string explain_json(const Explanation& explanation) {
  const sim::CompiledModel& compiled = *explanation.compiled;
  const mechanics::Model& model = *compiled.model;
  Json coordinates = Json::array();
  for (const auto& coordinate : model.coordinates) coordinates.push_back(coordinate.name);
  Json speeds = Json::array();
  for (const auto& speed : model.speeds) speeds.push_back(speed.name);
  Json bodies = Json::array();
  for (const auto& body : model.bodies) {
    const auto written = [&](mechanics::Term term) { return mechanics::to_text(model, term); };
    const mechanics::Inertia& I = body.inertia;
    bodies.push_back(
        {{"name", body.name},
         {"mass", written(body.mass)},
         {"inertia", {written(I.xx), written(I.yy), written(I.zz), written(I.xy), written(I.yz), written(I.zx)}}});
  }
  Json constraints = Json::array();
  for (const auto& constraint : explanation.constraints) {
    Json rows = Json::array();
    for (std::size_t k = 0; k < constraint.rows.size(); ++k) rows.push_back(row_json(explanation, constraint, k));
    Json beside = Json::array();
    for (const auto& part : constraint.beside) beside.push_back({{"speed", part.name}, {"force", part.coefficient}});
    const mechanics::Constraint& stated = model.constraint(constraint.constraint);
    const diag::Position place = model.source_text.position(stated.range.begin);
    constraints.push_back({{"name", constraint.name},
                           {"file", place.file},
                           {"line", place.line},
                           {"relation", constraint.relation},
                           {"law", law_name(stated)},
                           {"joint", stated.joint.empty() ? Json(nullptr) : Json(stated.joint)},
                           {"rank", explanation.constraint_rank.empty()
                                        ? Json(nullptr)
                                        : Json(explanation.constraint_rank[constraint.constraint.index()])},
                           {"rows", std::move(rows)},
                           {"points", points_json(explanation, constraint.constraint)},
                           {"bodies", bodies_json(explanation, constraint.constraint)},
                           {"beside", std::move(beside)},
                           {"nonideal", exerted_json(constraint.nonideal)},
                           {"actuators", actuators_json(constraint)},
                           {"power", power_json(explanation, constraint.constraint)}});
  }
  Json result = {{"model", model.name},
                 {"coordinates", std::move(coordinates)},
                 {"speeds", std::move(speeds)},
                 {"rank", explanation.rank},
                 {"degrees_of_freedom", compiled.nu() - explanation.rank},
                 {"at", explanation.no_start ? "random states, not assembled" : "start"},
                 {"mass_rank", explanation.mass_rank},
                 {"start", explanation.no_start ? Json(explanation.no_start->message) : Json(nullptr)},
                 {"bodies", std::move(bodies)},
                 {"constraints", std::move(constraints)},
                 {"reveals", reveals_json(explanation)},
                 {"invariants", Json::parse(invariants_json(compiled, explanation.invariants))}};
  if (compiled.system->higher) result["higher_order"] = higher_order_json(compiled);
  return result.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace vinculum::out
