#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/numeric/ideal_reaction.hpp"
#include "vinculum/base/contract.hpp"
#include "vinculum/numeric/semidefinite_mass.hpp"

namespace vinculum::numeric {
namespace {

constexpr double kTol = 1e-10;

TEST(IdealReaction, HangsAMassWithAMultiplierOfMinusItsWeight) {
  // |p| − l = 0 with p = (0, −l): A = (0, −1), b = 0, f = (0, −m g).
  const double m = 2.0, g = 9.81;
  const Matrix M = m * Matrix::Identity(2, 2);
  const Vector f = (Vector(2) << 0.0, -m * g).finished();
  const Matrix A = (Matrix(1, 2) << 0.0, -1.0).finished();
  const auto result = ideal_reaction(M, f, A, Vector::Zero(1), kTol);
  ASSERT_TRUE(result);
  EXPECT_NEAR(result->lambda[0], -m * g, 1e-14);
  EXPECT_NEAR(result->Q_ideal[1], m * g, 1e-14);
  EXPECT_NEAR(result->u_dot.norm(), 0.0, 1e-15);
}

TEST(IdealReaction, IsTheUnconstrainedAccelerationWithoutConstraints) {
  const Matrix M = (Matrix(2, 2) << 2.0, 0.5, 0.5, 1.0).finished();
  const Vector f = (Vector(2) << 1.0, -1.0).finished();
  const auto result = ideal_reaction(M, f, Matrix(0, 2), Vector(0), kTol);
  ASSERT_TRUE(result);
  EXPECT_LT((M * result->u_dot - f).norm(), 1e-15);
  EXPECT_EQ(result->Q_ideal.norm(), 0.0);
  EXPECT_EQ(result->rank, 0);
}

TEST(IdealReaction, NamesContradictoryRowsAndTheirResidual) {
  const Matrix A = (Matrix(3, 2) << 1.0, 0.0, 0.0, 1.0, 2.0, 0.0).finished();
  const Vector b = (Vector(3) << 1.0, 5.0, 3.0).finished();  // contradictory: u0' = 1 and u0' = 1.5
  const auto result = ideal_reaction(Matrix::Identity(2, 2), Vector::Zero(2), A, b, kTol);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, FailureKind::kInconsistent);
  ASSERT_EQ(result.error().rows.size(), 2U);
  EXPECT_EQ(result.error().rows[0] + result.error().rows[1], 2);
  EXPECT_NE(result.error().rows[0], 1);
}

TEST(IdealReaction, RefusesValuesThatAreNotFinite) {
  const Matrix M = Matrix::Identity(2, 2);
  const Vector f = Vector::Zero(2);
  Matrix A = (Matrix(1, 2) << 1.0, 0.0).finished();
  Vector b = Vector::Constant(1, std::numeric_limits<double>::quiet_NaN());
  EXPECT_EQ(ideal_reaction(M, f, A, b, kTol).error().kind, FailureKind::kNonFinite);
  EXPECT_EQ(ideal_reaction(M, f, A, b, kTol).error().rows, std::vector<int>{0});
  b[0] = 0.0;
  A(0, 1) = std::numeric_limits<double>::infinity();
  EXPECT_EQ(ideal_reaction(M, f, A, b, kTol).error().kind, FailureKind::kNonFinite);
  const Vector C = (Vector(2) << 0.0, std::nan("")).finished();
  A(0, 1) = 0.0;
  EXPECT_EQ(nonideal_reaction(M, f, A, b, C, kTol).error().coordinates, std::vector<int>{1});
}

TEST(IdealReaction, ChecksShapes) {
  const Matrix M = Matrix::Identity(2, 2);
  EXPECT_THROW((void)ideal_reaction(M, Vector::Zero(3), Matrix(0, 2), Vector(0), kTol), InternalError);
  EXPECT_THROW((void)ideal_reaction(M, Vector::Zero(2), Matrix::Zero(1, 2), Vector(0), kTol), InternalError);
}

TEST(NonidealReaction, SlowsABlockOnItsFloorByTheGivenFriction) {
  // Block on the floor y = 0 pushed by C = (−μ m g, 0): Qi = (0, m g), Qni = C.
  const double m = 3.0, g = 9.81, mu = 0.2;
  const Matrix M = m * Matrix::Identity(2, 2);
  const Vector f = (Vector(2) << 0.0, -m * g).finished();
  const Vector C = (Vector(2) << -mu * m * g, 0.0).finished();
  const Matrix A = (Matrix(1, 2) << 0.0, 1.0).finished();
  const auto result = nonideal_reaction(M, f, A, Vector::Zero(1), C, kTol);
  ASSERT_TRUE(result);
  EXPECT_NEAR(result->u_dot[0], -mu * g, 1e-14);
  EXPECT_NEAR(result->Q_ideal[1], m * g, 1e-14);
  EXPECT_NEAR((result->Q_nonideal - C).norm(), 0.0, 1e-14);
  EXPECT_NEAR(result->lambda_ideal[0], m * g, 1e-14);
  EXPECT_NEAR(result->lambda[0], m * g, 1e-14);
}

TEST(SemidefiniteWeights, WeighRowsByTheInertiaTheyActUpon) {
  const Matrix M = (Vector(3) << 2.0, 8.0, 0.0).finished().asDiagonal();
  const Matrix A = (Matrix(4, 3) << 1, 0, 7, 0, 2, 0, 0, 0, 4, 0, 0, 0).finished();
  Vector W(4);
  semidefinite_weights(M, A, W);
  EXPECT_DOUBLE_EQ(W[0], 2.0);
  EXPECT_DOUBLE_EQ(W[1], 2.0);
  EXPECT_DOUBLE_EQ(W[2], 10.0 / 3.0 / 16.0);  // the row acts on no coordinate with mass, so W_i = mean(diag M) / |A_i|²
  EXPECT_EQ(W[3], 0.0);
  Matrix H = M;
  add_weighted_rows(A, W, H);
  const Matrix full = M + A.transpose() * W.asDiagonal() * A;
  EXPECT_LT((Matrix(H.triangularView<Eigen::Lower>()) - Matrix(full.triangularView<Eigen::Lower>())).norm(), 1e-12);
}

TEST(UndeterminedMotion, NamesTheCoordinatesOfTheCommonNullDirection) {
  // u0 has mass. u1 and u2 have none and occur only in the row u1 + 1000 u2, in units that differ by 1000.
  const Matrix M = (Vector(3) << 1.0, 0.0, 0.0).finished().asDiagonal();
  const Matrix A = (Matrix(1, 3) << 0.0, 1.0, 1000.0).finished();
  const Failure failure = undetermined_motion(M, A, 1);
  EXPECT_EQ(failure.kind, FailureKind::kUndetermined);
  EXPECT_EQ(failure.coordinates, (std::vector<int>{1, 2}));
}

TEST(UndeterminedMotion, SaysSoWhenTheMassMatrixIsIndefinite) {
  const Matrix M = (Vector(2) << 1.0, -1.0).finished().asDiagonal();
  const Failure failure = undetermined_motion(M, Matrix(0, 2), 1);
  EXPECT_EQ(failure.coordinates, std::vector<int>{1});
  EXPECT_NE(failure.message.find("not positive semidefinite"), std::string::npos);
}

}  // namespace
}  // namespace vinculum::numeric
