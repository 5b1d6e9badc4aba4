// Massless frames with angles as coordinates, and bodies that several angles turn about the same axis.
#include <gtest/gtest.h>

#include "support/models.hpp"
#include "support/motion/test_models.hpp"

namespace vinculum::sim {
namespace frames_without_mass_test {

using testing::kind_of;
using testing::reason;

/// Motion of a body with additional massless frames, and with the forces that `frames` states on them.
Trajectory with_frames(const std::string& frames, const std::string& coordinates) {
  const auto bound = test_support::compiled(test_support::model_of_text(
      "model m\nframe N newtonian\npoint O fixed in N\ncoord x, y, th, " + coordinates +
      "\nframe B = N rotated th about z\nbody plate frame B mass 1 inertia (0.2, 0.3, 0.4) at O + x*N.x + y*N.y\n" +
      frames + "start th = 0.3, th' = 1\nrun 0.5\n"));
  Dynamics dynamics(bound);
  return simulate(dynamics, options_of(*bound->compiled->model));
}

// The angles belong to no mass, so they are undetermined. The message must not mention a gimbal lock.
TEST(FramesWithoutMass, AreUndeterminedAndInNoGimbalLock) {
  const std::string two = "frame S = B rotated s about z\nframe R = B rotated r about z\n";
  for (const std::string& frames : {two, two + "point P = center(plate) + 0.2*S.x\nspring P O stiffness 2 length 0.1\n",
                                    std::string("frame S = B rotated s about x\nframe R = B rotated r about x\n"),
                                    std::string("frame S = B rotated s about z\nframe R = N rotated r about z\n"),
                                    std::string("frame S = B rotated s about z\nframe R = S rotated r about x\n")}) {
    SCOPED_TRACE(frames);
    try {
      const Trajectory run = with_frames(frames, "s, r");
      EXPECT_EQ(kind_of(run), FailureKind::kUndetermined) << reason(run);
      EXPECT_EQ(reason(run).find("gimbal"), std::string::npos) << reason(run);
    } catch (const std::runtime_error& refused) {  // an unused angle is an error of the model text
      EXPECT_NE(std::string(refused.what()).find("unused-coordinate"), std::string::npos) << refused.what();
    }
  }
}

TEST(FramesWithoutMass, TwoTurnsOfOneBodyAboutOneAxisAreAGimbalLock) {
  const auto bound = test_support::compiled(
      test_support::model_of_text("model m\nframe N newtonian\npoint O fixed in N\ncoord a, b, c\nframe B = N "
                                  "body123(a, b, c)\npoint C = O + 0*B.x\nbody top "
                                  "frame B mass 1 inertia (0.2, 0.3, 0.4) at C\nstart b = pi/2, a' = 1\nrun 1\n"));
  Dynamics dynamics(bound);
  const Trajectory run = simulate(dynamics, options_of(*bound->compiled->model));
  EXPECT_NE(reason(run).find("gimbal"), std::string::npos) << reason(run);
}

}  // namespace frames_without_mass_test
}  // namespace vinculum::sim
