#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <fstream>
#include <numbers>
#include <sstream>
#include <string>
#include <vector>

#include "support/tape_model.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/vinculum.hpp"

namespace vinculum {
namespace periodic_test {

using Complex = std::complex<double>;
constexpr double kPi = std::numbers::pi;

PeriodicMotion followed(const Model& model, const PeriodicOptions& options) {
  auto motion = model.periodic_motion(options);
  EXPECT_TRUE(motion) << motion.error().text();
  return motion ? *std::move(motion) : PeriodicMotion();
}
Error refused(const Model& model, const PeriodicOptions& options) {
  const auto motion = model.periodic_motion(options);
  EXPECT_FALSE(motion);
  return motion ? Error() : motion.error();
}
std::vector<std::string> names(const std::vector<Entity>& entities) {
  std::vector<std::string> all;
  for (const Entity& one : entities) all.push_back(one.name);
  return all;
}

/// Pendulum whose support moves vertically: θ'' + (a + 2 q cos 2τ) sin θ = 0 with τ = rate t/2.
constexpr const char* kMovingSupport = R"(model moving_support
frame N newtonian
point O fixed in N
param a = 1, q = 0.2, rate = 2 [rad/s], l = 0.7 [m], m = 1.3 [kg], damping = 0
COORDINATES
point S = O - l*q/2*cos(rate*t)*N.y
particle P mass m at POSITION
gravity -a*l*rate^2/4*N.y
force on P = -damping*rate*m*(vel(P) - vel(S))
MORE
run 1 [s]
)";

std::string replaced(std::string text, const std::string& word, const std::string& by) {
  return text.replace(text.find(word), word.size(), by);
}
std::string with_angle() {
  std::string text = replaced(kMovingSupport, "COORDINATES", "coord th [rad]");
  text = replaced(text, "POSITION", "S + l*sin(th)*N.x - l*cos(th)*N.y");
  return replaced(text, "MORE", "start th = 0, th' = 0");
}
std::string in_cartesian() {
  std::string text = replaced(kMovingSupport, "COORDINATES", "coord x, y [m]");
  text = replaced(text, "POSITION", "O + x*N.x + y*N.y");
  return replaced(text, "MORE",
                  "constraint rod: dot(pos(P, S), pos(P, S)) = l^2\n"
                  "start x = 0, y ~ -l*(1 + q/2), x' = 0");
}

TEST(Periodic, FindsTheBoundariesOfTheTonguesOfMathieu) {
  // characteristic values of Mathieu's equation: SciPy 1.17, special.mathieu_a and mathieu_b
  std::ifstream file(std::string(VINCULUM_SOURCE) + "/tests/reference/mathieu_boundaries.csv");
  const Model model = test_support::tape_model(with_angle());
  int boundaries = 0;
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::istringstream stream(line);
    double q = 0.0, lower = 0.0, upper = 0.0;
    char comma = 0;
    stream >> q;
    while (stream >> comma >> lower >> comma >> upper) {
      const double away = std::min(0.01, 0.02 * (upper - lower));
      const auto stability = [&](double a) {
        return followed(*model.with({{"a", a}, {"q", q}}), {.period = kPi}).stability;
      };
      EXPECT_EQ(stability(lower - away), "undecided") << q << " " << lower;
      EXPECT_EQ(stability(lower + away), "unstable") << q << " " << lower;
      EXPECT_EQ(stability(upper - away), "unstable") << q << " " << upper;
      EXPECT_EQ(stability(upper + away), "undecided") << q << " " << upper;
      boundaries += 2;
    }
  }
  EXPECT_EQ(boundaries, 24);
}

TEST(Periodic, HasADoubleMultiplierOnABoundary) {
  // at a = b1(q) the solution of period 2π exists: two multipliers −1
  const PeriodicMotion motion =
      followed(*test_support::tape_model(with_angle()).with({{"a", -0.73326515324347}, {"q", 1.5}}), {.period = kPi});
  ASSERT_EQ(motion.multipliers.size(), 2u);
  EXPECT_NEAR(motion.M(0, 0) + motion.M(1, 1), -2.0, tolerance::kHalfDigits);
  // after two periods they are 1
  const PeriodicMotion twice = followed(
      *test_support::tape_model(with_angle()).with({{"a", -0.73326515324347}, {"q", 1.5}}), {.period = 2.0 * kPi});
  EXPECT_EQ(twice.multipliers.size(), 0u) << twice.text();
  ASSERT_EQ(twice.ones.size(), 2u);
  EXPECT_EQ(twice.ones[0].why, "family");
  EXPECT_EQ(twice.ones[1].why, "drift");
  EXPECT_EQ(twice.stability, "undecided");
}

TEST(Periodic, IsTheSameInCartesianCoordinatesWithAConstraint) {
  for (const double damping : {0.0, 0.15}) {
    const Values values{{"a", 0.9}, {"q", 0.7}, {"damping", damping}};
    const PeriodicMotion angle = followed(*test_support::tape_model(with_angle()).with(values), {.period = kPi});
    const PeriodicMotion cartesian = followed(*test_support::tape_model(in_cartesian()).with(values), {.period = kPi});
    ASSERT_EQ(angle.multipliers.size(), 2u);
    ASSERT_EQ(cartesian.multipliers.size(), 2u);
    EXPECT_EQ(names(cartesian.variables), (std::vector<std::string>{"x", "x'"}));
    for (std::size_t k = 0; k < 2; ++k)
      EXPECT_LT(std::abs(angle.multipliers[k] - cartesian.multipliers[k]), tolerance::kConditioned);
    // Liouville: the product of the multipliers is exp(−∫ trace)
    EXPECT_NEAR(std::abs(angle.multipliers[0] * angle.multipliers[1]), std::exp(-damping * 2.0 * kPi),
                tolerance::kConditioned);
  }
}

constexpr const char* kVanDerPol = R"(model van_der_pol
param mu = 1
coord x
lagrangian x'^2/2 - x^2/2
generalized force on x = mu*(1 - x^2)*x'
start x = 2, x' = 0
run 1
)";

/// x after `time`, from a start at (x, v).
State moved(const Model& model, double x, double v, double time) {
  const auto motion =
      model.run({.start = State{0.0, {x}, {v}, {}}, .until = time, .tolerance = tolerance::kConverged, .at = {time}});
  EXPECT_TRUE(motion && motion->stopped() == nullptr);
  return motion->at(time)->state;
}

TEST(Periodic, FindsTheLimitCycleOfVanDerPol) {
  const Model model = test_support::tape_model(kVanDerPol);
  const PeriodicMotion motion = followed(model, {.period = 6.5, .search = true});
  EXPECT_NEAR(motion.period, 6.6632868593231301, tolerance::kConditioned) << "Andersen & Geer 1982";
  EXPECT_TRUE(motion.has_trivial);
  EXPECT_TRUE(motion.ones.empty());
  EXPECT_EQ(motion.stability, "stable");
  EXPECT_LT(motion.distance, tolerance::kConditioned);
  ASSERT_EQ(motion.multipliers.size(), 1u);
  // Liouville: the exponent is the mean of the trace mu (1 − x²); the rule of rectangles is exact for periodic
  // functions
  constexpr int kSamples = 400;
  RunOptions options{.start = motion.state, .until = motion.period, .tolerance = tolerance::kConverged};
  for (int k = 0; k < kSamples; ++k) options.at.push_back(motion.period * k / kSamples);
  const auto run = model.run(options);
  ASSERT_TRUE(run);
  double trace = 0.0;
  for (const double time : options.at) trace += (1.0 - std::pow(run->at(time)->state.q[0], 2)) / kSamples;
  EXPECT_NEAR(motion.exponents[0].real(), trace, tolerance::kHalfDigits);
  // M against differences of motions from neighboring starts
  constexpr double h = 1e-4;
  const double x = motion.state.q[0], v = motion.state.u[0];
  for (int j = 0; j < 2; ++j) {
    const double dx = j == 0 ? h : 0.0, dv = j == 1 ? h : 0.0;
    const State up = moved(model, x + dx, v + dv, motion.period), down = moved(model, x - dx, v - dv, motion.period);
    EXPECT_NEAR(motion.M(0, j), (up.q[0] - down.q[0]) / (2.0 * h), tolerance::kRoot);
    EXPECT_NEAR(motion.M(1, j), (up.u[0] - down.u[0]) / (2.0 * h), tolerance::kRoot);
  }
  const PeriodicMotion again = followed(model, {.period = motion.period, .state = motion.state});
  EXPECT_LT(std::abs(again.multipliers[0] - motion.multipliers[0]), tolerance::kConditioned);
}

TEST(Periodic, CountsTheTwoMultipliersOfAConservativeOrbit) {
  const Model model = test_support::tape_model(R"(model pendulum
coord th [rad]
param J = 1 [kg*m^2], k = 4 [N*m]
lagrangian J*th'^2/2 + k*cos(th)
start th = 1, th' = 0
run 1 [s]
)");
  // period 4 K(sin(1/2))/2
  const PeriodicMotion motion = followed(model, {.period = 2.0 * std::comp_ellint_1(std::sin(0.5))});
  EXPECT_TRUE(motion.has_trivial);
  EXPECT_TRUE(motion.multipliers.empty());
  ASSERT_EQ(motion.ones.size(), 1u);
  EXPECT_EQ(motion.ones[0].why, "drift") << "neighboring orbits have other periods";
  EXPECT_EQ(motion.stability, "undecided");
  // above the separatrix th turns once per period
  const PeriodicMotion turning =
      followed(model, {.period = 1.3, .state = State{0.0, {0.0}, {5.0}, {}}, .search = true});
  EXPECT_EQ(names(turning.advanced), (std::vector<std::string>{"th"}));
  EXPECT_TRUE(turning.has_trivial);
}

TEST(Periodic, FollowsARollingDiskWhosePlaceAndHeadingAdvance) {
  const Model model = test_support::tape_model(R"(model disk
frame N newtonian
point O fixed in N
param m = 1 [kg], r = 0.5 [m], g = 9.81 [m/s^2]
coord x, y, z [m], yaw, lean, spin [rad]
frame A = N rotated yaw about z
frame L = A rotated lean about x
frame D = L rotated spin about y
body wheel frame D mass m inertia (m*r^2/4, m*r^2/2, m*r^2/4) at O + x*N.x + y*N.y + z*N.z
speed u1 = dot(omega(D), L.x) [rad/s], u2 = dot(omega(D), L.y) [rad/s], u3 = dot(omega(D), L.z) [rad/s]
gravity -g*N.z
point contact on wheel = center(wheel) - r*L.z
constraint roll: vel(contact) = 0 along A.x, A.y, N.z
start lean = 0.3, z = r*cos(0.3), u1 = 0, u3 = 0.5, u2 = 3.8, x' ~ 0, y' ~ 0, z' ~ 0
run 1 [s]
)");
  const PeriodicMotion motion = followed(model, {.period = 1.0, .search = true});
  EXPECT_EQ(names(motion.advanced), (std::vector<std::string>{"x", "y", "yaw", "spin"}));
  // integrable: lean, u1, u2, u3 oscillate in a family of two parameters, and the other coordinates are ignorable
  EXPECT_TRUE(motion.multipliers.empty()) << motion.text();
  EXPECT_TRUE(motion.has_trivial);
  const auto count = [&](const std::string& why) {
    return std::ranges::count(motion.ones, why, &Linearization::Zero::why);
  };
  EXPECT_EQ(count("ignorable"), 5);
  EXPECT_EQ(count("family"), 2);
  EXPECT_EQ(count("drift"), 1);
}

TEST(Periodic, FindsTheForcedMotionOfADampedOscillator) {
  // x'' + 2 d x' + x = cos(w t): the periodic motion is known, and the multipliers are exp(λ T)
  const Model model = test_support::tape_model(R"(model forced
param d = 0.1, w = 1.7 [rad/s], m = 1 [kg], k = 1 [N/m], c = 2*d*1 [N*s/m], F = 1 [N]
coord x [m]
lagrangian m*x'^2/2 - k*x^2/2
generalized force on x = -c*x' + F*cos(w*t)
start x = 0, x' = 0
run 1 [s]
)");
  const double d = 0.1, w = 1.7, T = 2.0 * kPi / w;
  const PeriodicMotion motion = followed(model, {.period = T, .search = true});
  const Complex amplitude = 1.0 / Complex(1.0 - w * w, 2.0 * d * w);
  EXPECT_EQ(motion.period, T) << "the period of the force is given";
  EXPECT_NEAR(motion.state.q[0], amplitude.real(), tolerance::kConditioned);
  EXPECT_NEAR(motion.state.u[0], (Complex(0.0, w) * amplitude).real(), tolerance::kConditioned);
  EXPECT_FALSE(motion.has_trivial);
  EXPECT_EQ(motion.stability, "stable");
  ASSERT_EQ(motion.multipliers.size(), 2u);
  const Complex exact = std::exp(Complex(-d, std::sqrt(1.0 - d * d)) * T);
  EXPECT_LT(std::min(std::abs(motion.multipliers[0] - exact), std::abs(motion.multipliers[1] - exact)),
            tolerance::kConditioned);
}

TEST(Periodic, RefusesMotionsThatDoNotRecur) {
  const Error late = refused(test_support::tape_model(kVanDerPol), {.period = 6.5});
  EXPECT_EQ(late.kind, "not-periodic");
  EXPECT_NE(late.message.find("after 6.5 s"), std::string::npos) << late.message;
  const Error other = refused(test_support::tape_model(with_angle()), {.period = 3.0});
  EXPECT_EQ(other.kind, "not-periodic") << "the state at rest recurs, but not the motion of the support";
  EXPECT_NE(other.message.find("the equations"), std::string::npos) << other.message;
  EXPECT_EQ(refused(test_support::tape_model(kVanDerPol), {.period = 0.0}).kind, "call");
  EXPECT_EQ(refused(test_support::tape_model(kVanDerPol), {.period = 1.0, .tolerance = 1.0}).kind, "call");
  const Error bounce = refused(test_support::tape_model(R"(model bounce
coord h [m]
param g = 9.81 [m/s^2], m = 1 [kg]
lagrangian m*h'^2/2 - m*g*h
constraint floor: h >= 0
    restitution 1
start h = 1, h' = 0
run 1 [s]
)"),
                               {.period = 0.9030471});
  EXPECT_EQ(bounce.kind, "not-linear");
  EXPECT_NE(bounce.message.find("an event"), std::string::npos) << bounce.message;
}

TEST(Periodic, RefusesVelocitiesThatTurn) {
  // a blade on a circle: the speeds x', y' of the blade turn, and no other speeds are stated
  const std::string text = R"(model blade
coord x, y [m], th [rad]
param m = 1 [kg], J = 1 [kg*m^2]
lagrangian m/2*(x'^2 + y'^2) + J/2*th'^2
constraint blade: sin(th)*x' - cos(th)*y' = 0
start x = 0, y = 0, th = 0, x' = 1, th' = 2
run 1 [s]
)";
  EXPECT_EQ(refused(test_support::tape_model(text), {.period = 0.3}).kind, "not-periodic");
  EXPECT_EQ(names(followed(test_support::tape_model(text), {.period = kPi}).advanced), (std::vector<std::string>{"th"}))
      << "the circle closes after a whole turn";
}

TEST(Periodic, RefusesSpeedsThatGrow) {
  const Error falls =
      refused(test_support::tape_model("model falls\ncoord x\nlagrangian x'^2/2 - x\nstart x = 0, x' = 0\nrun 1\n"),
              {.period = 1.0});
  EXPECT_EQ(falls.kind, "not-periodic");
}

TEST(Periodic, ComparesTheStatesOfAModelWithoutVariables) {
  const Model model = test_support::tape_model(R"(model prescribed
coord x [m]
param m = 1 [kg]
lagrangian m*x'^2/2
constraint drive: x = 1 [m]*sin(2 [rad/s]*t)
run 1 [s]
)");
  EXPECT_EQ(refused(model, {.period = 1.0}).kind, "not-periodic");
  EXPECT_TRUE(followed(model, {.period = kPi}).variables.empty());
}

TEST(Periodic, DoesNotTakeAnEquilibriumForAnOrbit) {
  const Error rest = refused(test_support::tape_model(R"(model damped
coord x
lagrangian x'^2/2 - x^2/2
generalized force on x = -x'
start x = 0.1, x' = 0
run 1
)"),
                             {.period = 6.0, .search = true});
  EXPECT_EQ(rest.kind, "not-periodic");
  EXPECT_NE(rest.message.find("ended at an equilibrium"), std::string::npos) << rest.message;
}

}  // namespace periodic_test
}  // namespace vinculum
