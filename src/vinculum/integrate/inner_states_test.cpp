#include "vinculum/integrate/inner_states.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/integrate/kepler.hpp"

namespace vinculum::integrate {
namespace {

/// A Kepler ellipse. Counts the evaluations for states inside steps (`look`), not the evaluations of the steps.
struct Orbit {
  Orbit() {
    problem.size = 4;
    problem.derivative = [](double, const double* y, double* y_dot) -> Outcome<void> {
      test_support::kepler_rates(y, y_dot);
      return {};
    };
    problem.look = [this](double, const double* y, double* y_dot) -> Outcome<void> {
      ++looks;
      test_support::kepler_rates(y, y_dot);
      return {};
    };
    problem.reached = Vector::Ones(4);
  }
  /// Largest difference between interpolated states and separate steps, at instants with the distance `spacing`.
  double difference(double spacing, double tolerance) {
    Vector y0 = (Vector(4) << 0.5, 0.0, 0.0, std::sqrt(3.0)).finished(), shown, own;
    double t0 = 0.0, worst = 0.0, next = spacing;
    InnerStates inner;
    Options options;
    options.tolerance = tolerance;
    instants = looks_of_rows = 0;
    const auto done = integrate(problem, options, t0, y0, 6.0, [&](const Step& step) -> Outcome<Continue> {
      inner.begin();
      for (; next < step.t_end(); next += spacing, ++instants) {
        const long before = looks;
        if (!inner.at(step, next, spacing, shown)) return Continue::kNo;
        looks_of_rows += looks - before;
        if (!step.step_to(next, own)) return Continue::kNo;
        worst = std::max(worst, (shown - own).lpNorm<Eigen::Infinity>());
      }
      return Continue::kYes;
    });
    EXPECT_TRUE(done);
    EXPECT_GE(t0, 6.0);
    return worst;
  }
  Problem problem;
  long looks = 0, looks_of_rows = 0, instants = 0;
};

TEST(InnerStates, AreStepsOfTheirOwnToRounding) {
  for (const double tolerance : {1e-4, 1e-8, 1e-12}) {
    Orbit orbit;
    EXPECT_LT(orbit.difference(1e-4, tolerance), 1e-13) << tolerance;
    EXPECT_GT(orbit.instants, 59'000);
    EXPECT_LT(orbit.looks_of_rows, orbit.instants) << "a step of their own takes eleven";
  }
}

TEST(InnerStates, WhereFewAreAskedForAreThoseSteps) {
  Orbit orbit;
  EXPECT_EQ(orbit.difference(0.05, 1e-8), 0.0);
}

}  // namespace
}  // namespace vinculum::integrate
