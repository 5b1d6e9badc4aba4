#include <gtest/gtest.h>

#include "orders_of_method.hpp"
#include "support/models.hpp"
#include "vinculum/integrate/tableau.hpp"
#include "vinculum/run/simulate.hpp"

/// An integration method that the library does not contain: its coefficients are given here, and its table is passed
/// as an argument.
namespace vinculum::order_test {
namespace handed_method_test {

/// Pair 3(2) with cubic Hermite output. Source: Bogacki & Shampine, Appl. Math. Lett. 2 (1989) 321-325.
constexpr integrate::Tableau<3, 0, 1, 0> kBogackiShampine = {
    .c = {0.0, 0.5, 0.75, 1.0},
    .a = {{{}, {0.5}, {0.0, 0.75}, {2.0 / 9.0, 1.0 / 3.0, 4.0 / 9.0}}},
    .e = {{{2.0 / 9.0 - 7.0 / 24.0, 1.0 / 3.0 - 0.25, 4.0 / 9.0 - 1.0 / 3.0, -0.125}}},
    .d = {},
};
constexpr int kEmbedded2[] = {2};
constexpr Method kHanded[] = {
    {"bs3", "Bogacki & Shampine 1989", 3, 3, &integrate::make_explicit_stepper,
     integrate::runge_kutta<kBogackiShampine>(kEmbedded2, 3, 0.7 / 3.0, 0.4 / 3.0, 2.5)},
};

constexpr const char* kPendulum =
    "model pendulum\n"
    "coord x, y\n"
    "frame N newtonian\n"
    "point O fixed in N\n"
    "particle P mass 1 at O + x*N.x + y*N.y\n"
    "gravity -9.81*N.y\n"
    "constraint rod: x^2 + y^2 = 1\n"
    "start x = 1, y = 0, x' = 0, y' = 0\n"
    "run 1 tolerance 1e-7 method bs3\n";

TEST(MethodHandedOver, HasTheOrderThatItsRowStates) {
  EXPECT_NEAR(order_at_nodes(kHanded[0], kepler(), kepler_at, 0.01), 3.0, 0.2);
  EXPECT_NEAR(order_at_nodes(kHanded[0], growth(), growth_at, 0.01), 3.0, 0.2);
  EXPECT_NEAR(order_inside_a_step(kHanded[0], kepler(), kepler_at, 0.02), 4.0, 0.2);
}

TEST(MethodHandedOver, IsUnderstoodInTheTextOfAModelAndRunsIt) {
  const auto model = test_support::model_of_text(kPendulum, "pendulum.vin", kHanded);
  EXPECT_EQ(model->run->method, "bs3");
  sim::Dynamics dynamics(test_support::compiled(model));
  sim::SimulateOptions options = sim::options_of(*model);
  options.methods = kHanded;
  const sim::Trajectory by_hand = sim::simulate(dynamics, options);
  ASSERT_FALSE(by_hand.stopped) << by_hand.stopped->message;
  options.methods = integrate::method_table();
  options.method = "dop853";
  options.tolerance = 1e-12;
  const sim::Trajectory exact = sim::simulate(dynamics, options);
  EXPECT_LT((by_hand.end().q - exact.end().q).norm(), 1e-5);
  EXPECT_LT(by_hand.worst_residual[0], 1e-14);
  EXPECT_GT(by_hand.statistics.steps, 2 * exact.statistics.steps);
}

TEST(MethodHandedOver, IsUnknownToAnotherTable) {
  try {
    (void)test_support::model_of_text(kPendulum);
    FAIL() << "`bs3` is no method of the program";
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find("unknown method `bs3`"), std::string::npos) << error.what();
  }
}

}  // namespace handed_method_test
}  // namespace vinculum::order_test
