#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "support/models.hpp"
#include "vinculum/run/simulate.hpp"

// A servo row can determine a massless speed without an ideal row. Its effort then balances the loads.
namespace vinculum {
namespace massless_kept_test {

/// Values of the two outputs at the end of a run of 1 s.
std::pair<double, double> end_of(const std::string& text) {
  sim::Dynamics dynamics(test_support::compiled(
      test_support::model_of_text("model massless\nframe N newtonian\npoint O fixed in N\n" + text + "run 1\n")));
  const sim::Trajectory run = sim::simulate(dynamics, sim::options_of(*dynamics.binding()->model));
  if (run.stopped) throw std::runtime_error(run.stopped->message);
  return {run.end().outputs[0], run.end().outputs[1]};
}

const std::string kWheel =
    "coord a\nframe R = N rotated a about z\nbody w frame R mass 0 inertia plane 0 at O\nstart a = 0.3, a' ~ 2\n";

TEST(MasslessKept, AMotorOnAMasslessWheelCarriesItsLoad) {
  const auto [effort, angle] = end_of(kWheel +
                                      "torque on w = 1.5*N.z\nconstraint c: a' = 2\n    via torque on w along N.z\n"
                                      "output e = effort(c, 1)\noutput angle = a\n");
  EXPECT_NEAR(effort, -1.5, 1e-13);
  EXPECT_NEAR(angle, 2.3, 1e-9);
}

TEST(MasslessKept, TheEffortFollowsALoadThatChanges) {
  const auto [effort, angle] =
      end_of(kWheel +
             "generalized force on a = -3*a\nconstraint c: a = 0.3 + 2*t + t^2\n    via torque on w along N.z\n"
             "output e = effort(c, 1)\noutput angle = a\n");
  EXPECT_NEAR(angle, 3.3, 1e-9);
  EXPECT_NEAR(effort, 3.0 * 3.3, 1e-8);
}

TEST(MasslessKept, ThroughAMasslessGear) {
  const auto [effort, angle] = end_of(
      "coord a, b\nframe R = N rotated a about z\nframe S = N rotated b about z\n"
      "body v frame R mass 0 inertia plane 0 at O\nbody w frame S mass 0 inertia plane 0 at O\ntorque on w = 5*N.z\n"
      "constraint g: a' = 2*b'\nconstraint c: a' = 4\n    via torque on v along N.z\n"
      "output e = effort(c, 1)\noutput angle = b\nstart a' ~ 4, b' ~ 2\n");
  EXPECT_NEAR(effort, -2.5, 1e-13);
  EXPECT_NEAR(angle, 2.0, 1e-9);
}

TEST(MasslessKept, BesideBodiesWithMass) {
  // A wheel winds up a rope that lifts a mass: m (x'' + g) r = effort.
  const auto [effort, height] =
      end_of(kWheel +
             "coord x\nparticle m mass 2 at O + x*N.y\ngravity -10*N.y\nconstraint rope: x' = 0.5*a'\n"
             "constraint c: a' = 2 + 3*t\n    via torque on w along N.z\n"
             "output e = effort(c, 1)\noutput height = x\n");
  EXPECT_NEAR(effort, 2.0 * (1.5 + 10.0) * 0.5, 1e-12);
  EXPECT_NEAR(height, 0.5 * 3.5, 1e-9);
}

TEST(MasslessKept, ByAForceBetweenPointsThatIsOblique) {
  // The force of the actuator only turns the body about its center. The velocity row needs no force, because no load
  // acts along it.
  const auto [effort, angle] = end_of(
      "coord a, s\nframe R = N rotated a about z\nbody b frame R mass 0 inertia plane 0 at O + s*N.x\n"
      "point P = b + R.y\npoint Q = b + R.x\ntorque on b = 1.3*N.z\nconstraint c: a = 0.4\n"
      "    via force on P along -N.x - 0.12*N.y from b\nconstraint d: dot(vel(Q), R.x) = 0.1\n"
      "output e = effort(c, 1)\noutput s1 = multiplier(d)\nstart a ~ 0.4, s' ~ 0.1\n");
  // Moment arm: r × F = (−sin a, cos a) × (−1, −0.12) = 0.12 sin a + cos a.
  EXPECT_NEAR(effort, -1.3 / (0.12 * std::sin(0.4) + std::cos(0.4)), 1e-12);
  EXPECT_NEAR(angle, 0.0, 1e-12);
}

TEST(MasslessKept, WhatNothingDeterminesIsStillRefused) {
  EXPECT_THROW(end_of("coord a, b\nframe R = N rotated a about z\nframe S = N rotated b about z\n"
                      "body v frame R mass 0 inertia plane 0 at O\nbody w frame S mass 0 inertia plane 0 at O\n"
                      "constraint c: a' = 4\n    via torque on v along N.z\noutput e = effort(c, 1)\n"
                      "output angle = b\nstart a' ~ 4\n"),
               std::exception);
}

}  // namespace massless_kept_test
}  // namespace vinculum
