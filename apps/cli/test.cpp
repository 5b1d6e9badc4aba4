#include <algorithm>
#include <filesystem>
#include <set>

#include "command.hpp"

namespace vinculum::cli {
namespace {

// Keeps only the first occurrence of each file, also if different paths name the same file.
void remove_repeated(std::vector<std::string>& files) {
  std::set<std::filesystem::path> known;
  std::erase_if(files, [&](const std::string& file) {
    std::error_code error;
    const std::filesystem::path whole = std::filesystem::canonical(file, error);
    return !known.insert(error ? std::filesystem::path(file) : whole).second;
  });
}

// The files in `paths` and, for each folder in `paths`, the model files in and below it, sorted by path. The order of
// `paths` is kept, and each file occurs once.
std::vector<std::string> model_files(const std::vector<std::string>& paths, std::vector<std::string>& missing) {
  std::vector<std::string> files;
  for (const std::string& path : paths) {
    std::error_code error;
    if (std::filesystem::is_directory(path, error)) {
      std::vector<std::string> found;
      for (const auto& entry : std::filesystem::recursive_directory_iterator(path, error)) {
        if (entry.is_regular_file() && entry.path().extension() == ".vin") found.push_back(entry.path().string());
      }
      std::ranges::sort(found);
      files.insert(files.end(), found.begin(), found.end());
    } else if (std::filesystem::is_regular_file(path, error)) {
      files.push_back(path);
    } else {
      missing.push_back(path);
    }
  }
  remove_repeated(files);
  return files;
}

int test_all(const Common& common, const std::vector<std::string>& paths) {
  const auto settings = common.settings();
  if (!settings) return kUsage;
  std::vector<std::string> missing;
  const std::vector<std::string> files = model_files(paths, missing);
  for (const std::string& path : missing) print_usage("there is no file or folder `" + path + "`");
  if (!missing.empty()) return kUsage;
  if (files.empty()) return print_usage("no model (*.vin) found in " + listed(paths));
  std::vector<Verdict> verdicts;
  for (const std::string& file : files) {
    verdicts.push_back(vinculum::test(file, *settings));
    if (!common.json) print(verdicts.back().text);
  }
  print(common.json ? totals_json(verdicts) : totals_text(verdicts));
  return std::ranges::all_of(verdicts, [](const Verdict& one) { return one.failed == 0; }) ? kRight : kWrong;
}

}  // namespace

void add_test(CLI::App& app, int& status) {
  static Common common;
  static std::vector<std::string> paths;
  CLI::App* command = app.add_subcommand("test", "run models, check their expectations and audit each motion");
  command->add_option("PATH", paths, "model files, and folders of model files")->required();
  common.add_set(command);
  common.add_json(command);
  common.add_backend(command);
  command->callback([&status] { status = test_all(common, paths); });
}

}  // namespace vinculum::cli
