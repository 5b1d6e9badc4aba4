#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "vinculum/report/tree.hpp"

namespace vinculum::report {
namespace {

std::string quoted_json(const std::string& text) {
  using Json = nlohmann::json;
  return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// Returns the shortest decimal text from which the number can be read back exactly. It always looks like a
/// floating-point number: "1.0".
std::string json_of(double number) {
  if (!std::isfinite(number)) return "null";
  std::string text = fmt::format("{}", number);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}
std::string json_of(std::nullptr_t) { return "null"; }
std::string json_of(bool truth) { return truth ? "true" : "false"; }
std::string json_of(std::int64_t number) { return fmt::format("{}", number); }
std::string json_of(const std::string& text) { return quoted_json(text); }

void write_json(const Node& node, const std::string& indent, std::string& text) {
  if (node.form == Node::Form::kValue) {
    text += std::visit([](const auto& one) { return json_of(one); }, node.value);
    return;
  }
  const bool is_list = node.form == Node::Form::kList;
  const std::string deeper = indent + "  ";
  text += is_list ? '[' : '{';
  bool is_first = true;
  for (const Node& part : node.parts) {
    if (part.form == Node::Form::kSaid) continue;
    text += (is_first ? "\n" : ",\n") + deeper;
    if (!is_list) text += quoted_json(part.name) + ": ";
    write_json(part, deeper, text);
    is_first = false;
  }
  if (!is_first) text += "\n" + indent;
  text += is_list ? ']' : '}';
}

}  // namespace

std::string to_json(const Node& report) {
  std::string text;
  write_json(report, "", text);
  return text + "\n";
}

}  // namespace vinculum::report
