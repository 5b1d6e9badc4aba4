#include "vinculum/verify/audit/conditioning.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <random>

namespace vinculum::audit {
namespace {

LinearSystem exact(const Matrix& K, const Vector& x) {
  const Vector r = K * x;
  return {K.cast<Rounded>(), r.cast<Rounded>(), x};
}

TEST(Conditioning, BoundsWhatASolveMisses) {
  std::mt19937_64 generator(7);
  std::normal_distribution<double> normal;
  for (int trial = 0; trial < 20; ++trial) {
    // Condition numbers are up to 1e8. The entries have few digits, so that the right-hand side r = K x is exact.
    Matrix K(4, 4);
    Vector x(4);
    for (double& entry : K.reshaped()) entry = std::round(16.0 * normal(generator));
    for (double& entry : x) entry = std::round(16.0 * normal(generator));
    K.row(3) = K.row(2) + std::ldexp(1.0, -trial) * K.row(3);
    const Vector r = K * x, found = K.fullPivLu().solve(r), miss = miss_of_solve(exact(K, x), true).of_x;
    for (Eigen::Index i = 0; i < 4; ++i) EXPECT_LE(std::abs(found[i] - x[i]), miss[i]) << trial;
  }
}

TEST(Conditioning, DoesNotDependOnUnits) {
  // The second system has other units of mass, of each speed, of the row and of its multiplier.
  Matrix K(3, 3);
  K << 2.0, 0.3, -1.0, 0.3, 1.0, 0.5, 1.0, -0.5, 0.0;
  const Vector x{{0.75, -1.25, 0.5}}, rows{{0x1p-11, 0x1p14, 0x1p6}}, columns{{0x1p-11, 0x1p14, 0x1p-9}};
  LinearSystem own = exact(K, x), other = exact(rows.asDiagonal() * K * columns.asDiagonal(), x.cwiseQuotient(columns));
  own.inertial = other.inertial = 2;
  const Miss first = miss_of_solve(own, true), second = miss_of_solve(other, true);
  for (Eigen::Index i = 0; i < 3; ++i) EXPECT_EQ(second.of_x[i] * columns[i], first.of_x[i]);
  EXPECT_EQ(second.condition, first.condition);
}

TEST(Conditioning, OfWhatHangsTogetherAlone) {
  Matrix K = Matrix::Identity(2, 2);
  const Vector x{{1e10, 1e-10}};
  EXPECT_LT(miss_of_solve(exact(K, x), false).of_x[1], 1e-23);
  EXPECT_GT(miss_of_solve(exact(K, x), true).of_x[1], 1e-10);
}

TEST(Conditioning, RoundingOfEntriesIsCounted) {
  LinearSystem system = exact(Matrix::Identity(1, 1), Vector::Constant(1, 2.0));
  system.K(0, 0).error = 1e-3;
  const Miss miss = miss_of_solve(system, true);
  EXPECT_NEAR(miss.of_entries[0], 2e-3, 1e-9);
  EXPECT_NEAR(miss.of_x[0], 2e-3, 1e-9);
}

}  // namespace
}  // namespace vinculum::audit
