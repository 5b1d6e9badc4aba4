#pragma once

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <sstream>
#include <string>
#include <string_view>
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

/// Whether one of some words stands in a line, of lower-case letters in any case. Expressions are searched for only
/// where it does: that takes a hundredth of the time.
inline bool holds_any(std::string line, std::initializer_list<std::string_view> words) {
  const auto is_held = [&line](std::string_view word) { return line.find(word) != std::string::npos; };
  if (std::ranges::any_of(words, is_held)) return true;
  std::ranges::transform(line, line.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return std::ranges::any_of(words, is_held);
}

}  // namespace vinculum::test_support
