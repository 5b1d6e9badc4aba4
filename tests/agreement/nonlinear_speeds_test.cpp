#include "vinculum/compiled/nonlinear_speeds.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "support/models.hpp"
#include "vinculum/motion/equations_of.hpp"
#include "vinculum/run/simulate.hpp"
#include "vinculum/start/assembly.hpp"

// Speeds that are not affine in the rates of the coordinates; theory.md §1, [SZ] Remark 4.
namespace vinculum::sim {
namespace nonlinear_speeds_test {

Dynamics dynamics_of(const std::string& text) {
  return Dynamics(test_support::compiled(test_support::model_of_text("model m\n" + text + "\n")));
}

Trajectory run(const std::string& text) {
  const auto model = test_support::model_of_text("model m\n" + text + "\n");
  Dynamics dynamics(test_support::compiled(model));
  return simulate(dynamics, options_of(*model));
}

const std::string kPlane =
    "frame N newtonian\npoint O fixed in N\ncoord x, y\nparticle P mass 2 at O + x*N.x + y*N.y\n";
const std::string kPolar = "speed v = sqrt(x'^2 + y'^2), psi = atan2(y', x')\n";

std::vector<double> state_of(const Start& start) {
  std::vector<double> y(start.q.begin(), start.q.end());
  y.insert(y.end(), start.u.begin(), start.u.end());
  y.insert(y.end(), start.z.begin(), start.z.end());
  return y;
}

TEST(NonlinearSpeeds, AreStartedFrom) {
  Dynamics dynamics = dynamics_of(kPlane + kPolar + "start v = 3, psi = 2.5");
  const auto start = assemble(dynamics);
  ASSERT_TRUE(start) << start.error().message;
  EXPECT_NEAR(start->u[0], 3.0 * std::cos(2.5), 1e-14);
  EXPECT_NEAR(start->u[1], 3.0 * std::sin(2.5), 1e-14);
  EXPECT_TRUE(start->by_chance.empty());  // only one velocity has this magnitude and direction
}

// With the magnitude v and the direction of the velocity as speeds, the inertias are m and m v². Forces are tangential
// and normal.
TEST(NonlinearSpeeds, HaveTheGeometryOfTheirOwn) {
  Dynamics dynamics =
      dynamics_of(kPlane + kPolar + "force on P = 5*N.x + 7*N.y\nconstraint c: v = 3\nstart psi = 0.4, x' ~ 1");
  const auto start = assemble(dynamics);
  ASSERT_TRUE(start) << start.error().message;
  const auto geometry = EquationsOf(dynamics).shown_geometry(0.0, state_of(*start).data());
  ASSERT_TRUE(geometry) << geometry.error().message;
  const double c = std::cos(0.4), s = std::sin(0.4);
  EXPECT_NEAR(geometry->M(0, 0), 2.0, 1e-13);
  EXPECT_NEAR(geometry->M(1, 1), 18.0, 1e-12);
  EXPECT_NEAR(geometry->M(0, 1), 0.0, 1e-13);
  EXPECT_NEAR(geometry->free.a[0], (5.0 * c + 7.0 * s) / 2.0, 1e-13);
  EXPECT_NEAR(geometry->free.a[1], (7.0 * c - 5.0 * s) / 6.0, 1e-13);
  EXPECT_NEAR(geometry->A(0, 0), 1.0, 1e-13);
  EXPECT_NEAR(geometry->A(0, 1), 0.0, 1e-13);
  EXPECT_NEAR(geometry->u_dot[0], 0.0, 1e-13);
  EXPECT_NEAR(geometry->Q_constraint[0], -(5.0 * c + 7.0 * s), 1e-12);
  EXPECT_NEAR(geometry->Q_constraint[1], 0.0, 1e-12);
  const auto plain = EquationsOf(dynamics).geometry(0.0, state_of(*start).data());
  ASSERT_TRUE(plain);
  // Gauss' function does not depend on the choice of speeds
  EXPECT_NEAR(geometry->gauss(), plain->gauss(), 1e-12 * plain->gauss());
}

// An affine and a nonlinear speed together: generalized force Q for u = x' + y' and w = x' y'.
TEST(NonlinearSpeeds, StandBesideAffineOnes) {
  const auto model = test_support::model_of_text(
      "model m\n" + kPlane +
      "speed w = x'*y', u = x' + y'\nconstraint c: x' = 2*y'\nforce on P = 3*N.x\noutput Q = generalized_force(c)\n"
      "output a = free_acceleration\nstart x' = 2, y' ~ 1");
  Dynamics dynamics(test_support::compiled(model));
  const auto start = assemble(dynamics);
  ASSERT_TRUE(start) << start.error().message;
  Sample sample;
  ASSERT_TRUE(dynamics.report(0.0, state_of(*start).data(), sample));
  // x'' = 2 y'', 2 x'' = 3 + lambda and 2 y'' = -2 lambda give lambda = -3/5.
  const double Qx = -3.0 / 5.0, Qy = 6.0 / 5.0;
  // Inverse: x' = (u + sqrt(u² − 4w))/2, where the square root is 1. So ∂x'/∂w = −1, ∂x'/∂u = (1 + u)/2 = 2, ∂y'/∂w =
  // 1, ∂y'/∂u = −1.
  ASSERT_EQ(sample.outputs.size(), 1 + 2 + 2);
  EXPECT_NEAR(sample.outputs[0], 2.0, 1e-14);
  EXPECT_NEAR(sample.outputs[1], -Qx + Qy, 1e-12);
  EXPECT_NEAR(sample.outputs[2], 2.0 * Qx - Qy, 1e-12);
  // a = (3/2, 0), so w' = y' x'' = 1.5 and u' = 1.5.
  EXPECT_NEAR(sample.outputs[3], 1.5, 1e-13);
  EXPECT_NEAR(sample.outputs[4], 1.5, 1e-13);
}

const std::string kLine = "frame N newtonian\npoint O fixed in N\ncoord x\nparticle P mass 1 at O + x*N.x\n";

// Two velocities have the same square. A guess selects one of them; without a guess, a note reports the arbitrary
// choice.
TEST(NonlinearSpeeds, StayOnTheBranchOfTheStart) {
  for (const double sign : {1.0, -1.0}) {
    Dynamics dynamics = dynamics_of(kLine + "speed w = x'^2\nstart w = 4, x' ~ " + std::to_string(sign));
    const auto start = assemble(dynamics);
    ASSERT_TRUE(start) << start.error().message;
    EXPECT_NEAR(start->u[0], 2.0 * sign, 1e-14);
    EXPECT_TRUE(start->by_chance.empty());
  }
  Dynamics dynamics = dynamics_of(kLine + "speed w = x'^2\nstart w = 4");
  const auto start = assemble(dynamics);
  ASSERT_TRUE(start) << start.error().message;
  ASSERT_EQ(start->by_chance.size(), 1u);
  EXPECT_NE(start->by_chance[0].find("`x' = 2`"), std::string::npos) << start->by_chance[0];
  EXPECT_NE(start->by_chance[0].find("`x' = -2`"), std::string::npos) << start->by_chance[0];
}

// The derivative ∂w/∂x' of the speed passes through zero, touches zero, or does not exist.
TEST(NonlinearSpeeds, EndTheMotionWhereTheyDoNotDetermineIt) {
  for (const char* speed : {"speed w = x'^2", "speed w = x'^3", "speed w = sqrt(x'^2)", "speed w = x'^2 + x'^4"}) {
    const Trajectory found = run(kLine + speed + "\nforce on P = -1*N.x\nstart x' = 2\nrun 5 tolerance 1e-10");
    ASSERT_TRUE(found.stopped) << speed;
    EXPECT_EQ(found.stopped->kind, FailureKind::kSingularKinematics) << found.stopped->message;
    EXPECT_NEAR(found.stopped->t, 2.0, 1e-7) << speed;
    EXPECT_NE(found.stopped->message.find("`w`"), std::string::npos);
  }
  const Trajectory at_rest = run(kLine + "speed w = x'^2\nforce on P = -1*N.x\nrun 5");
  ASSERT_TRUE(at_rest.stopped);
  EXPECT_EQ(at_rest.stopped->kind, FailureKind::kSingularKinematics);
  const Trajectory passes = run(kLine + "speed w = x' + x'^3\nforce on P = -1*N.x\nstart x' = 2\nrun 5");
  EXPECT_FALSE(passes.stopped);
}

// A body with a quaternion; the square of its angular velocity is a speed and replaces one of the measure numbers.
TEST(NonlinearSpeeds, OfAQuaternion) {
  Dynamics dynamics = dynamics_of(
      "frame N newtonian\npoint O fixed in N\ncoord e0, e1, e2, e3\nframe B = N quaternion(e0, e1, e2, e3)\n"
      "body C frame B mass 1 inertia (1, 2, 3) at O\n"
      "speed W = dot(omega(B), omega(B))\nstart W = 9, B.wy = 2, B.wz = 1, B.wx ~ 1");
  const auto start = assemble(dynamics);
  ASSERT_TRUE(start) << start.error().message;
  EXPECT_NEAR(start->u[0], 2.0, 1e-14);
}

}  // namespace nonlinear_speeds_test
}  // namespace vinculum::sim
