#include "vinculum/numeric/independent_rows.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <limits>

#include "support/numeric/random_system.hpp"
#include "vinculum/base/tolerance.hpp"

namespace vinculum::numeric {
namespace {

/// uᵀ M u least with A u = d, from [M Aᵀ; A 0] as a whole.
Vector least_of_all(const Matrix& M, const Matrix& A, const Vector& d) {
  const Eigen::Index nu = M.rows(), nc = A.rows();
  Matrix K = Matrix::Zero(nu + nc, nu + nc);
  K.topLeftCorner(nu, nu) = M;
  K.topRightCorner(nu, nc) = A.transpose();
  K.bottomLeftCorner(nc, nu) = A;
  Vector right = Vector::Zero(nu + nc);
  right.tail(nc) = d;
  return K.fullPivLu().solve(right).head(nu);
}

bool factor(IndependentRows& rows, const Matrix& M, const Matrix& A) {
  return rows.factor(M.sparseView(), Matrix(A.transpose()).sparseView());
}

TEST(IndependentRows, LeastChangeIsThatOfTheWholeSystem) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomEngine engine(seed);
    const RandomSystem s = random_system(engine, 7, 3);
    IndependentRows rows;
    ASSERT_TRUE(factor(rows, s.M, s.A));
    const Vector u = rows.least(s.b), expected = least_of_all(s.M, s.A, s.b);
    EXPECT_LT((u - expected).norm(), 1e-9 * expected.norm());
    EXPECT_LT((s.A * u - s.b).norm(), 1e-9 * s.b.norm());
  }
}

TEST(IndependentRows, ALongChainHasTheFillOfItsNeighbours) {
  const int n = 4000;  // dense it would be 128 MB
  std::vector<SparseEntry> of_M, of_A;
  for (int i = 0; i < n; ++i) {
    of_M.emplace_back(i, i, 1.0 + i % 3);
    if (i + 1 == n) break;
    of_A.emplace_back(i, i, 1.0), of_A.emplace_back(i + 1, i, -1.0);
  }
  SparseMatrix M(n, n), At(n, n - 1);
  M.setFromTriplets(of_M.begin(), of_M.end());
  At.setFromTriplets(of_A.begin(), of_A.end());
  IndependentRows rows;
  ASSERT_TRUE(rows.factor(M, At));
  // All distances are stated: the masses move by their sums, about their centre.
  const Vector d = Vector::Constant(n - 1, 1e-3), u = rows.least(d);
  EXPECT_LT((At.transpose() * u - d).cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_NEAR(M.diagonal().dot(u), 0.0, 1e-6);
}

TEST(IndependentRows, SaysNothingWhereRowsOrMassesAreInDoubt) {
  RandomEngine engine(3);
  RandomSystem s = random_system(engine, 5, 3);
  IndependentRows rows;
  ASSERT_TRUE(factor(rows, s.M, s.A));
  Matrix dependent = s.A;
  dependent.row(2) = s.A.row(0) + s.A.row(1);
  EXPECT_FALSE(factor(rows, s.M, dependent));
  dependent.row(2) += 1e-6 * s.A.row(2);
  EXPECT_FALSE(factor(rows, s.M, dependent));
  dependent = s.A;
  dependent.row(1).setZero();
  EXPECT_FALSE(factor(rows, s.M, dependent));
  dependent(0, 0) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(factor(rows, s.M, dependent));
  s.M.row(4).setZero(), s.M.col(4).setZero();
  EXPECT_FALSE(factor(rows, s.M, s.A));
  EXPECT_FALSE(is_regular(s.M.sparseView(), tolerance::kWeakMass));
  s.M(4, 4) = -1.0;
  EXPECT_FALSE(is_regular(s.M.sparseView(), tolerance::kWeakMass));
}

}  // namespace
}  // namespace vinculum::numeric
