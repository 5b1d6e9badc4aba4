#include "vinculum/expr/interpreter.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "vinculum/base/contract.hpp"

namespace vinculum::expr {
namespace {

struct InterpreterTest : testing::Test {
  Graph g;
  Expr q1 = g.symbol("q1"), q2 = g.symbol("q2");
  const std::vector<Expr> symbols{q1, q2};
  double value(Expr e, std::vector<double> values) { return interpret(std::span(&e, 1), symbols, values)[0]; }
  std::string explain(Expr e, std::vector<double> values) {
    return explain_non_finite(std::span(&e, 1), symbols, values);
  }
};

TEST_F(InterpreterTest, EvaluatesSharedExpressions) {
  const Expr e = sine(q1 * q2) + square(q1 - q2) / (2.0 + q2);
  EXPECT_DOUBLE_EQ(value(e, {0.7, 1.3}), std::sin(0.7 * 1.3) + (0.7 - 1.3) * (0.7 - 1.3) / 3.3);
}

TEST_F(InterpreterTest, NamesASymbolWithoutAValue) {
  const Expr lonely = g.symbol("lonely");
  try {
    value(lonely + q1, {1.0, 2.0});
    FAIL() << "no error";
  } catch (const InternalError& error) {
    EXPECT_NE(std::string(error.what()).find("lonely"), std::string::npos);
  }
}

TEST_F(InterpreterTest, SurvivesALongChain) {
  Expr e = q1;
  for (int i = 0; i < 100000; ++i) e = cosine(e);
  EXPECT_NEAR(value(e, {0.3, 0.0}), 0.7390851332151607, 1e-15);  // the fixed point of cos
}

TEST_F(InterpreterTest, SaysNothingWhenAllIsFinite) { EXPECT_EQ(explain(q1 / q2, {1.0, 2.0}), ""); }

TEST_F(InterpreterTest, NamesTheOperationThatFailedFirst) {
  EXPECT_EQ(explain(3.0 + sine(square_root(q1 - 1.0)), {0.7, 0.0}), "sqrt(q1 - 1) with q1 - 1 = -0.30000000000000004");
  EXPECT_EQ(explain(q1 / (q1 - q2) + q2, {2.0, 2.0}), "q1/(q1 - q2) with q1 = 2, q1 - q2 = 0");
  EXPECT_EQ(explain(g.constant(1.0) / q2, {0.0, 0.0}), "1/q2 with q2 = 0");
  EXPECT_EQ(explain(q1 * q2, {std::nan(""), 1.0}), "q1 = nan");
}

TEST_F(InterpreterTest, CutsLongOperandsToTheirOuterShape) {
  Expr sum = q1 - q2;
  for (int i = 1; i < 12; ++i) sum = square(sum) * sine(q1 + 1.0 * i * q2) - cosine(sum * q2);
  const std::string text = explain(1.0 / ((q1 - q2) * sum), {2.0, 2.0});
  EXPECT_LT(text.size(), 160u) << text;
  EXPECT_NE(text.find("..."), std::string::npos) << text;
  EXPECT_NE(text.find(" = 0"), std::string::npos) << text;
}

TEST_F(InterpreterTest, NamesTableArgumentAndRange) {
  const auto table =
      g.add_table(std::make_shared<Spline>("prices.csv", std::vector{0.0, 1.0, 3.0}, std::vector{1.0, 2.0, 0.0}));
  EXPECT_EQ(explain(2.0 * g.table(table, 1, q1 + q2), {3.0, 0.25}),
            "table prices.csv at q1 + q2 = 3.25 outside [0, 3]");
}

TEST_F(InterpreterTest, BlamesNoBranchThatWasNotTaken) {
  const Expr safe = select(less(g.constant(0.0), q1), g.make(Op::kLogarithm, q1), g.constant(0.0));
  EXPECT_EQ(explain(safe + 1.0 / q2, {-1.0, 0.0}), "1/q2 with q2 = 0");
  EXPECT_EQ(explain(safe, {-1.0, 0.0}), "");
}

}  // namespace
}  // namespace vinculum::expr
