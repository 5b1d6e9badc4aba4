#include "vinculum/linear/modes.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <complex>
#include <cstdint>

#include "vinculum/base/tolerance.hpp"

namespace vinculum::linear {
namespace {

using Why = ZeroEigenvalue::Why;

/// Random numbers in [-1, 1] that do not depend on the library.
Matrix random_matrix(int rows, int columns, unsigned seed) {
  Matrix matrix(rows, columns);
  std::uint64_t state = seed * 2654435761u + 1u;
  for (double& entry : matrix.reshaped()) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    entry = static_cast<double>(state >> 11) / 4503599627370496.0 - 1.0;
  }
  return matrix;
}

/// Largest |A v − λ v| and |w A − λ w| relative to |A|, and |w v − 1|.
double miss(const Matrix& A, const Modes& modes) {
  double worst = 0.0;
  for (Eigen::Index k = 0; k < modes.eigenvalues.size(); ++k) {
    const ComplexVector v = modes.right.col(k), w = modes.left.row(k).transpose();
    const std::complex<double> value = modes.eigenvalues[k];
    const double size = A.norm();
    worst = std::max(worst, (A * v - value * v).norm() / (size * v.norm()));
    worst = std::max(worst, (A.transpose() * w - value * w).norm() / (size * w.norm()));
    worst = std::max(worst, std::abs(w.cwiseProduct(v).sum() - 1.0));
  }
  return worst;
}

TEST(Modes, OfNoVariablesAreNone) {
  const Modes modes = modes_of(Matrix(0, 0), Vector(0));
  EXPECT_TRUE(modes.zeros.empty());
  EXPECT_EQ(modes.eigenvalues.size(), 0);
}

TEST(Modes, OfARandomMatrixAreEigenvectors) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const Matrix A = random_matrix(7, 7, seed);
    const Modes modes = modes_of(A, Vector::Ones(7));
    EXPECT_TRUE(modes.zeros.empty()) << seed;
    ASSERT_EQ(modes.eigenvalues.size(), 7) << seed;
    EXPECT_LT(miss(A, modes), tolerance::kUnique) << seed;
    std::complex<double> product = 1.0;
    for (const auto& value : modes.eigenvalues) product *= value;
    EXPECT_NEAR(product.real(), A.determinant(), tolerance::kIdentity) << seed;
  }
}

TEST(Modes, DoNotDependOnUnits) {
  const Matrix A = random_matrix(6, 6, 3);
  Vector units(6);
  units << 1e-6, 1.0, 1e3, 1e6, 1e-3, 10.0;
  const Matrix rescaled = units.asDiagonal() * A * units.cwiseInverse().asDiagonal();
  const Modes one = modes_of(A, Vector::Ones(6)), other = modes_of(rescaled, units);
  ASSERT_EQ(other.eigenvalues.size(), 6);
  EXPECT_LT((one.eigenvalues - other.eigenvalues).norm(), tolerance::kIdentity);
}

TEST(Modes, SeparatesIgnorableAndConstantVariables) {
  Matrix A = Matrix::Zero(4, 4);
  A(0, 1) = 1.0, A(0, 2) = 2.0;                  // nothing depends on variable 0
  A(1, 2) = 1.0, A(2, 1) = -4.0, A(2, 3) = 5.0;  // the rate of variable 3 depends on nothing
  const Modes modes = modes_of(A, Vector::Ones(4));
  ASSERT_EQ(modes.zeros.size(), 2u);
  EXPECT_EQ(modes.zeros[0].why, Why::kIgnorable);
  EXPECT_EQ(modes.zeros[0].variable, 0);
  EXPECT_EQ(modes.zeros[1].why, Why::kConstant);
  EXPECT_EQ(modes.zeros[1].variable, 3);
  ASSERT_EQ(modes.eigenvalues.size(), 2);
  EXPECT_NEAR(modes.eigenvalues[0].imag(), 2.0, tolerance::kRounded);
  EXPECT_NEAR(modes.eigenvalues[1].imag(), -2.0, tolerance::kRounded);
  EXPECT_LT(miss(A, modes), tolerance::kIdentity);
}

TEST(Modes, CountsZerosOfAJordanBlockInGeneralPosition) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    Matrix jordan = Matrix::Zero(6, 6);
    jordan(0, 1) = 1.0, jordan(1, 2) = 1.0;  // a chain of three zeros, and a simple zero
    jordan(4, 5) = 3.0, jordan(5, 4) = -3.0;
    const Matrix S = random_matrix(6, 6, seed) + 3.0 * Matrix::Identity(6, 6);
    const Matrix A = S * jordan * S.inverse();
    const Modes modes = modes_of(A, Vector::Ones(6));
    ASSERT_EQ(modes.zeros.size(), 4u) << seed;
    int families = 0;
    for (const ZeroEigenvalue& zero : modes.zeros) families += zero.why == Why::kFamily ? 1 : 0;
    EXPECT_EQ(families, 2) << seed;
    EXPECT_LT((A * modes.zeros[0].direction).norm(), tolerance::kUnique) << seed;
    ASSERT_EQ(modes.eigenvalues.size(), 2) << seed;
    EXPECT_LT(std::abs(modes.eigenvalues[0] - std::complex<double>(0.0, 3.0)), tolerance::kUnique) << seed;
    EXPECT_LT(miss(A, modes), tolerance::kConditioned) << seed;
  }
}

TEST(Modes, HasNoLeftModesWithoutABasisOfEigenvectors) {
  Matrix A(2, 2);
  A << -1.0, 1.0, 0.0, -1.0;
  const Modes modes = modes_of(A, Vector::Ones(2));
  EXPECT_EQ(modes.left.size(), 0);
  EXPECT_GT(modes.uncertainty[0], tolerance::kUnique);
}

TEST(Modes, DropsRoundingErrorsOfEntries) {
  Matrix A(2, 2);
  A << 0.0, 1.0, 1e-15, 0.0;
  EXPECT_EQ(without_rounding(A, Vector::Ones(2))(1, 0), 0.0);
  EXPECT_EQ(modes_of(A, Vector::Ones(2)).zeros.size(), 2u);
}

TEST(Modes, CountsZerosWithinTheErrorOfTheMatrix) {
  Matrix A(2, 2);
  A << 1e-7, 1.0, 0.0, 1e-7;
  EXPECT_EQ(modes_of(A, Vector::Ones(2)).zeros.size(), 0u);
  EXPECT_EQ(modes_of(A, Vector::Ones(2), tolerance::kRoot).zeros.size(), 2u);
  EXPECT_EQ(without_rounding(A, Vector::Ones(2), tolerance::kRoot)(0, 0), 0.0);
}

TEST(Modes, CallsNoVariableIgnorableIfItShallNot) {
  Matrix A(2, 2);
  A << 0.0, 1.0, 0.0, 0.0;
  const Modes named = modes_of(A, Vector::Ones(2));
  const Modes unnamed = modes_of(A, Vector::Ones(2), tolerance::kZero, false);
  ASSERT_EQ(named.zeros.size(), 2u);
  EXPECT_EQ(named.zeros[0].why, Why::kIgnorable);
  ASSERT_EQ(unnamed.zeros.size(), 2u);
  EXPECT_EQ(unnamed.zeros[0].why, Why::kFamily);
  EXPECT_EQ(unnamed.zeros[1].why, Why::kDrift);
}

}  // namespace
}  // namespace vinculum::linear
