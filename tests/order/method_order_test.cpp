#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "orders_of_method.hpp"

namespace vinculum::order_test {
namespace method_order_test {

class EveryMethod : public ::testing::TestWithParam<const Method*> {
 protected:
  [[nodiscard]] bool is_high() const { return GetParam()->order > 6; }
};

// Step sizes are in the range in which the leading error term dominates: errors below 1e-7, well above rounding.
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

}  // namespace method_order_test
}  // namespace vinculum::order_test
