#include <gtest/gtest.h>

#include <string>

#include "support/lang/parsed.hpp"
#include "vinculum/lang/format.hpp"

namespace vinculum::lang {
namespace {

TEST(For, HoldsAnyStatements) {
  const auto loop = only<ForStatement>(
      "for i in 1..n - 1 {\n"
      "  coord q[i] [m], r[i, 2]\n"
      "  constraint c[i]: q[i] = 0\n"
      "      law ideal\n"
      "  for k in i..3 { let a = 1 }\n"
      "}\n");
  EXPECT_EQ(loop.variable.text, "i");
  EXPECT_EQ(format(*loop.from), "1");
  EXPECT_EQ(format(*loop.to), "n - 1");
  ASSERT_EQ(loop.body.size(), 3U);
  const auto& coord = std::get<CoordStatement>(loop.body[0].node);
  EXPECT_EQ(coord.groups[1].names[0].indices.size(), 2U);
  EXPECT_EQ(std::get<ConstraintStatement>(loop.body[1].node).clauses.size(), 1U);
  EXPECT_EQ(std::get<ForStatement>(loop.body[2].node).body.size(), 1U);
}

TEST(If, HoldsAnotherInItsElse) {
  const auto choice =
      only<IfStatement>("if a > 1 { let b = 1 } else if a > 0 { let b = 2\n let c = 2 } else { let b = 3 }\n");
  EXPECT_EQ(choice.then.size(), 1U);
  ASSERT_TRUE(choice.has_else);
  ASSERT_EQ(choice.otherwise.size(), 1U);
  const auto& second = std::get<IfStatement>(choice.otherwise[0].node);
  EXPECT_EQ(format(*second.condition), "a > 0");
  EXPECT_EQ(second.then.size(), 2U);
  EXPECT_EQ(second.otherwise.size(), 1U);
  EXPECT_FALSE(only<IfStatement>("if a if b else c { }").has_else);
}

TEST(If, RangesOfElseIfsCoverTheirText) {
  const std::string text = "if a { } else if b { let c = 1 } else { }\n";
  const diag::SourceText source("m.vin", text);
  const Parsed parsed = parse_text(text);
  const auto& choice = std::get<IfStatement>(parsed.file.statements[0].node);
  EXPECT_EQ(source.slice(parsed.file.statements[0].range), text.substr(0, text.size() - 1));
  EXPECT_EQ(source.slice(choice.otherwise[0].range), "if b { let c = 1 } else { }");
}

TEST(Component, HasArgumentsAndIsUsedUnderAName) {
  const auto component =
      only<ComponentStatement>("component leg(n, r) {\n  include \"parts.vin\"\n  use foot(n) as f\n}\n");
  EXPECT_EQ(component.name.text, "leg");
  EXPECT_EQ(component.parameters.size(), 2U);
  ASSERT_EQ(component.body.size(), 2U);
  EXPECT_EQ(std::get<IncludeStatement>(component.body[0].node).file, "parts.vin");
  const auto use = only<UseStatement>("use leg(2*n, [1, 2]) as left[i]\n");
  EXPECT_EQ(use.component.text, "leg");
  EXPECT_EQ(use.arguments.size(), 2U);
  EXPECT_EQ(use.as.text, "left");
  EXPECT_EQ(use.as.indices.size(), 1U);
  EXPECT_TRUE(only<UseStatement>("use foot() as f").arguments.empty());
}

TEST(Block, LosesOnlyTheStatementsAtFaultInIt) {
  const Parsed parsed = parse_text(
      "for i in 1..3 {\n"
      "    coord q[i] [m]\n"
      "    let a = ]\n"
      "    if i > 1 {\n"
      "        particle P[i] mas 1 at O\n"
      "        let b = 1\n"
      "    }\n"
      "}\n"
      "let c = 1\n");
  EXPECT_EQ(parsed.count, 2U) << parsed.errors;
  ASSERT_EQ(parsed.file.statements.size(), 2U);
  const auto& loop = std::get<ForStatement>(parsed.file.statements[0].node);
  ASSERT_EQ(loop.body.size(), 2U);
  EXPECT_EQ(std::get<IfStatement>(loop.body[1].node).then.size(), 1U);
  ASSERT_EQ(parsed.file.names_at_fault.size(), 2U);
  EXPECT_EQ(parsed.file.names_at_fault[0].text, "a");
  EXPECT_EQ(parsed.file.names_at_fault[1].text, "P");
}

TEST(Block, IsReadWhereItsHeadIsAtFaultToo) {
  const std::string text = "for i = 1..3 {\n    let a = ]\n    let b = 1\n}\nlet c = 1\n";
  EXPECT_EQ(diagnosed(text),
            "m.vin:1:7: error: expected `in`, found `=` [unexpected-token]\n"
            "  1 | for i = 1..3 {\n"
            "    |       ^\n"
            "  hint: an index runs over a range: `for i in 1..3 { … }`\n"
            "\n"
            "m.vin:2:13: error: expected an expression, found `]` [unexpected-token]\n"
            "  2 |     let a = ]\n"
            "    |             ^\n"
            "  hint: an operator or a comma before it has no right side\n");
  EXPECT_EQ(names_at_fault(text), (std::vector<std::string>{"a", "i", "let", "a", "let", "b"}));
  EXPECT_EQ(parse_text(text).file.statements.size(), 1U);
}

TEST(Block, ThatIsNotClosedIsOneError) {
  EXPECT_EQ(diagnosed("for i in 1..3 {\n    coord q[i] [m]\nparam m = 1\n"),
            "m.vin:1:15: error: `{` is not closed [unclosed-bracket]\n"
            "  1 | for i in 1..3 {\n"
            "    |               ^\n"
            "  hint: the block ends with a `}` on a separate line\n");
}

TEST(Block, ThatIsNotClosedInsideAnotherIsToldByIndentation) {
  const std::string text = "for i in 1..3 {\n    if i > 1 {\n        coord q[i] [m]\n}\nparam m = 1\n";
  EXPECT_EQ(diagnosed(text),
            "m.vin:2:14: error: `{` is not closed [unclosed-bracket]\n"
            "  2 |     if i > 1 {\n"
            "    |              ^\n"
            "  hint: the block ends with a `}` on a separate line\n");
  EXPECT_EQ(parse_text(text).file.statements.size(), 2U);
}

TEST(Block, WithoutBracesIsOneError) {
  EXPECT_EQ(diagnosed("if n > 1\n    let a = 1\n"),
            "m.vin:1:9: error: expected `{`, found the end of the statement [unexpected-token]\n"
            "  1 | if n > 1\n"
            "    |         ^\n"
            "  hint: the content of the `if` is written in braces\n");
}

TEST(Block, EndsItsLine) {
  EXPECT_EQ(diagnosed("for i in 1..2 { let a = 1 } let b = 2\n"),
            "m.vin:1:29: error: expected the end of the statement, found `let` [unexpected-token]\n"
            "  1 | for i in 1..2 { let a = 1 } let b = 2\n"
            "    |                             ^^^\n"
            "  hint: one statement a line\n");
  EXPECT_EQ(diagnosed("if n { let a = 1 } els { let b = 1 }\n"),
            "m.vin:1:20: error: expected `else` or the end of the statement, found `els` [unexpected-token]\n"
            "  1 | if n { let a = 1 } els { let b = 1 }\n"
            "    |                    ^^^\n"
            "  hint: did you mean `else`?\n");
}

TEST(Block, NeedsItsIfBeforeAnElse) {
  EXPECT_EQ(diagnosed("let a = 1\nelse { let b = 1 }\n"),
            "m.vin:2:1: error: this `else` follows no `if` [misplaced-statement]\n"
            "  2 | else { let b = 1 }\n"
            "    | ^^^^\n"
            "  hint: it follows the `}` of its `if`\n");
  EXPECT_EQ(diagnosed("if n { } else let b = 1\n"),
            "m.vin:1:15: error: expected `{` or `if`, found `let` [unexpected-token]\n"
            "  1 | if n { } else let b = 1\n"
            "    |               ^^^\n"
            "  hint: `else` is followed by `{ … }` or by another `if`\n");
}

TEST(Block, MayHoldOthersToADepthThatIsSaid) {
  const auto nested = [](int depth) {
    std::string text;
    for (int i = 0; i < depth; ++i) text += "for i in 1..2 {\n";
    text += "let a = 1\n";
    for (int i = 0; i < depth; ++i) text += "}\n";
    return text;
  };
  EXPECT_EQ(diagnosed(nested(kMaxBlocks)), "");
  const Parsed parsed = parse_text(nested(kMaxBlocks + 1));
  EXPECT_EQ(parsed.count, 1U);
  EXPECT_NE(parsed.errors.find("m.vin:101:1: error: blocks are nested deeper than 100 levels here [nesting-too-deep]"),
            std::string::npos)
      << parsed.errors;
}

TEST(Use, NeedsArgumentsAndAPlainName) {
  EXPECT_EQ(diagnosed("use leg as x\n"),
            "m.vin:1:9: error: expected `(`, found `as` [unexpected-token]\n"
            "  1 | use leg as x\n"
            "    |         ^^\n"
            "  hint: a component is used with its arguments, perhaps none: `use leg(1) as left`\n");
  EXPECT_EQ(diagnosed("use leg() as x.y\n"),
            "m.vin:1:15: error: a declared name has no `.` [unexpected-token]\n"
            "  1 | use leg() as x.y\n"
            "    |               ^\n"
            "  hint: names with a `.` are those of the parts of a component in use\n");
}

}  // namespace
}  // namespace vinculum::lang
