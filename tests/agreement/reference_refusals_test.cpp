// Systems of the literature that have no motion or several motions, or need a feature that this version does not have.
// Each must be rejected with the right reason, exactly at the values given by the reference. Systems that have a
// motion: reference_systems_test.cpp.
#include <gtest/gtest.h>

#include <cmath>

#include "support/elaborate/elaborated.hpp"
#include "support/models.hpp"
#include "vinculum/run/simulate.hpp"

namespace vinculum {
namespace reference_refusals_test {

/// Kind of the failure that ends the run; empty if the run reaches its end.
std::optional<FailureKind> end_of(const std::string& text) {
  const auto bound = test_support::compiled(test_support::model_of_text(text));
  sim::Dynamics dynamics(bound);
  const sim::Trajectory run = sim::simulate(dynamics, sim::options_of(*bound->compiled->model));
  return run.stopped ? std::optional(run.stopped->kind) : std::nullopt;
}

/// Model text of Painlevé's rod: a uniform rod of length 2 whose lower end slides on a rough line.
std::string rod(double mu, double angle, double spin) {
  std::ostringstream text;
  text.precision(17);
  text << "model m\nframe N newtonian\npoint O fixed in N\ncoord x, y, angle\nframe R = N rotated angle about z\n"
       << "body rod frame R mass 1 inertia (1/3, 1/3, 1/3) at O + x*N.x + y*N.y\npoint P = center(rod) - R.x\n"
       << "gravity -9.81*N.y\nconstraint guide: dot(pos(P, O), N.y) = 0\n    friction on P mu = " << mu
       << "\nstart angle = " << angle << ", angle' = " << spin << ", x' = -100\nrun 1e-4\n";
  return text.str();
}

// Between two angles, Coulomb's law has no solution or several: tan = (mu ∓ sqrt(mu² − 16/9))·3/2. The numbers, with 20
// digits, are from the closed form (case e05).
TEST(ReferenceRefusals, APainleveRodHasNoMotionBetweenTwoAngles) {
  struct Interval {
    double mu, lower, upper;
  };
  for (const Interval& one : {Interval{1.4, 0.97015541598827918041, 1.2208903967894389102},
                              Interval{1.6, 0.82076098341003060337, 1.3086346587284584518},
                              Interval{2.0, 0.652358139784368186, 1.3820857960113345295}}) {
    SCOPED_TRACE(one.mu);
    for (const double inside : {one.lower + 1e-6, 0.5 * (one.lower + one.upper), one.upper - 1e-6}) {
      EXPECT_EQ(end_of(rod(one.mu, inside, 0.0)), FailureKind::kFrictionNoSolution) << inside;
      EXPECT_EQ(end_of(rod(one.mu, inside, 5.0)), FailureKind::kFrictionManySolutions) << inside;
    }
    EXPECT_EQ(end_of(rod(one.mu, one.lower - 1e-3, 0.0)), std::nullopt);
    EXPECT_EQ(end_of(rod(one.mu, one.upper + 1e-3, 0.0)), std::nullopt);
  }
}

TEST(ReferenceRefusals, APainleveRodMovesAtAnyAngleBelowTheLeastFriction) {
  for (const double mu : {1.2, 1.3}) {
    for (const double angle : {0.7, 0.97, std::atan(2.0), 1.2, 1.4})
      EXPECT_EQ(end_of(rod(mu, angle, 0.0)), std::nullopt) << mu << " at " << angle;
  }
}

// Benenti's two blades on a rod without inertia: neither mass nor rows determine the heading (case 10).
TEST(ReferenceRefusals, AHeadingWithoutInertiaIsUndetermined) {
  const std::string text =
      "model m\nframe N newtonian\npoint O fixed in N\ncoord x1, y1, x2, y2, th\nframe B = N rotated th about z\n"
      "particle P1 mass 1.5 at O + x1*N.x + y1*N.y\nparticle P2 mass 0.7 at O + x2*N.x + y2*N.y\ngravity -9.81*N.y\n"
      "constraint blade1: dot(vel(P1), B.y) = 0\nconstraint blade2: dot(vel(P2), B.y) = 0\n";
  const std::string end =
      "start x2 = 1, y2 = 0.5, th = 0.5, th' = -1.4, x1' = 2.4*cos(0.5), x2' = -0.9*cos(0.5)\nrun 0.1\n";
  EXPECT_EQ(end_of(text + end), FailureKind::kUndetermined);
  EXPECT_EQ(end_of(text + "lagrangian 0.3*th'^2/2\n" + end), std::nullopt);
}

// A parameter keeps its value along a motion. What an event sets is a state.
TEST(ReferenceRefusals, AnEventSetsNoParameter) {
  const elaborate::testing::Elaborated result = elaborate::testing::elaborated(
      "model m\nparam K = 1\ncoord th\nlagrangian th'^2/4\ngeneralized force on th = K - 0.1*th'\n"
      "event high: th' - 11 = 0 rising set K = 0\nstart th = 0\nrun 1\n");
  ASSERT_FALSE(result.diagnostics.empty());
  EXPECT_EQ(result.diagnostics[0].kind, diag::Kind::kNotAllowedHere) << result.diagnostics[0].message;
  EXPECT_NE(result.diagnostics[0].message.find("`K` cannot be set"), std::string::npos)
      << result.diagnostics[0].message;
}

}  // namespace reference_refusals_test
}  // namespace vinculum
