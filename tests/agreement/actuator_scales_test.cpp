// Scales of actuators that are expressions. If several actuators enforce a constraint, the sum Σ (effort/scale)² is
// minimal.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "support/elaborate/elaborated.hpp"
#include "support/models.hpp"
#include "vinculum/run/simulate.hpp"
#include "vinculum/verify/audit/audit.hpp"

namespace vinculum {
namespace actuator_scales_test {

const char* const kLift =
    "model m\nframe N newtonian\npoint O fixed in N\nparam a = 1.5, b = 0.4\ncoord x, y\nparticle P mass 1.2 at O + "
    "x*N.x + "
    "y*N.y\ngravity -9.81*N.y\nconstraint lift: y = 0.1*t^2\n    via force on P along N.y scale ";
const char* const kEnd =
    "\noutput e = [effort(lift, 1), effort(lift, 2)]\nstart x = 0.3, x' = 0.4\nrun 1 tolerance 1e-12\n";

sim::Trajectory motion(const std::string& text) {
  const auto bound = test_support::compiled(test_support::model_of_text(text));
  sim::Dynamics dynamics(bound);
  sim::Trajectory run = sim::simulate(dynamics, sim::options_of(*bound->compiled->model));
  const audit::Audit result = audit::audit(*bound, run, {});
  for (const audit::AuditLine& line : result.lines) {
    EXPECT_NE(line.verdict, audit::AuditLine::Verdict::kBroken)
        << line.identity << ": " << line.worst << " allowed " << line.allowed << " at " << line.where;
  }
  return run;
}

struct Scales {
  const char* written;
  std::function<double(const sim::Sample&)> first;  ///< expected effort of the first actuator
};

TEST(ScalesOfActuators, MayBeExpressions) {
  const double F = 1.2 * (9.81 + 0.2);
  const Scales all[] = {
      {"3", [](const sim::Sample&) { return 3.0; }},
      {"a", [](const sim::Sample&) { return 1.5; }},
      {"2*a + b", [](const sim::Sample&) { return 3.4; }},
      {"a + 0.5*x", [](const sim::Sample& at) { return 1.5 + 0.5 * at.q[0]; }},
      {"1 + t^2", [](const sim::Sample& at) { return 1.0 + at.t * at.t; }},
      {"a*exp(-x)*(2 - t)", [](const sim::Sample& at) { return 1.5 * std::exp(-at.q[0]) * (2.0 - at.t); }},
  };
  for (const Scales& one : all) {
    SCOPED_TRACE(one.written);
    const sim::Trajectory run = motion(kLift + std::string(one.written) + ", force on P along N.y scale 2" + kEnd);
    ASSERT_FALSE(run.stopped) << run.stopped->message;
    for (const sim::Sample& at : run.samples) {
      const double s = one.first(at), share = s * s / (s * s + 4.0);
      EXPECT_NEAR(at.outputs[0], F * share, 1e-10);
      EXPECT_NEAR(at.outputs[1], F * (1.0 - share), 1e-10);
    }
  }
}

// A torque and a force between two bodies turn a door together. Each has the lever arm of the other as its scale.
TEST(ScalesOfActuators, MayBeThoseOfTorques) {
  const std::string door =
      "model m\nframe N newtonian\npoint O fixed in N\ncoord q\nframe B = N rotated q about z\nbody door frame B mass "
      "2 inertia "
      "plane 0.3 at O + 0.5*B.x\npoint H on door = O + 0.9*B.x\nconstraint drive: q = 0.3*sin(2*t)\n    via torque on "
      "door along "
      "N.z scale 1 + 0.2*q, force on H along B.y scale 0.5*(1 + t)\noutput e = [effort(drive, 1), effort(drive, "
      "2)]\nrun 1 "
      "tolerance 1e-12\n";
  const sim::Trajectory run = motion(door);
  ASSERT_FALSE(run.stopped) << run.stopped->message;
  for (const sim::Sample& at : run.samples) {
    const double moment = -(0.3 + 2.0 * 0.25) * 1.2 * std::sin(2.0 * at.t);
    const double s1 = 1.0 + 0.2 * at.q[0], s2 = 0.5 * (1.0 + at.t), whole = s1 * s1 + 0.81 * s2 * s2;
    EXPECT_NEAR(at.outputs[0], moment * s1 * s1 / whole, 1e-10);
    EXPECT_NEAR(at.outputs[1], moment * 0.9 * s2 * s2 / whole, 1e-10);
  }
}

TEST(ScalesOfActuators, ArePositiveAndOfThePlace) {
  const auto message = [](const std::string& scale) {
    const elaborate::testing::Elaborated result =
        elaborate::testing::elaborated(kLift + scale + ", force on P along N.y scale 2" + kEnd);
    EXPECT_EQ(result.model, nullptr) << scale;
    return result.diagnostics.empty() ? std::string() : result.diagnostics[0].message;
  };
  EXPECT_NE(message("-2").find("must be positive"), std::string::npos);
  EXPECT_NE(message("b - a").find("must be positive"), std::string::npos);
  EXPECT_NE(message("1 + x'").find("the scale of an actuator"), std::string::npos);
  EXPECT_NE(message("effort(lift, 1)").find("enforced by no actuators"), std::string::npos);
}

}  // namespace actuator_scales_test
}  // namespace vinculum
