#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "sources.hpp"

namespace {

namespace fs = std::filesystem;
using vinculum::test_support::sources;
using vinculum::test_support::text_of;

constexpr int kLongestFile = 450, kLongestFunction = 70;
constexpr double kLargestFolder = 0.15;  // of all lines

/// Comments, strings and directives blanked; lines stay.
std::string code_of(const std::string& text) {
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

/// Whether what stands before a brace is the head of a function or of a lambda.
bool is_function(std::string head) {
  head.erase(0, head.find_first_not_of(" \n"));
  for (const char* word :
       {"if", "for", "while", "switch", "else", "do", "class", "struct", "namespace", "enum", "union"}) {
    const std::size_t length = std::string_view(word).size();
    if (head.starts_with(word) && (head.size() == length || !std::isalnum(static_cast<unsigned char>(head[length]))))
      return false;
  }
  return head.find('(') != head.npos;
}

/// Longer than one can read at once. The list only shrinks.
bool is_too_long_yet(const fs::path& path) {
  static const std::set<std::string> kFiles = {"contacts.cpp", "run_report.cpp", "stick_slip.cpp", "sliding.cpp",
                                               "syntax.hpp"};
  return kFiles.contains(path.filename().string());
}

TEST(Sizes, OfFilesAndFunctionsCanBeReadAtOnce) {
  EXPECT_TRUE(is_function("void f(int x) const "));
  EXPECT_FALSE(is_function("\n  for (;;) "));
  int functions = 0;
  for (const fs::path& path : sources()) {
    const std::string text = text_of(path);
    const auto lines = std::count(text.begin(), text.end(), '\n');
    if (is_too_long_yet(path)) continue;
    EXPECT_LE(lines, kLongestFile) << path;
    const std::string code = code_of(text);
    std::vector<std::pair<std::size_t, bool>> open;
    for (std::size_t i = 0; i < code.size(); ++i) {
      if (code[i] == '{') {
        const std::size_t before = code.find_last_of(";{}", i == 0 ? 0 : i - 1);
        open.emplace_back(i, is_function(code.substr(before == code.npos || before >= i ? 0 : before + 1,
                                                     i - (before == code.npos || before >= i ? 0 : before + 1))));
      } else if (code[i] == '}') {
        ASSERT_FALSE(open.empty()) << path;
        const auto [begin, is] = open.back();
        open.pop_back();
        if (!is) continue;
        ++functions;
        const auto first = code.begin() + static_cast<std::ptrdiff_t>(begin);
        const auto length = std::count(first, code.begin() + static_cast<std::ptrdiff_t>(i), '\n') + 1;
        EXPECT_LE(length, kLongestFunction) << path << ":" << std::count(code.begin(), first, '\n') + 1;
      }
    }
    EXPECT_TRUE(open.empty()) << path;
  }
  EXPECT_GT(functions, 2000);
}

TEST(Sizes, OfFoldersAreAlike) {
  std::map<fs::path, long> lines;
  long all = 0;
  for (const fs::path& path : sources()) {
    const std::string text = text_of(path);
    const long count = std::count(text.begin(), text.end(), '\n');
    lines[path.parent_path()] += count;
    all += count;
  }
  for (const auto& [folder, count] : lines) {
    EXPECT_LE(static_cast<double>(count), kLargestFolder * static_cast<double>(all)) << folder;
  }
}

}  // namespace
