// docs/howto: models and programs on the pages are equal to the files in its folders, and commands print the output
// shown.
#include <algorithm>
#include <filesystem>
#include <set>

#include "docs/reader.hpp"

namespace vinculum {
namespace howto_test {

namespace fs = std::filesystem;
using test_support::read_text;

const fs::path kHowto = fs::path(VINCULUM_SOURCE) / "docs/howto";

std::vector<fs::path> howto_pages() {
  std::vector<fs::path> all;
  for (const auto& entry : fs::directory_iterator(kHowto))
    if (entry.path().extension() == ".md" && entry.path().stem() != "README") all.push_back(entry.path());
  std::ranges::sort(all);
  return all;
}

/// All code blocks in this language on the how-to pages.
std::set<std::string> blocks_of(const std::string& language) {
  std::set<std::string> blocks;
  for (const fs::path& page : howto_pages()) {
    std::string block;
    bool is_inside = false;
    for (const std::string& line : docs::lines_of(read_text(page))) {
      if (is_inside && line.starts_with("```")) {
        blocks.insert(block);
        is_inside = false;
      } else if (is_inside) {
        block += line + "\n";
      } else if (line == "```" + language) {
        block.clear();
        is_inside = true;
      }
    }
  }
  return blocks;
}

/// The texts of the files in a folder whose names have this ending.
std::set<std::string> files_of(const std::string& folder, const std::string& ending) {
  std::set<std::string> texts;
  for (const auto& entry : fs::directory_iterator(kHowto / folder))
    if (entry.path().string().ends_with(ending)) texts.insert(read_text(entry.path()));
  return texts;
}

class Howto : public ::testing::TestWithParam<fs::path> {};

TEST_P(Howto, CommandsPrintWhatThePageShows) {
  docs::Reader reader;
  reader.copy(kHowto / "models");
  reader.follow(read_text(GetParam()));
}

INSTANTIATE_TEST_SUITE_P(Pages, Howto, ::testing::ValuesIn(howto_pages()),
                         [](const auto& page) { return page.param.stem().string(); });

TEST(HowtoPages, ShowEveryModelAndProgramOfTheirFolder) {
  EXPECT_EQ(blocks_of("vin"), files_of("models", ".vin"));
  EXPECT_EQ(blocks_of("xml"), files_of("models", ".urdf"));
  EXPECT_EQ(blocks_of("cpp"), files_of("programs", ".cpp"));
  EXPECT_EQ(blocks_of("cmake"), files_of("programs", "CMakeLists.txt"));
}

TEST(HowtoPages, AreAllInTheIndex) {
  const std::string index = read_text(kHowto / "README.md");
  EXPECT_GE(howto_pages().size(), 19U);
  for (const fs::path& page : howto_pages())
    EXPECT_NE(index.find("(" + page.filename().string() + ")"), std::string::npos) << page;
}

}  // namespace howto_test
}  // namespace vinculum
