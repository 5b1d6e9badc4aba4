#include "vinculum/compiled/motion_jets.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/models.hpp"

namespace vinculum::sim {
namespace motion_jets_test {

// x'' = −ω² x, with a speed that is half the rate x': all derivatives are known.
TEST(MotionJets, OfAnOscillatorAreThoseOfItsCosine) {
  const auto model = test_support::model_of_text(
      "model swing\nparam w = 1.7\ncoord x\nspeed s = x'/2\nlagrangian x'^2/2 - w^2*x^2/2\nstart x = 1\nrun 1\n");
  const auto equations = motion_equations(model);
  ASSERT_TRUE(equations) << equations.error().message;
  MotionJets jets(*equations, model::declared_values(*model), 9);
  const double t = 0.6, w = 1.7, y[] = {std::cos(w * t), -w * std::sin(w * t) / 2.0};
  ASSERT_TRUE(jets.compute(t, y, Vector::Zero(1)));
  for (int k = 0; k <= 9; ++k) {
    const double size = std::pow(w, k), phase = w * t + k * std::acos(0.0);
    EXPECT_NEAR(jets.derivative(0, k), size * std::cos(phase), 1e-13 * size) << k;
    if (k == 9) continue;
    EXPECT_NEAR(jets.derivative(1, k), 0.5 * w * size * std::cos(phase + std::acos(0.0)), 1e-13 * size) << k;
  }
}

// Circular motion at constant speed, with a second row that is a multiple of the first.
TEST(MotionJets, OfRedundantRowsAreUnique) {
  const auto model = test_support::model_of_text(
      "model circle\ncoord x, y\nlagrangian (x'^2 + y'^2)/2\nconstraint a: x^2 + y^2 = 4\n"
      "constraint b: 3*x^2 + 3*y^2 = 12\nstart x = 2, y' = 1\nrun 1\n");
  const auto equations = motion_equations(model);
  ASSERT_TRUE(equations) << equations.error().message;
  MotionJets jets(*equations, {}, 8);
  const double a = 0.4, y[] = {2.0 * std::cos(a), 2.0 * std::sin(a), -std::sin(a), std::cos(a)};
  ASSERT_TRUE(jets.compute(0.0, y, Vector::Zero(2)));
  for (int k = 0; k <= 8; ++k)
    EXPECT_NEAR(jets.derivative(0, k), 2.0 * std::pow(0.5, k) * std::cos(a + k * std::acos(0.0)), 1e-13) << k;
}

// The magnitude |a| is prescribed. Of the two possible accelerations, the one closest to the given value is used.
TEST(MotionJets, FollowTheBranchThatTheyAreGiven) {
  const auto model = test_support::model_of_text(
      "model pushed\ncoord x\nlagrangian x'^2/2\nconstraint size: x''^2 = (1 + t)^2\nstart x' = 0\nrun 1\n");
  const auto equations = motion_equations(model);
  ASSERT_TRUE(equations) << equations.error().message;
  MotionJets jets(*equations, {}, 3);
  const double y[] = {0.0, 0.0};
  for (const double sign : {1.0, -1.0}) {
    ASSERT_TRUE(jets.compute(0.5, y, Vector::Constant(1, 1.2 * sign)));
    EXPECT_NEAR(jets.derivative(1, 1), sign * 1.5, 1e-13);
    EXPECT_NEAR(jets.derivative(1, 2), sign, 1e-13);
    EXPECT_NEAR(jets.derivative(1, 3), 0.0, 1e-13);
  }
}

TEST(MotionJets, AreNotThereWhereFrictionMayStick) {
  const auto model = test_support::model_of_text(
      "model block\ncoord x, z\nframe N newtonian\npoint O fixed in N\nparticle P mass 1 at O + x*N.x + z*N.z\n"
      "gravity -9.81*N.z\nconstraint floor: dot(pos(P, O), N.z) = 0\n    friction on P mu = 0.1\nstart x' = 1\nrun "
      "1\n");
  const auto equations = motion_equations(model);
  ASSERT_FALSE(equations);
  EXPECT_NE(equations.error().message.find("friction may stick"), std::string::npos);
}

}  // namespace motion_jets_test
}  // namespace vinculum::sim
