#include <cmath>
#include <nlohmann/json.hpp>

#include "vinculum/out/report/tree.hpp"

namespace vinculum::out {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(const Node::Value& value) {
  const double* number = std::get_if<double>(&value);
  if (number != nullptr && !std::isfinite(*number)) return nullptr;
  return std::visit([](const auto& one) { return Json(one); }, value);
}

Json json_of(const Node& node) {
  if (node.form == Node::Form::kValue) return json_of(node.value);
  Json json = node.form == Node::Form::kList ? Json::array() : Json::object();
  for (const Node& part : node.parts) {
    if (part.form == Node::Form::kSaid) continue;
    if (node.form == Node::Form::kList) {
      json.push_back(json_of(part));
    } else {
      json[part.name] = json_of(part);
    }
  }
  return json;
}

}  // namespace

std::string to_json(const Node& report) {
  return json_of(report).dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace vinculum::out
