#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "support/models.hpp"
#include "vinculum/run/simulate.hpp"

// Forces of stiff springs and laws as unknowns of implicit steps (force unknowns, docs/numerics.md, stiff motions).
namespace vinculum::sim {
namespace lifted_motion_test {

Trajectory run(const std::string& text) {
  const auto model = test_support::model_of_text(text);
  Dynamics dynamics(test_support::compiled(model));
  Trajectory trajectory = simulate(dynamics, options_of(*model));
  EXPECT_FALSE(trajectory.stopped) << trajectory.stopped->message;
  return trajectory;
}

std::string blade(const std::string& kappa, const std::string& end) {
  return "model blade\nframe N newtonian\npoint O fixed in N\n"
         "param m = 1, J = 0.5, a = 0.25, kappa = " +
         kappa +
         "\ncoord x, y, theta\nframe B = N rotated theta about z\n"
         "body sleigh frame B mass m inertia (J, J, J) at O + x*N.x + y*N.y\n"
         "point contact on sleigh = center(sleigh) - a*B.x\n"
         "constraint blade: dot(vel(contact), B.y) = 0\n    law viscous kappa = kappa\n"
         "start x = a, y = 0, theta = 0, theta' = 2, x' = 0.1, y' ~ 0.5\nrun 2 " +
         end + "\n";
}

// The direction of the force turns by 3 rad. If the force is eliminated, Newton's iteration limits the steps to
// kappa^(-1/3), so 1e10 takes 75 times as many steps as 1e4.
TEST(LiftedMotion, TakesAsManyStepsHoweverStiffAForceThatTurnsIs) {
  std::vector<double> steps;
  for (const char* kappa : {"1e4", "1e6", "1e8", "1e10"}) {
    const Trajectory found = run(blade(kappa, "tolerance 1e-6 method radau"));
    steps.push_back(static_cast<double>(found.statistics.steps + found.statistics.rejected));
    EXPECT_GT(found.statistics.evaluations, 0);
    // The result is within the tolerance of the limit for large kappa, from which it differs by 1/kappa.
    const Trajectory exact = run(blade(kappa, "tolerance 1e-11 method radau"));
    EXPECT_NEAR(found.samples.back().q[2], exact.samples.back().q[2], 1e-5);
  }
  const auto [least, most] = std::ranges::minmax(steps);
  EXPECT_LE(most, 1.2 * least);
}

// A swinging rope of springs whose upper end is fixed by a constraint; compared with explicit steps.
std::string rope(const std::string& stiffness, const std::string& how) {
  return "model rope\nframe N newtonian\npoint O fixed in N\nparam k = " + stiffness +
         ", l = 0.3\ncoord x[1..3], y[1..3]\n"
         "for i in 1..3 {\n    particle P[i] mass 0.5 at O + x[i]*N.x + y[i]*N.y\n}\ngravity -9.81*N.y\n"
         "constraint hook: norm(pos(P[1], O)) = 0.2\n"
         "spring P[2] P[1] stiffness k length l damping k/50\nspring P[3] P[2] stiffness k length l damping k/50\n"
         "start x[1] ~ 0.2, y[1] = 0, x[2] = 0.5, y[2] = 0, x[3] = 0.8, y[3] = 0\nrun 1 step 0.1 " +
         how + "\n";
}

TEST(LiftedMotion, IsTheMotionOfTheEliminatedForm) {
  const Trajectory lifted = run(rope("2e3", "tolerance 1e-9 method radau"));
  const Trajectory plain = run(rope("2e3", "tolerance 1e-11"));
  ASSERT_EQ(lifted.samples.size(), plain.samples.size());
  for (std::size_t i = 0; i < plain.samples.size(); ++i) {
    EXPECT_LT((lifted.samples[i].q - plain.samples[i].q).cwiseAbs().maxCoeff(), 1e-7) << plain.samples[i].t;
    EXPECT_LT((lifted.samples[i].u - plain.samples[i].u).cwiseAbs().maxCoeff(), 1e-6) << plain.samples[i].t;
  }
  // The constraint is satisfied as accurately as with explicit steps.
  const Vector& q = lifted.samples.back().q;
  EXPECT_NEAR(std::hypot(q[0], q[3]), 0.2, 1e-13);
}

// Number of steps after the start. At the start, a stiffer rope stretches faster and needs shorter steps.
TEST(LiftedMotion, OfARopeTakesNoMoreStepsWhereItIsAHundredTimesAsStiff) {
  const auto steps = [](const char* stiffness) {
    const Trajectory found = run(rope(stiffness, "tolerance 1e-6 method radau"));
    return static_cast<double>(std::ranges::count_if(found.step_times, [](double t) { return t > 0.1; }));
  };
  EXPECT_LE(steps("1e8"), 1.2 * steps("1e6"));
}

}  // namespace lifted_motion_test
}  // namespace vinculum::sim
