#include "vinculum/numeric/linear_program.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <limits>
#include <optional>

#include "support/numeric/random_system.hpp"

namespace vinculum::numeric {
namespace {

using Kind = LinearOptimum::Kind;

/// The largest c·y over all vertices of a bounded set; nothing where it is empty.
std::optional<double> best_vertex(const Matrix& A, const Vector& b, const Vector& c) {
  const auto m = static_cast<int>(A.rows()), n = static_cast<int>(A.cols());
  std::optional<double> best;
  std::vector<int> rows(static_cast<std::size_t>(n));
  const auto visit = [&](auto&& self, int from, int depth) -> void {
    if (depth == n) {
      Matrix X(n, n);
      Vector r(n);
      for (int i = 0; i < n; ++i) {
        X.row(i) = A.row(rows[static_cast<std::size_t>(i)]);
        r[i] = b[rows[static_cast<std::size_t>(i)]];
      }
      const Eigen::FullPivLU<Matrix> lu(X);
      if (lu.rank() < n) return;
      const Vector y = lu.solve(r);
      if ((A * y - b).maxCoeff() > 1e-9) return;
      if (!best || c.dot(y) > *best) best = c.dot(y);
      return;
    }
    for (int row = from; row < m; ++row) {
      rows[static_cast<std::size_t>(depth)] = row;
      self(self, row + 1, depth + 1);
    }
  };
  visit(visit, 0, 0);
  return best;
}

TEST(LinearProgram, FindsTheBestOfAllVertices) {
  RandomEngine random(7);
  int infeasible = 0;
  for (int trial = 0; trial < 500; ++trial) {
    const int n = 1 + trial % 4, more = trial % 5;
    Matrix A(2 * n + more, n);
    A << Matrix::Identity(n, n), -Matrix::Identity(n, n), random_matrix(random, more, n);
    Vector b(2 * n + more);
    b << Vector::Ones(2 * n), random_matrix(random, more, 1);
    if (trial % 3 == 0) b.tail(more).array() -= 1.0;
    if (trial % 7 == 0 && more > 1) {  // rows that depend on each other
      A.row(2 * n) = A.row(2 * n + 1);
      b[2 * n] = b[2 * n + 1];
    }
    const Vector c = random_matrix(random, n, 1);
    const auto expected = best_vertex(A, b, c);
    const LinearOptimum found = maximize(A, b, c);
    ASSERT_EQ(found.kind, expected ? Kind::kFound : Kind::kInfeasible) << trial;
    if (!expected) {
      ++infeasible;
      continue;
    }
    EXPECT_NEAR(found.value, *expected, 1e-10) << trial;
    EXPECT_LT((A * found.y - b).maxCoeff(), 1e-10) << trial;
  }
  EXPECT_GT(infeasible, 25);
}

TEST(LinearProgram, TellsWhatHasNoBound) {
  const Matrix A = (Matrix(1, 2) << 1.0, 0.0).finished();
  const Vector b = Vector::Ones(1);
  EXPECT_EQ(maximize(A, b, Vector::Unit(2, 1)).kind, Kind::kUnbounded);  // in no row
  EXPECT_EQ(maximize(A, b, -Vector::Unit(2, 0)).kind, Kind::kUnbounded);
  const LinearOptimum found = maximize(A, b, Vector::Unit(2, 0));
  EXPECT_EQ(found.kind, Kind::kFound);
  EXPECT_EQ(found.value, 1.0);
  EXPECT_EQ(found.y[1], 0.0);
}

TEST(LinearProgram, NeedsNeitherRowsNorUnknowns) {
  EXPECT_EQ(maximize(Matrix(0, 2), Vector(0), Vector::Zero(2)).kind, Kind::kFound);
  EXPECT_EQ(maximize(Matrix(0, 2), Vector(0), Vector::Ones(2)).kind, Kind::kUnbounded);
  EXPECT_EQ(maximize(Matrix(1, 0), Vector::Ones(1), Vector(0)).kind, Kind::kFound);
  EXPECT_EQ(maximize(Matrix(1, 0), -Vector::Ones(1), Vector(0)).kind, Kind::kInfeasible);
}

TEST(LinearProgram, EndsWhereVerticesCoincide) {  // many rows through one point
  Matrix A(12, 2);
  for (int k = 0; k < 12; ++k) A.row(k) << std::cos(0.5 * k), std::sin(0.5 * k);
  const LinearOptimum found = maximize(A, Vector::Zero(12), Vector::Ones(2));
  ASSERT_EQ(found.kind, Kind::kFound);
  EXPECT_LT(found.y.norm(), 1e-14);
}

}  // namespace
}  // namespace vinculum::numeric
