#include <gtest/gtest.h>

#include <cmath>

#include "support/motion/test_models.hpp"
#include "vinculum/model/inspect/inspection.hpp"

namespace vinculum::sim {
namespace {

using testing::kind_of;
using testing::reason;
using testing::run_for;
using testing::Sketch;
using testing::StartKind;
using testing::Term;

constexpr double kInertia[] = {1.0, 2.0, 3.5};

/// An asymmetric body with a fixed mass center. Its attitude is described by a quaternion or by three angles.
struct Top : Sketch {
  model::FrameId body_frame;
  std::vector<model::CoordinateId> angles;
  std::vector<model::SpeedId> omega;
  model::BodyId body;

  explicit Top(bool by_quaternion) : Sketch("top") {
    if (by_quaternion) {
      for (const char* name : {"e0", "e1", "e2", "e3"}) angles.push_back(coordinate(name));
      body_frame = builder.add_quaternion_frame("B", frame(), {angles[0], angles[1], angles[2], angles[3]});
    } else {
      for (const char* name : {"a", "b", "c"}) angles.push_back(coordinate(name));
      body_frame = builder.add_frame(
          "B", frame(), {{2, {}, builder.q(angles[0])}, {0, {}, builder.q(angles[1])}, {2, {}, builder.q(angles[2])}});
    }
    const Term zero = number(0.0);
    const model::Inertia inertia{number(kInertia[0]), number(kInertia[1]), number(kInertia[2]), zero, zero, zero};
    body = builder.add_body("D", body_frame, number(1.3), inertia, origin, builder.terms().zero_vector());
    const char* names[] = {"wx", "wy", "wz"};
    for (int i = 0; i < 3; ++i) {
      omega.push_back(builder.add_speed(names[i], dot(builder.omega(body_frame), builder.axis(body_frame, i))));
    }
  }
  void start_speed(int i, double value) {
    builder.add_start({model::StartCondition::On::kSpeed,
                       omega[static_cast<std::size_t>(i)].value,
                       StartKind::kHeld,
                       number(value),
                       {}});
  }
};

double norm(const Sample& sample) { return sample.q.head(4).norm(); }

TEST(Quaternion, TurnsTheBodyAsThreeAnglesDo) {
  // The motion starts at a nonsingular attitude. With the same torque, both descriptions must give the same directions
  // of the body's axes.
  Vector directions[2];
  for (const bool by_quaternion : {true, false}) {
    Top top(by_quaternion);
    top.builder.add_torque(top.body_frame, top.number(0.4) * top.axis(0) + top.builder.time() * top.axis(1));
    if (by_quaternion) {
      top.start(top.angles[0], std::cos(0.4));  // b = 0.8 about x
      top.start(top.angles[1], std::sin(0.4));
    } else {
      top.start(top.angles[1], 0.8);
    }
    for (int i = 0; i < 3; ++i) top.start_speed(i, 0.2 * (i + 1));
    top.builder.add_output("x", top.builder.axis(top.body_frame, 0));
    top.builder.add_output("z", top.builder.axis(top.body_frame, 2));
    top.builder.add_output("energy", model::kinetic_energy(top.builder.model()));
    auto dynamics = top.dynamics();
    const Trajectory run = simulate(dynamics, run_for(1.5, 1e-12));
    ASSERT_FALSE(run.stopped) << reason(run);
    directions[by_quaternion ? 0 : 1] = run.end().outputs;
    if (!by_quaternion) continue;
    EXPECT_EQ(run.end().q.size(), 4);
    EXPECT_EQ(run.end().u.size(), 3);
    for (const Sample& sample : run.samples) EXPECT_NEAR(norm(sample), 1.0, 1e-15);
  }
  EXPECT_LT((directions[0] - directions[1]).cwiseAbs().maxCoeff(), 1e-10);
}

TEST(Quaternion, KeepsEnergyAndAngularMomentumThroughManyTurns) {
  Top top(true);
  // A rotation about the unstable axis: the body tumbles.
  for (int i = 0; i < 3; ++i) top.start_speed(i, i == 1 ? 5.0 : 0.01);
  top.builder.add_output("T", model::kinetic_energy(top.builder.model()));
  top.builder.add_output("H", model::angular_momentum(top.builder.model(), top.body, top.origin));
  auto dynamics = top.dynamics();
  const Trajectory run = simulate(dynamics, run_for(30.0, 1e-12));
  ASSERT_FALSE(run.stopped) << reason(run);
  double lowest = 1.0;
  for (const Sample& sample : run.samples) {
    EXPECT_NEAR(norm(sample), 1.0, 1e-15);
    EXPECT_LT((sample.outputs - run.start().outputs).cwiseAbs().maxCoeff(), 3e-9);
    lowest = std::min(lowest, sample.u[1]);
  }
  EXPECT_LT(lowest, -4.9);
  const Sample& s = run.end();
  EXPECT_NEAR(s.q.dot(s.q_dot), 0.0, 1e-14);
  EXPECT_NEAR(s.q_dot.norm(), 0.5 * s.u.norm(), 1e-13);
}

Outcome<Start> start_of(const std::vector<std::pair<int, double>>& held,
                        const std::vector<std::pair<int, double>>& guessed) {
  Top top(true);
  for (const auto& [i, value] : held) top.start(top.angles[static_cast<std::size_t>(i)], value);
  for (const auto& [i, value] : guessed) top.start(top.angles[static_cast<std::size_t>(i)], value, StartKind::kGuess);
  auto dynamics = top.dynamics();
  return assemble(dynamics);
}

TEST(Quaternion, StartsUnturnedWhereNothingIsSaid) {
  const auto start = start_of({}, {});
  ASSERT_TRUE(start);
  EXPECT_EQ(start->q, (Vector(4) << 1, 0, 0, 0).finished());
}

TEST(Quaternion, WrittenWithFewDigitsHasUnitNorm) {
  const auto start = start_of({{0, 0.7071}, {2, 0.7071}}, {});
  ASSERT_TRUE(start);
  EXPECT_NEAR(start->q[0], std::sqrt(0.5), 1e-15);
  EXPECT_NEAR(start->q[2], std::sqrt(0.5), 1e-15);
  EXPECT_EQ(start->q[1], 0.0);
}

TEST(Quaternion, GuessesShareWhatHeldComponentsLeave) {
  const auto start = start_of({{1, 0.6}}, {{2, 3.0}, {0, 0.0}});
  ASSERT_TRUE(start);
  EXPECT_EQ(start->q[1], 0.6);
  EXPECT_NEAR(start->q[2], 0.8, 1e-15);
  const auto from_default = start_of({{3, -0.6}}, {});
  ASSERT_TRUE(from_default);
  EXPECT_NEAR(from_default->q[0], 0.8, 1e-15);
  const auto scaled = start_of({}, {{0, 2.0}, {1, 2.0}});
  ASSERT_TRUE(scaled);
  EXPECT_NEAR(scaled->q[1], std::sqrt(0.5), 1e-15);
}

TEST(Quaternion, HeldComponentsThatCannotHaveUnitNormAreNamed) {
  const auto too_long = start_of({{0, 1.0}, {1, 1.0}}, {});
  ASSERT_FALSE(too_long);
  EXPECT_EQ(too_long.error().kind, FailureKind::kAssembly);
  EXPECT_EQ(too_long.error().message,
            "the held `e0 = 1` and `e1 = 1` have the norm 1.41421, and the quaternion `e0, e1, e2, e3` has unit norm");
  EXPECT_EQ(too_long.error().statements.size(), 2u);
  const auto open = start_of({{0, 0.5}}, {});
  ASSERT_FALSE(open);
  EXPECT_EQ(open.error().message,
            "the held `e0 = 0.5` has the norm 0.5, and the quaternion `e0, e1, e2, e3` has unit norm: "
            "nothing says how the rest is shared");
}

TEST(Quaternion, IsAssembledTogetherWithConstraints) {
  // The x axis of the body must point along y. The search starts at the unrotated attitude and must give a unit norm.
  Top top(true);
  const Term x = top.builder.axis(top.body_frame, 0);
  top.builder.add_constraint("point", top.dot(x, top.axis(0)));
  top.builder.add_constraint("level", top.dot(x, top.axis(2)));
  top.start(top.angles[3], 0.4, StartKind::kGuess);
  top.start_speed(0, 2.0);
  top.builder.add_output("x", x);
  auto dynamics = top.dynamics();
  const Trajectory run = simulate(dynamics, run_for(2.0, 1e-10));
  ASSERT_FALSE(run.stopped) << reason(run);
  for (const Sample& sample : run.samples) {
    EXPECT_NEAR(norm(sample), 1.0, 1e-15);
    EXPECT_NEAR(sample.outputs[1], 1.0, 1e-14);
    EXPECT_NEAR(sample.u[0], 2.0, 1e-9);  // no torque acts about the body's own axis
  }
}

TEST(GimbalLock, OfAnglesWithTheirRatesAsSpeedsIsNamed) {
  // With the rates as speeds, the mass matrix of the body is rank-deficient at b = 0, where all angles are by default.
  Sketch s;
  const auto a = s.coordinate("a"), b = s.coordinate("b"), c = s.coordinate("c");
  const auto B = s.builder.add_frame("B", Sketch::frame(),
                                     {{2, {}, s.builder.q(a)}, {0, {}, s.builder.q(b)}, {2, {}, s.builder.q(c)}});
  const Term zero = s.number(0.0);
  s.builder.add_body("D", B, s.number(1.0), {s.number(1.0), s.number(2.0), s.number(3.0), zero, zero, zero}, s.origin,
                     s.builder.terms().zero_vector());
  auto dynamics = s.dynamics();
  const Trajectory run = simulate(dynamics, run_for(2.0, 1e-9));
  EXPECT_EQ(kind_of(run), FailureKind::kSingularKinematics) << reason(run);
  EXPECT_EQ(run.stopped->message,
            "the rotations by `a` and `c` of frame `B` turn about one axis (gimbal lock; a quaternion has none)");
  EXPECT_EQ(run.stopped->coordinates, (std::vector<int>{0, 2}));
}

TEST(GimbalLock, OfAnglesUnderAngularVelocitiesAsSpeedsIsNamed) {
  Top top(false);
  top.start_speed(0, -1.0);
  top.start_speed(1, 0.5);
  auto dynamics = top.dynamics();
  const Trajectory run = simulate(dynamics, run_for(2.0, 1e-9));
  EXPECT_EQ(kind_of(run), FailureKind::kSingularKinematics) << reason(run);
  EXPECT_NE(run.stopped->message.find("the rotations by `a` and `c` of frame `B` turn about one axis"),
            std::string::npos)
      << run.stopped->message;
}

}  // namespace
}  // namespace vinculum::sim
