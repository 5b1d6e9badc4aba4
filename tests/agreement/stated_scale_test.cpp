// A coordinate that is small compared with other coordinates of its dimension must be as accurate as requested, with
// and without `coord … scale`.
#include <gtest/gtest.h>

#include <cmath>

#include "support/models.hpp"
#include "vinculum/run/simulate.hpp"

namespace vinculum {
namespace stated_scale_test {

/// A vibration of one centimeter at 1 rad/s, together with a body that travels 7e6 m. Returns the final error of the
/// vibration, relative to one centimeter.
double error_of(const std::string& scale) {
  const auto bound = test_support::compiled(test_support::model_of_text(
      "model m\nframe N newtonian\npoint O fixed in N\nparam k = 1 [N/m], m = 1 [kg]\ncoord X [m], s [m] " + scale +
      "\nparticle A mass m at O + X*N.x\nparticle B mass m at O + s*N.y\nforce on B = -k*s*N.y\n"
      "start X = 7e6, X' = 7.5e3, s = 0.01\nrun 30 [s] tolerance 1e-9\n"));
  sim::Dynamics dynamics(bound);
  const sim::Trajectory run = sim::simulate(dynamics, sim::options_of(*bound->compiled->model));
  EXPECT_FALSE(run.stopped);
  return std::abs(run.end().q[1] - 0.01 * std::cos(30.0)) / 0.01;
}

TEST(StatedScale, HoldsASmallMotionBesideALargeOne) {
  EXPECT_LT(error_of(""), 1e-6);
  EXPECT_LT(error_of("scale 1e-2 [m]"), 1e-6);
}

}  // namespace stated_scale_test
}  // namespace vinculum
