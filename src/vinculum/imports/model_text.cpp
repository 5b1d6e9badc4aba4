#include "vinculum/imports/model_text.hpp"

#include <fmt/format.h>

#include <optional>

#include "vinculum/imports/joint_text.hpp"
#include "vinculum/imports/link_text.hpp"
#include "vinculum/lang/format.hpp"
#include "vinculum/lang/parser.hpp"

namespace vinculum::imports {
namespace {

std::string header(const std::string& name, const Robot& robot, const TextOptions& options) {
  const std::string file = on_one_line(options.file);
  return fmt::format("model {}  \"Robot {} of {}\"\nsource \"{}\"\n\n", name,
                     on_one_line(robot.name.empty() ? "without a name" : robot.name), file, file);
}

std::string remarks(const Robot& robot, const ModelText& written) {
  std::string text;
  for (const std::string& change : written.changes) text += fmt::format("# {}\n", change);
  if (!robot.left_out.empty()) text += "# left out:\n";
  for (const auto& [name, remark] : robot.left_out)
    text += fmt::format("#   {} {}: {}\n", remark.count, on_one_line(name), remark.meaning);
  return text.empty() ? text : text + "\n";
}

/// Nothing if a name of the file has characters that no text may have.
std::optional<std::string> in_canonical_layout(const std::string& text) {
  const diag::SourceText source("model.vin", text);
  diag::Diagnostics said;
  const lang::ModelFile file = lang::parse(source, {}, said);
  if (said.has_errors()) return std::nullopt;
  return lang::format(file);
}

}  // namespace

ModelText model_text(const Robot& robot, const Tree& tree, const TextOptions& options, diag::Sink& sink) {
  ModelText written;
  written.links = static_cast<int>(robot.links.size());
  written.joints = static_cast<int>(robot.joints.size());
  Names names, titles;
  const std::vector<bool> damped = damped_at_links(robot, tree, options.base);
  JointText joints(robot, tree, damped, names, written);  // first: the names of joints are those of the results
  LinkText links(robot, tree, options, damped, names, written, sink);
  std::string text = joints.declarations();
  for (const int link : tree.links) text += links.link(link, joints);
  for (const std::string& part : {joints.losses(), joints.limits(options.limits)}) {
    if (!part.empty()) text += "\n" + part;
  }
  text += links.view() + "\nrun 1 [s]\n";
  const std::string begin = header(titles.take(robot.name.empty() ? "robot" : robot.name, "_robot"), robot, options);
  const auto laid_out =
      in_canonical_layout(begin + remarks(robot, written) +
                          "frame N newtonian\npoint O fixed in N\nparam g = 9.81 [m/s^2]\ngravity -g*N.z\n\n" + text);
  written.text = laid_out.value_or("");
  return written;
}

}  // namespace vinculum::imports
