// docs/sources.md: each row names sections that the theory has, and reference files that contain numbers expected by
// the models of the row.
#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "support/models.hpp"

namespace vinculum {
namespace sources_page_test {

const std::filesystem::path kSource = VINCULUM_SOURCE;

std::vector<std::string> all_of(const std::string& text, const std::regex& pattern) {
  std::vector<std::string> found;
  for (std::sregex_iterator it(text.begin(), text.end(), pattern), end; it != end; ++it) found.push_back((*it)[1]);
  return found;
}

/// Rows of the tables, without the header rows.
std::vector<std::string> rows_of_sources() {
  std::istringstream page(test_support::read_text(kSource / "docs/sources.md"));
  std::vector<std::string> rows;
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with("| ") && !line.starts_with("| what ")) rows.push_back(line);
  }
  return rows;
}

/// Whether the text contains a number that the model expects, with ten digits at least.
bool holds_a_number_of(const std::string& reference, const std::string& model) {
  static const std::regex number(R"(= -?(\d+\.\d{9}))");
  const std::string text = test_support::read_text(kSource / "models" / (model + ".vin"));
  const std::vector<std::string> expected = all_of(text, number);
  return std::ranges::any_of(expected,
                             [&](const std::string& one) { return reference.find(one) != std::string::npos; });
}

TEST(SourcesPage, NamesReferencesThatHoldTheNumbersOfItsModels) {
  const std::regex models(R"(\.\./models/(\w+)\.vin)"), references(R"(tests/reference/([\w.]+\.(?:json|csv))\))");
  int checked = 0;
  for (const std::string& row : rows_of_sources()) {
    for (const std::string& name : all_of(row, references)) {
      const std::string reference = test_support::read_text(kSource / "tests/reference" / name);
      const std::vector<std::string> named = all_of(row, models);
      ++checked;
      EXPECT_TRUE(std::ranges::any_of(named, [&](const auto& model) { return holds_a_number_of(reference, model); }))
          << name << " holds no number of the models in\n"
          << row;
    }
  }
  EXPECT_GT(checked, 20);
}

TEST(SourcesPage, NamesSectionsThatTheTheoryHas) {
  const std::string theory = test_support::read_text(kSource / "docs/theory.md");
  const std::vector<std::string> sections = all_of(theory, std::regex(R"((?:^|\n)(?:#{2,3} )?(\d+(?:\.\d+)?)\.? )"));
  const std::set<std::string> known(sections.begin(), sections.end());
  for (const std::string& row : rows_of_sources()) {
    const std::size_t first = row.find(" | ") + 3;
    const std::string cell = row.substr(first, row.find(" | ", first) - first);
    const std::vector<std::string> named = all_of(cell, std::regex(R"((\d+(?:\.\d+)?))"));
    EXPECT_FALSE(named.empty()) << row;
    for (const std::string& section : named) EXPECT_TRUE(known.contains(section)) << section << " in\n" << row;
  }
}

}  // namespace sources_page_test
}  // namespace vinculum
