#include "vinculum/lang/format.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "command.hpp"
#include "load.hpp"
#include "vinculum/lang/parser.hpp"

namespace vinculum::cli {

int format(const std::string& model, bool write, bool check_only) {
  std::optional<std::string> text = read_file(model);
  if (!text) return kUsage;
  Loaded loaded;
  loaded.source = diag::SourceText(model, *text);
  const lang::ModelFile file = lang::parse(loaded.source, loaded.diagnostics);
  if (loaded.diagnostics.has_errors()) {
    // what cannot be read cannot be written without losing something
    print_diagnostics(loaded, false);
    return kWrong;
  }
  const std::string canonical = lang::format(file);
  if (check_only) {
    if (canonical == *text) return kRight;
    fmt::print(stderr, "{} is not in canonical layout; `vinculum format --write` brings it there\n", model);
    return kWrong;
  }
  if (!write) {
    fmt::print("{}", canonical);
    return kRight;
  }
  if (canonical == *text) return kRight;
  const std::string temporary = model + ".tmp";
  std::ofstream(temporary, std::ios::binary) << canonical;
  std::error_code error;
  std::filesystem::rename(temporary, model, error);
  if (error) {
    fmt::print(stderr, "vinculum: `{}` cannot be written: {}\n", model, error.message());
    return kUsage;
  }
  return kRight;
}

}  // namespace vinculum::cli
