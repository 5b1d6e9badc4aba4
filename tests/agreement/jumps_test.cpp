#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>

#include "support/models.hpp"
#include "vinculum/run/simulate.hpp"

// Jumps and kinks at switching surfaces that depend on positions; docs/numerics.md, theory.md §10.2.
namespace vinculum::sim {
namespace jumps_test {

Trajectory run(const std::string& text) {
  const auto model = test_support::model_of_text("model m\n" + text + "\n");
  Dynamics dynamics(test_support::compiled(model));
  return simulate(dynamics, options_of(*model));
}

// The potential of a wall is 0 on the wall's surface, up to rounding, so it does not jump there.
TEST(Kinks, OfAPotentialAreNoJumps) {
  const std::string particle = "coord x\nlagrangian x'^2/2\n", start = "\nstart x = 0, x' = 1\nrun 2 tolerance 1e-10";
  const double inside = std::numbers::pi * 1e-3;  // half a period of the wall
  for (const char* wall : {"0.5*1e6*max(x - 1, 0)^2", "(0.5*1e6*(x - 1)^2 if x > 1 else 0)"}) {
    const Trajectory found = run(particle + "potential " + wall + start);
    ASSERT_FALSE(found.stopped) << found.stopped->message;
    EXPECT_NEAR(found.samples.back().q[0], inside, 1e-8);
    EXPECT_NEAR(found.samples.back().u[0], -1.0, 1e-7);
  }
  for (const char* slope : {"max(x - 1, 0)", "0.5*(|x - 1| + x - 1)"}) {
    const Trajectory found = run(particle + "potential " + slope + "\nstart x = 0, x' = 1\nrun 4 tolerance 1e-10");
    ASSERT_FALSE(found.stopped) << found.stopped->message;
    EXPECT_NEAR(found.samples.back().q[0], 0.0, 1e-8);  // up the slope and back in 2 s
  }
}

void expect_ends_unknown(const std::string& text, double t) {
  const Trajectory found = run(text);
  ASSERT_TRUE(found.stopped) << text;
  EXPECT_EQ(found.stopped->kind, FailureKind::kNotUnique) << found.stopped->message;
  EXPECT_NEAR(found.stopped->t, t, 1e-9) << text;
}

// If the inertia jumps at a position, energy is conserved and momentum is not, because a force perpendicular to the
// surface acts. The equations do not contain this force, so the run ends.
TEST(Jumps, OfInertiaWithThePlaceEndTheMotion) {
  expect_ends_unknown("coord x\nlagrangian 1/2*(2 if x > 1 else 1)*x'^2\nstart x = 0, x' = 2\nrun 3", 0.5);
  expect_ends_unknown(
      "coord x, y\nlagrangian 1/2*x'^2 + 1/2*y'^2 + x'*(1 if y > 1 else 0)\nstart x = 0, y = 0, x' = 2, y' = 1\nrun 3",
      1.0);
}

// If inertia jumps in time, momentum is continuous.
TEST(Jumps, OfInertiaInTimeKeepTheMomentum) {
  const Trajectory found = run("coord x\nlagrangian 1/2*(2 if t > 1 else 1)*x'^2\nstart x = 0, x' = 2\nrun 3");
  ASSERT_FALSE(found.stopped) << found.stopped->message;
  EXPECT_NEAR(found.samples.back().u[0], 1.0, 1e-12);
}

// If the prescribed velocity of a constraint jumps, a multiplier that is a momentum jumps too. So does an added
// inertia.
TEST(Jumps, OfAConstraintUnderLawsWithMomentaEndTheMotion) {
  const std::string particle = "coord x, y\nlagrangian (x'^2 + y'^2)/2\n";
  for (const char* law : {"vakonomic\n    start mu = 0", "kozlov c = 1\n    start mu = 0"})
    expect_ends_unknown(particle + "constraint c: x' = y*(1000 if t > 5 and t < 5.001 else 0)\n    law " + law +
                            "\nstart y = 1, y' = 0\nrun 6",
                        5.0);
  expect_ends_unknown(particle +
                          "constraint c: x' = y'*(1 if t > 5 and t < 5.5 else 0)\n    law inertial kappa = 10\n"
                          "start y = 1, y' = 1\nrun 6",
                      5.0);
}

// A block on a belt whose speed jumps: friction of 0.4 g = 4 accelerates the block while it slips, for the same time as
// it decelerated it.
TEST(Jumps, OfABeltLetWhatSticksSlide) {
  const auto block = [](const std::string& belt) {
    return run(
        "coord x, y\nframe N newtonian\npoint O fixed in N\nparticle P mass 1 at O + x*N.x + y*N.y\n"
        "gravity -10*N.y\nconstraint ground: dot(pos(P, O), N.y) = 0\n"
        "    friction on P mu = 0.4 sliding vel(P) - (" +
        belt + ")*N.x\nstart x = 0, y = 0, x' = 0, y' = 0\nrun 10 tolerance 1e-9");
  };
  struct Case {
    const char* belt;
    double x, x_dot;
  };
  for (const Case& one : {Case{"1 if t > 5 else 0", 4.875, 1.0}, Case{"1 if t > 5 and t < 5.1 else 0", 0.04, 0.0},
                          Case{"1 if t > 5 and t < 5.001 else 0", 4e-6, 0.0}}) {
    const Trajectory found = block(one.belt);
    ASSERT_FALSE(found.stopped) << found.stopped->message;
    EXPECT_NEAR(found.samples.back().q[0], one.x, 1e-12) << one.belt;
    EXPECT_NEAR(found.samples.back().u[0], one.x_dot, 1e-12) << one.belt;
  }
}

}  // namespace jumps_test
}  // namespace vinculum::sim
