// The hint for a failed start or a failed servo constraint names only what causes the failure.
#include <gtest/gtest.h>

#include "support/models.hpp"
#include "vinculum/run/simulate.hpp"

namespace vinculum {
namespace advice_test {

Failure failure_of(const std::string& text) {
  const auto bound = test_support::compiled(test_support::model_of_text(text));
  sim::Dynamics dynamics(bound);
  const sim::Trajectory run = sim::simulate(dynamics, sim::options_of(*bound->compiled->model));
  if (!run.stopped) throw std::runtime_error("the run does not stop: " + text);
  return *run.stopped;
}

bool says(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

struct Named {
  const char* name;
  std::string text;
};

TEST(Advice, DoesNotAskForAGuessWhereNothingIsHeld) {
  const std::string plane = "model m\ncoord x, y\nlagrangian (x'^2 + y'^2)/2\n";
  const Named all[] = {
      {"no place", plane + "constraint c: x^2 + y^2 = -1\nstart x ~ 1, y ~ 0.5\nrun 1\n"},
      {"no place, nothing stated", plane + "constraint c: x^2 + 1 = 0\nrun 1\n"},
      {"two rows that contradict each other",
       plane + "constraint c: x + y = 1\nconstraint d: x + y = 2\nstart x ~ 0.3\nrun 1\n"},
      {"no velocity", plane + "constraint c: x'^2 + y'^2 = -1\nstart x' ~ 1\nrun 1\n"},
  };
  for (const Named& one : all) {
    SCOPED_TRACE(one.name);
    const Failure failure = failure_of(one.text);
    EXPECT_EQ(failure.kind, FailureKind::kAssembly) << failure.message;
    EXPECT_TRUE(says(failure.advice, "no held value is in conflict")) << failure.advice;
  }
  const Failure held = failure_of(plane + "constraint c: x + y = 1\nstart x = 1, y = 1\nrun 1\n");
  EXPECT_EQ(held.kind, FailureKind::kAssembly);
  EXPECT_FALSE(says(held.advice, "no held value is in conflict")) << held.advice;
}

TEST(Advice, OfServosOfHigherIndexSpeaksOfNoPose) {
  const std::string line =
      "model m\nframe N newtonian\npoint O fixed in N\ncoord a, b\nparticle M mass 1 at O + a*N.x\nparticle L mass 2 "
      "at "
      "O + b*N.x\n";
  const std::string end = "start a = 0, b ~ 1\nrun 1\n";
  const Named all[] = {
      {"a load behind a spring", line +
                                     "spring M L stiffness 50 length 1\nconstraint goal: b = 1 + 0.1*sin(t)\n    via "
                                     "force on M along N.x\n" +
                                     end},
      {"by a velocity", line +
                            "spring M L stiffness 50 length 1\nconstraint goal: b' = 0.1*cos(t)\n    via force on M "
                            "along N.x\n" +
                            end},
      {"a load behind a damper",
       line +
           "force on M = -3*(vel(M) - vel(L)) from L\nconstraint goal: b = 1 + 0.1*sin(t)\n    via force on M along "
           "N.x\n" +
           end},
      {"an elastic joint",
       "model m\nframe N newtonian\npoint O fixed in N\ncoord p, q\nframe A = N rotated p about z\nframe B = N rotated "
       "q "
       "about z\nbody motor frame A mass 1 inertia plane 0.2 at O\nbody load frame B mass 2 inertia plane 0.3 at O + "
       "0.5*B.x\ngeneralized force on p = -5*(p - q)\ngeneralized force on q = 5*(p - q)\nconstraint goal: q = "
       "0.2*sin(t)\n    via torque on motor along N.z\nstart p = 0, q ~ 0\nrun 1\n"},
      {"a force across the row",
       line +
           "coord c\nparticle K mass 1 at O + c*N.y\nconstraint goal: b = 1 + 0.1*sin(t)\n    "
           "via force on K along N.y\n" +
           end},
  };
  for (const Named& one : all) {
    SCOPED_TRACE(one.name);
    const Failure failure = failure_of(one.text);
    EXPECT_TRUE(says(failure.message, "at this place or any other")) << failure.message;
    EXPECT_TRUE(says(failure.advice, "higher derivative of the relation")) << failure.advice;
    EXPECT_FALSE(says(failure.advice, "pose")) << failure.advice;
  }
  const Failure here = failure_of(
      "model m\nframe N newtonian\npoint O fixed in N\ncoord x, y\nparticle P mass 1 at O + x*N.x + y*N.y\nconstraint "
      "goal: y = 0.1*t\n    via force on P along sin(x)*N.y\nstart x = 0\nrun 1\n");
  EXPECT_TRUE(says(here.advice, "lead the motion past this pose")) << here.message << "; " << here.advice;
}

}  // namespace advice_test
}  // namespace vinculum
