#include "vinculum/expr/latex.hpp"

#include <gtest/gtest.h>

namespace vinculum::expr {
namespace {

TEST(LatexName, WritesDotsIndicesAndGreekLetters) {
  EXPECT_EQ(latex_name("q1'"), "\\dot{q}_{1}");
  EXPECT_EQ(latex_name("q1''"), "\\ddot{q}_{1}");
  EXPECT_EQ(latex_name("theta_dot"), "\\dot{\\theta}");
  EXPECT_EQ(latex_name("phi2"), "\\varphi_{2}");
  EXPECT_EQ(latex_name("q[2]'"), "\\dot{q}_{2}");
  EXPECT_EQ(latex_name("B.wx"), "\\omega^{B}_{x}");
  EXPECT_EQ(latex_name("B[3].wy'"), "\\dot{\\omega}^{B_{3}}_{y}");
  EXPECT_EQ(latex_name("m_wheel"), "m_{\\mathrm{wheel}}");
  EXPECT_EQ(latex_name("length"), "\\mathit{length}");
  EXPECT_EQ(latex_name("multiplier(roll)[2]"), "\\lambda_{\\mathrm{roll},2}");
  EXPECT_EQ(latex_name("mu(blade)'"), "\\dot{\\mu}_{\\mathrm{blade}}");
  EXPECT_EQ(latex_name("x_1_max"), "x_{1,\\mathrm{max}}");
}

struct LatexTest : testing::Test {
  Graph g;
  Expr m = g.symbol("m1"), q1 = g.symbol("q1"), q2 = g.symbol("q2"), u = g.symbol("u1'");
};

TEST_F(LatexTest, WritesFractionsPowersAndFunctions) {
  EXPECT_EQ(to_latex(m * u * cosine(q1) / 3.0), "\\frac{m_{1} \\, \\dot{u}_{1} \\, \\cos q_{1}}{3}");
  EXPECT_EQ(to_latex(square(sine(q1))), "\\sin^{2} q_{1}");
  EXPECT_EQ(to_latex(square(sine(q1 + q2))), "\\sin^{2} \\left(q_{1} + q_{2}\\right)");
  EXPECT_EQ(to_latex(square(q1 - q2)), "\\left(q_{1} - q_{2}\\right)^{2}");
  EXPECT_EQ(to_latex(square_root(square(q1) + square(q2))), "\\sqrt{q_{1}^{2} + q_{2}^{2}}");
  EXPECT_EQ(to_latex(absolute(q1)), "\\left|q_{1}\\right|");
  EXPECT_EQ(to_latex(g.constant(1.5e-7) * q1), "1.5 \\cdot 10^{-7} \\, q_{1}");
  EXPECT_EQ(to_latex(power(g.symbol("B.wx"), 2.0)), "\\left(\\omega^{B}_{x}\\right)^{2}");
  EXPECT_EQ(to_latex(select(less(q1, q2), q1, q2)),
            "\\begin{cases} q_{1} & q_{1} < q_{2} \\\\ q_{2} & \\text{else} \\end{cases}");
}

}  // namespace
}  // namespace vinculum::expr
