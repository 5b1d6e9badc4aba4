#include "vinculum/imports/inertia.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace vinculum::imports {
namespace {

using model::Moments;

double distance(const Moments& a, const Moments& b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < 6; ++i) sum += (i < 3 ? 1.0 : 2.0) * (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(sum);
}

/// The inertia of points of mass 1 [kg] at random places: one that a body has.
Moments of_points(std::mt19937& random) {
  std::normal_distribution<double> place;
  Moments sum{};
  for (int point = 0; point < 3; ++point) {
    const double x = place(random), y = place(random), z = place(random);
    const Moments one = {y * y + z * z, z * z + x * x, x * x + y * y, -x * y, -y * z, -z * x};
    for (std::size_t i = 0; i < 6; ++i) sum[i] += one[i];
  }
  return sum;
}

TEST(Inertia, OfARodTurnsWithItsAxes) {
  // A rod along x, seen in axes that are turned by 90 degrees about z, is along -y.
  const Matrix3 rotation = rotation_of({0.0, 0.0, std::acos(0.0)});
  const Moments rod = turned({0.0, 3.0, 3.0, 0.0, 0.0, 0.0}, rotation);
  EXPECT_LT(distance(rod, {3.0, 0.0, 3.0, 0.0, 0.0, 0.0}), 1e-15);
}

TEST(Inertia, RotationIsRollThenPitchThenYawAboutFixedAxes) {
  const double right = std::acos(0.0);
  // x to x by roll, to -z by pitch, to -z by yaw; y to z by roll, to x by pitch, to y by yaw.
  const Matrix3 rotation = rotation_of({right, right, right});
  EXPECT_LT((rotation.col(0) + Vector3::UnitZ()).norm(), 1e-15);
  EXPECT_LT((rotation.col(1) - Vector3::UnitY()).norm(), 1e-15);
}

TEST(Inertia, OfABodyNeedsNothingAdded) {
  std::mt19937 random(3);
  for (int i = 0; i < 100; ++i) {
    const Moments inertia = of_points(random);
    EXPECT_EQ(added_to_be_real(inertia), 0.0);
    EXPECT_LT(distance(nearest_real(inertia), inertia), 1e-13 * distance(inertia, {}));
  }
}

TEST(Inertia, ThatIsImpossibleNeedsTheExcessOfTheLargestMoment) {
  EXPECT_EQ(added_to_be_real({1.0, 1.0, 2.5, 0.0, 0.0, 0.0}), 0.5);
  EXPECT_EQ(added_to_be_real({0.001, 0.002, 0.00334, 0.0, 0.0, 0.0}), 0.00034);
  EXPECT_EQ(added_to_be_real({1.0, 1.0, 2.5678, 0.0, 0.0, 0.0}), 0.57);  // rounded up
  EXPECT_EQ(added_to_be_real({-1.0, 2.0, 2.0, 0.0, 0.0, 0.0}), 1.0);
}

TEST(Inertia, WithTheAddedPartIsThatOfABody) {
  std::mt19937 random(4);
  std::normal_distribution<double> entry;
  int impossible = 0;
  for (int i = 0; i < 200; ++i) {
    Moments inertia;
    for (double& one : inertia) one = entry(random);
    const double added = added_to_be_real(inertia);
    impossible += added > 0.0;
    for (std::size_t k = 0; k < 3; ++k) inertia[k] += added;
    EXPECT_EQ(model::fault_of(inertia), model::InertiaFault::kNone);
  }
  EXPECT_GT(impossible, 150);
}

// By hand: the excess d = C - A - B is shared, A + d/3, B + d/3, C - d/3.
TEST(Inertia, NearestRealOneSharesTheExcess) {
  EXPECT_LT(distance(nearest_real({1.0, 1.0, 2.6, 0.0, 0.0, 0.0}), {1.2, 1.2, 2.4, 0.0, 0.0, 0.0}), 1e-14);
}

// A projection on a convex cone: the inertia of no body is nearer, and the difference is perpendicular to the cone.
TEST(Inertia, NearestRealOneIsAProjection) {
  std::mt19937 random(5);
  std::normal_distribution<double> entry;
  for (int i = 0; i < 100; ++i) {
    Moments inertia;
    for (double& one : inertia) one = entry(random);
    const Moments nearest = nearest_real(inertia);
    EXPECT_EQ(model::fault_of(nearest), model::InertiaFault::kNone);
    const double least = distance(nearest, inertia);
    for (int other = 0; other < 20; ++other) {
      const Moments real = of_points(random);
      EXPECT_GE(distance(real, inertia), least * (1.0 - 1e-12));
      Moments between;  // on the way to another real one, which is real too
      for (std::size_t k = 0; k < 6; ++k) between[k] = nearest[k] + 1e-3 * (real[k] - nearest[k]);
      EXPECT_GE(distance(between, inertia), least * (1.0 - 1e-12));
    }
  }
}

}  // namespace
}  // namespace vinculum::imports
