// Tests the bounds of rounding errors of rates: they are those of forces that cancel, and relative to the motion
// otherwise.
#include "vinculum/motion/rate_rounding.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/motion/test_models.hpp"

namespace vinculum::sim {
namespace {

using model::Term;
using testing::Sketch;

constexpr double kLastPlace = 2.220446049250313e-16;

Vector rounding_at(Sketch& s, const Vector& y) {
  Dynamics dynamics = s.dynamics();
  return rounding_of_rates(dynamics, Mode(), 0.0, y);
}

/// A mass m under F − F·a(x), where the term with a is 1 at x = 0: two forces of size F that cancel.
Sketch balanced(double mass, double force) {
  Sketch s("balanced");
  const auto P = s.particle("p", mass, 1);
  Term x = s.builder.q(s.coordinates[0]);
  s.builder.add_force(
      P, (s.number(force) - s.number(force) * s.builder.terms().function(expr::Op::kSquareRoot, s.number(1.0) + x)) *
             s.axis(0));
  return s;
}

TEST(RateRounding, IsThatOfForcesThatCancelDividedByTheMass) {
  for (const double mass : {0.25, 1.0, 300.0}) {
    for (const double force : {1.0, 3000.0}) {
      Sketch s = balanced(mass, force);
      const Vector error = rounding_at(s, Vector::Zero(2));
      EXPECT_EQ(error[0], 0.0);
      EXPECT_GT(error[1], 0.2 * kLastPlace * force / mass);
      EXPECT_LT(error[1], 20.0 * kLastPlace * force / mass);
    }
  }
}

TEST(RateRounding, IsRelativeToASmallMotionWithoutCancellation) {
  Sketch s("oscillator");
  const auto P = s.particle("p", 2.0, 1);
  s.builder.add_force(P, -(s.number(18.0) * s.builder.q(s.coordinates[0])) * s.axis(0));
  Vector y(2);
  y << 1e-12, 0.0;
  const Vector error = rounding_at(s, y);
  EXPECT_LE(error[1], 20.0 * kLastPlace * 9.0 * 1e-12);
}

/// Two masses on a rod along x: the rounding error of the force on one accelerates both, across the rod only one.
TEST(RateRounding, IsCarriedByConstraints) {
  Sketch s("rod");
  const auto A = s.particle("a", 1.0, 2), B = s.particle("b", 3.0, 2);
  const Term rod = s.builder.pos(B, A);
  s.builder.add_constraint("rod", s.square(rod) - s.number(4.0));
  Term x = s.builder.q(s.coordinates[0]);
  s.builder.add_force(
      A, (s.number(1000.0) - s.number(1000.0) * s.builder.terms().function(expr::Op::kSquareRoot, s.number(1.0) + x)) *
             (s.axis(0) + s.axis(1)));
  Vector y = Vector::Zero(8);
  y[2] = 2.0;
  s.start_all({0.0, 0.0, 2.0, 0.0}, {0.0, 0.0, 0.0, 0.0});
  const Vector error = rounding_at(s, y);
  const double along = error[4], across = error[5];
  EXPECT_GT(along, 0.2 * kLastPlace * 1000.0 / 4.0);
  EXPECT_NEAR(along / across, 0.25, 1e-9);
  EXPECT_NEAR(error[6] / along, 1.0, 1e-9);
  EXPECT_LT(error[7], 1e-9 * along);
}

}  // namespace
}  // namespace vinculum::sim
