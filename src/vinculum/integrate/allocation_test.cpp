#include <gtest/gtest.h>

#include <cmath>

#include "support/base/count_allocations.hpp"
#include "vinculum/integrate/integrator.hpp"

namespace vinculum::integrate {
namespace {

TEST(StepLoop, AllocatesNothingAfterTheFirstStep) {
#ifndef VINCULUM_COUNTS_ALLOCATIONS
  GTEST_SKIP() << "malloc cannot be replaced here";
#endif
  // The run includes rejected steps, a projection, a callback and dense output.
  Problem problem;
  problem.size = 5;
  problem.reached = Vector::Ones(5);
  problem.derivative = [](double t, const double* y, double* y_dot) -> Outcome<void> {
    const double frequency = 1.0 + 20.0 / (1.0 + 400.0 * (t - 3.0) * (t - 3.0));
    for (int i = 0; i < 4; i += 2) {
      y_dot[i] = frequency * y[i + 1];
      y_dot[i + 1] = -frequency * y[i];
    }
    y_dot[4] = std::abs(t - 5.0);
    return {};
  };
  problem.project = [](double, double* y) -> Outcome<double> {
    const double norm = std::hypot(y[0], y[1]);
    y[0] /= norm;
    y[1] /= norm;
    return 20.0;
  };
  for (const Method& method : method_table()) {
    for (const double tolerance : {1e-7, 1e-12}) {
      double t = 0.0;
      Vector y{{1.0, 0.0, 0.0, 1.0, 0.0}};
      Vector sample = Vector::Zero(5);
      long at_first_step = -1;
      long at_last_step = -1;
      const auto done = integrate(problem, {.method = method.name, .tolerance = tolerance}, t, y, 10.0,
                                  [&](const Step& step) -> Outcome<Continue> {
                                    if (at_first_step < 0) at_first_step = allocations;
                                    at_last_step = allocations;
                                    if (!step.interpolate(0.5 * (step.t_begin() + step.t_end()), sample))
                                      return Continue::kNo;
                                    return Continue::kYes;
                                  });
      ASSERT_TRUE(done);
      EXPECT_GT(done->steps, 20);
      EXPECT_GT(done->rejected, 0);
      EXPECT_EQ(at_last_step, at_first_step) << method.name;
      EXPECT_GT(at_first_step, 0) << "the counter counts";
    }
  }
}

}  // namespace
}  // namespace vinculum::integrate
