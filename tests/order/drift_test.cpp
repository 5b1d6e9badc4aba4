#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "spherical_pendulum.hpp"

namespace vinculum::order_test {
namespace drift_test {

using integrate::Continue;
using integrate::Step;

TEST(Drift, StaysAtRoundingOverAThousandSecondsWhenProjected) {
  for (const integrate::Method& method : integrate::method_table()) {
    double t = 0.0;
    Vector y = cartesian(kWideSwing);
    double worst_position = 0.0;
    double worst_velocity = 0.0;
    const auto done =
        integrate::integrate(spherical_pendulum(1e-6, Projected::kYes), {.method = method.name, .tolerance = 1e-6}, t,
                             y, 1e3, [&](const Step& step) -> Outcome<Continue> {
                               worst_position = std::max(worst_position, std::abs(position_residual(step.y_end())));
                               worst_velocity = std::max(worst_velocity, std::abs(velocity_residual(step.y_end())));
                               return Continue::kYes;
                             });
    ASSERT_TRUE(done) << method.name;
    EXPECT_LT(worst_position, 1e-15) << method.name;
    EXPECT_LT(worst_velocity, 1e-15) << method.name;
  }
}

TEST(Drift, GrowsWithoutProjectionByMoreThanTheTolerance) {
  double t = 0.0;
  Vector y = cartesian(kWideSwing);
  ASSERT_TRUE(integrate::integrate(spherical_pendulum(1e-6, Projected::kNo), {.tolerance = 1e-6}, t, y, 1e2, nullptr));
  EXPECT_GT(std::abs(position_residual(y)), 1e-6);
}

// Without projection |x|² drifts away from 1 until the constraint has no gradient: ever more revolutions in ever less
// time.
TEST(Drift, EndsAnUnprojectedRunThatCollapsesInsteadOfHanging) {
  const auto run = [](Projected projected, double tolerance, Vector& y) {
    double t = 0.0;
    y = cartesian(kWideSwing);
    return integrate::integrate(spherical_pendulum(tolerance, projected), {.tolerance = tolerance}, t, y, 1e4, nullptr);
  };
  Vector y;
  const auto collapsed = run(Projected::kNo, 1e-6, y);
  ASSERT_FALSE(collapsed);
  EXPECT_EQ(collapsed.error().kind, FailureKind::kStepTooSmall);
  EXPECT_EQ(collapsed.error().coordinates.size(), 1u);
  EXPECT_GT(collapsed.error().size, 0.0);
  EXPECT_LT(position_residual(y), -0.4) << "near the centre of the sphere";
  const auto projected = run(Projected::kYes, 1e-6, y);
  ASSERT_TRUE(projected);
  EXPECT_LT(projected->steps, 50'000);
}

// The error estimate must not include the jump made by the projection.
TEST(Drift, TakesAsManyStepsWithProjectionAsWithout) {
  for (const integrate::Method& method : integrate::method_table()) {
    const auto steps = [&](Projected projected) {
      double t = 0.0;
      Vector y = cartesian(kWideSwing);
      const auto done = integrate::integrate(spherical_pendulum(1e-9, projected),
                                             {.method = method.name, .tolerance = 1e-9}, t, y, 100.0, nullptr);
      EXPECT_TRUE(done);
      return static_cast<double>(done->steps + done->rejected);
    };
    const double with = steps(Projected::kYes);
    const double without = steps(Projected::kNo);
    EXPECT_NEAR(with / without, 1.0, 0.02) << method.name << ": " << with << " and " << without;
  }
}

}  // namespace drift_test
}  // namespace vinculum::order_test
