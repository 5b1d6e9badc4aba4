#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/numeric/random_system.hpp"
#include "vinculum/solve/generated/augmented_solve.hpp"
#include "vinculum/solve/generated/reduced_solve.hpp"
#include "vinculum/solve/pivoted/constrained_solve.hpp"

namespace vinculum::solve {
namespace {

using numeric::RandomSystem;

struct Accelerations {
  Vector by_projection, augmented, reduced;
};

Accelerations solve_by_all(const RandomSystem& system) {
  const auto nu = static_cast<int>(system.M.rows()), nc = static_cast<int>(system.A.rows());
  Accelerations found;
  ConstrainedSolve constrained(nu, nc);
  Solution solution;
  EXPECT_TRUE(constrained.factor(system.M, system.A));
  EXPECT_TRUE(constrained.solve(system.f, system.b, solution));
  found.by_projection = solution.u;
  AugmentedSolve augmented(nu, std::vector<char>(static_cast<std::size_t>(nc), 0), Vector());
  AugmentedSolution whole;
  EXPECT_TRUE(augmented.factor(system.M, system.A, Matrix(0, nu), 0.0));
  EXPECT_TRUE(augmented.solve(system.f, system.b, whole));
  found.augmented = whole.u;
  const Matrix M = system.M.selfadjointView<Eigen::Lower>();
  EXPECT_LT((M * whole.u - system.f - system.A.transpose() * whole.lambda).norm(),
            1e-9 * (1.0 + system.f.norm() + whole.u.norm()));
  ReducedSolve reduced(nu, nc);
  std::optional<IndependentSpeeds> of_reduced;
  reduced.remember_in(of_reduced);
  reduced.choose(system.M, system.A, 0.0);
  found.reduced = Vector::Zero(nu);
  EXPECT_TRUE(reduced.solve(system.M, system.A, system.f, system.b, 1e-10, found.reduced));
  return found;
}

void expect_equal(const Accelerations& found, double tolerance) {
  const double size = 1.0 + found.by_projection.norm();
  EXPECT_LT((found.augmented - found.by_projection).norm(), tolerance * size);
  EXPECT_LT((found.reduced - found.by_projection).norm(), tolerance * size);
}

TEST(ThreeFormulations, AgreeOnRandomSystems) {
  for (unsigned seed = 1; seed <= 60; ++seed) {
    numeric::RandomEngine random(seed);
    const int nu = 1 + static_cast<int>(seed % 9), nc = static_cast<int>(seed % 7) % (nu + 1);
    SCOPED_TRACE(seed);
    expect_equal(solve_by_all(numeric::random_system(random, nu, nc)), 1e-8);
  }
}

TEST(ReducedSolve, KeepsSpeedsIndependentThatAreNamed) {
  numeric::RandomEngine random(11);
  const RandomSystem system = numeric::random_system(random, 6, 3);
  const Accelerations found = solve_by_all(system);
  for (const std::vector<int>& kept : {std::vector{0, 1, 2}, std::vector{3, 5}, std::vector{4}}) {
    ReducedSolve reduced(6, 3);
    std::optional<IndependentSpeeds> of_reduced;
    reduced.remember_in(of_reduced);
    reduced.keep_independent(kept);
    reduced.choose(system.M, system.A, 0.0);
    EXPECT_TRUE(reduced.is_regular());
    for (const int speed : kept) EXPECT_EQ(std::ranges::count(reduced.choice().independent, speed), 1);
    Vector u_dot = Vector::Zero(6);
    ASSERT_TRUE(reduced.solve(system.M, system.A, system.f, system.b, 1e-10, u_dot));
    EXPECT_LT((u_dot - found.by_projection).norm(), 1e-8 * (1.0 + u_dot.norm()));
  }
}

// In x x' + y y' = 0, x' determines y' except at y = 0. At states beyond y = 0 the determinant has the other sign.
TEST(ReducedSolve, SaysWhereNamedSpeedsDetermineTheOthersNoMore) {
  const Matrix M = Matrix::Identity(2, 2);
  const auto row = [](double q) { return Matrix(Eigen::RowVector2d(std::cos(q), std::sin(q))); };
  ReducedSolve reduced(2, 1);
  std::optional<IndependentSpeeds> of_reduced;
  reduced.remember_in(of_reduced);
  reduced.keep_independent({0});
  reduced.choose(M, row(1.0), 0.0);
  EXPECT_TRUE(reduced.is_regular());
  (void)reduced.growth(M, row(0.1));
  EXPECT_TRUE(reduced.is_regular());
  (void)reduced.growth(M, row(-0.1));
  EXPECT_FALSE(reduced.is_regular());
  reduced.choose(M, row(0.0), 0.0);
  EXPECT_FALSE(reduced.is_regular());
}

TEST(ThreeFormulations, AgreeWhereRowsAreRepeated) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    numeric::RandomEngine random(seed);
    SCOPED_TRACE(seed);
    expect_equal(solve_by_all(numeric::with_repeated_rows(random, numeric::random_system(random, 7, 3), 2)), 1e-9);
  }
}

TEST(ThreeFormulations, AgreeWhereSpeedsHaveNoMassOfTheirOwn) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    numeric::RandomEngine random(seed);
    RandomSystem system = numeric::random_system(random, 6, 3);
    system.M.row(2).setZero();
    system.M.col(2).setZero();
    SCOPED_TRACE(seed);
    expect_equal(solve_by_all(system), 1e-8);
  }
}

TEST(ThreeFormulations, RefuseContradictionsAndMotionsThatNothingDetermines) {
  numeric::RandomEngine random(5);
  RandomSystem system = numeric::random_system(random, 5, 2);
  system.A.row(1) = -2.0 * system.A.row(0);
  system.b[1] = -2.0 * system.b[0] + 0.3;
  AugmentedSolve augmented(5, {0, 0}, Vector());
  AugmentedSolution whole;
  ASSERT_TRUE(augmented.factor(system.M, system.A, Matrix(0, 5), 0.0));
  const auto contradiction = augmented.solve(system.f, system.b, whole);
  ASSERT_FALSE(contradiction);
  EXPECT_EQ(contradiction.error().kind, FailureKind::kInconsistent);
  EXPECT_EQ(contradiction.error().rows.size(), 2u);
  ReducedSolve reduced(5, 2);
  std::optional<IndependentSpeeds> of_reduced;
  reduced.remember_in(of_reduced);
  reduced.choose(system.M, system.A, 0.0);
  Vector u = Vector::Zero(5);
  const auto refused = reduced.solve(system.M, system.A, system.f, system.b, 1e-10, u);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, FailureKind::kInconsistent);

  RandomSystem open = numeric::random_system(random, 4, 1);
  open.M.row(2).setZero();
  open.M.col(2).setZero();
  open.A(0, 2) = 0.0;
  AugmentedSolve of_open(4, {0}, Vector());
  const auto undetermined = of_open.factor(open.M, open.A, Matrix(0, 4), 0.0);
  ASSERT_FALSE(undetermined);
  EXPECT_EQ(undetermined.error().kind, FailureKind::kUndetermined);
  EXPECT_EQ(undetermined.error().coordinates, (std::vector<int>{2}));
  ReducedSolve reduced_open(4, 1);
  std::optional<IndependentSpeeds> of_reduced_open;
  reduced_open.remember_in(of_reduced_open);
  reduced_open.choose(open.M, open.A, 0.0);
  Vector v = Vector::Zero(4);
  const auto also = reduced_open.solve(open.M, open.A, open.f, open.b, 1e-10, v);
  ASSERT_FALSE(also);
  EXPECT_EQ(also.error().kind, FailureKind::kUndetermined);
}

// All accelerations are 0, and the right-hand sides are rounding errors of terms that cancel. Within their uncertainty
// they do not contradict each other.
TEST(ThreeFormulations, LetDependentRowsDisagreeByTheirDoubt) {
  const Matrix M = Matrix::Identity(2, 2), A = (Matrix(2, 2) << 1.0, -1.0, 1e-6, -1e-6).finished();
  const Vector f = Vector::Zero(2), b = (Vector(2) << 0.0, 1e-15).finished(), none = Vector::Zero(2),
               doubt = (Vector(2) << 0.0, 2e-15).finished();
  for (const bool has_doubt : {false, true}) {
    const Vector& by = has_doubt ? doubt : none;
    ConstrainedSolve pivoted(2, 2);
    ASSERT_TRUE(pivoted.factor(M, A));
    pivoted.set_doubt(by);
    Solution solution;
    EXPECT_EQ(pivoted.solve(f, b, solution).has_value(), has_doubt);
    AugmentedSolve augmented(2, {0, 0}, Vector());
    augmented.set_doubt(by);
    ASSERT_TRUE(augmented.factor(M, A, Matrix(0, 2), 0.0));
    AugmentedSolution whole;
    EXPECT_EQ(augmented.solve(f, b, whole).has_value(), has_doubt);
    ReducedSolve reduced(2, 2);
    std::optional<IndependentSpeeds> of_reduced;
    reduced.remember_in(of_reduced);
    reduced.set_doubt(by);
    reduced.choose(M, A, 0.0);
    Vector u_dot(2);
    EXPECT_EQ(reduced.solve(M, A, f, b, 1e-10, u_dot).has_value(), has_doubt);
  }
}

TEST(IndependentSpeeds, AreThoseThatKeepDependentOnesSmall) {
  // u0 has the coefficient 1e-6 in the row and must not be the dependent speed.
  ReducedSolve reduced(2, 1);
  std::optional<IndependentSpeeds> of_reduced;
  reduced.remember_in(of_reduced);
  Matrix A(1, 2);
  A << 1e-6, 1.0;
  reduced.choose(Matrix::Identity(2, 2), A, 0.0);
  EXPECT_EQ(reduced.choice().dependent, (std::vector<int>{1}));
  EXPECT_EQ(reduced.choice().independent, (std::vector<int>{0}));
  A << 1.0, 1e-6;
  EXPECT_GT(reduced.growth(Matrix::Identity(2, 2), A), 5e5);
  EXPECT_EQ(reduced.best_growth(Matrix::Identity(2, 2), A, 0.0), 1.0);  // the dependent speed hardly moves
}

}  // namespace
}  // namespace vinculum::solve
