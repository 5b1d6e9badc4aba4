#include <cmath>
#include <nlohmann/json.hpp>

#include "vinculum/out/report/compare_report.hpp"

namespace vinculum::out {
namespace {

using Json = nlohmann::ordered_json;

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }
Json text_or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

Json parting(const compare::Parting& one) {
  if (!one.is_there) return nullptr;
  return {{"largest", number(one.largest)}, {"t", number(one.t)}, {"end", number(one.end)}};
}

Json variant(const CompareReport& report, std::size_t i) {
  const compare::Compared& one = report.comparison.variants[i];
  Json result = {{"name", one.name}};
  const bool moves = !one.trajectory.samples.empty();
  result["steps"] = moves ? Json(one.trajectory.statistics.steps) : Json(nullptr);
  result["t"] = moves ? number(one.trajectory.samples.back().t) : Json(nullptr);
  result["t_compared"] = number(one.t_compared);
  result["start"] = text_or_null(one.start);
  result["not_run"] = text_or_null(one.not_run);
  result["stopped"] = nullptr;
  if (const auto& stopped = one.trajectory.stopped) {
    result["stopped"] = {
        {"kind", failure_info(stopped->kind).name}, {"message", stopped->message}, {"t", number(stopped->t)}};
  }
  result["left_out"] = report.left_out[i];
  Json groups = Json::object();
  for (const compare::Group group : compare::kGroups) {
    const compare::Parting& apart = one.groups[static_cast<std::size_t>(group)];
    if (apart.is_there) groups[std::string(to_string(group))] = parting(apart);
  }
  result["groups"] = std::move(groups);
  Json quantities = Json::array();
  for (std::size_t q = 0; q < one.quantities.size(); ++q) {
    if (!one.quantities[q].is_there) continue;
    const compare::Quantity& quantity = report.comparison.quantities[q];
    Json line = {{"name", quantity.name}, {"group", to_string(quantity.group)}, {"scale", number(quantity.scale)}};
    line.update(parting(one.quantities[q]));
    quantities.push_back(std::move(line));
  }
  result["quantities"] = std::move(quantities);
  return result;
}

}  // namespace

std::string compare_json(const CompareReport& report) {
  const compare::Comparison& comparison = report.comparison;
  Json result = {{"model", report.model}, {"constraints", report.constraints}, {"start", comparison.start}};
  result["variants"] = Json::array();
  for (std::size_t i = 0; i < comparison.variants.size(); ++i) result["variants"].push_back(variant(report, i));
  result["residuals"] = Json::array();
  for (std::size_t law = 0; law < comparison.residuals.size(); ++law) {
    for (std::size_t motion = 0; motion < comparison.residuals[law].size(); ++motion) {
      const compare::LawResidual& one = comparison.residuals[law][motion];
      result["residuals"].push_back({{"law", comparison.variants[law].name},
                                     {"motion", comparison.variants[motion].name},
                                     {"equations", one.is_computed ? number(one.equations) : Json(nullptr)},
                                     {"t", one.is_computed ? number(one.t_equations) : Json(nullptr)},
                                     {"rows", one.is_computed ? number(one.rows) : Json(nullptr)},
                                     {"reason", text_or_null(one.reason)}});
    }
  }
  result["ladders"] = Json::array();
  for (const compare::LadderResult& ladder : comparison.ladders) {
    Json rungs = Json::array();
    for (std::size_t k = 0; k < ladder.rungs.size(); ++k) {
      const auto& rung = ladder.rungs[k];
      rungs.push_back({{"variant", comparison.variants[ladder.ladder.variants[k]].name},
                       {"value", number(ladder.ladder.values[k])},
                       {"coordinates", number(rung.coordinates)},
                       {"coordinates_order", number(rung.coordinates_order)},
                       {"speeds", number(rung.speeds)},
                       {"speeds_order", number(rung.speeds_order)}});
    }
    result["ladders"].push_back({{"parameter", ladder.ladder.parameter},
                                 {"reference", comparison.variants[ladder.reference].name},
                                 {"limit", text_or_null(ladder.limit)},
                                 {"theory", ladder.theory > 0.0 ? Json(ladder.theory) : Json(nullptr)},
                                 {"rungs", std::move(rungs)}});
  }
  return result.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace vinculum::out
