#include "vinculum/numeric/ranked_rows.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <limits>

#include "support/numeric/random_system.hpp"
#include "vinculum/base/tolerance.hpp"

namespace vinculum::numeric {
namespace {

/// The u with A u = d and the least uᵀ M u, from the full matrix [M Aᵀ; A 0].
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

bool factor(RankedRows& rows, const Matrix& M, const Matrix& A) {
  return rows.factor(M.sparseView(), Matrix(A.transpose()).sparseView(), Vector::Ones(A.rows()), tolerance::kRank);
}

TEST(RankedRows, LeastChangeIsThatOfTheWholeSystem) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomEngine engine(seed);
    const RandomSystem s = random_system(engine, 7, 3);
    RankedRows rows;
    ASSERT_TRUE(factor(rows, s.M, s.A));
    const Vector u = rows.least(s.b), expected = least_of_all(s.M, s.A, s.b);
    EXPECT_LT((u - expected).norm(), 1e-12 * expected.norm());
    EXPECT_LT((s.A * u - s.b).norm(), 1e-12 * s.b.norm());
  }
}

TEST(RankedRows, ALongChainHasTheFillOfItsNeighbours) {
  const int n = 4000;  // a dense matrix of this size would need 128 MB
  std::vector<SparseEntry> of_M, of_A;
  for (int i = 0; i < n; ++i) {
    of_M.emplace_back(i, i, 1.0 + i % 3);
    if (i + 1 == n) break;
    of_A.emplace_back(i, i, 1.0), of_A.emplace_back(i + 1, i, -1.0);
  }
  SparseMatrix M(n, n), At(n, n - 1);
  M.setFromTriplets(of_M.begin(), of_M.end());
  At.setFromTriplets(of_A.begin(), of_A.end());
  RankedRows rows;
  ASSERT_TRUE(rows.factor(M, At, Vector::Ones(n - 1), tolerance::kRank));
  // All relative accelerations of neighbors are given; the mass center does not move.
  const Vector d = Vector::Constant(n - 1, 1e-3), u = rows.least(d);
  EXPECT_LT((At.transpose() * u - d).cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_NEAR(M.diagonal().dot(u), 0.0, 1e-6);
}

TEST(RankedRows, RowsThatDependOnThoseBeforeThemAreLeftOut) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomEngine engine(seed);
    RandomSystem s = random_system(engine, 6, 4);
    s.A.row(2) = 2.0 * s.A.row(0) - s.A.row(1);
    s.b[2] = 2.0 * s.b[0] - s.b[1];
    RankedRows rows;
    ASSERT_TRUE(factor(rows, s.M, s.A));
    EXPECT_EQ(rows.rank(), 3);
    EXPECT_FALSE(rows.is_kept(2));
    Vector u, lambda;
    rows.solve(s.f, s.b, u, lambda);
    EXPECT_EQ(lambda[2], 0.0);
    EXPECT_LT((s.A * u - s.b).norm(), 1e-12 * s.b.norm());
    EXPECT_LT((s.M * u - s.f - s.A.transpose() * lambda).norm(), 1e-12 * (s.M * u).norm());
  }
}

TEST(RankedRows, RowsThatAreCloseToDependentKeepTheirDigits) {
  // The normal equations (BᵀB) would lose all digits, because 1e-9 squared is less than ε.
  RandomEngine engine(5);
  RandomSystem s = random_system(engine, 6, 3);
  s.A.row(2) = s.A.row(0) + 1e-9 * s.A.row(2);
  RankedRows rows;
  ASSERT_TRUE(factor(rows, s.M, s.A));
  EXPECT_EQ(rows.rank(), 3);
  EXPECT_LT(rows.conditioning(), 1e-8);
  const Vector u = rows.least(s.b);
  EXPECT_LT((s.A * u - s.b).cwiseAbs().maxCoeff(), 1e-13 * u.cwiseAbs().maxCoeff());
}

TEST(RankedRows, ARowThatActsOnNothingIsLeftOut) {
  RandomEngine engine(3);
  RandomSystem s = random_system(engine, 5, 3);
  s.A.row(1).setZero();
  RankedRows rows;
  ASSERT_TRUE(factor(rows, s.M, s.A));
  EXPECT_EQ(rows.rank(), 2);
  const Vector u = rows.least(s.b);
  EXPECT_NEAR(s.A.row(0).dot(u), s.b[0], 1e-12);
  EXPECT_NEAR(s.A.row(2).dot(u), s.b[2], 1e-12);
}

TEST(RankedRows, ReachOfARowAlongACommonInertiaFades) {
  const int n = 3000;  // with the fill-in of L⁻¹ there would be 4.5 million entries
  std::vector<SparseEntry> of_M, of_A;
  for (int i = 0; i < n; ++i) {
    of_M.emplace_back(i, i, 4.0);
    of_A.emplace_back(i, i, 1.0 + i % 2);
    if (i + 1 < n) of_M.emplace_back(i + 1, i, 1.0), of_M.emplace_back(i, i + 1, 1.0);
  }
  SparseMatrix M(n, n), At(n, n);
  M.setFromTriplets(of_M.begin(), of_M.end());
  At.setFromTriplets(of_A.begin(), of_A.end());
  const Vector f = Vector::LinSpaced(n, -1.0, 1.0), b = Vector::LinSpaced(n, 2.0, 5.0);
  RankedRows rows;
  ASSERT_TRUE(rows.factor(M, At, Vector::Ones(n), tolerance::kRank));
  Vector u, lambda;
  rows.solve(f, b, u, lambda);
  EXPECT_LT((At.transpose() * u - b).cwiseAbs().maxCoeff(), 1e-14 * b.maxCoeff());
  EXPECT_LT((M * u - f - At * lambda).cwiseAbs().maxCoeff(), 1e-13 * (M * u).cwiseAbs().maxCoeff());
}

TEST(RankedRows, SaysNothingWhereMassesAreInDoubt) {
  RandomEngine engine(3);
  RandomSystem s = random_system(engine, 5, 3);
  RankedRows rows;
  Matrix A = s.A;
  A(0, 0) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(factor(rows, s.M, A));
  s.M.row(4).setZero(), s.M.col(4).setZero();
  EXPECT_FALSE(factor(rows, s.M, s.A));
  EXPECT_FALSE(is_regular(s.M.sparseView(), tolerance::kWeakMass));
  s.M(4, 4) = -1.0;
  EXPECT_FALSE(is_regular(s.M.sparseView(), tolerance::kWeakMass));
}

}  // namespace
}  // namespace vinculum::numeric
