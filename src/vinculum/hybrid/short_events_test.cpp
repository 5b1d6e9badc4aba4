#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "support/motion/test_models.hpp"

/// Events that are shorter than a step, and regions that are thinner than the distance moved in a step.
namespace vinculum::sim {
namespace {

using expr::Op;
using testing::reason;
using testing::run_for;
using testing::Sketch;

constexpr double kEnd = 10.0, kTolerance = 1e-9, kRight = 1e-5;

/// Force pulses of impulse 1 and width w at time a, on a unit mass on a unit spring. The result is x(T) = sin(T − a)
/// E[cos(w u)], where E averages over the shape of the pulse in u = (t − a)/w.
struct Pulse {
  const char* name;
  /// The force as a function of u = (t − a)/w and of the width w.
  model::Term (*force)(Sketch& s, model::Term u, double w);
  double second_moment;  ///< mean of u² over the pulse
};

model::Term apply(Sketch& s, Op op, model::Term a, model::Term b = {}, model::Term c = {}) {
  return s.builder.terms().function(op, a, b, c);
}

model::Term gauss(Sketch& s, model::Term u, double w) {
  return apply(s, Op::kExponential, s.number(-1.0) * u * u) * s.number(1.0 / (w * std::sqrt(std::numbers::pi)));
}
model::Term window(Sketch& s, model::Term u, double w) {
  const auto inside = apply(s, Op::kAnd, apply(s, Op::kLess, s.number(-0.5), u), apply(s, Op::kLess, u, s.number(0.5)));
  return apply(s, Op::kSelect, inside, s.number(1.0 / w), s.number(0.0));
}
model::Term parabola(Sketch& s, model::Term u, double w) {
  return apply(s, Op::kMaximum, s.number(0.0), s.number(1.0) - u * u) * s.number(0.75 / w);
}
model::Term ramp(Sketch& s, model::Term u) {
  const auto x = apply(s, Op::kMinimum, apply(s, Op::kMaximum, u, s.number(0.0)), s.number(1.0));
  return x * x * x * (x * (x * s.number(6.0) - s.number(15.0)) + s.number(10.0));
}
model::Term to_and_fro(Sketch& s, model::Term u, double w) {
  return (ramp(s, u + s.number(1.0)) - ramp(s, u)) * s.number(1.0 / w);
}
model::Term steps_of_tanh(Sketch& s, model::Term u, double w) {
  const auto step = [&](double at) { return apply(s, Op::kHyperbolicTangent, (u - s.number(at)) * s.number(8.0)); };
  return (step(-0.5) - step(0.5)) * s.number(0.5 / w);
}
model::Term bell(Sketch& s, model::Term u, double w) {
  const auto c = apply(s, Op::kHyperbolicCosine, u);
  return s.number(0.5 / w) / (c * c);
}

constexpr double kPiSquared = std::numbers::pi * std::numbers::pi;
const Pulse kPulses[] = {
    {"Gauss", gauss, 0.5},
    {"if", window, 1.0 / 12.0},
    {"max(0, parabola)", parabola, 0.2},
    {"smoothstep to and fro", to_and_fro, 5.0 / 42.0},
    {"tanh - tanh", steps_of_tanh, 1.0 / 12.0 + kPiSquared / 12.0 / 64.0},
    {"1/cosh^2", bell, kPiSquared / 12.0},
};

Trajectory run_pulse(const Pulse& pulse, double at, double width, std::string method) {
  Sketch s("pulse");
  const auto P = s.particle("p", 1.0, 1);
  const auto u = (s.builder.time() - s.number(at)) * s.number(1.0 / width);
  s.builder.add_force(P, s.number(-1.0) * s.from_origin(P) + pulse.force(s, u, width) * s.axis(0));
  s.start_all({0.0}, {0.0});
  auto dynamics = s.dynamics();
  SimulateOptions options = run_for(kEnd, kTolerance);
  options.method = std::move(method);
  return simulate(dynamics, options);
}

class ShortPulses : public ::testing::TestWithParam<const char*> {};

TEST_P(ShortPulses, AreSeenWhereverTheyAre) {
  std::mt19937_64 random(11);
  std::uniform_real_distribution<double> place(1.0, 9.0), exponent(-6.0, -1.5);
  for (const Pulse& pulse : kPulses) {
    for (int trial = 0; trial < 40; ++trial) {
      const double at = place(random), width = std::pow(10.0, exponent(random));
      const Trajectory run = run_pulse(pulse, at, width, GetParam());
      ASSERT_FALSE(run.stopped) << pulse.name << " at " << at << " of " << width << ": " << reason(run);
      const double expected = std::sin(kEnd - at) * (1.0 - 0.5 * width * width * pulse.second_moment);
      EXPECT_NEAR(run.end().q[0], expected, kRight) << pulse.name << " at " << at << " of " << width;
      EXPECT_EQ(run.looking.not_proven, 0) << pulse.name << " at " << at << " of " << width;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, ShortPulses, ::testing::Values("dop853", "dp5", "tsit5", "radau"));

/// A force that acts between two instants which differ only in their last digits: down to 1e-13 s in a run of 1000 s.
TEST(Thrust, IsMetHoweverShortItIs) {
  for (const double width : {1e-8, 1e-9, 4e-12, 1e-12, 2e-13}) {
    for (const double begin : {0.75, 127.3, 512.0}) {
      const double end = begin + std::max(width, 4e-15 * begin);
      Sketch s("thrust");
      const auto P = s.particle("p", 1.0, 1);
      const auto on = apply(s, Op::kAnd, apply(s, Op::kLess, s.number(begin), s.builder.time()),
                            apply(s, Op::kLess, s.builder.time(), s.number(end)));
      s.builder.add_force(P, apply(s, Op::kSelect, on, s.number(1.0 / (end - begin)), s.number(0.0)) * s.axis(0));
      s.start_all({0.0}, {0.0});
      auto dynamics = s.dynamics();
      const Trajectory run = simulate(dynamics, run_for(1000.0, kTolerance));
      ASSERT_FALSE(run.stopped) << reason(run) << " " << width << " at " << begin;
      EXPECT_NEAR(run.end().u[0], 1.0, 1e-9) << width << " at " << begin;
      EXPECT_EQ(run.looking.crossings, 2) << width << " at " << begin;
    }
  }
}

/// A unit mass flies with speed v from 0 against a wall at 1. The wall pushes with stiffness k while it is compressed,
/// so x − 1 is half a period of a sine.
TEST(ThinWall, ThrowsBackHoweverFastItIsMet) {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> exponent(0.0, 3.0);
  for (int trial = 0; trial < 40; ++trial) {
    const double v = std::pow(10.0, exponent(random)), k = v * v * 1e4;
    Sketch s("wall");
    const auto P = s.particle("p", 1.0, 1);
    const auto pressed = apply(s, Op::kMaximum, s.builder.q(s.coordinates[0]) - s.number(1.0), s.number(0.0));
    s.builder.add_force(P, s.number(-k) * pressed * s.axis(0));
    s.start_all({0.0}, {v});
    auto dynamics = s.dynamics();
    const double contact = std::numbers::pi / std::sqrt(k), end = 3.0 / v;
    const Trajectory run = simulate(dynamics, run_for(end, kTolerance));
    ASSERT_FALSE(run.stopped) << reason(run);
    EXPECT_NEAR(run.end().q[0], 1.0 - v * (end - 1.0 / v - contact), 1e-7) << v;
    EXPECT_NEAR(run.end().u[0] / v, -1.0, 1e-7) << v;
    EXPECT_EQ(run.looking.crossings, 2) << v;
  }
}

/// A potential barrier 1e-4 wide: V = V0 exp(−((x − 1)/w)²).
TEST(NarrowBarrier, IsNotPassedBy) {
  for (const double place : {1.0, 1.37, 2.6180339, 3.3}) {
    const double w = 1e-4, height = 0.6;  // above the kinetic energy of 0.5: the mass turns back
    Sketch s("barrier");
    const auto P = s.particle("p", 1.0, 1);
    const auto u = (s.builder.q(s.coordinates[0]) - s.number(place)) * s.number(1.0 / w);
    s.builder.add_force(
        P, s.number(2.0 * height / w) * u * apply(s, Op::kExponential, s.number(-1.0) * u * u) * s.axis(0));
    s.start_all({0.0}, {1.0});
    auto dynamics = s.dynamics();
    const Trajectory run = simulate(dynamics, run_for(5.0, kTolerance));
    ASSERT_FALSE(run.stopped) << reason(run);
    EXPECT_NEAR(run.end().u[0], -1.0, 1e-6) << place;
    EXPECT_NEAR(run.end().q[0], 2.0 * place - 5.0, 1e-3) << place;
  }
}

/// A force that is switched on at time a, x'' = 1 from a on: a step ends at a to the last digit.
TEST(SwitchInTime, IsLandedOn) {
  Sketch s("from a on");
  const auto P = s.particle("p", 1.0, 1);
  const double a = 1.2345678912345;
  const auto on = apply(s, Op::kLess, s.number(a), s.builder.time());
  s.builder.add_force(P, apply(s, Op::kSelect, on, s.number(1.0), s.number(0.0)) * s.axis(0));
  s.start_all({0.0}, {0.0});
  auto dynamics = s.dynamics();
  const Trajectory run = simulate(dynamics, run_for(3.0, 1e-6));
  ASSERT_FALSE(run.stopped) << reason(run);
  EXPECT_NEAR(run.end().q[0], 0.5 * (3.0 - a) * (3.0 - a), 1e-14);
  EXPECT_EQ(run.looking.crossings, 1);
}

/// F = −k √(max(x, 0)) x: beyond the switching surface, the other region has the root of a negative number and no
/// equations.
TEST(SwitchWithoutAnotherSide, IsPassedByStepControl) {
  Sketch s("hertz");
  const auto P = s.particle("p", 1.0, 1);
  const auto pressed = apply(s, Op::kMaximum, s.builder.q(s.coordinates[0]), s.number(0.0));
  s.builder.add_force(P, s.number(-1e6) * pressed * apply(s, Op::kSquareRoot, pressed) * s.axis(0));
  s.start_all({-1.0}, {1.0});
  auto dynamics = s.dynamics();
  const Trajectory run = simulate(dynamics, run_for(3.0, kTolerance));
  ASSERT_FALSE(run.stopped) << reason(run);
  EXPECT_NEAR(run.end().u[0], -1.0, 1e-6);
}

/// From rest at 0, the state has no magnitude yet with which an effect could be compared. Before and after the pulse,
/// terms cancel only up to their rounding errors; they must not shorten steps.
TEST(ShortPulsesFromRest, AskForNoStepsBesideThem) {
  for (const double width : {1e-3, 1e-5}) {
    for (const Pulse& pulse : kPulses) {
      const Trajectory run = run_pulse(pulse, 4.321, width, "dop853");
      ASSERT_FALSE(run.stopped) << pulse.name << ": " << reason(run);
      EXPECT_LT(run.statistics.steps, 1000) << pulse.name << " of " << width;
    }
  }
}

TEST(SmoothModels, AreNotLookedInto) {
  Sketch s = testing::double_pendulum(1);
  auto dynamics = s.dynamics();
  const Trajectory run = simulate(dynamics, run_for(1.0, 1e-9));
  EXPECT_EQ(run.looking.steps, 0);
  EXPECT_EQ(dynamics.binding()->watches, nullptr);
}

/// sin| with 200 zeros: each zero ends a step.
TEST(ManyKinks, AreAllMet) {
  Sketch s("rectified");
  const auto P = s.particle("p", 1.0, 1);
  const double rate = 100.0 * std::numbers::pi;
  s.builder.add_force(P, apply(s, Op::kAbsolute, s.builder.sin(s.number(rate) * s.builder.time())) * s.axis(0));
  s.start_all({0.0}, {0.0});
  auto dynamics = s.dynamics();
  const Trajectory run = simulate(dynamics, run_for(2.0 + 0.25 / 50.0, kTolerance));
  ASSERT_FALSE(run.stopped) << reason(run);
  EXPECT_EQ(run.looking.crossings, 200);
  EXPECT_NEAR(run.end().u[0], (400.0 + 1.0) / rate, 1e-8);
}

/// One end of a rod at rest, at 45 degrees, moves with the speed V from t = 1 on. The other end gets the velocity V/√2
/// along the rod. The rod then rotates at a constant rate about the moving end.
TEST(KinkOfAConstraint, GivesAnImpulse) {
  Sketch s("rod");
  const auto A = s.particle("a", 1.0, 2), B = s.particle("b", 2.5, 2);
  const double V = 3.0, L = 2.0;
  const auto way = s.number(V) * apply(s, Op::kMaximum, s.builder.time() - s.number(1.0), s.number(0.0));
  s.builder.add_constraint("moved", s.builder.q(s.coordinates[0]) - way);
  s.builder.add_constraint("level", s.builder.q(s.coordinates[1]));
  s.builder.add_constraint("rod", s.square(s.builder.pos(B, A)) - s.number(L * L));
  s.start_all({0.0, 0.0, L / std::sqrt(2.0), L / std::sqrt(2.0)}, {0.0, 0.0, 0.0, 0.0}, testing::StartKind::kGuess);
  auto dynamics = s.dynamics();
  const Trajectory run = simulate(dynamics, run_for(4.0, 1e-10));
  ASSERT_FALSE(run.stopped) << reason(run);
  const double angle = 0.25 * std::numbers::pi + V / (std::sqrt(2.0) * L) * 3.0;
  EXPECT_NEAR(run.end().q[2], 3.0 * V + L * std::cos(angle), 1e-8);
  EXPECT_NEAR(run.end().q[3], L * std::sin(angle), 1e-8);
}

/// At a kink of a prescribed path the gradient of the constraint jumps, so the direction of its impulse is not unique.
/// If the prescribed position jumps, the motion cannot satisfy the constraint after the jump.
TEST(KinkOfAConstraint, EndsTheMotionWhereItsGradientOrPlaceJumps) {
  for (const bool folds : {true, false}) {
    Sketch s("fold");
    s.particle("p", 1.0, 2);
    const auto x = s.builder.q(s.coordinates[0]), y = s.builder.q(s.coordinates[1]);
    const auto later = apply(s, Op::kLess, s.number(1.0), s.builder.time());
    s.builder.add_constraint("c", folds
                                      ? y - apply(s, Op::kAbsolute, x)
                                      : y - s.number(1.0) - apply(s, Op::kSelect, later, s.number(1.0), s.number(0.0)));
    s.start_all({-1.0, 1.0}, {1.0, folds ? -1.0 : 0.0});
    auto dynamics = s.dynamics();
    const Trajectory run = simulate(dynamics, run_for(3.0, 1e-9));
    ASSERT_TRUE(run.stopped);
    EXPECT_EQ(run.stopped->kind, folds ? FailureKind::kNotUnique : FailureKind::kInconsistent) << reason(run);
    EXPECT_NEAR(run.stopped->t, 1.0, 1e-9);
  }
}

/// A function that touches the level of a condition without crossing it: no event.
TEST(Touching, IsNoCrossing) {
  Sketch s("touch");
  const auto P = s.particle("p", 1.0, 1);
  const auto above = apply(s, Op::kLess, s.number(1.0), s.builder.sin(s.builder.time()));
  s.builder.add_force(P, apply(s, Op::kSelect, above, s.number(1.0), s.number(0.0)) * s.axis(0));
  s.start_all({0.0}, {1.0});
  auto dynamics = s.dynamics();
  const Trajectory run = simulate(dynamics, run_for(10.0, kTolerance));
  ASSERT_FALSE(run.stopped) << reason(run);
  EXPECT_NEAR(run.end().q[0], 10.0, 1e-9);
}

}  // namespace
}  // namespace vinculum::sim
