#include "vinculum/diag/render.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace vinculum::diag {
namespace {

Diagnostic make(SourceRange range, std::string message) {
  Diagnostic result;
  result.kind = Kind::kDimensionMismatch;
  result.range = range;
  result.message = std::move(message);
  return result;
}

SourceRange find(const SourceText& source, std::string_view text) {
  const auto begin = static_cast<std::uint32_t>(source.whole().find(text));
  return {begin, begin + static_cast<std::uint32_t>(text.size())};
}

TEST(RenderText, ShowsLineCaretsLabelsAndHint) {
  const SourceText source("pucks.vin", "param a0 = 1 [m/s^2]\n\nconstraint steer: dot(vel(P), n) = a0\n");
  Diagnostic diagnostic = make(find(source, "dot(vel(P), n)"), "two sides of constraint `steer` differ in dimension");
  diagnostic.label = "velocity, m/s";
  SourceRange right = find(source, "= a0\n");
  diagnostic.labels.push_back({{right.begin + 2, right.begin + 4}, "acceleration, m/s^2, declared at pucks.vin:1"});
  diagnostic.hint = "write `dot(acc(P), n) = a0`, or give the right side in m/s";
  EXPECT_EQ(render_text(source, diagnostic),
            "pucks.vin:3:19: error: two sides of constraint `steer` differ in dimension [dimension-mismatch]\n"
            "  3 | constraint steer: dot(vel(P), n) = a0\n"
            "    |                   ^^^^^^^^^^^^^^ velocity, m/s\n"
            "    |                                    ^^ acceleration, m/s^2, declared at pucks.vin:1\n"
            "  hint: write `dot(acc(P), n) = a0`, or give the right side in m/s\n");
}

TEST(RenderText, ShowsALabelOfAnotherLineUnderThatLine) {
  const SourceText source("m.vin", "let a = 1\n\n\n\n\n\n\n\n\nlet a = 2\n");
  Diagnostic diagnostic = make({22, 23}, "`a` is declared twice");
  diagnostic.labels.push_back({{4, 5}, "first here"});
  EXPECT_EQ(render_text(source, diagnostic),
            "m.vin:10:5: error: `a` is declared twice [dimension-mismatch]\n"
            "  10 | let a = 2\n"
            "     |     ^\n"
            "   1 | let a = 1\n"
            "     |     ^ first here\n");
}

TEST(RenderText, PutsTheCaretUnderTheTokenBehindTabsAndWideCharacters) {
  const SourceText tabs("m.vin", "\tx\ty");
  EXPECT_EQ(render_text(tabs, make({3, 4}, "y")),
            "m.vin:1:4: error: y [dimension-mismatch]\n"
            "  1 |     x   y\n"
            "    |         ^\n");
  const SourceText wide("m.vin", "\xE4\xB8\xAD\xC2\xB1y");
  EXPECT_EQ(render_text(wide, make({5, 6}, "y")),
            "m.vin:1:3: error: y [dimension-mismatch]\n"
            "  1 | \xE4\xB8\xAD\xC2\xB1y\n"
            "    |    ^\n");
}

TEST(RenderText, ShowsControlCharactersAndInvalidBytesAsReplacement) {
  const SourceText source("m.vin", "\x1B[31m\xFF");
  EXPECT_EQ(render_text(source, make({5, 6}, "bad")),
            "m.vin:1:6: error: bad [dimension-mismatch]\n"
            "  1 | \xEF\xBF\xBD[31m\xEF\xBF\xBD\n"
            "    |      ^\n");
}

TEST(RenderText, MarksAPlaceAtTheEndOfALineOrTextByOneCaret) {
  const SourceText source("m.vin", "ab\n");
  EXPECT_EQ(render_text(source, make({2, 2}, "end of line")),
            "m.vin:1:3: error: end of line [dimension-mismatch]\n"
            "  1 | ab\n"
            "    |   ^\n");
  EXPECT_EQ(render_text(source, make({3, 3}, "end of text")),
            "m.vin:2:1: error: end of text [dimension-mismatch]\n"
            "  2 |\n"
            "    | ^\n");
  const SourceText empty("m.vin", "");
  EXPECT_EQ(render_text(empty, make({0, 0}, "empty")),
            "m.vin:1:1: error: empty [dimension-mismatch]\n"
            "  1 |\n"
            "    | ^\n");
}

TEST(RenderText, ShowsTheFirstLineOfARangeOverSeveral) {
  const SourceText source("m.vin", "ab (c\nd)\n");
  EXPECT_EQ(render_text(source, make({3, 8}, "over lines")),
            "m.vin:1:4: error: over lines [dimension-mismatch]\n"
            "  1 | ab (c\n"
            "    |    ^^\n");
}

TEST(RenderText, ShowsAWindowOfALongLine) {
  const std::string text = std::string(1000, 'a') + "X" + std::string(1000, 'b');
  const SourceText source("m.vin", text);
  EXPECT_EQ(render_text(source, make({1000, 1001}, "far")),
            "m.vin:1:1001: error: far [dimension-mismatch]\n"
            "  1 | \xE2\x80\xA6" +
                std::string(50, 'a') + "X" + std::string(59, 'b') + "\xE2\x80\xA6\n" + "    | " + std::string(51, ' ') +
                "^\n");
}

TEST(RenderText, SeparatesSortedDiagnosticsByABlankLine) {
  const SourceText source("m.vin", "ab");
  const std::vector<Diagnostic> both{make({1, 2}, "second"), make({0, 1}, "first")};
  EXPECT_EQ(render_text(source, both),
            "m.vin:1:1: error: first [dimension-mismatch]\n"
            "  1 | ab\n"
            "    | ^\n"
            "\n"
            "m.vin:1:2: error: second [dimension-mismatch]\n"
            "  1 | ab\n"
            "    |  ^\n");
  EXPECT_EQ(render_text(source, std::vector<Diagnostic>{}), "");
}

TEST(RenderText, NamesTheIncludedFileThatHoldsAPlace) {
  SourceText source("m.vin", "include \"a.vin\"\nlet a = 2\n");
  (void)source.append("a.vin", "\nlet a = 1\n");
  Diagnostic second = make(find(source, "a = 2"), "again");
  second.labels.push_back({find(source, "a = 1"), "the first one"});
  second.labels.push_back({find(source, "include"), "from here"});
  EXPECT_EQ(render_text(source, second),
            "m.vin:2:5: error: again [dimension-mismatch]\n"
            "  2 | let a = 2\n"
            "    |     ^^^^^\n"
            "  in a.vin:\n"
            "  2 | let a = 1\n"
            "    |     ^^^^^ the first one\n"
            "  in m.vin:\n"
            "  1 | include \"a.vin\"\n"
            "    | ^^^^^^^ from here\n");
  EXPECT_EQ(render_text(source, make(find(source, "1"), "one")),
            "a.vin:2:9: error: one [dimension-mismatch]\n"
            "  2 | let a = 1\n"
            "    |         ^\n");
  EXPECT_NE(render_json(source, std::vector{make(find(source, "1"), "one")}).find("\"file\": \"a.vin\""),
            std::string::npos);
}

TEST(RenderJson, GivesKindPlaceInCharactersMessageAndHint) {
  const SourceText source("m.vin", "x\n\xC2\xB1 abc");
  Diagnostic diagnostic = make({5, 8}, "say \"why\"");
  diagnostic.severity = Severity::kWarning;
  diagnostic.hint = "so";
  EXPECT_EQ(render_json(source, std::vector{diagnostic}),
            "[\n"
            "  {\n"
            "    \"kind\": \"dimension-mismatch\",\n"
            "    \"severity\": \"warning\",\n"
            "    \"file\": \"m.vin\",\n"
            "    \"line\": 2,\n"
            "    \"column\": 3,\n"
            "    \"end_column\": 6,\n"
            "    \"message\": \"say \\\"why\\\"\",\n"
            "    \"hint\": \"so\"\n"
            "  }\n"
            "]\n");
}

TEST(RenderJson, IsAnEmptyArrayWhenThereIsNothingToSay) {
  EXPECT_EQ(render_json(SourceText("m.vin", ""), std::vector<Diagnostic>{}), "[]\n");
}

TEST(RenderJson, StaysValidForInvalidBytes) {
  const SourceText source("m.vin", "\xFF");
  EXPECT_NE(render_json(source, std::vector{make({0, 1}, "byte \xFF")}).find("byte \xEF\xBF\xBD"), std::string::npos);
}

}  // namespace
}  // namespace vinculum::diag
