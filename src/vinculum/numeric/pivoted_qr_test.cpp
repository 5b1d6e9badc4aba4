#include "vinculum/numeric/pivoted_qr.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

/// Factorizations of sparse matrices, whose reflections skip the zeros.
namespace vinculum::numeric {
namespace {

/// Columns that share entries only with neighbors, in permuted order.
Matrix chain(int rows, int columns) {
  Matrix X = Matrix::Zero(rows, columns);
  for (int j = 0; j < columns; ++j) {
    const int first = (37 * j) % columns;
    for (int i = 0; i < 4; ++i) X((first + 11 * i) % rows, j) = std::sin(1.0 + j + 5.0 * i) + (i == 1 ? 1.5 : 0.0);
  }
  return X;
}

TEST(PivotedQr, GivesBackAMatrixOfFewEntries) {
  constexpr int kRows = 120, kColumns = 90;
  const Matrix X = chain(kRows, kColumns);
  PivotedQr qr(kRows, kColumns);
  for (int j = 0; j < kColumns; ++j) qr.column(j) = X.col(j);
  qr.factor(1e-12);
  ASSERT_EQ(qr.rank(), kColumns);
  for (int k = 0; k < kColumns; ++k) {
    Vector column = Vector::Zero(kRows);
    for (int i = 0; i <= k; ++i) column[i] = qr.R(i, k);
    qr.multiply_Q(column.data());
    const Vector given = X.col(qr.permutation()[static_cast<std::size_t>(k)]);
    EXPECT_LT((column - given).cwiseAbs().maxCoeff(), 1e-13) << k;
  }
}

/// Reflections skip only zeros, so sums have the same terms in the same order.
TEST(PivotedQr, HasTheSameBitsForABlockAloneAndBesideZeros) {
  constexpr int kRows = 6, kColumns = 4, kZeros = 200;
  const Matrix X = Matrix::NullaryExpr(kRows, kColumns, [](Eigen::Index i, Eigen::Index j) {
    return std::sin(1.0 + static_cast<double>(i) + 7.0 * static_cast<double>(j));
  });
  PivotedQr alone(kRows, kColumns), beside(kRows + kZeros, kColumns);
  for (int j = 0; j < kColumns; ++j) {
    alone.column(j) = X.col(j);
    beside.column(j).setZero();
    beside.column(j).head(kRows) = X.col(j);
  }
  alone.factor(1e-12);
  beside.factor(1e-12);
  ASSERT_EQ(alone.rank(), beside.rank());
  EXPECT_EQ(alone.permutation(), beside.permutation());
  for (int k = 0; k < kColumns; ++k) {
    for (int i = 0; i <= k; ++i) EXPECT_EQ(alone.R(i, k), beside.R(i, k)) << i << ", " << k;
  }
}

/// Vector instructions process several columns at once. A column must have the same bits as if it were alone.
TEST(PivotedQr, HasTheSameBitsWhateverTheNumberOfColumns) {
  constexpr int kRows = 11, kColumns = 7;
  const Matrix X = Matrix::NullaryExpr(kRows, kColumns, [](Eigen::Index i, Eigen::Index j) {
    return std::sin(1.0 + static_cast<double>(i) * (1.3 + static_cast<double>(j)));
  });
  PivotedQr alone(kRows, kColumns);
  for (int j = 0; j < kColumns; ++j) alone.column(j) = X.col(j);
  alone.factor(1e-12);
  ASSERT_EQ(alone.rank(), kColumns);
  for (const int zeros : {1, 2, 5, 9, 21, 57}) {
    SCOPED_TRACE(zeros);
    PivotedQr beside(kRows, zeros + kColumns);
    for (int j = 0; j < kColumns; ++j) beside.column(zeros + j) = X.col(j);
    beside.factor(1e-12);
    ASSERT_EQ(beside.rank(), kColumns);
    for (int k = 0; k < kColumns; ++k) {
      EXPECT_EQ(alone.permutation()[static_cast<std::size_t>(k)] + zeros,
                beside.permutation()[static_cast<std::size_t>(k)]);
      for (int i = 0; i <= k; ++i) EXPECT_EQ(alone.R(i, k), beside.R(i, k)) << i << ", " << k;
    }
  }
}

TEST(PivotedQr, DecidesTheRankAsAFactorizationWithThatThreshold) {
  constexpr int kSize = 8;
  Matrix X = Matrix::NullaryExpr(kSize, kSize, [](Eigen::Index i, Eigen::Index j) {
    return std::cos(1.0 + static_cast<double>(i) * (0.7 + static_cast<double>(j)));
  });
  for (int j = 0; j < kSize; ++j) X.col(j) = X.col(0) + std::pow(10.0, -j) * X.col(j);
  const auto fill = [&](PivotedQr& qr) {
    for (int j = 0; j < kSize; ++j) qr.column(j) = X.col(j);
  };
  PivotedQr finest(kSize, kSize);
  fill(finest);
  finest.factor(1e-15);
  for (const double threshold : {0.5, 1e-2, 1e-4, 1e-6, 1e-15}) {
    SCOPED_TRACE(threshold);
    PivotedQr own(kSize, kSize);
    fill(own);
    own.factor(threshold);
    finest.decide_rank(threshold);
    EXPECT_EQ(finest.rank(), own.rank());
    EXPECT_EQ(finest.conditioning(), own.conditioning());
    Vector x = Vector::LinSpaced(kSize, 1.0, 2.0), y = x;
    finest.multiply_Q(x.data());
    own.multiply_Q(y.data());
    EXPECT_EQ(x, y);
  }
}

TEST(PivotedQr, SolvesForManyRightSidesWithTheBitsOfEach) {
  constexpr int kSize = 9, kWidth = 2 * PivotedQr::kLanes;
  PivotedQr qr(kSize, kSize);
  for (int j = 0; j < kSize; ++j)
    qr.column(j) =
        Vector::NullaryExpr(kSize, [j](Eigen::Index i) { return std::sin(2.0 + static_cast<double>(i) * (0.9 + j)); });
  qr.factor(1e-12);
  ASSERT_EQ(qr.rank(), kSize);
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const RowMajor given = RowMajor::NullaryExpr(kSize, kWidth, [](Eigen::Index i, Eigen::Index j) {
    return std::cos(1.0 + 3.0 * static_cast<double>(i) + static_cast<double>(j));
  });
  RowMajor all = given;
  qr.solve_R_rows(all.data(), kWidth / PivotedQr::kLanes);
  for (int j = 0; j < kWidth; ++j) {
    Vector one = given.col(j);
    qr.solve_R(one.data());
    EXPECT_EQ(one, Vector(all.col(j))) << j;
  }
}

}  // namespace
}  // namespace vinculum::numeric
