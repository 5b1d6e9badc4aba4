#include <gtest/gtest.h>

#include <Eigen/SVD>
#include <limits>

#include "support/numeric/random_system.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/numeric/cholesky.hpp"
#include "vinculum/numeric/finite.hpp"
#include "vinculum/numeric/null_space.hpp"
#include "vinculum/numeric/pivoted_qr.hpp"
#include "vinculum/numeric/rank.hpp"

namespace vinculum::numeric {
namespace {

constexpr double kEps = std::numeric_limits<double>::epsilon();

TEST(Cholesky, ReproducesTheMatrixAndInvertsItsFactor) {
  RandomEngine engine(11);
  for (const int n : {1, 2, 3, 7, 12}) {
    const Matrix M = random_system(engine, n, 0).M;
    Cholesky cholesky(n);
    ASSERT_EQ(cholesky.factor(M, Cholesky::rounding(n)), -1);
    const Matrix L = cholesky.L().triangularView<Eigen::Lower>();
    EXPECT_LT((L * L.transpose() - M).norm(), 10 * n * kEps * M.norm());
    const Vector x = random_vector(engine, n);
    Vector y = x;
    cholesky.solve_lower(y.data());
    EXPECT_LT((L * y - x).norm(), 1e-13);
    y = x;
    cholesky.solve_lower_transposed(y.data());
    EXPECT_LT((L.transpose() * y - x).norm(), 1e-13);
    y = x;
    cholesky.multiply_lower(y.data());
    EXPECT_LT((L * x - y).norm(), 1e-14);
  }
}

TEST(Cholesky, SolvesForManyRightSidesWithTheBitsOfEach) {
  RandomEngine engine(12);
  const int n = 9, columns = 6;
  Matrix M = random_system(engine, n, 0).M;
  for (int j = 0; j < 4; ++j) M.block(5, j, n - 5, 1).setZero();  // columns of L that end early
  M.diagonal().array() += 10.0;
  Cholesky cholesky(n);
  ASSERT_EQ(cholesky.factor(M, Cholesky::rounding(n)), -1);
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const RowMajor given = random_matrix(engine, n, columns);
  RowMajor all = given;
  cholesky.solve_lower_rows(all.data(), columns, columns);
  for (int j = 0; j < columns; ++j) {
    Vector one = given.col(j);
    cholesky.solve_lower(one.data());
    EXPECT_EQ(one, Vector(all.col(j))) << j;
  }
}

TEST(Cholesky, NamesTheFirstPivotThatIsNotPositive) {
  Matrix M = Matrix::Identity(3, 3);
  M(1, 1) = 0.0;
  Cholesky cholesky(3);
  const double tol = Cholesky::rounding(3);
  EXPECT_EQ(cholesky.factor(M, tol), 1);
  M(1, 1) = 1.0;
  M(2, 1) = M(1, 2) = 1.0;  // rows 1 and 2 are equal
  EXPECT_EQ(cholesky.factor(M, tol), 2);
  M(2, 2) = -1.0;
  EXPECT_EQ(cholesky.factor(M, tol), 2);
  EXPECT_EQ(Cholesky(0).factor(Matrix(0, 0), tol), -1);
}

TEST(Cholesky, AcceptsInertiasOfVeryDifferentUnits) {
  const Vector diagonal = (Vector(3) << 1e-20, 1.0, 1e20).finished();
  EXPECT_EQ(Cholesky(3).factor(Matrix(diagonal.asDiagonal()), tolerance::kWeakMass), -1);
}

TEST(PivotedQr, ReproducesTheMatrixWithDescendingDiagonal) {
  RandomEngine engine(5);
  for (const auto& [rows, columns] : {std::pair{1, 1}, {6, 3}, {3, 6}, {5, 5}, {8, 1}, {1, 4}}) {
    const Matrix X = random_matrix(engine, rows, columns);
    PivotedQr qr(rows, columns);
    for (int j = 0; j < columns; ++j) qr.column(j) = X.col(j);
    qr.factor(1e-13);
    const int rank = std::min(rows, columns);
    ASSERT_EQ(qr.rank(), rank);
    for (int j = 0; j < columns; ++j) {
      Vector column = Vector::Zero(rows);
      for (int i = 0; i <= std::min(j, rank - 1); ++i) column[i] = qr.R(i, j);
      qr.multiply_Q(column.data());
      EXPECT_LT((column - X.col(qr.permutation()[static_cast<std::size_t>(j)])).norm(), 1e-14);
    }
    for (int k = 1; k < rank; ++k) EXPECT_LE(std::abs(qr.R(k, k)), std::abs(qr.R(k - 1, k - 1)) * (1 + 1e-14));
  }
}

TEST(PivotedQr, SolvesWithTheTriangleAndItsTranspose) {
  RandomEngine engine(6);
  const int n = 5;
  PivotedQr qr(n, n);
  for (int j = 0; j < n; ++j) qr.column(j) = random_vector(engine, n);
  qr.factor(1e-13);
  Matrix R = Matrix::Zero(n, n);
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i <= j; ++i) R(i, j) = qr.R(i, j);
  }
  const Vector x = random_vector(engine, n);
  Vector y = x;
  qr.solve_R(y.data());
  EXPECT_LT((R * y - x).norm(), 1e-13);
  y = x;
  qr.solve_R_transposed(y.data());
  EXPECT_LT((R.transpose() * y - x).norm(), 1e-13);
}

TEST(PivotedQr, FindsTheRankWhenNormsCancelInDownDating) {
  // Columns that differ from the first by only 1e-9: norms that are updated by subtraction lose all digits.
  RandomEngine engine(7);
  const int n = 6;
  const Vector base = random_vector(engine, n).normalized();
  PivotedQr qr(n, 4);
  Matrix X(n, 4);
  for (int j = 0; j < 4; ++j) X.col(j) = base + (j == 0 ? 0.0 : 1e-9) * random_vector(engine, n);
  for (int j = 0; j < 4; ++j) qr.column(j) = X.col(j);
  qr.factor(1e-13);
  EXPECT_EQ(qr.rank(), 4);
  const Vector sigma = X.jacobiSvd().singularValues();
  EXPECT_GT(qr.conditioning(), 0.1 * sigma[3] / sigma[0]);
  EXPECT_LT(qr.conditioning(), 10.0 * sigma[3] / sigma[0]);
}

TEST(PivotedQr, HasRankZeroForZeros) {
  PivotedQr qr(3, 2);
  for (int j = 0; j < 2; ++j) qr.column(j).setZero();
  qr.factor(1e-13);
  EXPECT_EQ(qr.rank(), 0);
  EXPECT_EQ(qr.conditioning(), 1.0);
}

TEST(EquilibrateRows, ScalesRowsOfAnyUnitsAndLeavesThoseWithoutEffect) {
  const Vector lengths = (Vector(3) << 1e20, 1e-20, 0.0).finished();
  Vector scales(3);
  equilibrate_rows(lengths, scales);
  EXPECT_DOUBLE_EQ(scales[0], 1e-20);
  EXPECT_DOUBLE_EQ(scales[1], 1e20);
  EXPECT_EQ(scales[2], 1.0);
}

TEST(RankThreshold, GrowsWithSizeAboveTheAskedTolerance) {
  EXPECT_EQ(rank_threshold(1e-13, 3, 2), 1e-13);
  EXPECT_DOUBLE_EQ(rank_threshold(1e-13, 100, 2), 2000 * kEps);
}

TEST(NullSpace, IsOrthonormalAndComplete) {
  RandomEngine engine(21);
  for (const auto& [nu, nc] : {std::pair{4, 2}, {5, 5}, {3, 0}, {6, 1}}) {
    const Matrix A = random_matrix(engine, nc, nu);
    const Matrix Z = null_space(A, 1e-13);
    ASSERT_EQ(Z.cols(), nu - nc);
    EXPECT_LT((A * Z).norm(), 1e-14 * (1 + A.norm()));
    EXPECT_LT((Z.transpose() * Z - Matrix::Identity(Z.cols(), Z.cols())).norm(), 1e-14);
  }
}

TEST(LeftNullSpace, CombinesRepeatedAndZeroRowsInTheirOwnUnits) {
  Matrix A(4, 3);
  A << 1, 2, 3,       //
      1e6, 2e6, 3e6,  //
      0, 0, 0,        //
      1, 0, 0;
  const Matrix N = left_null_space(A, 1e-13);
  ASSERT_EQ(N.cols(), 2);
  EXPECT_LT((A.transpose() * N).norm(), 1e-9);  // sums of products of numbers up to 3e6 and about 1e-6
  EXPECT_LT(N.row(3).norm(), 1e-14);
  EXPECT_NEAR(N.row(2).norm(), 1.0, 1e-14);
}

TEST(IsFinite, SeesEveryEntryButTheUpperTriangleWhereOnlyTheLowerCounts) {
  Matrix M = Matrix::Identity(3, 3);
  EXPECT_TRUE(is_finite(M));
  M(0, 2) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(is_finite(M));
  EXPECT_TRUE(is_lower_triangle_finite(M));
  EXPECT_EQ(non_finite_rows(M), std::vector<int>{0});
  M(2, 0) = std::numeric_limits<double>::infinity();
  EXPECT_FALSE(is_lower_triangle_finite(M));
}

TEST(EchelonNullSpace, MovesOneFreeUnknownEach) {
  const Matrix A = (Matrix(3, 4) << 1.0, 0.0, -2.0, 0.5, 0.0, 1e-6, 1e-6, 0.0, 2.0, 0.0, -4.0, 1.0).finished();
  const EchelonBasis basis = echelon_null_space(A, Vector::Ones(4), 2);  // the last row is twice the first
  ASSERT_EQ(basis.free.size(), 2u);
  EXPECT_LT((A * basis.Z).norm(), 1e-15);
  for (std::size_t k = 0; k < 2; ++k) {
    for (std::size_t j = 0; j < 2; ++j)
      EXPECT_EQ(basis.Z(basis.free[j], static_cast<Eigen::Index>(k)), j == k ? 1.0 : 0.0);
  }
  EXPECT_LE(basis.Z.cwiseAbs().maxCoeff(), 2.0);
}

TEST(EchelonNullSpace, OfNoRowsIsEveryUnknownAlone) {
  EXPECT_EQ(echelon_null_space(Matrix(0, 3), Vector::Ones(3), 0).Z, Matrix::Identity(3, 3));
}

}  // namespace
}  // namespace vinculum::numeric
