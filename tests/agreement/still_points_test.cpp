#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <map>
#include <stdexcept>
#include <string>

#include "support/models.hpp"
#include "vinculum/run/simulate.hpp"

// Special cases that a search over random mechanisms found: points and bodies that do not move for any values of the
// coordinates, coefficients that are rounding errors of the length of a vector, and massless speeds.
namespace vinculum {
namespace still_points_test {

using Vector3 = Eigen::Vector3d;

struct Result {
  std::map<std::string, Vector> outputs;
  std::string failure;
};

Result run_of(const std::string& text) {
  Result result;
  const auto bound = test_support::compiled(test_support::model_of_text(text));
  sim::Dynamics dynamics(bound);
  const sim::Trajectory run = sim::simulate(dynamics, sim::options_of(*bound->compiled->model));
  if (run.stopped) result.failure = run.stopped->message;
  for (std::size_t k = 0; !run.stopped && k < bound->compiled->output_columns.size(); ++k) {
    const sim::OutputColumns& columns = bound->compiled->output_columns[k];
    result.outputs[bound->compiled->model->outputs[k].name] = run.end().outputs.segment(columns.first, columns.count);
  }
  return result;
}

// A turntable b turns about the vertical through its point P, so P never moves. c moves above the turntable.
const std::string kTurntable =
    "model turntable\nframe N newtonian\npoint O fixed in N\ncoord a, x, y\nframe R = N rotated a about z\n"
    "body b frame R mass 2 inertia (0.3, 0.3, 0.5) at O\npoint P = b + 0.4*R.z\n"
    "body c frame R mass 1 inertia (0.1, 0.1, 0.2) at O + x*N.x + y*N.y\nforce on c = 3*N.x - N.y\n";

TEST(StillPoint, TakesTheReactionOfARelationOfVelocities) {
  const Result result = run_of(kTurntable +
                               "constraint k: dot(vel(c) - vel(P), R.x) = 0\n"
                               "output on_c = force(k, c)\noutput on_P = force(k, P)\nstart a ~ 0.3, y ~ 1\nrun 0\n");
  ASSERT_EQ(result.failure, "");
  const Vector3 on_c = result.outputs.at("on_c"), on_P = result.outputs.at("on_P");
  ASSERT_GT(on_c.norm(), 0.5);
  EXPECT_LE((on_c + on_P).norm(), 1e-12 * on_c.norm()) << on_c.transpose() << " and " << on_P.transpose();
}

TEST(StillPoint, TakesTheReactionOfAScrew) {
  const Result result = run_of(
      "model screw\nframe N newtonian\npoint O fixed in N\ncoord a, x, y\nframe R = N rotated a about z\n"
      "point G = O + N.y\nbody b frame R mass 1 inertia (1, 1, 1) at G + R.z\npoint H = O + N.z\n"
      "body c frame R mass 1 inertia (1, 1, 1) at H + x*N.x + y*N.y\npoint P = c + R.z\npoint Q = b + R.z\n"
      "joint k: screw between P of c and Q of b axis R.x pitch -0.07\n"
      "output on_P = force(k, P)\noutput on_Q = force(k, Q)\n"
      "start a ~ -0.7, a' ~ -1.1, x ~ -0.3, x' ~ 0.3, y ~ 1.3, y' ~ 0.4\nrun 0\n");
  ASSERT_EQ(result.failure, "");
  const Vector3 on_P = result.outputs.at("on_P"), on_Q = result.outputs.at("on_Q");
  ASSERT_GT(on_P.norm(), 0.1);
  EXPECT_LE((on_P + on_Q).norm(), 1e-12 * on_P.norm()) << on_P.transpose() << " and " << on_Q.transpose();
}

TEST(StillBody, TakesTheTorqueOfARelationOfAngularVelocities) {
  // The body b moves along x and does not turn.
  const Result result = run_of(
      "model sledge\nframe N newtonian\npoint O fixed in N\ncoord a, x\nframe F = N rotated 0.3 about x\n"
      "frame R = N rotated a about z\nbody b frame F mass 2 inertia (0.3, 0.3, 0.5) at O + x*N.x\n"
      "body c frame R mass 1 inertia (0.1, 0.1, 0.2) at O\ntorque on c = 0.7*N.z\n"
      "constraint k: dot(omega(c) - omega(b), N.z) = 0\n"
      "output on_c = torque(k, c)\noutput on_b = torque(k, b)\nrun 0\n");
  ASSERT_EQ(result.failure, "");
  const Vector3 on_c = result.outputs.at("on_c"), on_b = result.outputs.at("on_b");
  EXPECT_NEAR(on_c.z(), -0.7, 1e-12);
  EXPECT_LE((on_c + on_b).norm(), 1e-12) << on_c.transpose() << " and " << on_b.transpose();
}

TEST(RoundingOfALength, IsNoOffset) {
  // Q coincides with the mass center except for 3.8e-17 m along R.x. This is less than the rounding error of a position
  // 0.72 m away.
  const Result result = run_of(
      "model pin\nframe N newtonian\npoint O fixed in N\ncoord a\nframe R = N rotated a about z\n"
      "body b frame R mass 1 inertia plane 0.08 at O - 0.72*R.y - 0.02*R.x\n"
      "point Q = b + 0.019999999999999962*R.x + 0.72*R.y\njoint k: spherical between O of N and Q of b\n"
      "force on b = 2*N.x\noutput alpha = a''\nstart a ~ 0.6\nrun 0\n");
  ASSERT_EQ(result.failure, "");
  EXPECT_GT(std::abs(result.outputs.at("alpha")[0]), 1.0);
}

TEST(RoundingOfALength, IsNoOffsetInAFrameFixedInAnother) {
  // Q is the mass center of b, written in R. The center of c has an offset that is a vector of F, which is fixed in R.
  const Result result = run_of(
      "model pin\nframe N newtonian\npoint O fixed in N\ncoord a, b, c, x, e0, e1, e2, e3\n"
      "frame R = N body123(a, b, c)\nbody d frame R mass 1 inertia (1, 1, 1) at O + x*N.x\n"
      "frame S = N quaternion(e0, e1, e2, e3)\n"
      "frame F = S rotated 0.03 about 0.9400000000000001*S.x + 0.12*S.y + 0.42*S.z\n"
      "body f frame F mass 1 inertia (1, 1, 1) at d + F.y\n"
      "point Q = f + 0.012106847204282983*S.x - 0.9995560645699245*S.y - 0.02722311577055969*S.z\n"
      "joint k: spherical between center(d) of d and Q of f\nstart a ~ 0.2, b ~ 0.3, c ~ 0.4, e0 ~ 1\nrun 0\n");
  EXPECT_EQ(result.failure, "");
}

TEST(SpeedWithoutMass, IsNotDeterminedByACoefficientOfRounding) {
  // The offset of S is along F1.x, which is perpendicular to F2.z.
  const Result result = run_of(
      "model slider\nframe N newtonian\npoint O fixed in N\ncoord e0, e1, e2, e3, s4, s5\n"
      "frame R0 = N quaternion(e0, e1, e2, e3)\nframe F0 = R0 body123(-0.82, -0.6, 0.96)\n"
      "frame F1 = F0 space321(0.49, 1.17, 0.69)\nframe F2 = F1 rotated 1.5707963267948966 about x\n"
      "body b0 frame F2 mass 2.22 inertia (0.44, 0.44, 0.44) at O + (s4 + 0.63*t)*N.y\npoint S0 = b0 + s5*F1.x\n"
      "point P1 = b0 + F0.x\ntorque on b0 = 0.35*F1.y + 0.46*F1.x + 0.23*F2.y from N\n"
      "constraint c0: dot(vel(P1), -F1.x) = 0\n    via force on P1 along -F1.x - 0.02*N.z\n"
      "joint c2: planar between S0 of R0 and O of N axis F2.z axis2 -0.74*N.x - 0.19*N.z\n"
      "start e0 ~ 0.31225307, e1 ~ -0.938121864, e2 ~ 0.123307461, e3 ~ 0.084974457, s4 ~ -0.81, s4' ~ 0.017917354, "
      "s5 ~ 0.33, s5' ~ -0.62, R0.wx ~ -0.386835883, R0.wy ~ 0.185738949, R0.wz ~ 0.123435171\nrun 0\n");
  EXPECT_NE(result.failure.find("neither mass nor constraint determines"), std::string::npos) << result.failure;
}

TEST(MasslessBody, IsUsedByVelocitiesSeenInIt) {
  // x moves only the massless body b. The velocity of P relative to b is prescribed.
  const std::string text =
      "model observer\nframe N newtonian\npoint O fixed in N\ncoord a, x, y\nframe R = N rotated a about z\n"
      "body c frame R mass 1 inertia (1, 1, 1) at O + y*N.x\nbody b frame R mass 0 inertia (0, 0, 0) at O + x*N.x\n"
      "point P = c + R.y\njoint k: prescribed_velocity between center(b) of b and P of c prescribed 0.2*R.x\n"
      "start a ~ 0.3, y ~ 0.4, x ~ 1\nrun 0\n";
  EXPECT_NO_THROW(test_support::model_of_text(text));
}

}  // namespace still_points_test
}  // namespace vinculum
