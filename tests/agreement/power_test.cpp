#include <gtest/gtest.h>

#include "support/models.hpp"
#include "vinculum/run/simulate.hpp"

namespace vinculum {
namespace power_test {

// Largest difference between the power of a constraint and the rate of the energy. No other force has power.
double worst_power_defect(const std::string& relation) {
  const auto model = test_support::model_of_text(
      "model m\nframe N newtonian\npoint O fixed in N\ncoord a, r\nframe A = N rotated a about z\n"
      "particle P mass 2 at O + r*A.x\n" +
      relation +
      "output W = power(w)\noutput E = energy\nstart r = 1, r' = 0, a' ~ 1\nrun 1 step 0.001 tolerance 1e-12\n");
  sim::Dynamics dynamics(test_support::compiled(model));
  const sim::Trajectory run = sim::simulate(dynamics, sim::options_of(*model));
  EXPECT_FALSE(run.stopped) << run.stopped->message;
  double worst = 0.0;
  for (std::size_t i = 1; i + 1 < run.samples.size(); ++i) {
    const double rate =
        (run.samples[i + 1].outputs[1] - run.samples[i - 1].outputs[1]) / (run.samples[i + 1].t - run.samples[i - 1].t);
    worst = std::max(worst, std::abs(rate - run.samples[i].outputs[0]));
  }
  return worst;
}

TEST(Power, IsTheRateOfEnergyWhereAConstraintActsOnACoordinate) {
  // Second differences with steps of 1e-3 s have an error of 1e-5, for a power of about 40 W.
  EXPECT_LT(worst_power_defect("constraint w: dot(omega(A), N.z) = 1 + 0.5*t\n"), 1e-4);
  EXPECT_LT(worst_power_defect("constraint w: a' = 1 + 0.5*t\n"), 1e-4);
}

TEST(Power, CountsWhatANonidealClauseStatesOnACoordinate) {
  EXPECT_LT(worst_power_defect("constraint w: dot(vel(P), A.y) = 1 + 0.5*t\n    nonideal on r = -3*r'\n"), 1e-4);
}

}  // namespace power_test
}  // namespace vinculum
