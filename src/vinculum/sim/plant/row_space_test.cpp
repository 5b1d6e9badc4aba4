#include "vinculum/sim/plant/row_space.hpp"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <cmath>

/// Which rows a dependent one is a sum of.
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

/// Rows of neighbours in a chain, in an order in which pieces of the chain grow together: freed rows stay orthogonal
/// though none is compared with those that it shares no speed with, and their lengths have the rows' Gram determinant.
TEST(FreeRows, AreOrthogonalWhereRowsShareFewSpeeds) {
  constexpr int kRows = 90, kSpeeds = 100;
  Matrix A = Matrix::Zero(kRows, kSpeeds);
  for (int i = 0; i < kRows; ++i) {
    const int first = (37 * i) % kRows;
    for (int j = 0; j < 3; ++j) A(i, first + j) = std::sin(1.0 + i + 7.0 * j) + (j == 1 ? 2.0 : 0.0);
  }
  const RowSpace space(A, Vector::Ones(kSpeeds));
  ASSERT_EQ(space.rank(), kRows);
  RowSpace::Freed freed;
  space.free_rows(A, freed);
  const Matrix unit = freed.rows * freed.length.cwiseInverse().asDiagonal();
  EXPECT_LT((unit.transpose() * unit - Matrix::Identity(kRows, kRows)).cwiseAbs().maxCoeff(), 1e-12);
  const Matrix gram = A * A.transpose();
  const Vector diagonal = gram.llt().matrixLLT().diagonal();
  EXPECT_NEAR(freed.length.array().log().sum(), diagonal.array().log().sum(), 1e-9);
}

}  // namespace
}  // namespace vinculum::sim
