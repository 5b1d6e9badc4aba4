#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "vinculum/api/shared.hpp"
#include "vinculum/files/folder.hpp"
#include "vinculum/lang/format.hpp"
#include "vinculum/lang/parser.hpp"
#include "vinculum/tools.hpp"

namespace vinculum {
namespace {

constexpr std::uintmax_t kLargestFile = 16u << 20;

/// "there is no file `pendulm.vin`; did you mean `pendulum.vin`?", with the names of models in the same folder.
std::string no_file(const std::filesystem::path& path) {
  std::error_code error;
  std::vector<std::string> names;
  const auto folder = path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
  std::filesystem::directory_iterator files(folder, error);
  for (; !error && files != std::filesystem::directory_iterator(); files.increment(error))
    if (files->path().extension() == ".vin") names.push_back(files->path().filename().string());
  std::ranges::sort(names);
  const std::string whole = path.filename().string() + ".vin";
  const std::string meant = std::ranges::binary_search(names, whole)
                                ? whole
                                : std::string(diag::nearest_name(path.filename().string(), names));
  return fmt::format("there is no file `{}`", path.string()) +
         (meant.empty() ? "" : fmt::format("; did you mean `{}`?", (path.parent_path() / meant).string()));
}

}  // namespace

std::string_view version() { return VINCULUM_VERSION; }

std::string nearest_name(std::string_view word, std::span<const std::string> names) {
  return diag::nearest_name(word, names);
}

Result<std::string> read_text(const std::filesystem::path& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  const std::string name = path.string();
  if (error || !std::filesystem::exists(status)) return wrong_call(no_file(path));
  if (!std::filesystem::is_regular_file(status))
    return wrong_call(fmt::format("`{}` is not a file; name one model (`vinculum test` takes folders)", name));
  if (std::filesystem::file_size(path, error) > kLargestFile) {
    return wrong_call(fmt::format("`{}` is larger than {} MiB; this is not a model", name, kLargestFile >> 20));
  }
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream content;
  content << stream.rdbuf();
  if (!stream) return wrong_call(fmt::format("`{}` cannot be read", name));
  return std::move(content).str();
}

Result<void> write_text(const std::filesystem::path& path, std::string_view text) {
  auto done = files::replace_file(path, text);
  return done ? Result<void>() : wrong_call(std::move(done.error()));
}

Result<std::string> format(const std::filesystem::path& path) {
  Result<std::string> text = read_text(path);
  return text ? format_text(*std::move(text), path.string()) : text;
}

Result<std::string> format_text(std::string text, const std::string& name) {
  const diag::SourceText source(name, std::move(text));
  diag::Diagnostics said;
  const lang::ModelFile file = lang::parse(source, reaction_laws::laws().forms(), said);
  // Writing a text with errors could lose something that was not understood.
  if (said.has_errors()) return wrong_text(Error::About::kModel, source, said.all());
  return lang::format(file);
}

}  // namespace vinculum
