#include "vinculum/imports/import.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "vinculum/api/shared.hpp"
#include "vinculum/tools.hpp"

namespace vinculum {

static_assert(static_cast<int>(RobotBase::kFloating) == static_cast<int>(imports::Base::kFloating) &&
              static_cast<int>(RobotLimits::kSpring) == static_cast<int>(imports::Limits::kSpring) &&
              static_cast<int>(RobotLimits::kContact) == static_cast<int>(imports::Limits::kContact));

std::string ImportedRobot::summary() const {
  const auto counted = [](int count, std::string_view one, std::string_view many) {
    return fmt::format("{} {}", count, count == 1 ? one : many);
  };
  std::string lines = counted(links, "link", "links") + ", " + counted(joints, "joint", "joints") + ", " +
                      counted(degrees_of_freedom, "degree of freedom", "degrees of freedom") + "\n";
  for (const std::string& change : changes) lines += change + "\n";
  if (left_out.empty()) return lines;
  std::size_t width = 0;
  for (const LeftOut& one : left_out) width = std::max(width, one.what.size());
  lines += "left out:\n";
  for (const LeftOut& one : left_out)
    lines += fmt::format("  {:<{}}  {:>5}  {}\n", one.what, width, one.count, one.meaning);
  return lines;
}

Result<ImportedRobot> import_robot(const std::filesystem::path& path, const ImportOptions& options) {
  const Result<std::string> text = read_text(path);
  if (!text) return Unexpected<Error>{text.error()};
  const diag::SourceText source(path.string(), *text);
  const imports::TextOptions how{path.filename().string(), static_cast<imports::Base>(options.base),
                                 static_cast<imports::Limits>(options.limits), options.fix_inertia};
  diag::Diagnostics said;
  std::optional<imports::Import> made = imports::import_robot(source, how, said);
  if (!made) return wrong_text(Error::About::kModel, source, said.all());
  ImportedRobot robot{std::move(made->model.text),
                      made->model.links,
                      made->model.joints,
                      made->model.degrees_of_freedom,
                      {},
                      std::move(made->model.changes),
                      diagnostics_of(source, said.all())};
  for (auto& [what, remark] : made->left_out) robot.left_out.push_back({what, remark.count, remark.meaning});
  return robot;
}

}  // namespace vinculum
