#include "vinculum/integrate/step_controller.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace vinculum::integrate {
namespace {

TEST(StepController, FollowsTheProportionalIntegralLaw) {
  const RungeKutta& method = find_method("dop853")->runge_kutta;
  StepController control(method);
  const double first = control.after_accepted(0.3);
  EXPECT_NEAR(first, 0.9 * std::pow(0.3, -method.alpha) * std::pow(1e-4, method.beta), 1e-14);
  const double second = control.after_accepted(0.5);
  EXPECT_NEAR(second, 0.9 * std::pow(0.5, -method.alpha) * std::pow(0.3, method.beta), 1e-14);
}

TEST(StepController, StaysWithinItsFactors) {
  StepController control(find_method("dp5")->runge_kutta);
  EXPECT_EQ(control.after_accepted(0.0), 6.0);
  EXPECT_EQ(control.after_accepted(1e-300), 6.0);
  EXPECT_EQ(control.after_rejected(1e300), 0.33);
  EXPECT_LE(control.after_rejected(1.0000001), 0.9);
}

TEST(StepController, DoesNotIncreaseRightAfterARejection) {
  StepController control(find_method("dp5")->runge_kutta);
  EXPECT_LT(control.after_rejected(2.0), 1.0);
  EXPECT_LE(control.after_accepted(1e-6), 1.0);
  EXPECT_GT(control.after_accepted(1e-6), 1.0);
}

TEST(StepController, ShrinksWhenTheStepCouldNotBeEvaluated) {
  StepController control(find_method("tsit5")->runge_kutta);
  EXPECT_EQ(control.after_rejected(std::numeric_limits<double>::infinity()), 0.25);
  EXPECT_EQ(control.after_rejected(std::nan("")), 0.25);
}

}  // namespace
}  // namespace vinculum::integrate
