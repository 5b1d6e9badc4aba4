#include "vinculum/numeric/full_pivot_lu.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>

#include "support/numeric/random_system.hpp"

namespace vinculum::numeric {
namespace {

constexpr double kTolerance = 1e-13;

TEST(FullPivotLu, SolvesSystemsOfAnySizeUpToItsLargest) {
  RandomEngine random(3);
  FullPivotLu lu(9);
  for (int size = 0; size <= 9; ++size) {
    const Matrix X = random_matrix(random, size, size);
    const Vector expected = random_matrix(random, size, 1);
    lu.matrix(size) = X;
    lu.factor(kTolerance);
    ASSERT_TRUE(lu.is_regular());
    Vector x = X * expected;
    EXPECT_EQ(lu.solve(x), 0.0);
    EXPECT_LT((x - expected).norm(), 1e-11 * (1.0 + expected.norm())) << size;
  }
}

TEST(FullPivotLu, PivotsWhereDiagonalsAreZero) {
  FullPivotLu lu(3);
  lu.matrix(3) << 0.0, 2.0, 0.0, 0.0, 0.0, 3.0, 4.0, 0.0, 0.0;
  lu.factor(kTolerance);
  Vector x(3);
  x << 2.0, 3.0, 4.0;
  EXPECT_EQ(lu.solve(x), 0.0);
  EXPECT_EQ(x, Vector::Ones(3));
}

TEST(FullPivotLu, KnowsTheSignOfTheDeterminant) {
  RandomEngine random(11);
  FullPivotLu lu(5);
  for (int trial = 0; trial < 40; ++trial) {
    const Matrix X = random_matrix(random, 5, 5);
    lu.matrix(5) = X;
    lu.factor(kTolerance);
    EXPECT_EQ(lu.determinant_sign(), X.determinant() > 0.0 ? 1 : -1);
  }
  lu.matrix(2) << 1.0, 2.0, 2.0, 4.0;
  lu.factor(kTolerance);
  EXPECT_EQ(lu.determinant_sign(), 0);
}

TEST(FullPivotLu, FindsTheRankAndByHowMuchEquationsAreMissed) {
  RandomEngine random(5);
  const Matrix X = random_matrix(random, 6, 4) * random_matrix(random, 4, 6);
  FullPivotLu lu(6);
  lu.matrix(6) = X;
  lu.factor(kTolerance);
  EXPECT_EQ(lu.rank(), 4);
  Vector x = X * Vector::Ones(6);
  const Vector right = x;
  EXPECT_LT(lu.solve(x), 1e-12);
  EXPECT_LT((X * x - right).norm(), 1e-11);

  lu.matrix(6) = X;
  lu.factor(kTolerance);
  Vector off = random_matrix(random, 6, 1);
  EXPECT_GT(lu.solve(off), 1e-3);
}

TEST(FullPivotLu, SaysWhichUnknownIsLeftUndetermined) {
  // No equation contains the second unknown; the elimination exchanges columns.
  FullPivotLu lu(3);
  lu.matrix(3) << 1.0, 0.0, 2.0, 3.0, 0.0, 7.0, 5.0, 0.0, -1.0;
  lu.factor(1e-13);
  EXPECT_FALSE(lu.is_regular());
  EXPECT_EQ(lu.undetermined(), 1);
  lu.matrix(3) << 0.0, 0.0, 9.0, 0.0, 4.0, 0.0, 0.0, 2.0, 1.0;
  lu.factor(1e-13);
  EXPECT_EQ(lu.undetermined(), 0);
}

TEST(FullPivotLu, MeasuresItsConditioningByItsPivots) {
  FullPivotLu lu(2);
  lu.matrix(2) << 8.0, 0.0, 0.0, -2.0;
  lu.factor(1e-13);
  EXPECT_EQ(lu.last_pivot(), 0.25);
}

}  // namespace
}  // namespace vinculum::numeric
