#include "vinculum/motion/row_space.hpp"

#include <gtest/gtest.h>

#include <cmath>

/// Tests of independent rows, their remainders, and the rows of which a dependent row is a linear combination.
namespace vinculum::sim {
namespace {

TEST(RowsThatMake, AreThoseOfTheSumAlone) {
  Matrix A(4, 3);
  A << 1, 0, 0,  //
      0, 2, 0,   //
      3, -4, 0,  //
      0, 0, 5;
  EXPECT_EQ(rows_that_make(A, Vector::Ones(3), 2), (std::vector<int>{0, 1}));
  EXPECT_TRUE(rows_that_make(A, Vector::Ones(3), 3).empty()) << "no sum of others";
}

TEST(RowsThatMake, DoNotDependOnTheUnitsOfSpeedsAndRows) {
  Matrix A(3, 2);
  A << 1e-9, 0, 0, 1e6, 1e-9, 1e-3;
  EXPECT_EQ(rows_that_make(A, Vector{{1e9, 1e3}}, 2), (std::vector<int>{0, 1}));
}

TEST(RowsThatMake, AreNoneOfThoseThatVanish) {
  Matrix A(3, 2);
  A << 1, 1, 0, 0, 2, 2;
  EXPECT_EQ(rows_that_make(A, Vector::Ones(2), 2), (std::vector<int>{0}));
}

numeric::SparsePattern pattern_of(const Matrix& A) {
  numeric::SparsePattern pattern;
  pattern.columns = static_cast<int>(A.cols());
  for (int i = 0; i < A.rows(); ++i) {
    for (int j = 0; j < A.cols(); ++j)
      if (A(i, j) != 0.0) pattern.column.push_back(j);
    pattern.end_row();
  }
  return pattern;
}

numeric::SparseRows sparse(const Matrix& A, const numeric::SparsePattern& pattern) {
  numeric::SparseRows rows{&pattern, Vector(static_cast<Eigen::Index>(pattern.column.size()))};
  for (int i = 0; i < pattern.rows(); ++i)
    for (int at = pattern.begin(i); at < pattern.end(i); ++at) rows.values[at] = A(i, pattern.column_of(at));
  return rows;
}

/// Returns the rows of a chain that connect neighbors. The rows are in an order in which separate segments of the chain
/// are connected later.
Matrix chain_of(int rows, int speeds) {
  Matrix A = Matrix::Zero(rows, speeds);
  for (int i = 0; i < rows; ++i) {
    const int first = (37 * i) % rows;
    for (int j = 0; j < 3; ++j) A(i, first + j) = std::sin(1.0 + i + 7.0 * j) + (j == 1 ? 2.0 : 0.0);
  }
  return A;
}

/// Computes remainders of rows by their definition: Gram–Schmidt, applied twice.
Matrix freed_by_definition(const Matrix& A) {
  Matrix freed = A.transpose();
  for (Eigen::Index k = 0; k < freed.cols(); ++k) {
    for (int twice = 0; twice < 2; ++twice)
      for (Eigen::Index before = 0; before < k; ++before)
        freed.col(k) -= freed.col(before) * (freed.col(before).dot(freed.col(k)) / freed.col(before).squaredNorm());
  }
  return freed;
}

TEST(FreeRows, HaveTheLengthsAndTurnsOfTheirDefinition) {
  constexpr int kRows = 90, kSpeeds = 100;
  const Matrix A = chain_of(kRows, kSpeeds);
  Matrix turned = A;
  turned.row(40) *= -1.0;
  const numeric::SparsePattern pattern = pattern_of(A);
  RowSpace space(sparse(A, pattern), Vector::Ones(kSpeeds));
  ASSERT_EQ(space.rank(), kRows);
  RowSpace::Freed freed, after;
  space.free_rows(sparse(A, pattern), freed);
  space.free_rows(sparse(turned, pattern), after);
  const Matrix expected = freed_by_definition(A);
  for (int k = 0; k < kRows; ++k) {
    EXPECT_NEAR(freed.length[k], expected.col(k).norm(), 1e-13) << k;
    EXPECT_NEAR(freed.own_length[k], A.row(k).norm(), 1e-13) << k;
    const double cosine = freed.direction.col(k).normalized().dot(after.direction.col(k).normalized());
    EXPECT_NEAR(cosine, k == 40 ? -1.0 : 1.0, 1e-12) << k;
  }
}

/// An almost flat linkage in angles. The error of the remainder of its second row must be ε (machine precision)
/// relative to the length of the row, not √ε.
TEST(FreeRows, AreKnownToRoundingOfTheirLengthWhereTheyAllButVanish) {
  constexpr int kWindows = 40;
  const double flat = 1e-10;
  Matrix A = Matrix::Zero(2 * kWindows, 2 * kWindows + 1);
  for (int i = 0; i < kWindows; ++i) {
    A.row(2 * i).segment(2 * i, 3) << -std::sin(flat), -std::sin(2.0 * flat), std::sin(flat);
    A.row(2 * i + 1).segment(2 * i, 3) << std::cos(flat), 1.0, -std::cos(flat);
  }
  const numeric::SparsePattern pattern = pattern_of(A);
  numeric::RowTriangle triangle(pattern, [] {
    std::vector<int> rows(2 * kWindows);
    for (int i = 0; i < 2 * kWindows; ++i) rows[static_cast<std::size_t>(i)] = i;
    return rows;
  }());
  triangle.factor(sparse(A, pattern).values);
  const Matrix expected = freed_by_definition(A);
  for (int k = 0; k < 2 * kWindows; ++k)
    EXPECT_NEAR(triangle.length(k), expected.col(k).norm(), 1e-15 * (1.0 + k)) << k;
}

/// Dependent rows are left out, and rows after them are not orthogonalized against their rounding errors.
TEST(RowSpace, LeavesOutRowsThatDependOnThoseBefore) {
  constexpr int kRows = 60, kSpeeds = 70;
  Matrix A = chain_of(kRows, kSpeeds);
  A.row(20) = A.row(3) - 0.3 * A.row(11);
  A.row(41).setZero();
  A.row(59) = 2.0 * A.row(58);
  const numeric::SparsePattern pattern = pattern_of(A);
  const RowSpace space(sparse(A, pattern), Vector::Ones(kSpeeds));
  std::vector<int> expected;
  for (int i = 0; i < kRows; ++i)
    if (i != 20 && i != 41 && i != 59) expected.push_back(i);
  EXPECT_EQ(space.rows(), expected);
  EXPECT_EQ(rank_in_order(sparse(A, pattern), Vector::Ones(kSpeeds), 1e-5), kRows - 3);
}

}  // namespace
}  // namespace vinculum::sim
