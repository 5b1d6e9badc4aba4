#include "load.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "vinculum/diag/render.hpp"
#include "vinculum/elaborate/build/elaborate.hpp"
#include "vinculum/lang/parser.hpp"

namespace vinculum::cli {
namespace {

constexpr std::uintmax_t kLargestFile = 16u << 20;

}  // namespace

std::optional<std::string> read_file(const std::string& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (error || !std::filesystem::exists(status)) {
    fmt::print(stderr, "vinculum: there is no file `{}`\n", path);
    return std::nullopt;
  }
  if (!std::filesystem::is_regular_file(status)) {
    fmt::print(stderr, "vinculum: `{}` is not a file; name one model (`vinculum test` takes folders)\n", path);
    return std::nullopt;
  }
  if (std::filesystem::file_size(path, error) > kLargestFile) {
    fmt::print(stderr, "vinculum: `{}` is larger than {} MiB; this is not a model\n", path, kLargestFile >> 20);
    return std::nullopt;
  }
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream content;
  content << stream.rdbuf();
  if (!stream) {
    fmt::print(stderr, "vinculum: `{}` cannot be read\n", path);
    return std::nullopt;
  }
  return std::move(content).str();
}

std::optional<Loaded> load(const std::string& path, const CommonOptions& common) {
  std::vector<elaborate::ParameterOverride> overrides;
  for (const std::string& set : common.sets) {
    const std::size_t equals = set.find('=');
    if (equals == std::string::npos || equals == 0) {
      fmt::print(stderr, "vinculum: `--set {}` is not of the form `--set name=value`\n", set);
      return std::nullopt;
    }
    overrides.push_back({set.substr(0, equals), set.substr(equals + 1)});
  }
  const auto begin = std::chrono::steady_clock::now();
  std::optional<std::string> text = read_file(path);
  if (!text) return std::nullopt;
  Loaded loaded;
  loaded.source = diag::SourceText(path, std::move(*text));
  const lang::ModelFile file = lang::parse(loaded.source, loaded.diagnostics);
  const elaborate::Options options{std::filesystem::absolute(path).parent_path(), overrides};
  loaded.model = elaborate::elaborate(file, loaded.source, options, loaded.diagnostics);
  if (loaded.diagnostics.has_errors()) loaded.model = nullptr;
  loaded.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return loaded;
}

void print_diagnostics(const Loaded& loaded, bool json) {
  if (json) {
    fmt::print("{}", diag::render_json(loaded.source, loaded.diagnostics.all()));
  } else {
    fmt::print(stderr, "{}", diag::render_text(loaded.source, loaded.diagnostics.all()));
  }
}

}  // namespace vinculum::cli
