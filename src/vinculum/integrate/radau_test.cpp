#include "vinculum/integrate/radau.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace vinculum::integrate {
namespace {

/// Error at t = 1 for y' = −c (y − cos t) − sin t with y(0) = 1, whose solution is y = cos t for every c.
double error_at_one(double c, int steps) {
  Vector y = Vector::Ones(1);
  const double h = 1.0 / steps;
  for (int k = 0; k < steps; ++k) {
    EXPECT_TRUE(radau_step(h, y, [&](double s, const Vector& at, Vector& y_dot) {
      const double t = (k + s) * h;
      y_dot = Vector::Constant(1, -c * (at[0] - std::cos(t)) - std::sin(t));
      return true;
    }));
  }
  return std::fabs(y[0] - std::cos(1.0));
}

TEST(RadauStep, HasOrderFive) { EXPECT_NEAR(std::log2(error_at_one(1.0, 4) / error_at_one(1.0, 8)), 5.0, 0.3); }

TEST(RadauStep, IsStableHoweverFastTheDecay) { EXPECT_LT(error_at_one(1e8, 4), 1e-10); }

TEST(RadauStep, LeavesTheStateWhereThereIsNoRate) {
  Vector y = Vector::Ones(2);
  EXPECT_FALSE(radau_step(0.1, y, [](double s, const Vector& at, Vector& y_dot) {
    y_dot = at;
    return s < 0.5;
  }));
  EXPECT_EQ(y, Vector::Ones(2));
  EXPECT_TRUE(radau_step(0.0, y, [](double, const Vector&, Vector&) { return false; }));
}

}  // namespace
}  // namespace vinculum::integrate
