#include "vinculum/imports/import.hpp"

#include "vinculum/diag/hints.hpp"
#include "vinculum/imports/tree.hpp"
#include "vinculum/imports/urdf.hpp"

namespace vinculum::imports {

std::optional<Import> import_urdf(const diag::SourceText& source, const TextOptions& options, diag::Sink& sink) {
  std::optional<Robot> robot = read_urdf(source, sink);
  if (!robot) return std::nullopt;
  const std::optional<Tree> tree = tree_of(*robot, sink);
  if (!tree) return std::nullopt;
  Import result{model_text(*robot, *tree, options, sink), std::move(robot->left_out)};
  if (result.model.degrees_of_freedom > 0) return result;
  sink.report(diag::error(
      diag::Kind::kMissingStatement, robot->links.front().range,
      "no joint of the robot moves a mass, so there is no motion",
      options.base == Base::kFixed ? "with `--base floating` the robot itself moves" : "give the links masses"));
  return std::nullopt;
}

}  // namespace vinculum::imports
