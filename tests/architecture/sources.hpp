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

/// Source files of the library, its headers and the command, without tests.
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

/// The text with comments, strings and directives replaced by blanks; line breaks remain.
inline std::string code_of(const std::string& text) {
  std::string code = text;
  const auto blank = [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < std::min(to, code.size()); ++i) {
      if (code[i] != '\n') code[i] = ' ';
    }
  };
  bool begins_line = true;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i + 1;
    if (text.compare(i, 2, "//") == 0 || (begins_line && text[i] == '#')) {
      end = std::min(text.find('\n', i), text.size());
    } else if (text.compare(i, 3, "R\"(") == 0) {
      end = text.find(")\"", i) + 2;
    } else if (text[i] == '"' ||
               (text[i] == '\'' && (i == 0 || !std::isalnum(static_cast<unsigned char>(text[i - 1]))))) {
      while (text[end] != text[i]) end += text[end] == '\\' ? 2 : 1;
      ++end;
    }
    begins_line = text[i] == '\n' || (begins_line && text[i] == ' ');
    if (end > i + 1) blank(i, end);
    i = end;
  }
  return code;
}

/// Whether a line contains one of the words (lower case; the line in any case). A fast filter before regular
/// expressions are searched, which takes a hundred times as long.
inline bool holds_any(std::string line, std::initializer_list<std::string_view> words) {
  const auto is_held = [&line](std::string_view word) { return line.find(word) != std::string::npos; };
  if (std::ranges::any_of(words, is_held)) return true;
  std::ranges::transform(line, line.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return std::ranges::any_of(words, is_held);
}

}  // namespace vinculum::test_support
