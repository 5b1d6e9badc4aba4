// Residuals are relative to the magnitudes of their terms. Correct models must pass even if gradients and residuals are
// 0 because of the choice of axes or at rest. Rows that contain states must break if they are violated.
#include <gtest/gtest.h>

#include "support/audit/subject.hpp"
#include "support/models.hpp"

namespace vinculum::audit {
namespace residual_sizes_test {

struct MotionOfText {
  explicit MotionOfText(const std::string& text)
      : bound(test_support::compiled(test_support::model_of_text(text))), dynamics(bound) {
    trajectory = simulate(dynamics, options_of(*bound->compiled->model));
    EXPECT_FALSE(trajectory.stopped) << testing::reason(trajectory);
  }
  [[nodiscard]] Audit judged() const { return audit(*bound, trajectory, {.samples = 4}); }
  std::shared_ptr<const Binding> bound;
  Dynamics dynamics;
  Trajectory trajectory;
};

struct Named {
  const char* name;
  std::string text;
};

/// A crank and a rod connected by a ball joint. `end` contains further lines of the model.
std::string crank(const std::string& axis, const std::string& across, const std::string& end) {
  return "model m\nframe N newtonian\npoint O fixed in N\ncoord p, x, y, z, a, b, c\nframe A = N rotated p about " +
         axis + "\nframe R = N body123(a, b, c)\nbody crank frame A mass 1 inertia (0.1, 0.2, 0.3) at O + 0.25*" +
         across +
         "\nbody rod frame R mass 1 inertia (0.1, 0.2, 0.3) at O + x*N.x + y*N.y + z*N.z\n"
         "point E = crank + 0.25*" +
         across + " + 0.05*A." + axis + "\npoint Q = rod + 0.5*R.x\ngravity -9.81*N.y\n" + end;
}

/// A free body with a quaternion that joints keep at rest.
std::string at_rest(const std::string& joints) {
  return "model m\nframe N newtonian\npoint O fixed in N\npoint D = O + 1*N.x\ncoord q0, q1, q2, q3, x, y, z\n"
         "frame R = N quaternion(q0, q1, q2, q3)\n"
         "body b frame R mass 2 inertia (0.3, 0.4, 0.5) at O + x*N.x + y*N.y + z*N.z\npoint Q = b + 1*R.x\n" +
         joints + "start q0 ~ 0.9, q1 ~ 0.1, q2 ~ -0.05, q3 ~ 0.2\nrun 0\n";
}

TEST(ResidualSizes, RightModelsHoldWhereEntriesAreZeroByTheChoiceOfAxes) {
  const std::string plane = "joint plane: planar between O of N and b of b axis ",
                    oblique = "0.2*N.x + 0.1*N.y + N.z axis2 0.2*R.x + 0.1*R.y + R.z\n",
                    cross =
                        "joint cross: universal between Q of b and D of N axis 0.8*R.x - 0.6*R.y axis2 0.6*N.x + "
                        "0.8*N.y + 0.3*N.z\n";
  const Named all[] = {
      {"a ball joint on a crank", crank("x", "A.y",
                                        "joint ball: spherical between E of crank and Q of rod\n"
                                        "start x ~ -0.5, y ~ 0.5\nrun 0.5\n")},
      {"the same about another axis", crank("z", "A.x",
                                            "joint ball: spherical between E of crank and Q of rod\n"
                                            "start x ~ 0.5, y ~ 0.1\nrun 0.5\n")},
      {"the same as a relation in vectors of the crank",
       crank("x", "A.y", "constraint tie: 1e6*pos(E, Q) = 0 along A.x, A.y, A.z\nstart x ~ -0.5, y ~ 0.5\nrun 0.5\n")},
      {"a rod on a crank by a revolute",
       crank("x", "A.y",
             "joint pin: revolute between E of crank and Q of rod axis A.x axis2 R.y\n"
             "start x ~ -0.5, y ~ 0.5\nrun 0.5\n")},
      {"a plane and a universal joint at rest",
       at_rest("gravity -10*N.z\ntorque on b = 3*N.z\n" + plane + oblique + cross)},
      {"the same without loads", at_rest(plane + oblique + cross)},
      {"the same with the sides exchanged",
       at_rest("gravity -10*N.z\n" + plane + oblique +
               "joint cross: universal between D of N and Q of b axis 0.6*N.x + 0.8*N.y + 0.3*N.z axis2 0.8*R.x - "
               "0.6*R.y\n")},
      {"a plane along axes", at_rest("gravity -10*N.z\n" + plane + "N.z\n" + cross)},
      {"a fixed joint at the origin", at_rest("gravity -10*N.z\njoint w: fixed between O of N and b of b\n")},
      {"an oblique revolute through the mass center",
       at_rest("torque on b = 3*N.z\njoint pin: revolute between O of N and b of b axis " + oblique)},
  };
  for (const Named& one : all) {
    SCOPED_TRACE(one.name);
    const Audit result = MotionOfText(one.text).judged();
    EXPECT_TRUE(result.holds()) << broken(result);
  }
}

/// Rows that contain states.
const Named kFunctional[] = {
    {"a place",
     "model m\ncoord x, y\nlagrangian (x'^2 + y'^2)/2 - 2*y\nstate z' = x*x' start z = 0.2\n"
     "constraint c: y = z\nstart x = 0.7, y = 0.2, x' = -1.1\nrun 0.5 tolerance 1e-10\n"},
    {"a velocity",
     "model m\ncoord x, y\nlagrangian (x'^2 + y'^2)/2 - 2*x^2\nstate z' = x start z = 0.2\n"
     "constraint c: y' = 0.3*z\nstart x = 0.7, y = 0.2, x' = -0.4\nrun 0.5 tolerance 1e-10\n"},
    {"a place in another unit",
     "model m\ncoord x, y\nlagrangian (x'^2 + y'^2)/2 - 2*y\nstate z' = x*x' start z = 0.2\n"
     "constraint c: 1e6*y = 1e6*z\nstart x = 0.7, y = 0.2, x' = -1.1\nrun 0.5 tolerance 1e-10\n"},
    {"a state that accelerations enter late",
     "model m\ncoord x, y\nlagrangian (x'^2 + y'^2)/2 - 2*x^2\nstate z' = x start z = 0.3\n"
     "constraint c: z = 0.3 + 0.7*sin(t) + 0.1*y\nstart y = 0, x ~ 0.7, y' ~ 0.2\nrun 0.5 tolerance 1e-10\n"},
    {"not linear in the state",
     "model m\ncoord x, y\nlagrangian (x'^2 + y'^2)/2 - 2*x^2\nstate z' = x'^2 start z = 0.1\n"
     "constraint c: y = 0.3*sin(z)\nstart x = 0.7, y ~ 0, x' = -0.4\nrun 0.5 tolerance 1e-10\n"},
};

TEST(ResidualSizes, AFunctionalRowHoldsAndBreaksWhereItIsMissed) {
  for (const Named& one : kFunctional) {
    SCOPED_TRACE(one.name);
    MotionOfText motion(one.text);
    EXPECT_NE(line(motion.judged(), kResiduals).verdict, Verdict::kBroken) << broken(motion.judged());
    for (Sample& sample : motion.trajectory.samples) sample.z[0] += 1e-7;
    EXPECT_EQ(line(motion.judged(), kResiduals).verdict, Verdict::kBroken) << broken(motion.judged(), true);
  }
}

// The audit also judges the summary of the run, which may show a drift that no sample shows.
TEST(ResidualSizes, AFunctionalRowBreaksByTheWorstOfAllSteps) {
  for (const Named& one : kFunctional) {
    SCOPED_TRACE(one.name);
    MotionOfText motion(one.text);
    ASSERT_EQ(motion.trajectory.worst_residual.size(), 1);
    motion.trajectory.worst_residual[0] = 1e-6 * (std::string(one.name).ends_with("unit") ? 1e6 : 1.0);
    EXPECT_EQ(line(motion.judged(), kResiduals).verdict, Verdict::kBroken) << broken(motion.judged(), true);
  }
}

}  // namespace residual_sizes_test
}  // namespace vinculum::audit
