#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "vinculum/vinculum.hpp"

// Loads of constraints along a run, compared with closed forms.
namespace vinculum::loads_test {
namespace {

Model of(const std::string& text) {
  return Model::from_text(text, {.backend = Backend::kTape, .cache = ""}, "loads.vin").value();
}

const Load& find(const Loads& loads, std::string_view constraint, std::string_view on) {
  return *std::ranges::find_if(loads.all,
                               [&](const Load& one) { return one.constraint == constraint && one.on == on; });
}

/// A pendulum that falls from the horizontal. At the angle φ below the horizontal the tension is 3 m g sin φ. The peak
/// 3 m g is at the bottom, after √(l/g) K(1/√2), with the complete elliptic integral K(1/√2) = Γ(1/4)²/(4 √π).
constexpr const char* kPendulum = R"(model pendulum
frame N newtonian
point O fixed in N
param m = 2 [kg], g = 10 [m/s^2], l = 1 [m]
coord x, y [m]
particle P mass m at O + x*N.x + y*N.y
gravity -g*N.y
constraint rod: norm(pos(P, O)) - l = 0
start x = l, y ~ 0
run 1 [s] step 0.25 [s] tolerance 1e-12
)";

TEST(Loads, FindThePeakBetweenSamples) {
  const Trajectory run = of(kPendulum).run({.record = {.loads = true}}).value();
  const Loads loads = run.loads().value();
  EXPECT_EQ(loads.frame, "N");
  const Load& tension = find(loads, "rod", "P");
  EXPECT_EQ(tension.kind, "force");
  const double gamma = std::tgamma(0.25);
  const double quarter = std::sqrt(0.1) * gamma * gamma / (4.0 * std::sqrt(std::numbers::pi));
  EXPECT_NEAR(tension.t, quarter, 1e-4);
  EXPECT_NEAR(tension.peak, 60.0, 1e-6);
  EXPECT_NEAR(tension.at_peak[1], 60.0, 1e-6);
  EXPECT_NEAR(tension.largest[1], 60.0, 1e-6);
  EXPECT_NEAR(tension.at_peak[0], 0.0, 0.02);
  EXPECT_TRUE(tension.is_unique);
  EXPECT_NEAR(tension.pose.q[0], 0.0, 0.1);
  // The mean force is the change of momentum: m (v(1) - v(0)) + m g.
  const std::span<const double> u = run.u().row(run.u().rows - 1);
  EXPECT_NEAR(tension.mean_vector[0], 2.0 * u[0], 1e-7);
  EXPECT_NEAR(tension.mean_vector[1], 2.0 * u[1] + 20.0, 1e-7);
  EXPECT_GE(tension.rms, tension.mean);
}

/// A rotor with its center of mass off the axis, at constant speed: the bearing carries m r ω², fixed in the rotor.
TEST(Loads, HaveComponentsInAFrame) {
  const Model model = of(R"(model rotor
frame N newtonian
point O fixed in N
param m = 3 [kg], r = 0.1 [m], w = 20 [rad/s], turn = 0.3141592653589793 [s]
coord x, y [m], q [rad]
frame B = N rotated q about z
body rotor frame B mass m inertia (1, 1, 1) [kg*m^2] at O + x*N.x + y*N.y
point hub = rotor - r*B.x
constraint bearing: pos(hub, O) = 0 along N.x, N.y
start q = 0, q' = w, x = r, y = 0
run turn tolerance 1e-12
)");
  const double force = 3.0 * 0.1 * 20.0 * 20.0;
  const Load fixed = find(model.run({.record = {.loads = true}}).value().loads().value(), "bearing", "hub");
  EXPECT_NEAR(fixed.peak, force, 1e-6);
  EXPECT_NEAR(fixed.rms, force, 1e-6);
  EXPECT_NEAR(fixed.mean, force, 1e-6);
  EXPECT_NEAR(fixed.mean_vector[0], 0.0, 1e-6);
  EXPECT_NEAR(fixed.largest[1], force, 1e-6);
  EXPECT_NEAR(fixed.least[1], -force, 1e-6);
  const Loads turning = model.run({.record = {.loads = true, .loads_in = "B"}}).value().loads().value();
  EXPECT_EQ(turning.frame, "B");
  const Load& of_rotor = find(turning, "bearing", "hub");
  EXPECT_NEAR(of_rotor.mean_vector[0], -force, 1e-6);
  EXPECT_NEAR(of_rotor.least[0], -force, 1e-6);
  EXPECT_NEAR(of_rotor.largest[0], -force, 1e-6);
  EXPECT_NEAR(of_rotor.largest[1], 0.0, 1e-6);
}

/// A weight on a support, on which a load is placed at t = 0.4 s: the force jumps at an event.
TEST(Loads, SeeBothSidesOfAJump) {
  const Model model = of(R"(model support
frame N newtonian
point O fixed in N
param m = 1 [kg], g = 10 [m/s^2], F = 20 [N]
coord x, y [m]
particle P mass m at O + x*N.x + y*N.y
gravity -g*N.y
force on P = -(0 [N] if t < 0.4 [s] else F)*N.y
constraint support: dot(pos(P, O), N.y) = 0
start x = 0, y = 0
run 1 [s] step 1 [s]
)");
  const Loads loads = model.run({.record = {.loads = true}}).value().loads().value();
  const Load& support = find(loads, "support", "P");
  EXPECT_NEAR(support.peak, 30.0, 1e-10);
  EXPECT_NEAR(support.least[1], 10.0, 1e-10);
  EXPECT_NEAR(support.mean, 0.4 * 10.0 + 0.6 * 30.0, 1e-9);
  EXPECT_NEAR(support.rms, std::sqrt(0.4 * 100.0 + 0.6 * 900.0), 1e-9);
  EXPECT_GE(support.t, 0.4 - 1e-9);
}

/// The force in a bearing that the coordinates hide: a pendulum with an angle as coordinate has the loads of kPendulum.
TEST(Loads, IncludeRevealedForces) {
  const Model model = of(R"(model hidden
frame N newtonian
point O fixed in N
param m = 2 [kg], g = 10 [m/s^2], l = 1 [m]
coord q [rad]
frame B = N rotated q about z
particle P mass m at O + l*B.x
gravity -g*N.y
reveal bearing: force on P along B.x, B.y
start q = 0
run 1 [s] step 0.25 [s] tolerance 1e-12
)");
  const Load bearing = find(model.run({.record = {.loads = true}}).value().loads().value(), "bearing", "P");
  EXPECT_NEAR(bearing.peak, 60.0, 1e-6);
  EXPECT_NEAR(bearing.at_peak[0], -60.0, 1e-6);
  EXPECT_EQ(bearing.at_peak[2], 0.0);
  EXPECT_EQ(bearing.frame, "");
}

TEST(Loads, AreMarkedIfNotUnique) {
  const Model model = of(R"(model twice
frame N newtonian
point O fixed in N
coord x, y [m]
particle P mass 1 [kg] at O + x*N.x + y*N.y
gravity -10 [m/s^2]*N.y
constraint one: dot(pos(P, O), N.y) = 0
constraint two: 2*dot(pos(P, O), N.y) = 0
constraint across: dot(pos(P, O), N.x) = 0
start x = 0, y = 0
run 1 [s]
)");
  const Loads loads = model.run({.record = {.loads = true}}).value().loads().value();
  EXPECT_FALSE(find(loads, "one", "P").is_unique);
  EXPECT_TRUE(find(loads, "across", "P").is_unique);
}

TEST(Loads, NameWhatIsWrong) {
  const Model model = of(kPendulum);
  EXPECT_NE(model.run().value().loads().error().text().find("record.loads"), std::string::npos);
  const auto unknown = model.run({.record = {.loads = true, .loads_in = "M"}});
  ASSERT_FALSE(unknown);
  EXPECT_NE(unknown.error().text().find("no frame `M`"), std::string::npos) << unknown.error().text();
}

}  // namespace
}  // namespace vinculum::loads_test
