#include <filesystem>

#include "command.hpp"

namespace vinculum::cli {
namespace {

/// The file to be written: the target of a link, or the path itself. If a model is named through a link, its file is
/// written and the link stays. (Results are never written through links, because the user has not named their targets.)
std::filesystem::path file_behind(const std::filesystem::path& path) {
  std::error_code error;
  if (!std::filesystem::is_symlink(path, error)) return path;
  const std::filesystem::path behind = std::filesystem::canonical(path, error);
  return error ? path : behind;
}

int format_file(const std::string& path, bool writes, bool only_checks) {
  const auto text = read_text(path);
  if (!text) return print(text.error());
  const auto canonical = vinculum::format(path);
  if (!canonical) return print(canonical.error());
  if (only_checks) {
    if (*canonical == *text) return kRight;
    print_warning(path + " is not in canonical layout; `vinculum format --write` changes it\n");
    return kWrong;
  }
  if (!writes) {
    print(*canonical);
    return kRight;
  }
  if (*canonical == *text) return kRight;
  const auto written = write_text(file_behind(path), *canonical);
  return written ? kRight : print(written.error());
}

}  // namespace

void add_format(CLI::App& app, int& status) {
  static Common common;
  static bool writes = false, only_checks = false;
  CLI::App* command = app.add_subcommand("format", "canonical layout");
  common.add_model(command);
  command->add_flag("-w,--write", writes, "write the file instead of printing it");
  command->add_flag("--check", only_checks, "only report whether the file is in canonical layout");
  command->callback([&status] { status = format_file(common.model, writes, only_checks); });
}

}  // namespace vinculum::cli
