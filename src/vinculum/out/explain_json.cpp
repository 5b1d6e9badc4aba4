#include <nlohmann/json.hpp>

#include "vinculum/mechanics/calculus.hpp"
#include "vinculum/out/columns.hpp"
#include "vinculum/out/explain_invariants.hpp"
#include "vinculum/out/explain_report.hpp"
#include "vinculum/out/law_text.hpp"

namespace vinculum::out {
namespace {

using Json = nlohmann::ordered_json;

Json row_json(const Explanation& explanation, const dynamics::RowDescription& row, int index) {
  Json forces = Json::array();
  for (const auto& force : row.forces) {
    forces.push_back({{"point", force.name}, {"W", force.W}, {"measure_numbers", force.measure_numbers}});
  }
  Json torques = Json::array();
  for (const auto& torque : row.torques) {
    torques.push_back({{"body", torque.name}, {"tau", torque.tau}, {"measure_numbers", torque.measure_numbers}});
  }
  Json bare = Json::array();
  for (const auto& part : row.bare) bare.push_back({{"speed", part.name}, {"coefficient", part.coefficient}});
  Json result = {{"name", explanation.compiled->row_name(index)},
                 {"level", mechanics::to_string(row.level)},
                 {"class", row.row_class.text},
                 {"unique", nullptr},
                 {"multiplier", nullptr},
                 {"forces", std::move(forces)},
                 {"torques", std::move(torques)},
                 {"internal", row.is_internal},
                 {"balanced", row.is_balanced},
                 {"generalized_force", std::move(bare)}};
  if (explanation.at_start) {
    result["unique"] = explanation.at_start->row_unique[static_cast<std::size_t>(index)] != 0;
    result["multiplier"] = explanation.at_start->reaction.lambda()[index];
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
  for (const auto& place : explanation.compiled->point_forces) {
    if (place.constraint != constraint) continue;
    const std::string& name = explanation.compiled->model->point(place.point).name;
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
  for (const auto& wrench : explanation.compiled->body_wrenches) {
    if (wrench.constraint != constraint || !model.frame(wrench.body).body) continue;
    const std::string& name = model.body(*model.frame(wrench.body).body).name;
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
    actuators.push_back({{"effort", actuator.effort}, {"scale", actuator.scale}, {"exerts", exerted_json(actuator.exerts)}});
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
    reveals.push_back({{"name", revealed.name}, {"what", revealed.what}, {"along", revealed.along},
                       {"value", revealed.value.empty() ? Json(nullptr) : Json(revealed.value)}});
  }
  return reveals;
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
    bodies.push_back({{"name", body.name}, {"mass", written(body.mass)},
                      {"inertia", {written(I.xx), written(I.yy), written(I.zz), written(I.xy), written(I.yz), written(I.zx)}}});
  }
  Json constraints = Json::array();
  int index = 0;
  for (const auto& constraint : explanation.constraints) {
    Json rows = Json::array();
    for (const auto& row : constraint.rows) rows.push_back(row_json(explanation, row, index++));
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
                           {"nonideal", exerted_json(constraint.nonideal)},
                           {"actuators", actuators_json(constraint)},
                           {"power", power_json(explanation, constraint.constraint)}});
  }
  const Json result = {{"model", model.name},
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
  return result.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace vinculum::out
