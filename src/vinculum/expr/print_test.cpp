#include "vinculum/expr/print.hpp"

#include <gtest/gtest.h>

#include <numbers>

namespace vinculum::expr {
namespace {

struct PrintTest : testing::Test {
  Graph g;
  Expr m = g.symbol("m1"), q1 = g.symbol("q1"), q2 = g.symbol("q2"), u = g.symbol("u1'");
  Expr c(double value) { return g.constant(value); }
};

TEST_F(PrintTest, OrdersFactorsAsAMechanicianDoes) {
  EXPECT_EQ(to_text(cosine(q2) * q1 * 2.0), "2*q1*cos(q2)");
  EXPECT_EQ(to_text(cosine(q1) * u * m * sine(q2)), "m1*u1'*cos(q1)*sin(q2)");
  EXPECT_EQ(to_text((q1 + q2) * cosine(q1) * m), "m1*cos(q1)*(q1 + q2)");
}

TEST_F(PrintTest, PutsPositiveTermsFirst) {
  EXPECT_EQ(to_text(-q2 + q1), "q1 - q2");
  EXPECT_EQ(to_text(-q1 - q2), "-q1 - q2");
  EXPECT_EQ(to_text(m * (-q1 - q2)), "-m1*(q1 + q2)");
  EXPECT_EQ(to_text(cosine(q2) + q1 + 0.5), "q1 + cos(q2) + 0.5");
  EXPECT_EQ(to_text(1.0 - q1), "1 - q1");
  EXPECT_EQ(to_text(q1 - 1.0), "q1 - 1");
  EXPECT_EQ(to_text(-3.0 * q1 + 2.0 * q2), "2*q2 - 3*q1");
  EXPECT_EQ(to_text(m - (q1 - (q2 + u))), "m1 + q2 + u1' - q1");
}

TEST_F(PrintTest, JoinsEqualFactorsToPowers) {
  EXPECT_EQ(to_text(m * q1 * q1), "m1*q1^2");
  EXPECT_EQ(to_text(square(sine(q1))), "sin(q1)^2");
  EXPECT_EQ(to_text(square(u)), "u1'^2");
  EXPECT_EQ(to_text(square(q1 - q2)), "(q1 - q2)^2");
  EXPECT_EQ(to_text(power(q1, 3.0)), "q1^3");
  EXPECT_EQ(to_text(power(q1, -2.0)), "1/q1^2");
  EXPECT_EQ(to_text(m * power(square(q1) + square(q2), -1.5)), "m1/(q1^2 + q2^2)^1.5");
  EXPECT_EQ(to_text(power(q1, q2)), "q1^q2");
  EXPECT_EQ(to_text(power(q1, -q2)), "q1^(-q2)");
  EXPECT_EQ(to_text(power(power(q1, q2), m)), "(q1^q2)^m1");
}

TEST_F(PrintTest, WritesFractions) {
  EXPECT_EQ(to_text(q1 / m), "q1/m1");
  EXPECT_EQ(to_text(q1 / (m * q2)), "q1/(m1*q2)");
  EXPECT_EQ(to_text((q1 + q2) / m), "(q1 + q2)/m1");
  EXPECT_EQ(to_text(1.0 / (q1 + q2)), "1/(q1 + q2)");
  EXPECT_EQ(to_text(-(q1 / m)), "-q1/m1");
  EXPECT_EQ(to_text(q1 / 3.0), "q1/3");
  EXPECT_EQ(to_text(2.0 * q1 / 3.0), "2*q1/3");
  EXPECT_EQ(to_text(q1 / m / 3.0), "q1/(3*m1)");
  EXPECT_EQ(to_text(0.5 * q1), "0.5*q1");
}

TEST_F(PrintTest, WritesNumbersWithTheDigitsTheyNeed) {
  EXPECT_EQ(to_text(c(0.1)), "0.1");
  EXPECT_EQ(to_text(c(-2.0)), "-2");
  EXPECT_EQ(to_text(c(1e-7)), "1e-7");
  EXPECT_EQ(to_text(c(1e20)), "1e20");
  EXPECT_EQ(to_text(c(1.2345678901234567)), "1.2345678901234567");
  EXPECT_EQ(to_text(std::numbers::pi * q1), "pi*q1");
  EXPECT_EQ(to_text(q1 * (std::numbers::pi / 180.0)), "pi*q1/180");
}

TEST_F(PrintTest, BracketsOnlyWhereTheGrammarNeedsThem) {
  EXPECT_EQ(to_text(select(less(q1, q2), q1 + 1.0, -q2)), "q1 + 1 if q1 < q2 else -q2");
  EXPECT_EQ(to_text(m * select(less(q1, q2), q1, q2)), "m1*(q1 if q1 < q2 else q2)");
  const Expr both = g.make(Op::kAnd, less(q1, q2), less(q2, m));
  EXPECT_EQ(to_text(both), "q1 < q2 and q2 < m1");
  EXPECT_EQ(to_text(g.make(Op::kNot, both)), "not (q1 < q2 and q2 < m1)");
  EXPECT_EQ(to_text(sine(q1 - q2)), "sin(q1 - q2)");
  EXPECT_EQ(to_text(g.make(Op::kArcTangent2, q1, -q2)), "atan2(q1, -q2)");
}

TEST_F(PrintTest, CutsWhatWouldBeExponentiallyLong) {
  Expr a = q1, b = q2;
  for (int i = 0; i < 200; ++i) {
    const Expr next = sine(a) + b;
    b = a;
    a = next;
  }
  const std::string text = to_text(a, 50);
  EXPECT_LT(text.size(), 4000u);
  EXPECT_NE(text.find("..."), std::string::npos);
}

TEST_F(PrintTest, SurvivesDeepNesting) {
  Expr e = q1;
  for (int i = 0; i < 100000; ++i) e = sine(e);
  EXPECT_NE(to_text(e).find("..."), std::string::npos);
  Expr s = q1;
  for (int i = 0; i < 20000; ++i) s = s + g.symbol(std::string("x").append(std::to_string(i)));
  EXPECT_EQ(to_text(s).find("..."), std::string::npos);
}

}  // namespace
}  // namespace vinculum::expr
