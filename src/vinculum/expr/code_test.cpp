#include "vinculum/expr/code.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "vinculum/expr/sharing.hpp"

namespace vinculum::expr {
namespace {

struct CodeTest : testing::Test {
  Graph g;
  Expr q = g.symbol("q"), p = g.symbol("p"), r = g.symbol("r");
  Names names{{q.node(), "q"}, {p.node(), "p"}, {r.node(), "r"}};
  std::string c(Expr e) { return CodePrinter(g, CodeLanguage::kC).print(e, names); }
  std::string python(Expr e, bool is_guarded = false) {
    return CodePrinter(g, CodeLanguage::kPython, is_guarded).print(e, names);
  }
};

TEST_F(CodeTest, KeepsTheOrderOfOperations) {
  EXPECT_EQ(c(q * (p * r)), "p*r*q");
  const Expr first = q * p;
  EXPECT_EQ(c(first * (r * r)), "q*p*(r*r)");
  EXPECT_EQ(c(q * p * r), "q*p*r");
  EXPECT_EQ(c((q + p) + r), "q + p + r");
  EXPECT_EQ(c(r - (q - p)), "r - (q - p)");
  EXPECT_EQ(c(q / (p * r)), "q/(p*r)");
  EXPECT_EQ(c(-(q + p)), "-(q + p)");
}

TEST_F(CodeTest, WritesNumbersThatAreNeverWhole) {
  EXPECT_EQ(c(2.0 * q), "2.0*q");
  EXPECT_EQ(c(q / 3.0), "0.3333333333333333*q");
  EXPECT_EQ(c(1.0 / q), "1.0/q");
  EXPECT_EQ(CodePrinter::number(HUGE_VAL, CodeLanguage::kC), "INFINITY");
  EXPECT_EQ(CodePrinter::number(-HUGE_VAL, CodeLanguage::kPython), "-math.inf");
}

TEST_F(CodeTest, WritesConditionsOfBothLanguages) {
  const Expr both = g.make(Op::kAnd, less(q, p), g.make(Op::kNot, less(p, r)));
  EXPECT_EQ(c(select(both, q, p)), "!(p < r) && q < p ? q : p");
  EXPECT_EQ(python(select(both, q, p)), "q if not (p < r) and q < p else p");
  EXPECT_EQ(c(2.0 * less(q, p)), "2.0*(q < p ? 1.0 : 0.0)");
  EXPECT_EQ(python(select(less(q, 0.0 * q), square_root(q), 1.0 / q), true).substr(0, 19), "guarded(math.sqrt, ");
}

TEST_F(CodeTest, WritesPowersByThePlanOfTheGraph) {
  EXPECT_EQ(c(power(q, 3.0)), "q*q*q");
  EXPECT_EQ(c(power(q + p, 3.0)), "whole_power(q + p, 3)");
  EXPECT_EQ(c(power(q, -1.5)), "1.0/(q*sqrt(q))");
  EXPECT_EQ(python(power(q, p)), "math.pow(q, p)");
}

TEST(Identifier, IsMadeOfAnyName) {
  EXPECT_EQ(identifier("q1'"), "q1_dot");
  EXPECT_EQ(identifier("q[2]"), "q_2");
  EXPECT_EQ(identifier("B.wx"), "B_wx");
  EXPECT_EQ(identifier("multiplier(roll)[2]"), "multiplier_roll_2");
  EXPECT_EQ(identifier("lambda"), "lambda_");
  EXPECT_TRUE(is_identifier(identifier("ü")));
}

TEST_F(CodeTest, NamesWhatIsUsedTwiceAndNothingElse) {
  const Expr shared = sine(q) + p;
  const std::vector<Expr> roots{shared * r, shared / r, q * p};
  const Shared found = name_shared(roots, {}, [](Expr, std::size_t k) { return "z" + std::to_string(k + 1); }, names);
  ASSERT_EQ(found.definitions.size(), 1u);
  CodePrinter printer(g, CodeLanguage::kC);
  EXPECT_EQ(printer.print(found.definitions[0], found.names), "p + sin(q)");
  EXPECT_EQ(printer.print(roots[0], found.names), "r*z1");
  EXPECT_EQ(printer.print(roots[1], found.names), "z1/r");
}

TEST_F(CodeTest, BreaksWhatIsTooLongForALine) {
  Expr e = q;
  for (int i = 0; i < 5000; ++i) e = sine(e) + p;
  const std::vector<Expr> roots{e};
  const Shared found = name_shared(roots, {}, [](Expr, std::size_t k) { return "z" + std::to_string(k + 1); }, names);
  EXPECT_GT(found.definitions.size(), 100u);
  CodePrinter printer(g, CodeLanguage::kPython);
  for (const Expr definition : found.definitions) EXPECT_LT(printer.print(definition, found.names).size(), 2000u);
}

}  // namespace
}  // namespace vinculum::expr
