#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "support/folder.hpp"
#include "vinculum/vinculum.hpp"

// Impulses of constraints as vectors at points, against closed forms and against the jumps of momentum and spin.
namespace vinculum::impulses_test {
namespace {

using Vector3 = Eigen::Vector3d;

Vector3 value_of(const ExertedImpulse& one) { return Eigen::Map<const Vector3>(one.impulse.value.data()); }
Vector3 place_of(const ExertedImpulse& one) { return Eigen::Map<const Vector3>(one.at.data()); }

Trajectory run_of(const std::string& text, const RunOptions& options = {}) {
  const auto model = Model::from_text(text, {.backend = Backend::kTape});
  EXPECT_TRUE(model) << model.error().text();
  return model->run(options).value();
}

/// A ball that falls straight down on an incline: the normal impulse is m (1 + e) v cos(alpha), friction mu times it.
constexpr const char* kIncline = R"(model incline
frame N newtonian
point O fixed in N
param m = 0.5 [kg], r = 0.1 [m], g = 9.81 [m/s^2], e = 0.6 [1], mu = 0.05 [1], b = 0.3
coord x, z [m], th
frame B = N rotated th about y
body ball frame B mass m inertia (0.002, 0.002, 0.002) [kg*m^2] at O + x*N.x + z*N.z
gravity -g*N.z
joint slope: contact between O of N and ball of ball surface plane axis sin(b)*N.x + cos(b)*N.z surface2 sphere(r)
    restitution e
    friction mu = mu
start x = 0, z = 0.6 [m]
run 0.4 [s] tolerance 1e-11
)";

TEST(Impulses, OfABallOnAnInclineAreAtItsPointOfContact) {
  const Trajectory run = run_of(kIncline);
  const auto impulses = run.impulses();
  ASSERT_TRUE(impulses) << impulses.error().text();
  ASSERT_EQ(impulses->size(), 1U);
  const ExertedImpulse& one = impulses->front();
  EXPECT_EQ(one.impulse.constraint, "slope");
  EXPECT_EQ(one.impulse.on, "slope.Q");
  EXPECT_FALSE(one.is_couple);
  EXPECT_EQ(one.impulse.is_unique, (std::array<bool, 3>{true, true, true}));
  const double b = 0.3, z0 = 0.6 - 0.1 / std::cos(b), v = std::sqrt(2.0 * 9.81 * z0);
  EXPECT_NEAR(one.t, std::sqrt(2.0 * z0 / 9.81), 1e-9);
  const Vector3 n(std::sin(b), 0.0, std::cos(b)), down(std::cos(b), 0.0, -std::sin(b));
  const double normal = 0.5 * 1.6 * v * std::cos(b);
  EXPECT_LE((value_of(one) - normal * (n - 0.05 * down)).norm(), 1e-8);
  const Vector3 center(0.0, 0.0, 0.1 / std::cos(b));
  EXPECT_LE((place_of(one) - (center - 0.1 * n)).norm(), 1e-8);
}

TEST(Impulses, OnTwoBodiesAreOpposite) {
  const Trajectory run = run_of(R"(model pair
frame N newtonian
point O fixed in N
coord x1, z1, x2, z2 [m], a, b
frame A = N rotated a about y
frame B = N rotated b about y
body first frame A mass 1 [kg] inertia (0.01, 0.01, 0.01) [kg*m^2] at O + x1*N.x + z1*N.z
body second frame B mass 2 [kg] inertia (0.02, 0.02, 0.02) [kg*m^2] at O + x2*N.x + z2*N.z
joint hit: contact between first of first and second of second surface sphere(0.1) surface2 sphere(0.1)
    restitution 0.7
    friction mu = 0.2
start x2 = 0.5 [m], z2 = 0.05 [m], x1' = 1, a' = 30
run 0.6 [s] tolerance 1e-11
)");
  const auto impulses = run.impulses();
  ASSERT_TRUE(impulses);
  ASSERT_EQ(impulses->size(), 2U);
  const auto on = [&](const char* point) {
    return *std::ranges::find(*impulses, point, [](const auto& one) { return one.impulse.on; });
  };
  const ExertedImpulse first = on("hit.P"), second = on("hit.Q");
  EXPECT_LE((value_of(first) + value_of(second)).norm(), 1e-14);
  EXPECT_LE((place_of(first) - place_of(second)).norm(), 1e-9);
  EXPECT_LT(value_of(first).x(), 0.0);  // the second sphere pushes the first one back
}

/// In the impacts of a free box on a rough floor, momentum and spin change by the impulses and their moments.
TEST(Impulses, AreTheChangesOfMomentumAndSpin) {
  struct Jump {
    double t;
    State before, after;
  };
  std::vector<Jump> jumps;
  const RunOptions options{.on_event = [&](const Event& event, const State& before, const State& after) {
    if (event.kind == "impact" && (jumps.empty() || jumps.back().t != event.t))
      jumps.push_back({event.t, before, after});
    return false;
  }};
  const Trajectory run = run_of(R"(model box
frame N newtonian
point O fixed in N
coord x, y, z [m], e0, e1, e2, e3
frame B = N quaternion(e0, e1, e2, e3)
body box frame B mass 2 [kg] inertia (0.3, 0.3, 0.3) [kg*m^2] at O + x*N.x + y*N.y + z*N.z
gravity -9.81 [m/s^2] * N.z
joint floor: contact between O of N and box of box surface plane surface2 box(0.5, 0.4, 0.3)
    restitution 0.5
    friction mu = 0.3
start z = 0.5 [m], x' = 0.5, y' = -0.3, e0 ~ 0.9, e1 = 0.2, e2 = 0.3, B.wx = 1, B.wy = 2, B.wz = 1.5
run 0.6 [s] tolerance 1e-10
)",
                                options);
  const auto impulses = run.impulses();
  ASSERT_TRUE(impulses);
  ASSERT_GE(jumps.size(), 2U);
  for (const Jump& jump : jumps) {
    Vector3 momentum = Vector3::Zero(), spin = Vector3::Zero();
    const Vector3 center(jump.after.q[0], jump.after.q[1], jump.after.q[2]);
    for (const ExertedImpulse& one : *impulses) {
      if (one.t != jump.t) continue;
      momentum += value_of(one);
      spin += (place_of(one) - center).cross(value_of(one));
    }
    const Vector3 dv(jump.after.u[0] - jump.before.u[0], jump.after.u[1] - jump.before.u[1],
                     jump.after.u[2] - jump.before.u[2]);
    const Vector3 dw(jump.after.u[3] - jump.before.u[3], jump.after.u[4] - jump.before.u[4],
                     jump.after.u[5] - jump.before.u[5]);
    EXPECT_GT(momentum.norm(), 0.1);
    EXPECT_LE((momentum - 2.0 * dv).norm(), 1e-9 * momentum.norm()) << jump.t;
    EXPECT_NEAR(spin.norm(), 0.3 * dw.norm(), 1e-8);  // dw in the frame of the body, whose inertia is a sphere's
  }
}

TEST(Impulses, OfAStopOfAJointAreMoments) {
  const Trajectory run = run_of(R"(model hinge
frame N newtonian
point O fixed in N
coord x, y [m], th
frame B = N rotated th about z
body bar frame B mass 2 [kg] inertia (0.1, 0.1, 0.1) [kg*m^2] at O + x*N.x + y*N.y
point Q on bar = bar - 0.5 [m]*B.x
joint pin: revolute between O of N and Q of bar axis N.z
    friction 0.1 [N*m]
    limits .. 0.5 restitution 0.6
start x = 0.5 [m], th' = 2
run 0.5 [s] tolerance 1e-11
)");
  const auto impulses = run.impulses();
  ASSERT_TRUE(impulses);
  const double I = 0.1 + 2.0 * 0.25, w = std::sqrt(4.0 - 2.0 * 0.1 / I * 0.5), moment = I * 1.6 * w;
  ASSERT_EQ(impulses->size(), 2U);
  const auto& of_pin = *std::ranges::find(*impulses, "pin", [](const auto& one) { return one.impulse.constraint; });
  const auto& of_stop =
      *std::ranges::find(*impulses, "pin.max", [](const auto& one) { return one.impulse.constraint; });
  EXPECT_TRUE(of_stop.is_couple);
  EXPECT_EQ(of_stop.impulse.on, "bar");
  EXPECT_LE((value_of(of_stop) - Vector3(0.0, 0.0, -moment)).norm(), 1e-8);
  EXPECT_LE((place_of(of_stop) - 0.5 * Vector3(std::cos(0.5), std::sin(0.5), 0.0)).norm(), 1e-8);
  // The friction of the pin has a given bound, so it has no impulse; the pin keeps its point at rest.
  EXPECT_FALSE(of_pin.is_couple);
  EXPECT_EQ(of_pin.impulse.on, "Q");
  EXPECT_LE((value_of(of_pin) - 2.0 * 0.5 * 1.6 * w * Vector3(std::sin(0.5), -std::cos(0.5), 0.0)).norm(), 1e-8);
  EXPECT_LE(place_of(of_pin).norm(), 1e-9);
}

TEST(Impulses, OfAConstraintThatBeginsToAct) {
  const Trajectory run = run_of(R"(model rope
frame N newtonian
point O fixed in N
coord x, y [m]
particle P mass 2 [kg] at O + x*N.x + y*N.y
constraint rope: dot(vel(P), N.x + N.y) = 0
    when t > 0.5 [s]
start x' = 3, y' = 1
run 1 [s]
)");
  const auto impulses = run.impulses();
  ASSERT_TRUE(impulses);
  ASSERT_EQ(impulses->size(), 1U);
  EXPECT_LE((value_of(impulses->front()) - Vector3(-4.0, -4.0, 0.0)).norm(), 1e-12);
  EXPECT_LE((place_of(impulses->front()) - Vector3(1.5, 0.5, 0.0)).norm(), 1e-12);
}

TEST(Impulses, ThatSeveralContactsShareAreMarked) {
  const Trajectory run = run_of(R"(model table
frame N newtonian
point O fixed in N
coord z [m]
frame B = N rotated 0 about z
body table frame B mass 4 [kg] inertia (1, 1, 1) [kg*m^2] at O + z*N.z
gravity -9.81 [m/s^2] * N.z
point P1 on table = table + 1 [m]*B.x
point P2 on table = table - 1 [m]*B.x
constraint one: dot(pos(P1, O), N.z) >= 0
constraint two: dot(pos(P2, O), N.z) >= 0
start z = 0.2 [m]
run 0.5 [s]
)");
  const auto impulses = run.impulses();
  ASSERT_TRUE(impulses);
  ASSERT_EQ(impulses->size(), 2U);
  const double momentum = 4.0 * std::sqrt(2.0 * 9.81 * 0.2);
  for (const ExertedImpulse& one : *impulses) {
    EXPECT_EQ(one.impulse.is_unique, (std::array<bool, 3>{true, true, false}));
    EXPECT_LE((value_of(one) - Vector3(0.0, 0.0, momentum / 2.0)).norm(), 1e-9);
  }
}

TEST(Impulses, AreAFileOfTheResults) {
  const test_support::Folder folder;
  const Trajectory run = run_of(kIncline);
  const auto files = run.write(folder.path());
  ASSERT_TRUE(files);
  EXPECT_NE(std::ranges::find(*files, "impulses.csv"), files->end());
  std::istringstream csv(folder.read("impulses.csv"));
  std::string names, units, about, row, none;
  std::getline(csv, names);
  std::getline(csv, units);
  std::getline(csv, about);
  std::getline(csv, row);
  EXPECT_EQ(names, "t,constraint,on,kind,x,y,z,p.x,p.y,p.z,unit,unique");
  EXPECT_EQ(units, "# s,1,1,1,m,m,m,1,1,1,1,1");
  EXPECT_NE(row.find(",slope,slope.Q,impulse,"), std::string::npos) << row;
  EXPECT_TRUE(row.ends_with(",N*s,1")) << row;
  EXPECT_FALSE(std::getline(csv, none)) << none;
  // A run without impulses has no such file, and removes that of an earlier run.
  const Trajectory free = run_of(
      "model free\nframe N newtonian\npoint O fixed in N\ncoord x\n"
      "particle P mass 1 at O + x*N.x\nrun 1\n");
  EXPECT_TRUE(free.impulses().value().empty());
  ASSERT_TRUE(free.write(folder.path()));
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "impulses.csv"));
}

}  // namespace
}  // namespace vinculum::impulses_test
