#include "vinculum/solve/contacts/contact_margin.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace vinculum::solve {
namespace {

constexpr int kFeet = 3;

/// Forces t₁, t₂, t₃ with two components each. Their sum is the load, and |t_k| may not exceed `bound`[k]. In z₀ the
/// first force carries the whole load.
struct Feet {
  Feet(double load_x, double load_y, const Vector& bound) : z(Vector::Zero(2 * kFeet)) {
    z.head<2>() << load_x, load_y;
    F = Matrix::Zero(2 * kFeet, 2 * kFeet - 2);
    for (int k = 1; k < kFeet; ++k) {
      F.block<2, 2>(0, 2 * k - 2) = -Matrix::Identity(2, 2);
      F.block<2, 2>(2 * k, 2 * k - 2) = 7.0 * Matrix::Identity(2, 2);
      F.block<2, 2>(0, 2 * k - 2) *= 7.0;
    }
    for (int k = 0; k < kFeet; ++k) {
      Matrix T = Matrix::Zero(2, 2 * kFeet);
      T.block<2, 2>(0, 2 * k).setIdentity();
      cones.push_back({T, Vector::Zero(2), {Vector::Zero(2 * kFeet), bound[k], bound[k], static_cast<std::size_t>(k)}});
    }
  }
  [[nodiscard]] double margin(const Vector& at) const {
    double least = 1.0;
    for (int k = 0; k < kFeet; ++k) {
      const double bound = cones[static_cast<std::size_t>(k)].bound.size;
      least = std::min(least, 1.0 - at.segment<2>(2 * k).norm() / bound);
    }
    return least;
  }

  Vector z;
  Matrix F;
  std::vector<ConeCondition> cones;
};

TEST(SharedForces, TakeTheirPartsOfTheBounds) {
  const Vector bound = Vector{{2.0, 5.0, 0.5}};
  for (const double load : {0.3, 7.4999, 7.5, 9.0}) {  // the bounds allow at most 7.5
    const Feet feet(0.6 * load, -0.8 * load, bound);
    const SharedForces shared({}, feet.cones, feet.z, feet.F);
    const Vector found = shared.with_greatest_margin();
    EXPECT_NEAR(feet.margin(found), 1.0 - load / bound.sum(), 1e-10) << load;
    EXPECT_NEAR(found[0] + found[2] + found[4], 0.6 * load, 1e-12 * load);
    EXPECT_NEAR(found[1] + found[3] + found[5], -0.8 * load, 1e-12 * load);
  }
}

TEST(SharedForces, MarginChangesWithTheLoadAsItShould) {
  const Vector bound = Vector{{1.0, 1.0, 1.0}};
  const auto margin = [&](double load) {
    const Feet feet(load, 0.0, bound);
    return feet.margin(SharedForces({}, feet.cones, feet.z, feet.F).with_greatest_margin());
  };
  EXPECT_NEAR((margin(3.0 + 1e-4) - margin(3.0 - 1e-4)) / 2e-4, -1.0 / 3.0, 1e-6);
}

TEST(SharedForces, LinesBoundThemToo) {
  // A plank of weight 10 has the normal forces z and 10 − z at its ends; the right end may carry at most 4. The margin
  // is greatest if both ends have the same margin.
  const LinearCondition left{Vector{{1.0}}, 0.0, 1.0, 0}, right{Vector{{-1.0}}, 10.0, 1.0, 1},
      most{Vector{{1.0}}, -6.0, 1.0, 1};
  const std::vector<LinearCondition> lines = {left, right, most};
  Vector z = Vector::Zero(1);
  const SharedForces shared(lines, {}, z, Matrix::Identity(1, 1));
  const Vector found = shared.with_greatest_margin();
  EXPECT_GE(found[0], 7.0 - 1e-9);  // margins above 1 (`kMost`) are not sought
  EXPECT_LE(found[0], 9.0 + 1e-9);
  EXPECT_NEAR(shared.range(Vector{{1.0}}, 1.0, found), 4.0, 1e-6);  // z may be from 6 to 10
  EXPECT_NEAR(shared.range(Vector{{3.0}}, 6.0, found), 2.0, 1e-6);
}

/// Random lines along one direction: no other force has a greater margin, and no force nearer to z₀ has the same one.
TEST(SharedForces, AreTheNearestOnesAlongOneDirection) {
  std::mt19937 random(5);
  std::normal_distribution<double> normal;
  for (int trial = 0; trial < 500; ++trial) {
    std::vector<LinearCondition> lines;
    for (int k = 0; k < 2 + trial % 5; ++k)
      lines.push_back({Vector{{k % 4 == 3 ? 0.0 : normal(random)}}, 0.3 + normal(random), 0.5 + 0.1 * k, 0});
    const auto margin = [&](double z) {
      double least = SharedForces::kMost;
      for (const LinearCondition& line : lines) least = std::min(least, (line.a[0] * z + line.c) / line.size);
      return least;
    };
    const double start = normal(random);
    const double found = SharedForces(lines, {}, Vector{{start}}, Matrix::Identity(1, 1)).with_greatest_margin()[0];
    const double best = margin(found);
    for (double by = 1e-3; by < 1e4; by *= 1.3)
      for (const double sign : {-1.0, 1.0}) EXPECT_LE(margin(start + sign * by), best + 1e-12 * (1.0 + by)) << trial;
    const double nearer = start + 0.999 * (found - start);
    if (std::abs(found - start) > 1e-9) {
      EXPECT_LT(margin(nearer), best) << trial;
    }
  }
}

TEST(SharedForces, HaveNoRangeWhereTheyAreAtTheirBounds) {
  const Vector bound = Vector{{2.0, 5.0, 0.5}};
  const Feet feet(7.5, 0.0, bound);
  const SharedForces shared({}, feet.cones, feet.z, feet.F);
  const Vector found = shared.with_greatest_margin();
  EXPECT_LT(shared.range(Vector::Unit(2 * kFeet, 2), 5.0, found), 1e-3);
  const Feet less(3.75, 0.0, bound);
  const SharedForces half({}, less.cones, less.z, less.F);
  EXPECT_NEAR(half.range(Vector::Unit(2 * kFeet, 2), 5.0, half.with_greatest_margin()), (5.0 - 1.25) / 5.0, 1e-6);
}

}  // namespace
}  // namespace vinculum::solve
