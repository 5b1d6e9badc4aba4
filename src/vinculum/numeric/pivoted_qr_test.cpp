#include "vinculum/numeric/pivoted_qr.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

/// Factors of matrices with few entries that are not 0, whose reflections skip the others.
namespace vinculum::numeric {
namespace {

/// Columns that share entries with their neighbours alone, in an order that is not theirs.
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
  for (int j = 0; j < kColumns; ++j) std::copy_n(X.col(j).data(), kRows, qr.column(j));
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

/// What is skipped are zeros: sums and their order are those of the entries alone.
TEST(PivotedQr, HasTheSameBitsForABlockAloneAndBesideZeros) {
  constexpr int kRows = 6, kColumns = 4, kZeros = 200;
  const Matrix X = Matrix::NullaryExpr(kRows, kColumns, [](Eigen::Index i, Eigen::Index j) {
    return std::sin(1.0 + static_cast<double>(i) + 7.0 * static_cast<double>(j));
  });
  PivotedQr alone(kRows, kColumns), beside(kRows + kZeros, kColumns);
  for (int j = 0; j < kColumns; ++j) {
    std::copy_n(X.col(j).data(), kRows, alone.column(j));
    std::copy_n(X.col(j).data(), kRows, beside.column(j));
  }
  alone.factor(1e-12);
  beside.factor(1e-12);
  ASSERT_EQ(alone.rank(), beside.rank());
  EXPECT_EQ(alone.permutation(), beside.permutation());
  for (int k = 0; k < kColumns; ++k) {
    for (int i = 0; i <= k; ++i) EXPECT_EQ(alone.R(i, k), beside.R(i, k)) << i << ", " << k;
  }
}

}  // namespace
}  // namespace vinculum::numeric
