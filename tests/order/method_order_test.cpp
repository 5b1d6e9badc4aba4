#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "measured_order.hpp"
#include "vinculum/integrate/integrator.hpp"

namespace vinculum::order_test {
namespace {

using integrate::Continue;
using integrate::Method;
using integrate::Step;

constexpr double kEccentricity = 0.1;

/// Kepler's motion at time t after the pericentre, from Kepler's equation E − e sin E = t.
Vector kepler_at(double t) {
  double E = t;
  for (int i = 0; i < 50; ++i) E -= (E - kEccentricity * std::sin(E) - t) / (1.0 - kEccentricity * std::cos(E));
  const double b = std::sqrt(1.0 - kEccentricity * kEccentricity);
  const double rate = 1.0 / (1.0 - kEccentricity * std::cos(E));
  return Vector{{std::cos(E) - kEccentricity, b * std::sin(E), -std::sin(E) * rate, b * std::cos(E) * rate}};
}

integrate::Problem kepler() {
  integrate::Problem problem;
  problem.size = 4;
  problem.group = {0, 0, 1, 1};
  problem.group_scale = {1.0, 1.0};
  problem.derivative = [](double, const double* y, double* y_dot) -> Outcome<void> {
    const double r2 = y[0] * y[0] + y[1] * y[1];
    const double r3 = r2 * std::sqrt(r2);
    y_dot[0] = y[2];
    y_dot[1] = y[3];
    y_dot[2] = -y[0] / r3;
    y_dot[3] = -y[1] / r3;
    return {};
  };
  return problem;
}

/// y' = y cos t, y = exp(sin t): time on the right-hand side.
Vector growth_at(double t) { return Vector{{std::exp(std::sin(t))}}; }

integrate::Problem growth() {
  integrate::Problem problem;
  problem.size = 1;
  problem.group = {0};
  problem.group_scale = {1.0};
  problem.derivative = [](double t, const double* y, double* y_dot) -> Outcome<void> {
    y_dot[0] = y[0] * std::cos(t);
    return {};
  };
  return problem;
}

using Exact = Vector (*)(double t);

/// Order at which the error at any node falls with the step size, the sizes a geometric row of 5.
double order_at_nodes(const Method& method, const integrate::Problem& problem, Exact exact, double coarsest) {
  const double t1 = 6.0;
  std::vector<double> sizes;
  std::vector<double> errors;
  for (int i = 0; i < 5; ++i) {
    const double n = std::round(t1 / (coarsest * std::pow(0.8, i)));
    double t = 0.0;
    Vector y = exact(0.0);
    double worst = 0.0;
    // The tolerance is not used but for the compensated sums, which lower the floor of rounding.
    const integrate::Options options = {.method = method.name, .tolerance = 1e-12, .fixed_step = t1 / n};
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

/// Order at which the error inside a single step from an exact state falls with its size.
double order_inside_a_step(const Method& method, const integrate::Problem& problem, Exact exact, double coarsest) {
  std::vector<double> sizes;
  std::vector<double> errors;
  for (int i = 0; i < 5; ++i) {
    const double h = coarsest * std::pow(0.8, i);
    double worst = 0.0;
    for (const double start : {0.0, 1.0, 2.0, 3.0, 4.0, 5.0}) {
      double t = start;
      Vector y = exact(start);
      Vector sample;
      const integrate::Options options = {.method = method.name, .fixed_step = h};
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

class EveryMethod : public ::testing::TestWithParam<const Method*> {
 protected:
  [[nodiscard]] bool is_high() const { return GetParam()->order > 6; }
};

// The sizes lie where the leading term rules: errors from 1e-7 down, well above rounding.
TEST_P(EveryMethod, ConvergesWithItsOrder) {
  const Method& method = *GetParam();
  const double nonlinear = order_at_nodes(method, kepler(), kepler_at, is_high() ? 0.2 : 0.04);
  EXPECT_NEAR(nonlinear, method.order, 0.2);
  const double time_dependent = order_at_nodes(method, growth(), growth_at, is_high() ? 0.4 : 0.04);
  EXPECT_NEAR(time_dependent, method.order, 0.2);
  RecordProperty("order", std::to_string(nonlinear) + ", " + std::to_string(time_dependent));
}

TEST_P(EveryMethod, HasADenseOutputThatConvergesWithItsOrder) {
  const Method& method = *GetParam();
  // Inside one step the error is O(h^(dense order + 1)).
  const double nonlinear = order_inside_a_step(method, kepler(), kepler_at, is_high() ? 0.25 : 0.05);
  EXPECT_NEAR(nonlinear, method.dense_order + 1, 0.2);
  const double time_dependent = order_inside_a_step(method, growth(), growth_at, is_high() ? 0.2 : 0.1);
  EXPECT_NEAR(time_dependent, method.dense_order + 1, 0.2);
  RecordProperty("order", std::to_string(nonlinear) + ", " + std::to_string(time_dependent));
}

TEST_P(EveryMethod, ReachesAnErrorNearTheToleranceAskedFor) {
  const Method& method = *GetParam();
  double error_before = 1.0;
  for (const double tolerance : {1e-6, 1e-8, 1e-10, 1e-12}) {
    double t = 0.0;
    Vector y = kepler_at(0.0);
    ASSERT_TRUE(integrate::integrate(kepler(), {.method = method.name, .tolerance = tolerance}, t, y, 8.0, nullptr));
    const double error = (y - kepler_at(8.0)).norm();
    EXPECT_LT(error, 100.0 * tolerance) << tolerance;
    EXPECT_LT(error, 0.1 * error_before) << "two digits more asked for";
    error_before = error;
  }
}

INSTANTIATE_TEST_SUITE_P(MethodTable, EveryMethod, ::testing::ValuesIn([] {
                           std::vector<const Method*> methods;
                           for (const Method& method : integrate::method_table()) methods.push_back(&method);
                           return methods;
                         }()),
                         [](const auto& param) { return std::string(param.param->name); });

}  // namespace
}  // namespace vinculum::order_test
