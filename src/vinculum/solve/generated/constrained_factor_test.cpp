#include <gtest/gtest.h>

#include <cmath>

#include "support/numeric/random_system.hpp"
#include "vinculum/solve/pivoted/constrained_solve.hpp"

// ConstrainedSolve: reuse of factors, and rank tolerances that are chosen after the factorization.
namespace vinculum::solve {
namespace {

using numeric::RandomEngine;
using numeric::RandomSystem;

constexpr int kSpeeds = 9, kRows = 7;

/// A random system. Two of its rows depend on the others except for a component of length `off`.
RandomSystem nearly_redundant(unsigned seed, double off) {
  RandomEngine engine(seed);
  RandomSystem s = numeric::random_system(engine, kSpeeds, kRows);
  s.A.row(5) = 0.3 * s.A.row(0) - s.A.row(2) + off * Vector::Ones(kSpeeds).transpose();
  s.A.row(6) = s.A.row(1) + s.A.row(3) - off * s.A.row(4).reverse();
  s.b[5] = 0.3 * s.b[0] - s.b[2];
  s.b[6] = s.b[1] + s.b[3];
  return s;
}

Solution least_squares(ConstrainedSolve& solver, const RandomSystem& s) {
  Solution solution;
  solver.solve_least_squares(s.f, s.b, solution);
  return solution;
}

TEST(FactorUsedAgain, GivesTheBitsOfANewOne) {
  const RandomSystem one = nearly_redundant(1, 0.0), other = nearly_redundant(2, 0.0);
  ConstrainedSolve solver(kSpeeds, kRows);
  ASSERT_TRUE(solver.factor(one.M, one.A));
  const Solution first = least_squares(solver, one);
  EXPECT_TRUE(solver.has_factor_of(one.M, one.A, Vector::Ones(kRows)));
  ASSERT_TRUE(solver.factor(one.M, one.A));
  const Solution again = least_squares(solver, one);
  EXPECT_EQ(first.u, again.u);
  EXPECT_EQ(first.lambda, again.lambda);
  ASSERT_TRUE(solver.factor(other.M, other.A));
  ConstrainedSolve fresh(kSpeeds, kRows);
  ASSERT_TRUE(fresh.factor(other.M, other.A));
  EXPECT_EQ(least_squares(solver, other).u, least_squares(fresh, other).u);
}

TEST(FactorUsedAgain, IsThatOfEveryNumber) {
  const RandomSystem s = nearly_redundant(3, 0.0);
  Vector certainty = Vector::Ones(kRows);
  ConstrainedSolve solver(kSpeeds, kRows);
  ASSERT_TRUE(solver.factor(s.M, s.A));
  RandomSystem changed = s;
  changed.A(6, 8) += 1e-15 * std::abs(changed.A(6, 8)) + 1e-300;
  EXPECT_FALSE(solver.has_factor_of(s.M, changed.A, certainty));
  changed = s;
  changed.M(8, 7) = std::nextafter(changed.M(8, 7), 2.0);
  EXPECT_FALSE(solver.has_factor_of(changed.M, s.A, certainty));
  changed.M = s.M;
  changed.M(7, 8) += 1.0;  // above the diagonal, which is never read
  EXPECT_TRUE(solver.has_factor_of(changed.M, s.A, certainty));
  certainty[4] = 0.5;
  EXPECT_FALSE(solver.has_factor_of(s.M, s.A, certainty));
}

TEST(FactorUsedAgain, IsNotAFailedOne) {
  RandomSystem s = nearly_redundant(4, 0.0);
  ConstrainedSolve solver(kSpeeds, kRows);
  ASSERT_TRUE(solver.factor(s.M, s.A));
  s.A(0, 0) = std::nan("");
  EXPECT_FALSE(solver.factor(s.M, s.A));
  EXPECT_FALSE(solver.has_factor_of(s.M, s.A, Vector::Ones(kRows)));
}

TEST(CoarserTolerance, DecidesAsASolverThatHasNoOther) {
  for (const double off : {0.0, 1e-11, 1e-7, 1e-3}) {
    SCOPED_TRACE(off);
    const RandomSystem s = nearly_redundant(5, off);
    const SolveTolerances coarse{1e-5, 1e-3};
    ConstrainedSolve both(kSpeeds, kRows), only(kSpeeds, kRows, coarse), fine(kSpeeds, kRows);
    const double doubt = 1e-5;
    ASSERT_TRUE(both.factor(s.M, s.A, doubt, coarse));
    ASSERT_TRUE(only.factor(s.M, s.A));
    ASSERT_TRUE(fine.factor(s.M, s.A));
    EXPECT_EQ(both.rank(), only.rank());
    EXPECT_EQ(both.unique(), only.unique());
    EXPECT_EQ(both.conditioning(), only.conditioning());
    const Solution expected = least_squares(only, s), found = least_squares(both, s);
    EXPECT_LT((expected.u - found.u).norm(), 1e-12 * expected.u.norm());
    EXPECT_LT((expected.lambda - found.lambda).norm(), 1e-12 * expected.lambda.norm());
    ASSERT_TRUE(both.factor(s.M, s.A));  // the factor of the same matrices, now with the finer tolerance
    EXPECT_EQ(both.rank(), fine.rank());
    EXPECT_EQ(both.unique(), fine.unique());
    EXPECT_EQ(both.conditioning(), fine.conditioning());
  }
}

}  // namespace
}  // namespace vinculum::solve
