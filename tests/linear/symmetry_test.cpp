#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <fstream>
#include <iterator>
#include <span>
#include <string>

#include "support/tape_model.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/vinculum.hpp"

namespace vinculum {
namespace symmetry_test {

using Complex = std::complex<double>;

Linearization linearized(const Model& model, const std::optional<State>& state = {}) {
  auto system = model.linearize({.state = state});
  EXPECT_TRUE(system) << system.error().text();
  return *std::move(system);
}
double miss(const Linearization& system, Complex value) {
  double best = INFINITY;
  for (const Complex one : system.eigenvalues) best = std::min(best, std::abs(one - value));
  return best / std::max(1.0, std::abs(value));
}

/// A pendulum on a cone, in Cartesian coordinates and in angles.
constexpr const char* kCartesian = R"(model conical_pendulum
frame N newtonian
point O fixed in N
param m = 1.4 [kg], l = 1.5 [m], g = 9.81 [m/s^2], h = 0.9 [m], w = sqrt(g/h), side = 0
coord x, y, z [m]
particle P mass m at O + x*N.x + y*N.y + z*N.z
gravity -g*N.z
force on P = side*m*g*N.x
constraint rod: dot(pos(P, O), pos(P, O)) = l^2
start x = sqrt(l^2 - h^2)*cos(0.7), y = sqrt(l^2 - h^2)*sin(0.7), z ~ -h
start x' = -sqrt(l^2 - h^2)*sin(0.7)*w, y' = sqrt(l^2 - h^2)*cos(0.7)*w, z' ~ 0
run 1 [s]
)";
constexpr const char* kAngles = R"(model conical_pendulum
param m = 1.4 [kg], l = 1.5 [m], g = 9.81 [m/s^2], h = 0.9 [m], w = sqrt(g/h)
coord th, ph [rad]
lagrangian m*l^2/2*(th'^2 + sin(th)^2*ph'^2) + m*g*l*cos(th)
start th = acos(h/l), ph = 0.7, th' = 0, ph' = w
run 1 [s]
)";

TEST(Symmetry, MakesTheConicalPendulumSteadyInCartesianCoordinates) {
  const Linearization cartesian = linearized(test_support::tape_model(kCartesian)),
                      angles = linearized(test_support::tape_model(kAngles));
  EXPECT_EQ(cartesian.reference, "steady motion");
  EXPECT_EQ(angles.reference, "steady motion");
  EXPECT_EQ(cartesian.S.rows, 6);
  EXPECT_EQ(angles.S.rows, 0) << "ph is ignorable";
  // frequency of small oscillations: w sqrt(1 + 3 cos²)
  const double frequency = std::sqrt(9.81 / 0.9 * (1.0 + 3.0 * 0.36));
  ASSERT_EQ(cartesian.eigenvalues.size(), 2u);
  ASSERT_EQ(angles.eigenvalues.size(), 2u);
  EXPECT_LT(miss(angles, {0.0, frequency}), tolerance::kIdentity);
  EXPECT_LT(miss(cartesian, {0.0, frequency}), tolerance::kIdentity);
  EXPECT_EQ(cartesian.zeros.size(), 2u);
  EXPECT_EQ(cartesian.stability, "undecided");
  EXPECT_NE(cartesian.text().find("along a symmetry of the equations"), std::string::npos) << cartesian.text();
}

TEST(Symmetry, IsAbsentIfALoadSinglesOutADirection) {
  const Linearization system = linearized(*test_support::tape_model(kCartesian).with({{"side", 0.2}}));
  EXPECT_EQ(system.reference, "motion");
  EXPECT_EQ(system.S.rows, 0);
}

TEST(Symmetry, IsNotTakenForSteadyIfTheStateLeavesIt) {
  const Linearization system = linearized(*test_support::tape_model(kCartesian).with({{"w", 3.0}}));
  EXPECT_EQ(system.reference, "motion") << "the cone needs another speed";
}

TEST(Symmetry, FindsTheSteadyMotionThatKeepsAHeight) {
  const Model model = test_support::tape_model(kCartesian);
  State near = *model.with({{"w", 3.0}})->assemble();
  const auto state = model.equilibrium({.near = near, .hold = {"z"}, .steady = true});
  ASSERT_TRUE(state) << state.error().text();
  EXPECT_EQ(state->q[2], near.q[2]);
  const double speed = std::hypot(state->u[0], state->u[1]), radius = std::hypot(state->q[0], state->q[1]);
  EXPECT_NEAR(speed / radius, std::sqrt(9.81 / 0.9), tolerance::kConditioned);
  EXPECT_NEAR(state->u[2], 0.0, tolerance::kConditioned);
  const Linearization system = linearized(model, *state);
  EXPECT_EQ(system.reference, "steady motion");
  EXPECT_LT(miss(system, {0.0, std::sqrt(9.81 / 0.9 * (1.0 + 3.0 * 0.36))}), tolerance::kConditioned);
}

/// A satellite on a circle about a fixed center of attraction, in the plane.
TEST(Symmetry, FindsTheMultipleEigenvalueOfACircularOrbit) {
  const Model model = test_support::tape_model(R"(model orbit
param m = 1 [kg], k = 8 [N*m^2], r = 2 [m]
coord x, y [m]
lagrangian m*(x'^2 + y'^2)/2 + k/sqrt(x^2 + y^2)
start x = r, y = 0, x' = 0, y' = sqrt(k/(m*r))
run 1 [s]
)");
  const Linearization system = linearized(model);
  EXPECT_EQ(system.reference, "steady motion");
  ASSERT_EQ(system.eigenvalues.size(), 2u);
  EXPECT_LT(miss(system, {0.0, 1.0}), tolerance::kIdentity) << "the period of Kepler's orbits is the one of the circle";
  EXPECT_EQ(system.zeros.size(), 2u);
}

TEST(Symmetry, HasUnstableCirclesUnderASteepAttraction) {
  // attraction k/r^n: κ² = (3 − n) w², here n = 4
  const Model model = test_support::tape_model(R"(model steep
param m = 1 [kg], k = 1 [N*m^4], r = 1 [m]
coord x, y [m]
lagrangian m*(x'^2 + y'^2)/2 + k/(3*(x^2 + y^2)^(3/2))
start x = 0, y = r, x' = sqrt(k/(m*r^3)), y' = 0
run 1 [s]
)");
  const Linearization system = linearized(model);
  EXPECT_EQ(system.reference, "steady motion");
  EXPECT_EQ(system.stability, "unstable");
  EXPECT_LT(miss(system, {1.0, 0.0}), tolerance::kIdentity);
}

TEST(Symmetry, FindsNoSteadyMotionWithoutSymmetry) {
  const Model model = test_support::tape_model(R"(model runaway
coord x
lagrangian x'^2/2 + x^4/4 + x^2
generalized force on x = 1
start x = 1, x' = 0
run 1
)");
  const auto state = model.equilibrium({.hold = {"x"}, .steady = true});
  ASSERT_FALSE(state);
  EXPECT_EQ(state.error().kind, "no-equilibrium");
}

/// The benchmark bicycle, whose wheels touch the ground at position level too: the gaps of the start are not arbitrary.
Model bicycle_on_the_ground() {
  std::ifstream file(std::string(VINCULUM_MODELS) + "/bicycle.vin");
  std::string text(std::istreambuf_iterator<char>(file), {});
  text.insert(
      text.find("output ground ="),
      "constraint gap_rear: dot(pos(Q, O), N.z) = 0 [m]\nconstraint gap_front: dot(pos(Qf, O), N.z) = 0 [m]\n\n");
  return test_support::tape_model(text.substr(0, text.find("# an independent solution")));
}

TEST(Symmetry, FindsHandsFreeTurnsOfABicycleAtTheCapsizeSpeed) {
  const Model model = *bicycle_on_the_ground().with({{"push", 0}, {"v", 6}});
  const auto index = [](std::span<const Entity> all, const char* name) {
    return static_cast<std::size_t>(std::ranges::find(all, name, &Entity::name) - all.begin());
  };
  const std::size_t roll = index(model.coordinates(), "roll"), steer = index(model.coordinates(), "steer");
  const std::size_t turn = index(model.speeds(), "turn'"), yaw = index(model.speeds(), "yaw'");
  const auto turning = [&](double lean, const EquilibriumOptions& how) {
    State near = *model.assemble();
    near.q[roll] = lean;
    EquilibriumOptions options = how;
    options.near = *model.assemble(near);
    const auto state = model.equilibrium(options);
    EXPECT_TRUE(state) << state.error().text();
    return *state;
  };
  // a turn with a small lean begins where the straight motion loses its stability: 6.024262 m/s, tan(lean) = v w/g
  const State slight = turning(0.001, {.hold = {"roll"}, .steady = true});
  const double speed = -0.3 * slight.u[turn];
  EXPECT_NEAR(speed, 6.024262015388372, 5.0 * slight.q[roll] * slight.q[roll]);
  EXPECT_NEAR(speed * slight.u[yaw] / 9.81, slight.q[roll], 0.05 * slight.q[roll]) << "the wheels add some percent";
  // with more lean: two searches, and the motion keeps lean, steer and the rate of yaw
  const State turned = turning(0.1, {.hold = {"roll"}, .steady = true});
  const State other = turning(0.1, {.hold = {"roll"}, .moving = {"x", "y", "yaw", "turn", "turn_f", "turn'"}});
  EXPECT_NEAR(turned.q[steer], other.q[steer], tolerance::kConditioned);
  EXPECT_NEAR(turned.u[turn], other.u[turn], tolerance::kHalfDigits);
  EXPECT_GT(std::abs(turned.q[steer]), 0.01);
  const auto run = model.run({.start = turned, .until = 1.0, .tolerance = tolerance::kStagnation, .at = {1.0}});
  ASSERT_TRUE(run);
  const State later = run->at(1.0)->state;
  EXPECT_NEAR(later.q[roll], turned.q[roll], tolerance::kHalfDigits);
  EXPECT_NEAR(later.q[steer], turned.q[steer], tolerance::kHalfDigits);
  EXPECT_NEAR(later.u[yaw], turned.u[yaw], tolerance::kHalfDigits);
  const Linearization system = linearized(model, turned);
  EXPECT_EQ(system.reference, "steady motion");
  EXPECT_EQ(system.stability, "unstable") << "slowly, by a real eigenvalue";
  EXPECT_LT(miss(system, {0.0152, 0.0}), tolerance::kWritten);
}

TEST(RootLocus, FindsTheWeaveAndCapsizeSpeedsOfTheBicycle) {
  Settings settings;
  settings.backend = Backend::kTape;
  settings.cache = "";
  const auto model = Model::load(std::string(VINCULUM_MODELS) + "/bicycle.vin", settings);
  ASSERT_TRUE(model);
  const Model straight = *model->with({{"push", 0}});
  const auto own = RootLocusOptions::parse(straight, "v=10.8 [km/h]..7:9");
  ASSERT_TRUE(own) << own.error().text();
  EXPECT_NEAR(own->values.front(), 3.0, tolerance::kZero);
  const auto locus = straight.root_locus(*own);
  ASSERT_TRUE(locus) << locus.error().text();
  ASSERT_EQ(locus->changes.size(), 2u);
  // Meijaard, Papadopoulos, Ruina & Schwab 2007
  EXPECT_NEAR(locus->changes[0].value, 4.292382536341114, tolerance::kRoot);
  EXPECT_NEAR(locus->changes[1].value, 6.024262015388372, tolerance::kRoot);
  EXPECT_FALSE(locus->changes[0].becomes_unstable);
  EXPECT_TRUE(locus->changes[1].becomes_unstable);
  EXPECT_NEAR(locus->changes[0].eigenvalue.imag(), 3.43503384866144, tolerance::kWritten);
  EXPECT_EQ(locus->changes[1].eigenvalue.imag(), 0.0);
  ASSERT_EQ(locus->modes, 4u);
  for (std::size_t i = 1; i < locus->values.size(); ++i) {
    for (std::size_t k = 0; k < 4; ++k)
      EXPECT_LT(std::abs(locus->eigenvalues[4 * i + k] - locus->eigenvalues[4 * (i - 1) + k]), 3.0) << "a mode jumps";
  }
}

TEST(RootLocus, FollowsAnEquilibrium) {
  // a bead on a turning hoop: the lowest point is stable up to w² = g/r
  const Model model = test_support::tape_model(R"(model hoop
param m = 1 [kg], r = 0.5 [m], g = 9.81 [m/s^2], w = 1 [rad/s]
coord th [rad]
lagrangian m*r^2/2*(th'^2 + w^2*sin(th)^2) + m*g*r*cos(th)
start th = 0, th' = 0
run 1 [s]
)");
  const auto locus =
      model.root_locus({.parameter = "w", .values = {1.0, 3.0, 5.0, 7.0}, .equilibrium = true, .search = {}});
  ASSERT_TRUE(locus) << locus.error().text();
  ASSERT_EQ(locus->changes.size(), 1u);
  EXPECT_NEAR(locus->changes[0].value, std::sqrt(9.81 / 0.5), tolerance::kRoot);
  EXPECT_NE(locus->text().find("becomes unstable at w = 4.42944"), std::string::npos) << locus->text();
  const auto wrong = model.root_locus({.parameter = "W", .values = {1.0, 2.0}});
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().kind, "call");
  EXPECT_FALSE(model.root_locus({.parameter = "w", .values = {1.0}}));
  EXPECT_FALSE(RootLocusOptions::parse(model, "w=1..2"));
  EXPECT_FALSE(RootLocusOptions::parse(model, "q=1..2:3"));
}

}  // namespace symmetry_test
}  // namespace vinculum
