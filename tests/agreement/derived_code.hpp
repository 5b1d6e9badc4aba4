#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "support/models.hpp"

/// Helpers for tests of printed programs: a folder for the files, compilation, and reading of a program's output.
namespace vinculum::derived_code {

using nlohmann::json;

inline bool succeeds(const std::string& command) { return std::system((command + " > /dev/null 2>&1").c_str()) == 0; }

inline const std::string& c_compiler() {
  static const std::string found = succeeds("cc --version")    ? "cc -std=c99"
                                   : succeeds("c++ --version") ? "c++ -x c -std=c99"
                                                               : "";
  return found;
}

struct Folder {
  std::filesystem::path path =
      std::filesystem::temp_directory_path() / fmt::format("vinculum_derive_{}", static_cast<long>(::getpid()));
  Folder() { std::filesystem::create_directories(path); }
  ~Folder() {
    std::error_code error;
    std::filesystem::remove_all(path, error);
  }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(path / name, std::ios::binary) << text;
  }
};

inline std::string list_of(const std::vector<double>& values) {
  std::string text;
  for (const double x : values) text += fmt::format("{}{:.17g}", text.empty() ? "" : ", ", x);
  return text;
}

inline json output_of(const std::string& command, const Folder& folder) {
  const std::string file = (folder.path / "out.json").string();
  const int status = std::system((command + " > " + file + " 2> " + (folder.path / "err.txt").string()).c_str());
  EXPECT_EQ(status, 0) << test_support::read_text(folder.path / "err.txt");
  return status == 0 ? json::parse(test_support::read_text(file)) : json::array();
}

}  // namespace vinculum::derived_code
