#include <gtest/gtest.h>

#include <string>

#include "support/lang/parsed.hpp"
#include "vinculum/reaction_laws/law_table.hpp"

// The exact message for each kind of mistake that the parser finds.
namespace vinculum::lang {
namespace {

TEST(UnexpectedCharacter, ShowsAStrangeCharacter) {
  EXPECT_EQ(diagnosed("param m = 2 @ 3\n"),
            "m.vin:1:13: error: unexpected character `@` [unexpected-character]\n"
            "  1 | param m = 2 @ 3\n"
            "    |             ^\n");
}

TEST(UnexpectedCharacter, ShowsALookAlikeWithTheCharacterToWrite) {
  EXPECT_EQ(diagnosed("let a = 2·x\n"),
            "m.vin:1:10: error: unexpected character `·` [unexpected-character]\n"
            "  1 | let a = 2·x\n"
            "    |          ^\n"
            "  hint: multiply with *\n");
}

TEST(UnexpectedCharacter, ShowsTypographicQuotesOnce) {
  EXPECT_EQ(diagnosed("model pucks “Two pucks”\n"),
            "m.vin:1:13: error: unexpected character `“` [unexpected-character]\n"
            "  1 | model pucks “Two pucks”\n"
            "    |             ^^^^^^^^^^^\n"
            "  hint: strings are written in plain double quotes \"\n");
}

TEST(UnexpectedCharacter, ShowsBytesThatAreNoUtf8) {
  EXPECT_EQ(diagnosed("let a = \xC2\n"),
            "m.vin:1:9: error: bytes that are not valid UTF-8 [unexpected-character]\n"
            "  1 | let a = �\n"
            "    |         ^\n");
}

TEST(UnterminatedString, ShowsAStringThatItsLineDoesNotClose) {
  EXPECT_EQ(diagnosed("model pucks \"Two pucks\n"
                      "frame N newtonian\n"),
            "m.vin:1:13: error: this string is not closed on its line [unterminated-string]\n"
            "  1 | model pucks \"Two pucks\n"
            "    |             ^^^^^^^^^^\n"
            "  hint: add a \" at its end\n");
}

TEST(BadNumber, ShowsTwoPoints) {
  EXPECT_EQ(diagnosed("param m = 1.2.3\n"),
            "m.vin:1:11: error: `1.2.3` is not a number [bad-number]\n"
            "  1 | param m = 1.2.3\n"
            "    |           ^^^^^\n");
}

TEST(BadNumber, ShowsAUnitWithoutBrackets) {
  EXPECT_EQ(diagnosed("param m = 5kg\n"),
            "m.vin:1:11: error: `5kg` is not a number [bad-number]\n"
            "  1 | param m = 5kg\n"
            "    |           ^^^\n"
            "  hint: units are written in brackets: `5 [kg]`\n");
}

TEST(BadNumber, ShowsAFactorWithoutItsOperator) {
  EXPECT_EQ(diagnosed("let a = 2x\n"),
            "m.vin:1:9: error: `2x` is not a number [bad-number]\n"
            "  1 | let a = 2x\n"
            "    |         ^^\n"
            "  hint: multiply with *: `2*x`\n");
}

TEST(BadNumber, ShowsANumberOutOfRange) {
  EXPECT_EQ(diagnosed("param m = 1e999\n"),
            "m.vin:1:11: error: `1e999` is out of the range of numbers [bad-number]\n"
            "  1 | param m = 1e999\n"
            "    |           ^^^^^\n"
            "  hint: sizes from 1e-308 to 1e308 can be represented\n");
}

TEST(BadNumber, ShowsAnExponentOfAUnit) {
  EXPECT_EQ(diagnosed("param m = 1 [m^1.5]\n"),
            "m.vin:1:16: error: `1.5` is not an exponent of a unit [bad-number]\n"
            "  1 | param m = 1 [m^1.5]\n"
            "    |                ^^^\n"
            "  hint: whole numbers from 1 to 99, with or without a minus, or a fraction as in m^(1/2)\n");
}

TEST(UnexpectedToken, ShowsAMissingOperand) {
  EXPECT_EQ(diagnosed("force on P = 3 +\n"
                      "run 4\n"),
            "m.vin:1:17: error: expected an expression, found the end of the statement [unexpected-token]\n"
            "  1 | force on P = 3 +\n"
            "    |                 ^\n");
}

TEST(UnexpectedToken, ShowsOperandsSideBySide) {
  EXPECT_EQ(diagnosed("let a = sin x\n"),
            "m.vin:1:13: error: expected the end of the statement, found `x` [unexpected-token]\n"
            "  1 | let a = sin x\n"
            "    |             ^\n"
            "  hint: multiply with `*`; the arguments of a function are written in brackets\n");
}

// The hint must fit the mistake. If no specific hint applies, the hint is the form of the statement.
TEST(UnexpectedToken, GivesTheHintThatFits) {
  const auto hint = [](const std::string& text) {
    const diag::SourceText source("m.vin", text);
    diag::Diagnostics sink;
    static_cast<void>(parse(source, reaction_laws::laws().forms(), sink));
    return sink.all().size() == 1 ? sink.all()[0].hint : diag::render_text(source, sink.all());
  };
  EXPECT_EQ(hint("coord j k\n"), "coordinates are separated by commas");
  EXPECT_EQ(hint("particle T mass 1 at O at P\n"), "the form is `particle P mass m at POINTEXPR`");
  EXPECT_EQ(hint("constraint c: vel(P) = 0 along N.x along N.y\n"),
            "directions are separated by commas: `along N.x, N.y`");
  EXPECT_EQ(hint("spring P stiffness k0\n"), "a spring acts between two points: `spring P Q stiffness k length l`");
  EXPECT_EQ(hint("spring length stiffness stiffness 1 length 2\n"), "");
  EXPECT_EQ(hint("let v = vel(P) in B\n"), "the form is `let NAME [(x, ...)] = EXPR`");
  EXPECT_EQ(hint("constraint c: x = 0 foo\n"),
            "the form is `constraint NAME: LHS = RHS [along VEC, ...] | constraint NAME: LHS >= RHS`");
  EXPECT_EQ(hint("generalized force on x = 3 from y\n"), "the form is `generalized force on q1 = EXPR`");
  EXPECT_EQ(hint("param x = 2 param y = 3\n"), "one statement a line");
  EXPECT_EQ(hint("output o [m] = x\n"), "the unit in which an output is shown comes last: `output o = EXPR as [m]`");
  EXPECT_EQ(hint("let w = 2 x\n"), "multiply with `*`");
}

TEST(UnexpectedCharacter, IsMicroOutsideOfUnitsOnly) {
  EXPECT_EQ(diagnosed("param a = 3 [µm], b = 2 [kg/μs]\n"), "");
  EXPECT_NE(diagnosed("param µ = 3\n").find("micro is a prefix of units only"), std::string::npos);
}

TEST(UnexpectedToken, ShowsAMisspeltWord) {
  EXPECT_EQ(diagnosed("run 4 [s] tolerence 1e-9\n"),
            "m.vin:1:11: error: expected `step`, `max step`, `tolerance`, `method`, `formulation`, `independent` or "
            "the end of the "
            "statement, found `tolerence` [unexpected-token]\n"
            "  1 | run 4 [s] tolerence 1e-9\n"
            "    |           ^^^^^^^^^\n"
            "  hint: did you mean `tolerance`?\n");
}

TEST(UnexpectedToken, ShowsAMisspeltClause) {
  EXPECT_EQ(
      diagnosed("constraint c: x = 0\n"
                "    nonidael on P = v\n"),
      "m.vin:2:5: error: expected `along`, `law`, `nonideal`, `friction`, `via`, `branch`, `when`, `restitution`, "
      "`compliance` "
      "or the end of "
      "the statement, "
      "found `nonidael` "
      "[unexpected-token]\n"
      "  2 |     nonidael on P = v\n"
      "    |     ^^^^^^^^\n"
      "  hint: did you mean `nonideal`?\n");
}

TEST(UnexpectedToken, ShowsAComparisonWhereAnEquationStates) {
  EXPECT_EQ(diagnosed("constraint c: dot(a, b) == 0\n"),
            "m.vin:1:25: error: expected `=`, found `==` [unexpected-token]\n"
            "  1 | constraint c: dot(a, b) == 0\n"
            "    |                         ^^\n"
            "  hint: `==` compares; an equation is written with `=`\n");
}

TEST(UnexpectedToken, ShowsAMissingTolerance) {
  EXPECT_EQ(diagnosed("expect at end: x = 1\n"),
            "m.vin:1:21: error: expected `±`, found the end of the statement [unexpected-token]\n"
            "  1 | expect at end: x = 1\n"
            "    |                     ^\n"
            "  hint: write the tolerance after the value: `= 1.5 ± 1e-9`, or `+- 1e-9`\n");
}

TEST(UnexpectedToken, ShowsAUnitAtAWrongPlace) {
  EXPECT_EQ(diagnosed("let a = x [m]\n"),
            "m.vin:1:11: error: a unit is not allowed here [unexpected-token]\n"
            "  1 | let a = x [m]\n"
            "    |           ^\n"
            "  hint: a unit follows a number, or closes a `param`, `coord`, `speed` or `start`\n");
}

TEST(UnexpectedToken, ShowsASemicolon) {
  EXPECT_EQ(diagnosed("param p = 1;\n"),
            "m.vin:1:12: error: expected the end of the statement, found `;` [unexpected-token]\n"
            "  1 | param p = 1;\n"
            "    |            ^\n"
            "  hint: one statement a line, without semicolons\n");
}

TEST(UnexpectedToken, ShowsASecondValueOfAnOption) {
  EXPECT_EQ(diagnosed("run 4 step 1 step 2\n"),
            "m.vin:1:14: error: `step` is given twice [unexpected-token]\n"
            "  1 | run 4 step 1 step 2\n"
            "    |              ^^^^\n");
}

TEST(UnexpectedToken, ShowsAWrongTokenInOpenBrackets) {
  EXPECT_EQ(diagnosed("let a = (x : y)\n"),
            "m.vin:1:12: error: expected an operator or `)`, found `:` [unexpected-token]\n"
            "  1 | let a = (x : y)\n"
            "    |            ^\n"
            "    |         ^ `(` is open since here\n");
}

TEST(UnexpectedToken, ShowsARangeOfMultiByteCharacters) {
  EXPECT_EQ(diagnosed("expect at end: x ± 1 = 3\n"),
            "m.vin:1:18: error: expected `=`, found `±` [unexpected-token]\n"
            "  1 | expect at end: x ± 1 = 3\n"
            "    |                  ^\n"
            "  hint: an expectation is `EXPR = VALUE ± TOL` or a comparison\n");
}

TEST(UnclosedBracket, ShowsABracketOpenAtTheEndOfItsStatement) {
  EXPECT_EQ(diagnosed("force on P = (1 + 2\n"
                      "run 4\n"),
            "m.vin:1:14: error: `(` is not closed by `)` [unclosed-bracket]\n"
            "  1 | force on P = (1 + 2\n"
            "    |              ^\n"
            "    |                    ^ the end of the statement is here\n"
            "  hint: add a `)`\n");
}

TEST(UnclosedBracket, ShowsBracketsThatCrossEachOther) {
  EXPECT_EQ(diagnosed("let a = (b[1)]\n"),
            "m.vin:1:11: error: `[` is not closed by `]` [unclosed-bracket]\n"
            "  1 | let a = (b[1)]\n"
            "    |           ^\n"
            "    |             ^ `)` is here\n"
            "  hint: brackets close in the order in which they open: write `]` first\n");
}

TEST(UnclosedBracket, ShowsABarThatIsOpen) {
  EXPECT_EQ(diagnosed("let a = |x + |y|\n"),
            "m.vin:1:9: error: `|` is not closed [unclosed-bracket]\n"
            "  1 | let a = |x + |y|\n"
            "    |         ^\n"
            "    |                 ^ the end of the statement is here\n"
            "  hint: add a `|`\n");
}

TEST(UnclosedBracket, ShowsAClosingBracketTooMany) {
  EXPECT_EQ(diagnosed("let a = (x))\n"),
            "m.vin:1:12: error: `)` closes no bracket [unclosed-bracket]\n"
            "  1 | let a = (x))\n"
            "    |            ^\n"
            "  hint: remove it, or open a `(` before\n");
}

TEST(NestingTooDeep, ShowsTheBracketBeyondTheLimit) {
  const std::string text = "let a = " + std::string(300, '(') + "x" + std::string(300, ')') + "\n";
  const std::string before(50, '(');
  const std::string behind(60, '(');
  EXPECT_EQ(diagnosed(text),
            "m.vin:1:209: error: expressions are nested deeper than 200 levels here [nesting-too-deep]\n"
            "  1 | …" +
                before + behind + "…\n" + "    | " + std::string(51, ' ') +
                "^\n"
                "  hint: name parts of it by `let`\n");
}

TEST(NestingTooDeep, ShowsASumBeyondTheLimit) {
  std::string text = "let a = x";
  for (int i = 0; i < kMaxHeight; ++i) text += "+x";
  EXPECT_NE(diagnosed(text).find("m.vin:1:9: error: this expression has more than 1000 levels [nesting-too-deep]"),
            std::string::npos);
}

TEST(UnknownStatement, ShowsAMisspeltKeyword) {
  EXPECT_EQ(diagnosed("partcile P mass m at O\n"),
            "m.vin:1:1: error: no statement begins with `partcile` [unknown-statement]\n"
            "  1 | partcile P mass m at O\n"
            "    | ^^^^^^^^\n"
            "  hint: did you mean `particle`?\n");
}

TEST(UnknownStatement, ShowsAnAssignmentWithoutKeyword) {
  EXPECT_EQ(diagnosed("height = 3 [m]\n"),
            "m.vin:1:1: error: no statement begins with `height` [unknown-statement]\n"
            "  1 | height = 3 [m]\n"
            "    | ^^^^^^\n"
            "  hint: a name is given by `let height = …`, a constant by `param height = …`\n");
}

TEST(UnknownStatement, ShowsALineThatBeginsWithNoWord) {
  EXPECT_EQ(diagnosed("let a = 1\n"
                      "+ 2\n"),
            "m.vin:2:1: error: a statement begins with a keyword, found `+` [unknown-statement]\n"
            "  2 | + 2\n"
            "    | ^\n"
            "  hint: indent a line that continues the one before\n");
}

TEST(NotSupported, ShowsAStatementOfALaterVersion) {
  EXPECT_EQ(diagnosed("sweep m from 1 to 2\n"
                      "    count 3\n"),
            "m.vin:1:1: error: `sweep` is not supported by this version [not-supported]\n"
            "  1 | sweep m from 1 to 2\n"
            "    | ^^^^^ ensembles of runs\n"
            "  hint: a run for one value is `vinculum run MODEL --set p=VALUE`\n");
}

TEST(MisplacedStatement, ShowsAnItemOutsideOfAView) {
  EXPECT_EQ(diagnosed("shape D = sphere(r)\n"),
            "m.vin:1:1: error: `shape` is an item of a `view` [misplaced-statement]\n"
            "  1 | shape D = sphere(r)\n"
            "    | ^^^^^\n"
            "  hint: write `view {`, a line with `shape …`, and `}`\n");
}

TEST(MisplacedStatement, ShowsAStatementInsideAView) {
  EXPECT_EQ(diagnosed("view {\n"
                      "  param r = 1\n"
                      "}\n"),
            "m.vin:2:3: error: `param` is not an item of a `view` [misplaced-statement]\n"
            "  2 |   param r = 1\n"
            "    |   ^^^^^\n"
            "  hint: a `view` contains only items of the drawing; close it before this line\n");
}

TEST(UnknownStatement, ShowsAnItemMisspelt) {
  EXPECT_EQ(diagnosed("view {\n"
                      "  colors P = red\n"
                      "}\n"),
            "m.vin:2:3: error: no item of a `view` begins with `colors` [unknown-statement]\n"
            "  2 |   colors P = red\n"
            "    |   ^^^^^^\n"
            "  hint: did you mean `color`?\n");
}

TEST(MisplacedStatement, ShowsAClauseWithoutConstraint) {
  EXPECT_EQ(diagnosed("constraint c: x = 0\n"
                      "nonideal on P = v\n"),
            "m.vin:2:1: error: the clause `nonideal` has no constraint [misplaced-statement]\n"
            "  2 | nonideal on P = v\n"
            "    | ^^^^^^^^\n"
            "  hint: a clause is indented under its `constraint` or `joint`\n");
}

TEST(WrongArgumentCount, ShowsASequenceWithTwoAngles) {
  EXPECT_EQ(diagnosed("frame B = N body123(a, b)\n"),
            "m.vin:1:20: error: `body123` takes 3 angles, 2 given [wrong-argument-count]\n"
            "  1 | frame B = N body123(a, b)\n"
            "    |                    ^^^^^^\n"
            "  hint: fewer turns are `rotated` frames one upon the other\n");
}

TEST(TooManyErrors, IsSaidWhereReadingStops) {
  std::string text;
  for (int i = 0; i <= kMaxSyntaxErrors; ++i) text += "nonsense\n";
  const std::string rendered = diagnosed(text);
  const std::string last =
      "m.vin:201:1: error: too many errors, reading stops here [too-many-errors]\n"
      "  201 | nonsense\n"
      "      | ^^^^^^^^\n";
  ASSERT_GT(rendered.size(), last.size());
  EXPECT_EQ(rendered.substr(rendered.size() - last.size()), last);
}

}  // namespace
}  // namespace vinculum::lang
