#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "measured_order.hpp"
#include "support/integrate/kepler.hpp"
#include "vinculum/integrate/integrator.hpp"

/// Two problems with known solutions, and the observed orders of a method for them.
namespace vinculum::order_test {

using integrate::Continue;
using integrate::Method;
using integrate::Step;

inline constexpr double kEccentricity = 0.1;

/// Kepler's motion at time t after the pericenter, from Kepler's equation E − e sin E = t.
inline Vector kepler_at(double t) {
  double E = t;
  for (int i = 0; i < 50; ++i) E -= (E - kEccentricity * std::sin(E) - t) / (1.0 - kEccentricity * std::cos(E));
  const double b = std::sqrt(1.0 - kEccentricity * kEccentricity);
  const double rate = 1.0 / (1.0 - kEccentricity * std::cos(E));
  return Vector{{std::cos(E) - kEccentricity, b * std::sin(E), -std::sin(E) * rate, b * std::cos(E) * rate}};
}

inline integrate::Problem kepler() {
  integrate::Problem problem;
  problem.size = 4;
  problem.reached = Vector::Ones(4);
  problem.derivative = [](double, const double* y, double* y_dot) -> Outcome<void> {
    test_support::kepler_rates(y, y_dot);
    return {};
  };
  return problem;
}

/// y' = y cos t, y = exp(sin t): the right-hand side depends on time.
inline Vector growth_at(double t) { return Vector{{std::exp(std::sin(t))}}; }

inline integrate::Problem growth() {
  integrate::Problem problem;
  problem.size = 1;
  problem.reached = Vector::Ones(1);
  problem.derivative = [](double t, const double* y, double* y_dot) -> Outcome<void> {
    y_dot[0] = y[0] * std::cos(t);
    return {};
  };
  return problem;
}

using Exact = Vector (*)(double t);

/// Observed order of the error at step ends, from a geometric sequence of 5 step sizes.
inline double order_at_nodes(const Method& method, const integrate::Problem& problem, Exact exact, double coarsest) {
  const double t1 = 6.0;
  std::vector<double> sizes;
  std::vector<double> errors;
  for (int i = 0; i < 5; ++i) {
    const double n = std::round(t1 / (coarsest * std::pow(0.8, i)));
    double t = 0.0;
    Vector y = exact(0.0);
    double worst = 0.0;
    // The tolerance has no effect except for compensated summation, which reduces rounding errors.
    const integrate::Options options = {.methods = {&method, 1}, .tolerance = 1e-12, .fixed_step = t1 / n};
    const auto done = integrate::integrate(problem, options, t, y, t1, [&](const Step& step) -> Outcome<Continue> {
      worst = std::max(worst, (step.y_end() - exact(step.t_end())).norm());
      return Continue::kYes;
    });
    EXPECT_TRUE(done);
    sizes.push_back(t1 / n);
    errors.push_back(worst);
  }
  return measured_order(sizes, errors);
}

/// Observed order of the error inside a single step from an exact state.
inline double order_inside_a_step(const Method& method, const integrate::Problem& problem, Exact exact,
                                  double coarsest) {
  std::vector<double> sizes;
  std::vector<double> errors;
  for (int i = 0; i < 5; ++i) {
    const double h = coarsest * std::pow(0.8, i);
    double worst = 0.0;
    for (const double start : {0.0, 1.0, 2.0, 3.0, 4.0, 5.0}) {
      double t = start;
      Vector y = exact(start);
      Vector sample;
      const integrate::Options options = {.methods = {&method, 1}, .fixed_step = h};
      const auto done =
          integrate::integrate(problem, options, t, y, start + h, [&](const Step& step) -> Outcome<Continue> {
            for (const double theta : {0.2, 0.35, 0.5, 0.65, 0.8}) {
              EXPECT_TRUE(step.interpolate(start + theta * h, sample));
              worst = std::max(worst, (sample - exact(start + theta * h)).norm());
            }
            return Continue::kYes;
          });
      EXPECT_TRUE(done);
    }
    sizes.push_back(h);
    errors.push_back(worst);
  }
  return measured_order(sizes, errors);
}

}  // namespace vinculum::order_test
