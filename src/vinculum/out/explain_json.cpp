#include <nlohmann/json.hpp>

#include "vinculum/out/columns.hpp"
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
  Json bare = Json::array();
  for (const auto& part : row.bare) bare.push_back({{"speed", part.name}, {"coefficient", part.coefficient}});
  Json result = {{"name", explanation.compiled->row_name(index)},
                 {"level", mechanics::to_string(row.level)},
                 {"class", row.row_class.text},
                 {"unique", nullptr},
                 {"multiplier", nullptr},
                 {"forces", std::move(forces)},
                 {"internal", row.is_internal},
                 {"generalized_force", std::move(bare)}};
  if (explanation.at_start) {
    result["unique"] = explanation.at_start->row_unique[static_cast<std::size_t>(index)] != 0;
    result["multiplier"] = explanation.at_start->reaction.lambda()[index];
  }
  return result;
}

Json points_json(const Explanation& explanation, mechanics::ConstraintId constraint) {
  Json points = Json::array();
  const auto& forces = explanation.compiled->point_forces;
  for (std::size_t i = 0; i < forces.size(); ++i) {
    if (forces[i].constraint != constraint) continue;
    Json unique = nullptr;
    if (explanation.at_start) unique = explanation.at_start->point_force_unique[i] != 0;
    points.push_back({{"point", explanation.compiled->model->point(forces[i].point).name}, {"unique", std::move(unique)}});
  }
  return points;
}

}  // namespace

std::string explain_json(const Explanation& explanation) {
  const sim::CompiledModel& compiled = *explanation.compiled;
  const mechanics::Model& model = *compiled.model;
  Json coordinates = Json::array();
  for (const auto& coordinate : model.coordinates) coordinates.push_back(coordinate.name);
  Json speeds = Json::array();
  for (const auto& speed : model.speeds) speeds.push_back(speed.name);
  Json constraints = Json::array();
  int index = 0;
  for (const auto& constraint : explanation.constraints) {
    Json rows = Json::array();
    for (const auto& row : constraint.rows) rows.push_back(row_json(explanation, row, index++));
    Json nonideal = Json::array();
    for (const auto& force : constraint.nonideal) {
      nonideal.push_back({{"on", force.on}, {"force", force.force}, {"from", force.from}});
    }
    const diag::Position place = model.source_text.position(model.constraint(constraint.constraint).range.begin);
    constraints.push_back({{"name", constraint.name},
                           {"file", place.file},
                           {"line", place.line},
                           {"relation", constraint.relation},
                           {"law", law_name(model.constraint(constraint.constraint))},
                           {"rank", explanation.constraint_rank.empty()
                                        ? Json(nullptr)
                                        : Json(explanation.constraint_rank[constraint.constraint.index()])},
                           {"rows", std::move(rows)},
                           {"points", points_json(explanation, constraint.constraint)},
                           {"nonideal", std::move(nonideal)}});
  }
  const Json result = {{"model", model.name},
                       {"coordinates", std::move(coordinates)},
                       {"speeds", std::move(speeds)},
                       {"rank", explanation.rank},
                       {"degrees_of_freedom", compiled.nu() - explanation.rank},
                       {"mass_rank", explanation.mass_rank},
                       {"start", explanation.no_start ? Json(explanation.no_start->message) : Json(nullptr)},
                       {"constraints", std::move(constraints)}};
  return result.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace vinculum::out
