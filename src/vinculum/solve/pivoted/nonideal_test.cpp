#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <random>

#include "vinculum/solve/pivoted/reaction.hpp"

namespace vinculum::solve {
namespace {

struct ForcedSystem {
  Matrix M, A;
  Vector f, C, b;
};

/// A random system; `redundant` of its rows are combinations of the others.
ForcedSystem forced_system(int nu, int rows, int redundant, unsigned seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  const auto fill = [&](Matrix m) { return m.unaryExpr([&](double) { return normal(random); }).eval(); };
  ForcedSystem s;
  const Matrix X = fill(Matrix(nu, nu));
  s.M = X * X.transpose() + Matrix::Identity(nu, nu);
  const Matrix A = fill(Matrix(rows, nu));
  const Matrix mix = fill(Matrix(redundant, rows));
  s.A.resize(rows + redundant, nu);
  s.A << A, mix * A;
  s.f = fill(Matrix(nu, 1));
  s.C = fill(Matrix(nu, 1));
  const Vector b = fill(Matrix(rows, 1));
  s.b.resize(rows + redundant);
  s.b << b, mix * b;
  return s;
}

/// The argument `solve` of `find_reaction`: solves with the current factor of `solver` and the right-hand sides b.
auto by(solve::ConstrainedSolve& solver, const Vector& b) {
  return [&solver, &b](ConstVector force, solve::Solution& found) { return solver.solve(force, b, found); };
}

Reaction react(const ForcedSystem& s) {
  solve::ConstrainedSolve solver(static_cast<int>(s.M.rows()), static_cast<int>(s.A.rows()));
  EXPECT_TRUE(solver.factor(s.M, s.A));
  Reaction reaction;
  EXPECT_TRUE(find_reaction(by(solver, s.b), s.f, s.C, reaction));
  return reaction;
}

TEST(NonidealReaction, AgreesWithUdwadiaAndKalabaByMatrixSquareRoots) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const ForcedSystem s = forced_system(6, 3, static_cast<int>(seed % 3), seed);
    const Eigen::SelfAdjointEigenSolver<Matrix> eigen(s.M);
    const Matrix root = eigen.operatorSqrt();
    const Matrix inverse_root = eigen.operatorInverseSqrt();
    const Matrix B = s.A * inverse_root;
    const Matrix B_plus = B.completeOrthogonalDecomposition().pseudoInverse();
    const Vector a = s.M.ldlt().solve(s.f);
    const Vector Q_ideal = root * B_plus * (s.b - s.A * a);
    const Vector Q_nonideal = root * (Matrix::Identity(6, 6) - B_plus * B) * inverse_root * s.C;

    const Reaction reaction = react(s);
    const double scale = Q_ideal.norm() + Q_nonideal.norm();
    EXPECT_LT((reaction.Q_ideal() - Q_ideal).norm(), 1e-11 * scale) << "seed " << seed;
    EXPECT_LT((reaction.Q_nonideal - Q_nonideal).norm(), 1e-11 * scale) << "seed " << seed;
    EXPECT_LT((s.M * reaction.u_dot() - s.f - reaction.Q_c).norm(), 1e-11 * scale) << "seed " << seed;
    EXPECT_LT((s.A * reaction.u_dot() - s.b).norm(), 1e-11 * scale) << "seed " << seed;
  }
}

TEST(NonidealReaction, DoesTheVirtualWorkOfCAndTheIdealPartNone) {
  const ForcedSystem s = forced_system(7, 3, 2, 5);
  const Reaction reaction = react(s);
  solve::ConstrainedSolve solver(7, 5);
  ASSERT_TRUE(solver.factor(s.M, s.A));
  const Matrix Z = solver.null_space();
  ASSERT_EQ(Z.cols(), 4);
  EXPECT_LT((Z.transpose() * reaction.Q_ideal()).norm(), 1e-11);
  EXPECT_LT((Z.transpose() * (reaction.Q_c - s.C)).norm(), 1e-11);
}

TEST(NonidealReaction, IsIdealWhereCIsZero) {
  ForcedSystem s = forced_system(5, 2, 1, 9);
  s.C.setZero();
  const Reaction reaction = react(s);
  solve::ConstrainedSolve solver(5, 3);
  ASSERT_TRUE(solver.factor(s.M, s.A));
  Reaction ideal;
  ASSERT_TRUE(find_reaction(by(solver, s.b), s.f, Vector::Zero(s.f.size()), ideal));
  EXPECT_EQ(reaction.u_dot(), ideal.u_dot());
  EXPECT_EQ(reaction.lambda(), ideal.lambda());
  EXPECT_EQ(ideal.Q_nonideal.norm(), 0.0);
}

TEST(NonidealReaction, OfCInTheRangeOfTheRowsChangesMultipliersOnly) {
  ForcedSystem s = forced_system(5, 2, 0, 3);
  s.C = s.A.transpose() * Vector::Constant(2, 0.7);
  const Reaction reaction = react(s);
  EXPECT_LT(reaction.Q_nonideal.norm(), 1e-12);
  EXPECT_LT((reaction.lambda_ideal() - reaction.lambda() - Vector::Constant(2, 0.7)).norm(), 1e-12);
}

TEST(NonidealReaction, SaysWhichRowsContradictEachOther) {
  ForcedSystem s = forced_system(4, 2, 1, 2);
  s.b[2] += 0.5;
  solve::ConstrainedSolve solver(4, 3);
  ASSERT_TRUE(solver.factor(s.M, s.A));
  Reaction reaction;
  const auto done = find_reaction(by(solver, s.b), s.f, s.C, reaction);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().kind, FailureKind::kInconsistent);
  EXPECT_FALSE(done.error().rows.empty());
}

}  // namespace
}  // namespace vinculum::solve
