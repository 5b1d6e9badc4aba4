#include "support/models.hpp"

#include <gtest/gtest.h>

#include "vinculum/lang/format.hpp"
#include "vinculum/lang/parser.hpp"
#include "vinculum/law/law_table.hpp"

namespace vinculum {
namespace {

TEST(Models, AreInCanonicalLayout) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(VINCULUM_MODELS)) {
    if (entry.path().extension() != ".vin") continue;
    ++count;
    const std::string text = test_support::read_text(entry.path());
    const diag::SourceText source(entry.path().filename().string(), text);
    diag::Diagnostics diagnostics;
    EXPECT_EQ(lang::format(lang::parse(source, law::laws().forms(), diagnostics)), text) << entry.path();
  }
  EXPECT_GT(count, 10);
}

/// models/README.md has one row for each model, with its title.
TEST(Models, StandOnceInTheirIndex) {
  const std::string index = test_support::read_text(std::filesystem::path(VINCULUM_MODELS) / "README.md");
  std::size_t models = 0;
  for (const auto& entry : std::filesystem::directory_iterator(VINCULUM_MODELS)) {
    if (entry.path().extension() != ".vin") continue;
    ++models;
    const std::string text = test_support::read_text(entry.path()), name = entry.path().stem().string();
    const std::size_t begin = text.find('"') + 1;
    const std::string title = text.substr(begin, text.find('"', begin) - begin);
    EXPECT_NE(index.find("| [" + name + "](" + name + ".vin) | " + title + " |\n"), std::string::npos) << name;
  }
  std::size_t rows = 0;
  for (std::size_t at = index.find("\n| ["); at != std::string::npos; at = index.find("\n| [", at + 1)) ++rows;
  EXPECT_EQ(rows, models);
}

}  // namespace
}  // namespace vinculum
