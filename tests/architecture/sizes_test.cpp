#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "sources.hpp"

namespace {

namespace fs = std::filesystem;
using vinculum::test_support::code_of;
using vinculum::test_support::sources;
using vinculum::test_support::text_of;

constexpr int kLongestFunction = 70;
constexpr double kLargestFolder = 0.15;  // fraction of all lines

/// Whether the text before a brace is the head of a function or of a lambda.
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

TEST(Sizes, FunctionsHaveAtMostSeventyLines) {
  EXPECT_TRUE(is_function("void f(int x) const "));
  EXPECT_FALSE(is_function("\n  for (;;) "));
  int functions = 0;
  for (const fs::path& path : sources()) {
    const std::string code = code_of(text_of(path));
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

TEST(Sizes, NoFolderHoldsMoreThanASeventhOfTheSource) {
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
