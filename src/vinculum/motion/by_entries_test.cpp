// Moves a row of connected cranks near the flat configuration, where the guards reject the result of generated code.
// The fallback must find the known motion of the cranks: the pivoted solver for a few cranks, the sparse solver for
// many.
#include <gtest/gtest.h>

#include <cmath>

#include "support/motion/test_models.hpp"

namespace vinculum::sim {
namespace {

using testing::Sketch;

constexpr double kFromFlat = 1e-6, kRate = 3.0;

/// Particles on cranks of length 1 whose pivots are at distance 2 from each other. Each particle is connected to the
/// previous particle by a rod of length 2.
Dynamics linkages(int windows) {
  Sketch s("linkages");
  s.builder.add_gravity(s.number(-1.0) * s.axis(1));
  std::vector<double> places, speeds;
  model::PointId before;
  for (int i = 0; i <= windows; ++i) {
    const std::string number = std::to_string(i);
    const auto pivot = s.builder.add_point("B" + number, s.origin, s.number(2.0 * i) * s.axis(0));
    const auto pin = s.particle("p" + number, 1.0 + i % 3, 2);
    s.builder.add_constraint("crank" + number, s.square(s.builder.pos(pin, pivot)) - s.number(1.0));
    if (i > 0) s.builder.add_constraint("rod" + number, s.square(s.builder.pos(pin, before)) - s.number(4.0));
    const double c = std::cos(kFromFlat), d = std::sin(kFromFlat);
    places.insert(places.end(), {2.0 * i + c, d});
    speeds.insert(speeds.end(), {-kRate * d, kRate * c});
    before = pin;
  }
  s.start_all(places, speeds, testing::StartKind::kGuess);
  return s.dynamics();
}

class FlatLinkages : public ::testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    const auto start = assemble(dynamics);
    ASSERT_TRUE(start);
    y.resize(start->q.size() + start->u.size());
    y << start->q, start->u;
  }
  Dynamics dynamics = linkages(GetParam());
  Vector y;
};

TEST_P(FlatLinkages, MoveAsOnePendulum) {
  Vector y_dot(y.size());
  ASSERT_TRUE(dynamics.derivative(0.0, y.data(), y_dot.data()));
  EXPECT_GT(dynamics.mode().counts.fallbacks, 0);
  // The rods carry no force, so each crank moves as if it were alone: θ'' = −cos θ, whatever its mass.
  const double c = std::cos(kFromFlat), d = std::sin(kFromFlat);
  const Eigen::Index nu = y.size() / 2;
  for (Eigen::Index i = 0; i < nu; i += 2) {
    EXPECT_NEAR(y_dot[nu + i], d * c - kRate * kRate * c, 1e-7);
    EXPECT_NEAR(y_dot[nu + i + 1], -c * c - kRate * kRate * d, 1e-7);
  }
}

TEST_P(FlatLinkages, ReturnToTheirConstraints) {
  for (Eigen::Index i = 0; i < y.size(); ++i) y[i] += 1e-9 * std::sin(7.0 * static_cast<double>(i));
  ASSERT_TRUE(dynamics.project(0.0, y.data()));
  Matrices at;
  ASSERT_TRUE(dynamics.matrices(dynamics.mode(), 0.0, y.data(), at));
  EXPECT_LT(at.phi.cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_LT(at.psi.cwiseAbs().maxCoeff(), 1e-12);
}

INSTANTIATE_TEST_SUITE_P(FewAndMany, FlatLinkages, ::testing::Values(3, 60));

}  // namespace
}  // namespace vinculum::sim
