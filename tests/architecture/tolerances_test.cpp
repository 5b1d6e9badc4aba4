#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "sources.hpp"

namespace {

namespace fs = std::filesystem;
using vinculum::test_support::holds_any;
using vinculum::test_support::sources;
using vinculum::test_support::text_of;

const fs::path kRoot = VINCULUM_SOURCE;
const fs::path kSheet = kRoot / "src/vinculum/base/tolerance.hpp";

/// The line without its comment and quoted text, which may mention tolerances. Derived programs are in raw strings,
/// whose lines contain no quotes of C++.
std::string code_of_line(const std::string& line) {
  std::string code = std::regex_replace(line, std::regex(R"("(\\.|[^"\\])*")"), "\"\"");
  if (const std::size_t comment = code.find("//"); comment != std::string::npos) code.erase(comment);
  return code;
}

/// Numbers that are not tolerances: factors of units, coefficients of methods.
bool is_data(const fs::path& path, const std::string& line) {
  const std::string name = path.filename().string();
  return path == kSheet || name == "unit.cpp" || name == "dop853.hpp" || name == "radau_scheme.hpp" ||
         line.find("kSmallestErrorOld =") != std::string::npos;
}

std::set<std::string> rows() {
  std::set<std::string> names;
  const std::string text = text_of(kSheet);
  const std::regex row(R"(inline constexpr double (k\w+) =)");
  for (std::sregex_iterator it(text.begin(), text.end(), row), end; it != end; ++it) names.insert((*it)[1].str());
  return names;
}

TEST(Tolerances, StandInTheSheet) {
  const std::regex small(R"([0-9.]e-[0-9]+|::epsilon\(\))");
  for (const fs::path& path : sources()) {
    std::ifstream stream(path);
    int number = 0;
    for (std::string line; std::getline(stream, line);) {
      ++number;
      if (!holds_any(line, {"e-", "epsilon"}) || is_data(path, line)) continue;
      EXPECT_FALSE(std::regex_search(code_of_line(line), small)) << path << ":" << number << ": " << line;
    }
  }
}

TEST(Tolerances, AreFortyAtMost) { EXPECT_LE(rows().size(), 40U); }

TEST(Tolerances, AreAllUsed) {
  std::string all;
  for (const fs::path& path : sources()) all += text_of(path);
  for (const std::string& row : rows()) EXPECT_NE(all.find("tolerance::" + row), std::string::npos) << row;
}

}  // namespace
