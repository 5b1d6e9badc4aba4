#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "support/tape_model.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/vinculum.hpp"

namespace vinculum {
namespace equilibrium_test {

State found(const Model& model, const EquilibriumOptions& options = {}) {
  const auto state = model.equilibrium(options);
  EXPECT_TRUE(state) << state.error().text();
  return state ? *state : State();
}

constexpr const char* kSprungRod = R"(model rod
frame N newtonian
point O fixed in N
param m = 2 [kg], l = 0.5 [m], k = 40 [N/m], g = 9.81 [m/s^2]
coord x, y [m]
particle P mass m at O + x*N.x + y*N.y
point A = O + 0.8 [m]*N.x
gravity -g*N.y
spring P A stiffness k length 0.1 [m]
constraint rod: norm(pos(P, O)) = l
start x = 0.1 [m], y ~ -0.4 [m], x' = 0.3
run 1 [s]
)";

TEST(Equilibrium, MeetsTheConstraintsAndBalancesTheForces) {
  const Model model = test_support::tape_model(kSprungRod);
  const State state = found(model);
  EXPECT_NEAR(std::hypot(state.q[0], state.q[1]), 0.5, tolerance::kZero);
  for (const double speed : state.u) EXPECT_LT(std::abs(speed), tolerance::kZero);
  // moment about O of weight and spring
  const double dx = 0.8 - state.q[0], dy = -state.q[1], length = std::hypot(dx, dy);
  const double tension = 40.0 * (length - 0.1);
  const double moment = state.q[0] * (tension * dy / length - 2.0 * 9.81) - state.q[1] * tension * dx / length;
  EXPECT_NEAR(moment, 0.0, tolerance::kUnique);
  LinearizeOptions there;
  there.state = state;
  EXPECT_EQ(model.linearize(there)->reference, "equilibrium");
}

TEST(Equilibrium, FindsTheBeadOnATurningHoop) {
  // cos a = g/(r rate²); ω² = rate² sin² a
  const Model model = test_support::tape_model(R"(model hoop
frame N newtonian
point O fixed in N
param m = 0.5 [kg], r = 0.4 [m], rate = 7 [1/s], g = 9.81 [m/s^2]
coord a [rad]
frame H = N rotated rate*t about z
frame R = H rotated -a about y
particle P mass m at O - r*R.z
gravity -g*N.z
start a = 0.8
run 1 [s]
)");
  const State state = found(model);
  const double cosine = 9.81 / (0.4 * 49.0);
  EXPECT_NEAR(state.q[0], std::acos(cosine), tolerance::kIdentity);
  LinearizeOptions there;
  there.state = state;
  const auto system = model.linearize(there);
  ASSERT_TRUE(system);
  EXPECT_EQ(system->reference, "equilibrium");
  EXPECT_NEAR(std::abs(system->eigenvalues[0].imag()), 7.0 * std::sqrt(1.0 - cosine * cosine), tolerance::kUnique);
}

TEST(Equilibrium, LeavesWhatNothingDependsOnAndWhatIsHeld) {
  const std::string text =
      "model two\nparam k = 1\ncoord x, y, w\nlagrangian (x'^2 + y'^2 + w'^2)/2 - k*(x - y - 1)^2/2\n"
      "start x = 2, y = 2, w = 5\nrun 1\n";
  const Model model = test_support::tape_model(text);
  const State free = found(model);
  EXPECT_EQ(free.q[2], 5.0);
  EXPECT_NEAR(free.q[0], 2.5, tolerance::kIdentity) << "the smallest change";
  EquilibriumOptions options;
  options.hold = {"y"};
  EXPECT_NEAR(found(model, options).q[0], 3.0, tolerance::kIdentity);
  options = {};
  options.unknowns = {"y"};
  EXPECT_NEAR(found(model, options).q[1], 1.0, tolerance::kIdentity);
  EXPECT_EQ(found(model, options).q[0], 2.0);
}

TEST(Equilibrium, FindsASteadyTurnOfTheBicycle) {
  auto model = Model::load(std::string(VINCULUM_MODELS) + "/bicycle.vin");
  ASSERT_TRUE(model);
  EquilibriumOptions options;
  State near = *model->with({{"push", 0}, {"v", 5}})->assemble();
  const auto at = [&](const char* name) {
    return static_cast<std::size_t>(std::ranges::find(model->coordinates(), name, &Entity::name) -
                                    model->coordinates().begin());
  };
  near.q[at("roll")] = 0.1;
  options.near = *model->assemble(near);
  const double roll = options.near->q[at("roll")];
  options.hold = {"roll"};
  options.moving = {"x", "y", "yaw", "turn", "turn_f", "turn'"};
  const State state = found(*model, options);
  EXPECT_EQ(state.q[at("roll")], roll);
  EXPECT_GT(std::abs(state.q[at("steer")]), 0.001);
  LinearizeOptions there;
  there.state = state;
  const auto system = model->linearize(there);
  ASSERT_TRUE(system) << system.error().text();
  EXPECT_EQ(system->reference, "steady motion") << system->text();
  // a second route: the motion keeps roll, steer and the rate of yaw
  RunOptions run;
  run.start = state;
  run.until = 1.0;
  run.tolerance = tolerance::kStagnation;
  const auto motion = model->run(run);
  ASSERT_TRUE(motion);
  for (const char* name : {"roll", "steer", "yaw'", "turn'"}) {
    const auto column = motion->column(name);
    ASSERT_TRUE(column);
    EXPECT_NEAR(column->values.back(), column->values.front(), tolerance::kHalfDigits) << name;
  }
}

TEST(Equilibrium, LeavesStartsWhereTheForceIsLargest) {
  // the moment of the weight of a horizontal pendulum does not change with its angle to first order
  const State state =
      found(test_support::tape_model("model pendulum\ncoord a, w\nlagrangian (a'^2 + w'^2)/2 + cos(a)\n"
                                     "start a = pi/2, w = 7\nrun 1\n"));
  EXPECT_EQ(state.q[1], 7.0);
  EXPECT_NEAR(std::sin(state.q[0]), 0.0, tolerance::kIdentity);
}

TEST(Equilibrium, SaysWhatIsNotBalanced) {
  const auto none = test_support::tape_model("model falls\ncoord x\nlagrangian x'^2/2 - 9.81*x\nrun 1\n").equilibrium();
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().kind, "no-equilibrium");
  EXPECT_NE(none.error().message.find("the rate of `x'` is -9.81"), std::string::npos) << none.error().message;
  EquilibriumOptions wrong;
  wrong.hold = {"z"};
  EXPECT_EQ(test_support::tape_model(kSprungRod).equilibrium(wrong).error().kind, "call");
}

TEST(Equilibrium, IsDescribedWithNamesAndUnits) {
  const Model model = test_support::tape_model(kSprungRod);
  const Report report = model.describe_state(found(model));
  EXPECT_NE(report.text().find("x'"), std::string::npos);
  EXPECT_NE(report.json().find("\"coordinates\": {"), std::string::npos);
}

}  // namespace equilibrium_test
}  // namespace vinculum
