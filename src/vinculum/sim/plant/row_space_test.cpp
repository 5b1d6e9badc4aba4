#include "vinculum/sim/plant/row_space.hpp"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace vinculum::sim
