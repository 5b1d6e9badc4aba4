#include "support/numeric/ideal_reaction.hpp"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>

#include "literal_udwadia_kalaba.hpp"
#include "support/numeric/random_system.hpp"
#include "vinculum/numeric/null_space.hpp"
#include "vinculum/solve/pivoted/constrained_solve.hpp"

namespace vinculum::property {
namespace ideal_reaction_test {

using numeric::RandomEngine;
using numeric::RandomSystem;

constexpr double kTolConsistency = 1e-10;
// Ten times the largest difference measured over all seeds and sizes, 3e-13, for condition numbers of M and B up to
// 1e3.
constexpr double kTolAgreement = 3e-12;

/// Calls `check(system, seed)` for systems of all sizes up to 9×9, with and without repeated rows.
template <class Check>
void on_random_systems(Check check) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    RandomEngine engine(seed);
    const int nu = 1 + static_cast<int>(engine() % 9);
    const int nc = static_cast<int>(engine() % static_cast<std::uint64_t>(nu + 1));
    RandomSystem system = numeric::random_system(engine, nu, nc);
    if (seed % 2 == 0) system = numeric::with_repeated_rows(engine, system, 3);
    SCOPED_TRACE("seed " + std::to_string(seed));
    check(system, engine);
  }
}

double relative(const Vector& difference, const Vector& reference) {
  return difference.norm() / (1.0 + reference.norm());
}

TEST(IdealReaction, AgreesWithTheLiteralFormulaAndWithConstrainedSolve) {
  on_random_systems([](const RandomSystem& s, RandomEngine&) {
    const auto result = numeric::ideal_reaction(s.M, s.f, s.A, s.b, kTolConsistency);
    ASSERT_TRUE(result) << result.error().message;
    const Vector a = s.M.llt().solve(s.f);
    const LiteralUdwadiaKalaba literal(s.M, s.A);
    const Vector Q = literal.Q_ideal(a, s.A, s.b);
    EXPECT_LT(relative(result->Q_ideal - Q, Q), kTolAgreement);
    EXPECT_LT(relative(result->u_dot - s.M.llt().solve(s.f + Q), result->u_dot), kTolAgreement);

    solve::ConstrainedSolve solver(static_cast<int>(s.f.size()), static_cast<int>(s.b.size()));
    solve::Solution solution;
    ASSERT_TRUE(solver.factor(s.M, s.A));
    ASSERT_TRUE(solver.solve(s.f, s.b, solution));
    EXPECT_EQ(solver.rank(), result->rank);
    EXPECT_LT(relative(solution.u - result->u_dot, result->u_dot), kTolAgreement);
    EXPECT_LT(relative(solution.Q - result->Q_ideal, result->Q_ideal), kTolAgreement);
    EXPECT_LT(relative(solution.lambda - result->lambda, result->lambda), kTolAgreement);
  });
}

// The inverse A⁺_M of A in the metric M (theory.md §3.2), computed from the symmetric matrix A M⁻¹ Aᵀ, without a root
// of M.
Matrix inverse_in_metric(const Matrix& M, const Matrix& A) {
  const Matrix W = M.llt().solve(A.transpose());
  if (A.size() == 0) return W;
  const Matrix S = A * W;
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(0.5 * (S + S.transpose()));
  Vector inverse = eigen.eigenvalues();
  const double largest = inverse.maxCoeff();
  for (double& value : inverse) value = value > 1e-12 * largest ? 1.0 / value : 0.0;
  return W * eigen.eigenvectors() * inverse.asDiagonal() * eigen.eigenvectors().transpose();
}

TEST(IdealReaction, IsThatOfTheInverseInTheMetricOfTheMass) {
  on_random_systems([](const RandomSystem& s, RandomEngine& engine) {
    const Matrix X = inverse_in_metric(s.M, s.A);
    const auto vanishes = [](const Matrix& difference, const Matrix& beside) {
      return difference.norm() <= kTolAgreement * (1.0 + beside.norm());
    };
    EXPECT_TRUE(vanishes(s.A * X * s.A - s.A, s.A));
    EXPECT_TRUE(vanishes(X * s.A * X - X, X));
    EXPECT_TRUE(vanishes(s.A * X - (s.A * X).transpose(), s.A * X));
    EXPECT_TRUE(vanishes(s.M * X * s.A - (s.M * X * s.A).transpose(), s.M));
    const LiteralUdwadiaKalaba literal(s.M, s.A);
    EXPECT_TRUE(vanishes(X - literal.inverse_root * literal.B_plus, X));
    const auto result = numeric::ideal_reaction(s.M, s.f, s.A, s.b, kTolConsistency);
    ASSERT_TRUE(result) << result.error().message;
    const Vector a = s.M.llt().solve(s.f), C = numeric::random_vector(engine, static_cast<int>(s.f.size()));
    EXPECT_LT(relative(a + X * (s.b - s.A * a) - result->u_dot, result->u_dot), kTolAgreement);
    const Vector c = s.M.llt().solve(C);
    EXPECT_LT(relative(s.M * (c - X * (s.A * c)) - literal.Q_nonideal(C), C), kTolAgreement);
  });
}

TEST(IdealReaction, FulfilsTheEquationsOfMotionAndTheConstraints) {
  on_random_systems([](const RandomSystem& s, RandomEngine&) {
    const auto result = numeric::ideal_reaction(s.M, s.f, s.A, s.b, kTolConsistency);
    ASSERT_TRUE(result);
    EXPECT_LT(relative(s.M * result->u_dot - s.f - result->Q_ideal, result->Q_ideal), kTolAgreement);
    EXPECT_LT(relative(s.A.transpose() * result->lambda - result->Q_ideal, result->Q_ideal), kTolAgreement);
    EXPECT_LT(relative(s.A * result->u_dot - s.b, s.b), kTolAgreement);
  });
}

TEST(IdealReaction, DoesNoVirtualWorkWhenRowsAreRedundant) {
  on_random_systems([](const RandomSystem& s, RandomEngine& engine) {
    const auto result = numeric::ideal_reaction(s.M, s.f, s.A, s.b, kTolConsistency);
    ASSERT_TRUE(result);
    const Matrix Z = numeric::null_space(s.A, 1e-13);
    const Vector v = Z * numeric::random_vector(engine, static_cast<int>(Z.cols()));
    EXPECT_LT(std::abs(v.dot(result->Q_ideal)), kTolAgreement * (1.0 + v.norm() * result->Q_ideal.norm()));
  });
}

TEST(IdealReaction, MinimisesTheFunctionOfGaussAmongAdmissibleAccelerations) {
  on_random_systems([](const RandomSystem& s, RandomEngine& engine) {
    const auto result = numeric::ideal_reaction(s.M, s.f, s.A, s.b, kTolConsistency);
    ASSERT_TRUE(result);
    const Vector a = s.M.llt().solve(s.f);
    const auto gauss = [&](const Vector& u_dot) { return (u_dot - a).dot(s.M * (u_dot - a)); };
    const Matrix Z = numeric::null_space(s.A, 1e-13);
    for (const double size : {1e-2, 1.0}) {
      const Vector v = size * (Z * numeric::random_vector(engine, static_cast<int>(Z.cols())));
      // For v in ker A, Gauss' function increases by exactly vᵀMv.
      const double growth = gauss(result->u_dot + v) - gauss(result->u_dot);
      EXPECT_NEAR(growth, v.dot(s.M * v), 1e-10 * (1.0 + gauss(result->u_dot + v)));
    }
  });
}

TEST(IdealReaction, IsTheSameForASemidefiniteMassAsInTheLimit) {
  // Massless coordinates that constraints determine. The motion is the limit of motions with vanishing masses.
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomEngine engine(seed);
    const int nu = 3 + static_cast<int>(engine() % 5);
    const int massless = 1 + static_cast<int>(engine() % 2);
    RandomSystem s = numeric::random_system(engine, nu, massless + 1);
    Matrix root = numeric::random_matrix(engine, nu, nu - massless);
    s.M = root * root.transpose();
    const auto result = numeric::ideal_reaction(s.M, s.f, s.A, s.b, kTolConsistency);
    ASSERT_TRUE(result) << result.error().message;
    // The exact KKT system by LU with full pivoting: it is regular here although M is singular.
    Matrix K = Matrix::Zero(nu + massless + 1, nu + massless + 1);
    K.topLeftCorner(nu, nu) = s.M;
    K.bottomLeftCorner(massless + 1, nu) = s.A;
    K.topRightCorner(nu, massless + 1) = -s.A.transpose();
    Vector right(K.rows());
    right << s.f, s.b;
    const Eigen::FullPivLU<Matrix> lu(K);
    const Vector exact = lu.solve(right);
    const double tol = 1e-14 / std::max(lu.rcond(), 1e-9);
    EXPECT_LT(relative(result->u_dot - exact.head(nu), exact.head(nu)), tol);
    EXPECT_LT(relative(result->lambda - exact.tail(massless + 1), exact), tol);
    solve::ConstrainedSolve solver(nu, massless + 1);
    solve::Solution solution;
    ASSERT_TRUE(solver.factor(s.M, s.A));
    ASSERT_TRUE(solver.solve(s.f, s.b, solution));
    EXPECT_LT(relative(solution.u - exact.head(nu), exact.head(nu)), tol);
    EXPECT_LT(relative(solution.lambda - exact.tail(massless + 1), exact), tol);
    EXPECT_LT(relative(solution.Q - (s.M * solution.u - s.f), solution.Q), tol);
  }
}

}  // namespace ideal_reaction_test
}  // namespace vinculum::property
