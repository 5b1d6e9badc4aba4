#include "vinculum/solve/pivoted/friction.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <random>

#include "vinculum/solve/pivoted/constrained_solve.hpp"

namespace vinculum::solve {
namespace {

/// M u' = f + C + Aᵀλ, A u' = b with C = Σ_k D_k |λ_k| (or D norm(λ)), solved by `FrictionSolve` with a factor of the
/// pivoted solver.
struct Problem {
  Matrix M, A;
  Vector f, b;
  Matrix D;              // [nu×nc]
  bool of_norm = false;  // C = D_0 norm(λ)

  [[nodiscard]] Vector C(const Vector& lambda) const {
    return of_norm ? Vector(D.col(0) * lambda.norm()) : Vector(D * lambda.cwiseAbs());
  }
  [[nodiscard]] FrictionSolve make() const {
    ReactionDependence dependence;
    for (int row = 0; row < A.rows(); ++row) dependence.rows.push_back(row);
    dependence.is_separable = !of_norm;
    return {static_cast<int>(M.rows()), static_cast<int>(A.rows()), dependence};
  }
  [[nodiscard]] FrictionSolve::Evaluate law() const {
    return [this](const Vector& lambda, const Vector&, Vector& value, Matrix& slope) {
      value = C(lambda);
      for (int k = 0; k < A.rows(); ++k) {
        // The derivative is NaN at 0, as in generated code.
        const double factor = of_norm ? lambda[k] / lambda.norm() : lambda[k] / std::abs(lambda[k]);
        slope.col(k) = D.col(of_norm ? 0 : k) * factor;
      }
    };
  }
  [[nodiscard]] Outcome<void> run(FrictionSolve& friction) const {
    solve::ConstrainedSolve solver(static_cast<int>(M.rows()), static_cast<int>(A.rows()));
    EXPECT_TRUE(solver.factor(M, A));
    solve::Solution solution;
    return friction.solve(
        [&](ConstVector r_f, ConstVector r_b, Vector& lambda) {
          auto done = solver.solve(r_f, r_b, solution);
          if (done) lambda = solution.lambda;
          return done;
        },
        law(), f, b);
  }
  /// λ of the linear problem with the given forces f + force.
  [[nodiscard]] Vector lambda_with(const Vector& force) const {
    const Matrix G = A * M.inverse() * A.transpose();
    return G.partialPivLu().solve(b - A * M.inverse() * (f + force));
  }
};

Problem random_problem(int nu, int nc, double strength, unsigned seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  const auto fill = [&](int rows, int columns) {
    return Matrix(rows, columns).unaryExpr([&](double) { return normal(random); }).eval();
  };
  Problem p;
  const Matrix X = fill(nu, nu);
  p.M = X * X.transpose() + Matrix::Identity(nu, nu);
  p.A = fill(nc, nu);
  p.f = fill(nu, 1);
  p.b = fill(nc, 1);
  p.D = strength * fill(nu, nc);
  return p;
}

/// Number of choices of signs of λ for which the solution of the linear system has these signs. Computed directly from
/// the definition.
int answers_by_hand(const Problem& p) {
  const int k = static_cast<int>(p.A.rows());
  const Matrix G = p.A * p.M.inverse() * p.A.transpose();
  int count = 0;
  for (int signs = 0; signs < 1 << k; ++signs) {
    Vector s(k);
    for (int i = 0; i < k; ++i) s[i] = (signs >> i) & 1 ? 1.0 : -1.0;
    const Matrix K = G + p.A * p.M.inverse() * p.D * s.asDiagonal();
    const Vector lambda = K.fullPivLu().solve(p.b - p.A * p.M.inverse() * p.f);
    if ((lambda.array() * s.array()).minCoeff() >= 0.0) ++count;
  }
  return count;
}

TEST(FrictionSolve, FindsTheOneReactionThatAgreesWithItsFriction) {
  for (unsigned seed = 1; seed <= 60; ++seed) {
    const Problem p = random_problem(7, 1 + static_cast<int>(seed % 4), 0.05, seed);
    FrictionSolve friction = p.make();
    FrictionSolve::Memory of_friction;
    friction.remember_in(of_friction);
    ASSERT_EQ(answers_by_hand(p), 1) << seed;
    ASSERT_TRUE(p.run(friction)) << seed;
    const Vector lambda = p.lambda_with(friction.C());
    EXPECT_LT((friction.C() - p.C(lambda)).norm(), 1e-10 * (1.0 + lambda.norm())) << seed;
  }
}

TEST(FrictionSolve, CountsTheChoicesOfSignsThatAgreeWithThemselves) {
  int none = 0, one = 0, many = 0;
  for (unsigned seed = 1; seed <= 300; ++seed) {
    const Problem p = random_problem(5, 1 + static_cast<int>(seed % 3), 3.0, seed);
    FrictionSolve friction = p.make();
    FrictionSolve::Memory of_friction;
    friction.remember_in(of_friction);
    const int expected = answers_by_hand(p);
    const auto done = p.run(friction);
    EXPECT_EQ(friction.found(), expected) << seed;
    EXPECT_EQ(bool(done), expected == 1) << seed;
    if (!done) {
      EXPECT_EQ(done.error().kind,
                expected == 0 ? FailureKind::kFrictionNoSolution : FailureKind::kFrictionManySolutions);
      EXPECT_EQ(done.error().rows.size(), static_cast<std::size_t>(p.A.rows()));
    }
    ++(expected == 0 ? none : expected == 1 ? one : many);
  }
  EXPECT_GT(none, 10);
  EXPECT_GT(one, 10);
  EXPECT_GT(many, 10);
}

TEST(FrictionSolve, OfManyRowsNeedsACertificateThatTheAnswerIsOne) {
  const Problem weak = random_problem(12, 8, 0.005, 4);
  FrictionSolve friction = weak.make();
  FrictionSolve::Memory of_friction;
  friction.remember_in(of_friction);
  ASSERT_TRUE(weak.run(friction));
  const Vector lambda = weak.lambda_with(friction.C());
  EXPECT_LT((friction.C() - weak.C(lambda)).norm(), 1e-10 * (1.0 + lambda.norm()));

  const Problem strong = random_problem(12, 8, 3.0, 4);
  FrictionSolve other = strong.make();
  FrictionSolve::Memory of_other;
  other.remember_in(of_other);
  const auto done = strong.run(other);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().kind, FailureKind::kFrictionManySolutions);
}

// Number of solutions if C depends on n = norm(λ): λ = λ0 + p n gives n² = |λ0 + p n|², a quadratic equation for n ≥ 0.
int answers_of_norm(const Problem& p) {
  const Vector lambda_0 = p.lambda_with(Vector::Zero(p.f.size()));
  const Vector at_one = p.lambda_with(p.D.col(0)) - lambda_0;
  const double a = at_one.squaredNorm() - 1.0, half = lambda_0.dot(at_one), c = lambda_0.squaredNorm();
  const double root = half * half - a * c;
  if (root < 0.0) return 0;
  int count = 0;
  for (const double sign : {1.0, -1.0}) count += (-half + sign * std::sqrt(root)) / a >= 0.0 ? 1 : 0;
  return count;
}

TEST(FrictionSolve, OfTheNormOfSeveralRowsSolvesAQuadraticEquation) {
  int seen[3] = {0, 0, 0};
  for (unsigned seed = 1; seed <= 200; ++seed) {
    Problem p = random_problem(6, 2, seed % 2 == 0 ? 0.3 : 2.0, seed);
    p.of_norm = true;
    FrictionSolve friction = p.make();
    FrictionSolve::Memory of_friction;
    friction.remember_in(of_friction);
    const int expected = answers_of_norm(p);
    const auto done = p.run(friction);
    EXPECT_EQ(friction.found(), expected) << seed;
    ++seen[expected];
    if (!done) continue;
    const Vector lambda = p.lambda_with(friction.C());
    EXPECT_LT((friction.C() - p.C(lambda)).norm(), 1e-9 * (1.0 + lambda.norm())) << seed;
  }
  EXPECT_GT(seen[0], 3);
  EXPECT_GT(seen[1], 3);
  EXPECT_GT(seen[2], 3);
}

TEST(FrictionSolve, SaysThatALawIsNotFinite) {
  Problem p = random_problem(4, 1, 0.1, 2);
  p.D(0, 0) = std::nan("");
  FrictionSolve friction = p.make();
  FrictionSolve::Memory of_friction;
  friction.remember_in(of_friction);
  const auto done = p.run(friction);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().kind, FailureKind::kNonFinite);
}

}  // namespace
}  // namespace vinculum::solve
