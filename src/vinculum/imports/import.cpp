#include "vinculum/imports/import.hpp"

#include "vinculum/diag/hints.hpp"
#include "vinculum/imports/sdf.hpp"
#include "vinculum/imports/tree.hpp"
#include "vinculum/imports/urdf.hpp"

namespace vinculum::imports {
namespace {

/// Whether the first element of a text is `sdf`.
bool is_sdf(std::string_view text) {
  for (std::size_t at = text.find('<'); at != text.npos; at = text.find('<', at + 1)) {
    if (text.substr(at).starts_with("<!--")) {
      at = text.find("-->", at);
      if (at == text.npos) return false;
    } else if (at + 1 < text.size() && text[at + 1] != '?' && text[at + 1] != '!') {
      return text.substr(at + 1).starts_with("sdf");
    }
  }
  return false;
}

}  // namespace

std::optional<Import> import_robot(const diag::SourceText& source, const TextOptions& options, diag::Sink& sink) {
  std::optional<Robot> robot = is_sdf(source.text()) ? read_sdf(source, sink) : read_urdf(source, sink);
  if (!robot) return std::nullopt;
  const std::optional<Tree> tree = tree_of(*robot, sink);
  if (!tree) return std::nullopt;
  if (options.base == Base::kFloating && robot->on_ground != diag::SourceRange()) {
    sink.report(diag::error(diag::Kind::kNotAllowedHere, robot->on_ground,
                            "a robot that is fixed to the world does not float",
                            "remove the joint with the parent `world`, or import it with `--base fixed`"));
    return std::nullopt;
  }
  Import result{model_text(*robot, *tree, options, sink), std::move(robot->left_out)};
  if (result.model.text.empty()) {
    sink.report(diag::error(diag::Kind::kUnexpectedCharacter, robot->links.front().range,
                            "a name in this file has characters that are not UTF-8",
                            "write names with letters and digits"));
    return std::nullopt;
  }
  if (result.model.degrees_of_freedom > 0) return result;
  sink.report(diag::error(
      diag::Kind::kMissingStatement, robot->links.front().range,
      "no joint of the robot moves a mass, so there is no motion",
      options.base == Base::kFixed ? "with `--base floating` the robot itself moves" : "give the links masses"));
  return std::nullopt;
}

}  // namespace vinculum::imports
