#include "vinculum/equations/rate_solver.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "vinculum/expr/interpreter.hpp"
#include "vinculum/expr/print.hpp"

namespace vinculum::equations {
namespace {

using expr::Expr;

class RateSolver : public ::testing::Test {
 protected:
  expr::Graph graph;
  Expr x = graph.symbol("x"), y = graph.symbol("y"), p = graph.symbol("p");
  Expr zero = graph.constant(0.0), one = graph.constant(1.0);
  std::vector<Expr> variables{x, y}, symbols{x, y, p};
  Sampler sampler{symbols, 5};

  void expect_inverse(const ExprMatrix& matrix, const std::vector<double>& values) {
    const auto inverse = invert(matrix, variables, sampler);
    ASSERT_TRUE(inverse.has_value()) << inverse.error().message;
    const std::size_t n = matrix.size();
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t k = 0; k < n; ++k) {
        Expr sum = zero;
        for (std::size_t j = 0; j < n; ++j) sum += matrix[i][j] * (*inverse)[j][k];
        EXPECT_NEAR(expr::interpret({&sum, 1}, symbols, values)[0], i == k ? 1.0 : 0.0, 1e-12);
      }
    }
  }
};

TEST_F(RateSolver, InvertsARotationWithoutADivision) {
  const Expr c = expr::cosine(x), s = expr::sine(x);
  const auto inverse = *invert({{c, s}, {-s, c}}, variables, sampler);
  EXPECT_EQ(inverse[0][0], c);
  EXPECT_EQ(inverse[0][1], -s);
  EXPECT_EQ(inverse[1][0], s);
  EXPECT_EQ(inverse[1][1], c);
}

TEST_F(RateSolver, UsesConstantPivotsBeforeOnesThatMayVanish) {
  // The inverse must be valid at x = 0, where the entry x in the first row vanishes.
  expect_inverse({{x, one, zero}, {one, y, zero}, {p, x * y, expr::cosine(x)}}, {0.0, 0.4, 0.9});
}

TEST_F(RateSolver, InvertsFullAndBlockMatrices) {
  const Expr c = expr::cosine(x), s = expr::sine(x), d = expr::cosine(y), e = expr::sine(y);
  expect_inverse({{c * d, -s, c * e}, {s * d, c, s * e}, {-e, zero, d}}, {0.3, -0.7, 1.0});
  expect_inverse({{c, s, x, zero}, {-s, c, y, zero}, {zero, zero, d, e}, {zero, zero, -e, d}}, {1.3, 0.2, 1.0});
  ExprMatrix large(6, std::vector<Expr>(6, zero));
  for (std::size_t i = 0; i < 6; ++i) {
    for (std::size_t k = 0; k < 6; ++k) {
      large[i][k] = expr::sine(x * (1.0 + static_cast<double>(i)) + y * (2.0 + static_cast<double>(k * k)));
      if (i == k) large[i][k] += 3.0 + p;
    }
  }
  expect_inverse(large, {0.5, 0.8, 0.7});
}

TEST_F(RateSolver, NamesARowThatDependsOnTheOthers) {
  const Expr c = expr::cosine(x), s = expr::sine(x);
  // These rows depend on each other only because cos² + sin² = 1.
  const auto hidden = invert({{c * c, s}, {one - s * s, s}}, variables, sampler);
  ASSERT_FALSE(hidden.has_value());
  EXPECT_EQ(hidden.error().kind, FailureKind::kSingularKinematics);
  EXPECT_EQ(hidden.error().coordinates.size(), 1u);
  EXPECT_FALSE(invert({{one, zero}, {zero, zero}}, variables, sampler).has_value());
}

TEST_F(RateSolver, KeepsTheDeterminantOfWhatHasBranches) {
  // The factor `step` is 1 at every sampled state, and 2 for x ≥ 50.
  const Expr step = expr::select(expr::less(x, graph.constant(50.0)), one, graph.constant(2.0));
  const Expr c = expr::cosine(x), s = expr::sine(x);
  expect_inverse({{step * c, step * s}, {-s, c}}, {60.0, 0.1, 1.0});
}

}  // namespace
}  // namespace vinculum::equations
