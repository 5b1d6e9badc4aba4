// The English of pages and comments: sentences of at most 40 words, lines of at most 120 columns, and none of the
// phrases of phrases.txt. Each finding names file, line, and what to write.
#include "prose.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <set>

namespace vinculum::prose {
namespace {

namespace fs = std::filesystem;

const fs::path kRoot = VINCULUM_SOURCE;
constexpr std::size_t kMostWords = 40;
constexpr std::size_t kMostColumns = 120;

std::string text_of(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

std::vector<fs::path> pages() {
  std::vector<fs::path> found;
  for (const char* name : {"README.md", "CHANGELOG.md", "CONTRIBUTING.md"}) {
    if (fs::exists(kRoot / name)) found.push_back(kRoot / name);
  }
  for (const auto& entry : fs::recursive_directory_iterator(kRoot / "docs")) {
    if (entry.path().extension() == ".md") found.push_back(entry.path());
  }
  std::ranges::sort(found);
  return found;
}

/// Programs whose comments are read; models that tests quote, and random ones, are not.
std::vector<fs::path> programs() {
  const std::set<std::string> extensions = {".cpp", ".hpp", ".h",  ".py",    ".js",
                                            ".mjs", ".css", ".sh", ".cmake", ".vin"};
  std::vector<fs::path> found;
  for (const char* top : {"src", "include", "apps", "python", "page/src", "tests"}) {
    for (const auto& entry : fs::recursive_directory_iterator(kRoot / top)) {
      const fs::path relative = fs::relative(entry.path(), kRoot);
      const std::string name = relative.generic_string();
      if (name.starts_with("tests/golden/") || name.starts_with("tests/fuzz/seeds/")) continue;
      if (extensions.contains(relative.extension().string()) || relative.filename() == "CMakeLists.txt")
        found.push_back(entry.path());
    }
  }
  std::ranges::sort(found);
  return found;
}

Comments comments_of(const fs::path& path) {
  return {text_of(path), path.filename() == "CMakeLists.txt" ? ".cmake" : path.extension().string()};
}

std::string place(const fs::path& path, int line) {
  return fs::relative(path, kRoot).generic_string() + ":" + std::to_string(line) + ": ";
}

/// One failure with a line for each finding.
void report(const std::vector<std::string>& findings) {
  if (findings.empty()) return;
  std::string text = std::to_string(findings.size()) + " findings\n";
  for (const std::string& finding : findings) text += finding + "\n";
  ADD_FAILURE() << text;
}

void check_lines(const fs::path& path, const std::vector<Line>& lines, std::vector<std::string>& findings) {
  for (const Line& line : lines) {
    const std::size_t columns = columns_of(without_targets(line.text));
    if (columns > kMostColumns)
      findings.push_back(place(path, line.number) + "line of " + std::to_string(columns) + " columns; write at most " +
                         std::to_string(kMostColumns));
  }
}

Phrases listed() { return Phrases(text_of(kRoot / "tests/prose/phrases.txt")); }

TEST(Prose, SentencesOfPagesHaveAtMostFortyWords) {
  std::vector<std::string> findings;
  for (const fs::path& path : pages()) {
    for (const Block& block : Page(text_of(path)).blocks) {
      for (const Sentence& sentence : sentences_of(block)) {
        if (sentence.words > kMostWords)
          findings.push_back(place(path, sentence.line) + "sentence of " + std::to_string(sentence.words) +
                             " words, “" + sentence.begin + " …”; write sentences of at most " +
                             std::to_string(kMostWords));
      }
    }
  }
  report(findings);
}

TEST(Prose, LinesHaveAtMostOneHundredTwentyColumns) {
  std::vector<std::string> findings;
  for (const fs::path& path : pages()) check_lines(path, Page(text_of(path)).lines, findings);
  for (const fs::path& path : programs()) check_lines(path, comments_of(path).lines, findings);
  report(findings);
}

TEST(Prose, PagesAndCommentsAvoidTheListedPhrases) {
  const Phrases phrases = listed();
  EXPECT_TRUE(phrases.wrong.empty()) << "phrases.txt: no phrase in \"" << phrases.wrong.front() << '"';
  EXPECT_GT(phrases.size(), 50U);
  std::vector<std::string> findings;
  const auto check = [&](const fs::path& path, const std::vector<Block>& blocks) {
    for (const Block& block : blocks) {
      for (const Match& match : phrases.in(block))
        findings.push_back(place(path, match.line) + "“" + match.words + "”; write: " + match.instead);
    }
  };
  for (const fs::path& path : pages()) {
    const Page page(text_of(path));
    check(path, page.headings);
    check(path, page.blocks);
  }
  const std::vector<fs::path> files = programs();
  EXPECT_GT(files.size(), 500U);
  for (const fs::path& path : files) check(path, comments_of(path).blocks);
  report(findings);
}

std::size_t matches(const std::string& text) { return listed().in({{1, text}}).size(); }

TEST(Phrases, AreFoundInOneSentenceWhereverItsLinesEnd) {
  EXPECT_EQ(matches("Short rows are measured."), 1U);
  EXPECT_EQ(listed().in({{7, "A list is"}, {8, "no vector."}}).front().line, 7);
  EXPECT_EQ(matches("The run ends there by name."), 1U);
  EXPECT_EQ(matches("It took 26 operations for 40."), 1U);
  EXPECT_EQ(matches("Of several rows the largest counts."), 1U);
  EXPECT_EQ(matches("They hold. None is left, and rows are short. Rows follow."), 0U);
  EXPECT_EQ(matches("`short rows`"), 0U);
}

TEST(Phrases, LeaveOrdinaryEnglishAlone) {
  for (const char* sentence : {
           "There is no vector in this list, and there are no units.",
           "If there is none of them, the default applies.",
           "A difference due to rounding is no larger than the tolerance.",
           "The equations hold up to rounding.",
           "The tolerance of the run is allowed in addition to rounding.",
           "A door hangs on two hinges, and the force turns the door.",
           "The result is None.",
           "Of course the value of several rows may be zero.",
           "The run is no longer slow, and no more than 40 steps are needed for 3 bodies.",
           "It looks for the file in a folder beside the model, behind the other one.",
           "A ladder stands on a rough floor; its name stands for a joint.",
           "Look at the plot, and keep one or two of the files.",
           "The step takes 5 ms for 100 bodies.",
           "What is the unit of this number?",
           "The block is lifted by a crane and says nothing.",
           "One of a pair, a point a meter above.",
           "It goes with the ideal law.",
       })
    EXPECT_EQ(matches(sentence), 0U) << sentence << ": “" << listed().in({{1, sentence}}).front().words << "”";
}

TEST(Pages, AreReadWithoutCodeTablesOfNumbersAndAddresses) {
  const Page page(
      "# A title\n\nA `b c d` e\nf. G [h](https://x.y/z-z).\n\n    code here\n\n```\nfence\n```\n"
      "* an item\n  goes on\n\n      code\n| cell one | `a \\| b` |\n|---|---|\n");
  ASSERT_EQ(page.headings.size(), 1U);
  ASSERT_EQ(page.blocks.size(), 4U);
  const std::vector<Sentence> sentences = sentences_of(page.blocks[0]);
  ASSERT_EQ(sentences.size(), 2U);
  EXPECT_EQ(sentences[0].words, 4U);
  EXPECT_EQ(sentences[1].words, 2U);
  EXPECT_EQ(sentences[1].line, 4);
  EXPECT_EQ(page.blocks[1].size(), 2U);
  EXPECT_EQ(columns_of(without_targets("“a” [b](https://long.example/address) https://x.y c")), 10U);
}

TEST(Programs, AreReadForTheirCommentsAlone) {
  const Comments cpp(
      "int a = 1;  // one\n/// two\n/// three\nf(\"// no\", '\"');  /* four */\n// R\"(\nx = R\"(// no)\";\n", ".cpp");
  ASSERT_EQ(cpp.blocks.size(), 4U);
  EXPECT_EQ(cpp.blocks[0].front().text, "one");
  EXPECT_EQ(cpp.blocks[1].size(), 2U);
  EXPECT_EQ(cpp.blocks[2].front().text, "four");
  const Comments python("\"\"\"One.\n\nTwo.\n\"\"\"\nx = '# no'  # three\ny = \"\"\"no\n\"\"\"\n", ".py");
  ASSERT_EQ(python.blocks.size(), 3U);
  EXPECT_EQ(python.blocks[1].front().text, "Two.");
  EXPECT_EQ(python.blocks[2].front().text, "three");
}

}  // namespace
}  // namespace vinculum::prose
