#include "vinculum/lang/parser.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/lang/parsed.hpp"
#include "vinculum/lang/format.hpp"
#include "vinculum/lang/keywords.hpp"
#include "vinculum/reaction_laws/law_table.hpp"

namespace vinculum::lang {
namespace {

// An expression with a bracket around each operation, which shows how it was parsed.
std::string bracketed(const Expression& expression) {
  const auto& node = expression.node;
  if (const auto* binary = std::get_if<Binary>(&node)) {
    const char* const spellings[] = {"+", "-", "*", "/", "^", "<", "<=", ">", ">=", "==", "!=", " and ", " or "};
    return "(" + bracketed(*binary->left) + spellings[static_cast<int>(binary->op)] + bracketed(*binary->right) + ")";
  }
  if (const auto* unary = std::get_if<Unary>(&node)) {
    const char* const spellings[] = {"-", "+", "not "};
    return "(" + std::string(spellings[static_cast<int>(unary->op)]) + bracketed(*unary->operand) + ")";
  }
  if (const auto* conditional = std::get_if<Conditional>(&node)) {
    return "(" + bracketed(*conditional->if_true) + " if " + bracketed(*conditional->condition) + " else " +
           bracketed(*conditional->if_false) + ")";
  }
  if (const auto* absolute = std::get_if<Absolute>(&node)) return "|" + bracketed(*absolute->operand) + "|";
  return format(expression);
}

std::string reading_of(const std::string& text) {
  const diag::SourceText source("e", text);
  diag::Diagnostics sink;
  const ExpressionPtr expression = parse_expression(source, sink);
  EXPECT_EQ(diag::render_text(source, sink.all()), "");
  return expression == nullptr ? "" : bracketed(*expression);
}

TEST(Expression, BindsAsMathematiciansExpect) {
  EXPECT_EQ(reading_of("-x^2"), "(-(x^2))");
  EXPECT_EQ(reading_of("−x^2"), "(-(x^2))");
  EXPECT_EQ(reading_of("2^3^4"), "(2^(3^4))");
  EXPECT_EQ(reading_of("2^-x*y"), "((2^(-x))*y)");
  EXPECT_EQ(reading_of("-x*y"), "((-x)*y)");
  EXPECT_EQ(reading_of("a - b - c"), "((a-b)-c)");
  EXPECT_EQ(reading_of("a/b*c"), "((a/b)*c)");
  EXPECT_EQ(reading_of("a + b*c"), "(a+(b*c))");
  EXPECT_EQ(reading_of("a + -b"), "(a+(-b))");
  EXPECT_EQ(reading_of("a +-b"), "(a+(-b))");
  EXPECT_EQ(reading_of("not a < b and c or d"), "(((not (a<b)) and c) or d)");
  EXPECT_EQ(reading_of("a if b else c if d else e"), "(a if b else (c if d else e))");
  EXPECT_EQ(reading_of("(a if b else c) + 1"), "((a if b else c)+1)");
}

TEST(Expression, ReadsNestedAndNeighbouringBars) {
  EXPECT_EQ(reading_of("|a| + |b|"), "(|a|+|b|)");
  EXPECT_EQ(reading_of("||a| - |b||"), "|(|a|-|b|)|");
  EXPECT_EQ(reading_of("|a*|b||"), "|(a*|b|)|");
  EXPECT_EQ(reading_of("|residual(parallel)| < 1e-12"), "(|residual(parallel)|<1e-12)");
  EXPECT_EQ(reading_of("2*|-x|^2"), "(2*(|(-x)|^2))");
}

TEST(Expression, ReadsPrimesIndicesAndMembers) {
  EXPECT_EQ(reading_of("q1'' + q[2]' + B.wx'"), "((q1''+q[2]')+B.wx')");
  EXPECT_EQ(reading_of("multiplier(roll)[1]*N.x"), "(multiplier(roll)[1]*N.x)");
  EXPECT_EQ(reading_of("3*N.x"), "(3*N.x)");
}

TEST(Expression, GivesANumberTheUnitBehindIt) {
  EXPECT_EQ(reading_of("0.3 [N] * N.x"), "(0.3 [N]*N.x)");
  EXPECT_EQ(reading_of("9.81[m/s^2]"), "9.81 [m/s^2]");
  EXPECT_EQ(reading_of("1 [J/(kg*K)]"), "1 [J/kg/K]");
  EXPECT_EQ(reading_of("1 [kg^(1/2)/s^-1]"), "1 [kg^(1/2)*s]");
  EXPECT_EQ(reading_of("2 [1/s]"), "2 [1/s]");
}

TEST(Expression, IsNullWhereItCannotBeRead) {
  const diag::SourceText source("e", "2 +");
  diag::Diagnostics sink;
  EXPECT_EQ(parse_expression(source, sink), nullptr);
  EXPECT_EQ(sink.all().size(), 1U);
}

TEST(Expression, RangesCoverTheirTextWithBrackets) {
  const diag::SourceText source("e", " (a + b)*f(c) ");
  diag::Diagnostics sink;
  const ExpressionPtr expression = parse_expression(source, sink);
  ASSERT_NE(expression, nullptr);
  EXPECT_EQ(source.slice(expression->range), "(a + b)*f(c)");
  const auto& product = std::get<Binary>(expression->node);
  EXPECT_EQ(source.slice(product.op_range), "*");
  EXPECT_EQ(source.slice(product.left->range), "(a + b)");
  EXPECT_EQ(source.slice(product.right->range), "f(c)");
}

TEST(Number, IsReadToTheLastBit) {
  const diag::SourceText source("e", "0.1");
  diag::Diagnostics sink;
  const ExpressionPtr expression = parse_expression(source, sink);
  EXPECT_EQ(std::get<NumberLiteral>(expression->node).value, 0.1);
  EXPECT_EQ(reading_of("2.5e-3 + 1E5 + .5 + 2."), "(((2.5e-3+1E5)+.5)+2.)");
}

TEST(ClosingUnit, BelongsToTheItemUnlessANumberStandsBeforeIt) {
  const auto statement =
      only<ParamStatement>("param a = 1 [kg], b = 2*c [m], d = 2*pi/3 [rad/s], e = 10 [N]/2 [m], f = x^2 [m^2]");
  ASSERT_EQ(statement.items.size(), 5U);
  EXPECT_FALSE(statement.items[0].unit.has_value());
  EXPECT_TRUE(std::get<NumberLiteral>(statement.items[0].value->node).unit.has_value());
  EXPECT_TRUE(statement.items[1].unit.has_value());
  EXPECT_TRUE(statement.items[2].unit.has_value());
  EXPECT_FALSE(statement.items[3].unit.has_value());
  EXPECT_TRUE(statement.items[4].unit.has_value());
}

TEST(ClosingUnit, IsToldFromAnIndexByTheSpaceOrTheUnitsName) {
  const auto statement = only<SpeedStatement>("speed u = x'[m/s], v = q[i], w = y' [furlong]");
  EXPECT_TRUE(statement.items[0].unit.has_value());
  EXPECT_FALSE(statement.items[1].unit.has_value());
  EXPECT_TRUE(std::holds_alternative<Index>(statement.items[1].definition->node));
  EXPECT_TRUE(statement.items[2].unit.has_value());
}

TEST(Coord, SharesAUnitAmongTheNamesBeforeIt) {
  const auto statement = only<CoordStatement>("coord x, y [m], phi [rad], s");
  ASSERT_EQ(statement.groups.size(), 3U);
  EXPECT_EQ(statement.groups[0].names.size(), 2U);
  EXPECT_EQ(statement.groups[1].names[0].text, "phi");
  EXPECT_FALSE(statement.groups[2].unit.has_value());
}

TEST(Coord, HasATypicalSizeForEachGroup) {
  const auto statement = only<CoordStatement>("coord x, y [m] scale 1e-2 [m], phi scale 2*a, scale [m]");
  ASSERT_EQ(statement.groups.size(), 3U);
  EXPECT_TRUE(statement.groups[0].scale);
  EXPECT_FALSE(statement.groups[1].unit.has_value());
  EXPECT_TRUE(statement.groups[1].scale);
  EXPECT_EQ(statement.groups[2].names[0].text, "scale");
  EXPECT_FALSE(statement.groups[2].scale);
}

TEST(Constraint, TakesDirectionsAndIndentedClauses) {
  const auto statement = only<ConstraintStatement>(
      "constraint roll: vel(P) = 0 along A.x, A.y\n"
      "    law ideal\n"
      "    nonideal on P = -c*v from Q\n");
  EXPECT_EQ(statement.along.size(), 2U);
  ASSERT_EQ(statement.clauses.size(), 2U);
  EXPECT_EQ(std::get<LawClause>(statement.clauses[0].what).law.text, "ideal");
  EXPECT_EQ(std::get<NonidealClause>(statement.clauses[1].what).from->text, "Q");
}

TEST(Constraint, IsUnilateralBySign) {
  using Sign = ConstraintStatement::Sign;
  EXPECT_EQ(only<ConstraintStatement>("constraint c: x = 0").sign, Sign::kEqual);
  EXPECT_EQ(only<ConstraintStatement>("constraint c: x >= 0").sign, Sign::kAtLeast);
  const auto rope = only<ConstraintStatement>(
      "constraint c: norm(pos(P, O)) <= (L if t < 1 else 2*L)\n    restitution e newton sequential\n");
  EXPECT_EQ(rope.sign, Sign::kAtMost);
  EXPECT_TRUE(std::holds_alternative<Conditional>(rope.right->node));
  const auto& restitution = std::get<RestitutionClause>(rope.clauses[0].what);
  EXPECT_EQ(restitution.law->text, "newton");
  EXPECT_TRUE(restitution.is_sequential);
  EXPECT_FALSE(std::get<RestitutionClause>(
                   only<ConstraintStatement>("constraint c: x >= 0\n    restitution 0.5\n").clauses[0].what)
                   .law);
}

TEST(Constraint, MayHaveItsClausesOnItsLineInAnyOrder) {
  std::vector<std::string> clauses = {"friction on P mu = 0.2 static 0.3 from Q",
                                      "restitution e newton",
                                      "compliance 1",
                                      "law ideal",
                                      "when t < 1",
                                      "via force on P along N.x",
                                      "nonideal on P = -v"};
  std::ranges::sort(clauses);
  do {
    for (const std::string relation :
         {"x >= 0", "norm(pos(P, O)) <= L", "|x| >= b", "x >= (a if b else c)", "x >= 2 [m]"}) {
      const auto statement = only<ConstraintStatement>("constraint c: " + relation + " " + clauses[0] + " " +
                                                       clauses[1] + " " + clauses[2]);
      EXPECT_NE(statement.sign, ConstraintStatement::Sign::kEqual) << relation << " " << clauses[0];
      EXPECT_EQ(statement.clauses.size(), 3U);
    }
    std::ranges::reverse(clauses.begin() + 3, clauses.end());
  } while (std::ranges::next_permutation(clauses).found);
}

TEST(Constraint, MayUseTheNamesOfClausesInItsRelation) {
  for (const std::string relation : {"friction >= 0", "x >= -friction", "|friction| >= law", "x >= (2*restitution)"}) {
    const auto statement = only<ConstraintStatement>("constraint c: " + relation + "\n    compliance 1\n");
    EXPECT_NE(statement.sign, ConstraintStatement::Sign::kEqual) << relation;
    EXPECT_EQ(statement.clauses.size(), 1U);
  }
}

TEST(Limits, HaveANameOrNot) {
  const auto plain = only<LimitsStatement>("limits of q = -1 .. 2 [m]");
  EXPECT_FALSE(plain.name);
  EXPECT_EQ(plain.coordinate.text, "q");
  EXPECT_TRUE(plain.limits.lower && plain.limits.upper);
  EXPECT_FALSE(plain.limits.restitution);
  EXPECT_EQ(only<LimitsStatement>("limits stop of q = -1 .. 2").name->text, "stop");
  EXPECT_EQ(only<LimitsStatement>("limits of of q = -1 .. 2").name->text, "of");
  EXPECT_EQ(only<LimitsStatement>("limits of of = -1 .. 2").coordinate.text, "of");
  EXPECT_EQ(only<LimitsStatement>("limits stop[1] of q[2] = 0 .. 2").name->indices.size(), 1U);
}

TEST(Limits, MayBeOpenOnOneSide) {
  const auto above = only<LimitsStatement>("limits of q = 0 .. restitution 0.5 newton sequential");
  EXPECT_TRUE(above.limits.lower);
  EXPECT_FALSE(above.limits.upper);
  EXPECT_EQ(above.limits.restitution->law->text, "newton");
  EXPECT_TRUE(above.limits.restitution->is_sequential);
  const auto below = only<LimitsStatement>("limits of q = .. (restitution)\n    restitution 0.5");
  EXPECT_FALSE(below.limits.lower);
  EXPECT_TRUE(std::holds_alternative<NameReference>(below.limits.upper->node));
  EXPECT_TRUE(below.limits.restitution);
}

/// A statement follows limits without an upper limit, although `..` is an operator.
TEST(Limits, EndWithTheLineIfTheyAreOpenAbove) {
  const Parsed parsed = parse_text(
      "limits of q = 0 ..\nview {\n}\njoint j: revolute between P of A and Q of B axis A.z\n"
      "    limits 0 ..\n    friction 0.1\nlimits of p = 0 ..\n    1\nrun 1\n");
  EXPECT_EQ(parsed.errors, "");
  const std::vector<Statement>& all = parsed.file.statements;
  ASSERT_EQ(all.size(), 5U);
  EXPECT_EQ(std::get<JointStatement>(all[2].node).clauses.size(), 2U);
  EXPECT_TRUE(std::get<LimitsStatement>(all[3].node).limits.upper);
}

TEST(Frame, HasThreeDefinitions) {
  EXPECT_TRUE(std::holds_alternative<FrameNewtonian>(only<FrameStatement>("frame N newtonian").definition));
  EXPECT_TRUE(std::holds_alternative<FrameRotated>(only<FrameStatement>("frame B = A rotated 2*t about z").definition));
  EXPECT_TRUE(std::holds_alternative<FrameSequence>(only<FrameStatement>("frame B = A space312(a, b, c)").definition));
}

TEST(Expect, ReadsTimesToleranceSignsAndStops) {
  EXPECT_EQ(std::get<ExpectValue>(only<ExpectStatement>("expect at end: x = 1 ± 2").what).when, ExpectWhen::kEnd);
  EXPECT_EQ(std::get<ExpectValue>(only<ExpectStatement>("expect at start: x = 1 +- 2").what).when, ExpectWhen::kStart);
  const auto at = std::get<ExpectValue>(only<ExpectStatement>("expect at 2 [s]: x + -1 = 1 +-2").what);
  EXPECT_EQ(at.when, ExpectWhen::kAt);
  EXPECT_EQ(format(*at.tolerance), "2");
  EXPECT_EQ(bracketed(*at.left), "(x+(-1))");
  const auto always = std::get<ExpectValue>(only<ExpectStatement>("expect always: |residual(c)| < 1e-12").what);
  EXPECT_EQ(always.right, nullptr);
  const auto stop = std::get<ExpectStop>(only<ExpectStatement>("expect stop: step-too-small at 1.5 ± 1e-6").what);
  EXPECT_EQ(stop.kind.text, "step-too-small");
  EXPECT_EQ(format(*stop.tolerance), "1e-6");
}

TEST(Start, TellsHeldValuesFromGuesses) {
  const auto statement = only<StartStatement>("start q2 = 1, q1' ~ 0.25 [m/s]");
  EXPECT_EQ(statement.items[0].kind, StartKind::kHeld);
  EXPECT_EQ(statement.items[1].kind, StartKind::kGuess);
  EXPECT_EQ(format(*statement.items[1].variable), "q1'");
}

TEST(Run, TakesItsOptionsInAnyOrder) {
  const auto statement = only<RunStatement>("run 4 [s] method dop853 tolerance 1e-10\n    max step 2*T step 0.1");
  EXPECT_EQ(statement.method->text, "dop853");
  EXPECT_EQ(format(*statement.tolerance), "1e-10");
  EXPECT_EQ(format(*statement.step), "0.1");
  EXPECT_EQ(format(*statement.max_step), "2*T");
}

TEST(Run, NamesIndependentSpeedsBehindItsOptions) {
  const auto statement = only<RunStatement>("run 4 [s] formulation minimal independent u1, x', B.wx");
  ASSERT_EQ(statement.independent.size(), 3U);
  EXPECT_EQ(format(*statement.independent[1]), "x'");
}

TEST(Layout, GoesOnInsideBracketsBehindOperatorsAndUnderIndentation) {
  EXPECT_EQ(parse_text("let a = f(1,\n2\n, 3)\nlet b = 1 +\n2\nlet c = x\n   + y\n").file.statements.size(), 3U);
}

TEST(Layout, StartsAtAKeywordWhateverCameBefore) {
  const Parsed parsed = parse_text("let a = (1 +\nlet b = [2\n\nlet c = 3\n");
  EXPECT_EQ(parsed.count, 2U);
  ASSERT_EQ(parsed.file.statements.size(), 1U);
  EXPECT_EQ(std::get<LetStatement>(parsed.file.statements[0].node).name.text, "c");
}

TEST(Layout, TakesAForceFunctionAtALinesBeginForWhatItIs) {
  const auto statement = only<OutputStatement>("output F = f(x,\n  force(c, P))");
  EXPECT_EQ(format(*statement.value), "f(x, force(c, P))");
}

TEST(Layout, SkipsStatementsOfLaterVersionsWhole) {
  const Parsed parsed = parse_text("event e: x = 0\n    set u = ]\nlet c = 1\n");
  EXPECT_EQ(parsed.count, 1U);
  EXPECT_EQ(parsed.file.statements.size(), 1U);
}

TEST(Layout, TakesTheBraceOnTheNextLineToItsBlock) {
  const Parsed parsed = parse_text("for i in 1..3\n{\n  let a = 1\n}\nif c\n{\n}\nelse\n{\n}\nlet c = 1\n");
  EXPECT_EQ(parsed.errors, "");
  EXPECT_EQ(parsed.file.statements.size(), 3U);
}

TEST(Parse, LosesNamesBehindAnIncludeAtFaultOnly) {
  const std::string text =
      "let a = 1\nuse Leg(1 as left\ncomponent Foo(n { coord q }\ninclude \"b.vin\"\ninclude c.vin\n";
  const Parsed parsed = parse_text(text);
  EXPECT_EQ(parsed.file.names_lost_from, text.find("include c"));
  ASSERT_EQ(parsed.file.names_at_fault.size(), 2U);
  EXPECT_EQ(parsed.file.names_at_fault[0].text, "left");
  EXPECT_EQ(parsed.file.names_at_fault[1].text, "Foo");
}

TEST(Layout, ReadsCarriageReturnsTabsAndAByteOrderMark) {
  const Parsed parsed = parse_text("\xEF\xBB\xBFmodel a \"t\"\r\nconstraint c: x = 0\r\n\tlaw ideal\r\n");
  EXPECT_EQ(parsed.errors, "");
  EXPECT_EQ(parsed.file.statements.size(), 2U);
}

TEST(Parse, IsEmptyForAnEmptyText) {
  EXPECT_EQ(parse_text("").count, 0U);
  EXPECT_EQ(parse_text("\n\n  \t\n").file.statements.size(), 0U);
}

TEST(Parse, ReportsAllErrorsOfAFileEachOnce) {
  const Parsed parsed = parse_text(
      "model a \"t\"\n"
      "frame N newtonain\n"
      "partcile P mass 1 at O\n"
      "param m = 1.2.3\n"
      "force on P = (1 + 2\n"
      "output v = = 1\n"
      "run 4 [s]\n");
  EXPECT_EQ(parsed.count, 5U) << parsed.errors;
  EXPECT_EQ(parsed.file.statements.size(), 2U);
}

TEST(Parse, KeepsTheNamesOfStatementsAtFault) {
  const Parsed parsed = parse_text(
      "param a = (1, b = 2\n"
      "coord x, y [1..2\n"
      "body wheel frame D mass m\n"
      "partcile P mss 1\n"
      "z = 3\n"
      "let good = 1\n");
  std::vector<std::string> names;
  for (const Name& name : parsed.file.names_at_fault) names.push_back(name.text);
  EXPECT_EQ(names, (std::vector<std::string>{"a", "b", "x", "y", "wheel", "P", "z"}));
  EXPECT_FALSE(parsed.file.names_lost_from);
}

TEST(Parse, ReportsEachUnsupportedStatementAndClauseByName) {
  for (const KeywordInfo& row : statement_table()) {
    if (row.support == Support::kYes) continue;
    const Parsed parsed = parse_text(std::string(row.word) + " x = 1 {\n  shape D = sphere(2)\n}\n");
    EXPECT_EQ(parsed.count, 1U) << row.word << parsed.errors;
    EXPECT_NE(parsed.errors.find("`" + std::string(row.word) + "` is not supported"), std::string::npos)
        << parsed.errors;
    EXPECT_TRUE(parsed.file.statements.empty());
  }
  for (const KeywordInfo& row : clause_table()) {
    if (row.support == Support::kYes) continue;
    const Parsed parsed = parse_text("constraint c: x = 0\n    " + std::string(row.word) + " y = 2\n    law ideal\n");
    EXPECT_EQ(parsed.count, 1U) << row.word << parsed.errors;
    EXPECT_NE(parsed.errors.find("`" + std::string(row.word) + "` is not supported"), std::string::npos)
        << parsed.errors;
  }
}

TEST(Parse, AcceptsAReservedWordAsAName) {
  EXPECT_EQ(only<ParamStatement>("param force = 1, t = 2").items[1].name.text, "t");
  EXPECT_EQ(only<LetStatement>("let not = 1").name.text, "not");
}

TEST(Parse, SurvivesLargeHostileTexts) {
  const auto repeat = [](const std::string& piece, int count) {
    std::string result;
    for (int i = 0; i < count; ++i) result += piece;
    return result;
  };
  const std::string texts[] = {"let a = " + repeat("(", 100000),
                               "let a = " + repeat("|", 100000),
                               "let a = " + repeat("-", 100000),
                               "let a = " + repeat("[", 100000),
                               "let a = x" + repeat("+x", 50000),
                               "let a = " + repeat("2^", 50000) + "2",
                               "let a = x" + repeat(".y", 50000),
                               "let a = x" + repeat("[1]", 30000),
                               "let a = " + repeat("f(", 50000),
                               "let a = 1 [" + repeat("(", 100000),
                               "let a = " + repeat("x if y else ", 10000) + "z",
                               repeat("let\n", 20000),
                               repeat("{", 100000),
                               repeat("for i in 1..2 {\n", 20000),
                               repeat("for i in 1..2 {\n", 20000) + repeat("}\n", 20000),
                               "if a {" + repeat("} else if a {\n", 20000) + "}",
                               repeat("component c() { ", 10000) + repeat("} ", 10000),
                               repeat("    if a {\n", 20000) + repeat("}\n", 19999),
                               "coord q" + repeat("[1", 50000),
                               "force on P" + repeat("[1].x", 30000) + " = ",
                               "joint j: k between " + repeat("P of ", 20000),
                               "constraint c: x = 0\n via " + repeat("force on P along x, ", 20000),
                               repeat("\xFF ", 50000),
                               repeat("\"", 100001),
                               "param a = b" + repeat(" [m", 30000)};
  for (const std::string& text : texts) {
    const Parsed parsed = parse_text(text);
    EXPECT_GE(parsed.count, 1U) << text.substr(0, 20);
    EXPECT_LE(parsed.count, static_cast<std::size_t>(kMaxSyntaxErrors) + 1) << text.substr(0, 20);
  }
}

TEST(Parse, StopsAfterTheLargestNumberOfErrorsAndSaysSo) {
  std::string text;
  for (int i = 0; i < 300; ++i) text += "nonsense here\n";
  const diag::SourceText source("m.vin", text);
  diag::Diagnostics sink;
  const ModelFile file = parse(source, reaction_laws::laws().forms(), sink);
  ASSERT_EQ(sink.all().size(), static_cast<std::size_t>(kMaxSyntaxErrors) + 1);
  EXPECT_EQ(sink.all().back().kind, diag::Kind::kTooManyErrors);
  EXPECT_TRUE(file.names_lost_from);
}

TEST(Keywords, HaveARowOnceEach) {
  for (const auto table : {statement_table(), clause_table()}) {
    std::vector<std::string_view> words;
    for (const KeywordInfo& row : table) {
      EXPECT_EQ(std::count(words.begin(), words.end(), row.word), 0) << row.word;
      EXPECT_FALSE(row.meaning.empty() || row.syntax.empty()) << row.word;
      words.push_back(row.word);
    }
  }
}

}  // namespace
}  // namespace vinculum::lang
