#include "support/models.hpp"

#include <gtest/gtest.h>

#include <regex>

#include "vinculum/lang/format.hpp"
#include "vinculum/lang/parser.hpp"
#include "vinculum/reaction_laws/law_table.hpp"

namespace vinculum {
namespace models_test {

TEST(Models, AreInCanonicalLayout) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(VINCULUM_MODELS)) {
    if (entry.path().extension() != ".vin") continue;
    ++count;
    const std::string text = test_support::read_text(entry.path());
    const diag::SourceText source(entry.path().filename().string(), text);
    diag::Diagnostics diagnostics;
    EXPECT_EQ(lang::format(lang::parse(source, reaction_laws::laws().forms(), diagnostics)), text) << entry.path();
  }
  EXPECT_GT(count, 10);
}

/// models/README.md has one row per model, with its title, and numbers the lessons without gaps.
TEST(Models, StandOnceInTheirIndex) {
  const std::string index = test_support::read_text(std::filesystem::path(VINCULUM_MODELS) / "README.md");
  std::size_t models = 0;
  for (const auto& entry : std::filesystem::directory_iterator(VINCULUM_MODELS)) {
    if (entry.path().extension() != ".vin") continue;
    ++models;
    const std::string text = test_support::read_text(entry.path()), name = entry.path().stem().string();
    const std::size_t begin = text.find('"') + 1;
    const std::string title = text.substr(begin, text.find('"', begin) - begin);
    EXPECT_NE(index.find(" | [" + name + "](" + name + ".vin) | " + title + " |\n"), std::string::npos) << name;
    EXPECT_NE(text.find("\n# Lesson: "), std::string::npos) << name;
  }
  std::size_t lesson = 0;
  while (index.find("\n| " + std::to_string(lesson + 1) + " | [") != std::string::npos) ++lesson;
  EXPECT_EQ(lesson, models);
}

/// docs/gallery.md, which tools/gallery.py writes, has each model and its picture; only a model that stops before it
/// moves has none.
TEST(Models, HaveAPictureInTheGallery) {
  const std::filesystem::path docs = std::filesystem::path(VINCULUM_SOURCE) / "docs";
  const std::string page = test_support::read_text(docs / "gallery.md");
  std::uintmax_t bytes = 0;
  for (const auto& entry : std::filesystem::directory_iterator(VINCULUM_MODELS)) {
    if (entry.path().extension() != ".vin") continue;
    const std::string name = entry.path().stem().string(), picture = "figures/models/" + name + ".webp";
    EXPECT_NE(page.find("](../models/" + name + ".vin)"), std::string::npos) << name << ": run tools/gallery.py";
    const bool has_picture = std::filesystem::exists(docs / picture);
    const bool never_moves = test_support::read_text(entry.path()).find(" at 0 ± ") != std::string::npos;
    EXPECT_TRUE(has_picture || never_moves) << name << ": run tools/gallery.py --pictures COMMAND";
    if (has_picture) bytes += std::filesystem::file_size(docs / picture);
    EXPECT_EQ(page.find("\"" + picture + "\"") != std::string::npos, has_picture) << name;
  }
  EXPECT_LT(bytes, 3u << 20);  // a visitor loads them all
}

/// Expected values have digits down to a thousandth of their tolerance at most: further digits check nothing and make
/// the text harder to read.
TEST(Models, HoldNoDigitsBeyondWhatTheyAreHeldTo) {
  const std::regex number(R"(\nexpect [^\n]* = -?\d*\.(\d+) (?:±|\+-) \d+(?:\.\d*)?e-(\d+))");
  for (const auto& entry : std::filesystem::directory_iterator(VINCULUM_MODELS)) {
    if (entry.path().extension() != ".vin") continue;
    const std::string text = test_support::read_text(entry.path());
    for (std::sregex_iterator one(text.begin(), text.end(), number), end; one != end; ++one)
      EXPECT_LE((*one)[1].length(), std::stoi((*one)[2]) + 3) << entry.path() << (*one)[0];
  }
}

}  // namespace models_test
}  // namespace vinculum
