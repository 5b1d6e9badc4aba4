#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "measured_order.hpp"
#include "spherical_pendulum.hpp"

namespace vinculum::order_test {
namespace projection_order_test {

class EveryMethodProjected : public ::testing::TestWithParam<const integrate::Method*> {};

// Eich, SIAM J. Numer. Anal. 30 (1993) 1467-1482: projection onto the invariants after every step preserves the
// order.
TEST_P(EveryMethodProjected, KeepsItsOrderOnTheSphere) {
  const integrate::Method& method = *GetParam();
  const double t1 = 6.0;
  const Vector exact = pendulum_reference(kGentleSwing, t1);
  ASSERT_TRUE(exact.allFinite());
  std::vector<double> sizes;
  std::vector<double> errors;
  const double coarsest = method.order > 6 ? 0.4 : 0.06;
  for (int i = 0; i < 5; ++i) {
    const double n = std::round(t1 / (coarsest * std::pow(0.8, i)));
    double t = 0.0;
    Vector y = cartesian(kGentleSwing);
    // An implicit method iterates to this tolerance, which is below every error here.
    ASSERT_TRUE(integrate::integrate(spherical_pendulum(1e-8, Projected::kYes),
                                     {.method = method.name, .tolerance = 1e-12, .fixed_step = t1 / n}, t, y, t1,
                                     nullptr));
    EXPECT_LT(std::abs(position_residual(y)), 4e-16);
    sizes.push_back(t1 / n);
    errors.push_back((y - exact).norm());
  }
  EXPECT_NEAR(measured_order(sizes, errors), method.order, 0.2);
  RecordProperty("order", std::to_string(measured_order(sizes, errors)));
}

INSTANTIATE_TEST_SUITE_P(MethodTable, EveryMethodProjected, ::testing::ValuesIn([] {
                           std::vector<const integrate::Method*> methods;
                           for (const auto& method : integrate::method_table()) methods.push_back(&method);
                           return methods;
                         }()),
                         [](const auto& param) { return std::string(param.param->name); });

}  // namespace projection_order_test
}  // namespace vinculum::order_test
