#pragma once

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace vinculum::test_support {

/// Sources of the library, its headers and the command, without tests.
inline std::vector<std::filesystem::path> sources() {
  std::vector<std::filesystem::path> found;
  for (const char* top : {"src", "include", "apps"}) {
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(std::filesystem::path(VINCULUM_SOURCE) / top)) {
      const std::string name = entry.path().filename().string();
      if ((name.ends_with(".cpp") || name.ends_with(".hpp")) && !name.ends_with("_test.cpp"))
        found.push_back(entry.path());
    }
  }
  return found;
}

inline std::string text_of(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

}  // namespace vinculum::test_support
