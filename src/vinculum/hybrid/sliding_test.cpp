#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <ostream>

#include "support/motion/test_models.hpp"

/// Sliding modes: motions along switching surfaces towards which the vector fields of both regions point (Filippov;
/// theory.md §10.1).
namespace vinculum::sim {
namespace {

using expr::Op;
using testing::reason;
using testing::run_for;
using testing::Sketch;

model::Term of(Sketch& s, Op op, model::Term a, model::Term b = {}) { return s.builder.terms().function(op, a, b); }

struct Way {
  const char* method;
  equations::Formulation formulation;
};

void PrintTo(const Way& way, std::ostream* out) {
  const char* const formulations[] = {"explicit", "augmented", "minimal"};
  *out << way.method << ", " << formulations[static_cast<int>(way.formulation)];
}

class Sliding : public ::testing::TestWithParam<Way> {
 protected:
  static Trajectory run(Sketch& s, double duration, double tolerance, std::vector<double> times = {}) {
    auto dynamics = s.dynamics();
    SimulateOptions options = run_for(duration, tolerance, std::move(times));
    options.method = GetParam().method;
    options.formulation = GetParam().formulation;
    return simulate(dynamics, options);
  }
};

bool changes(const Trajectory& run, bool is_along, double t, double within) {
  return std::ranges::any_of(run.all<SurfaceChange>(), [&](const SurfaceChange& change) {
    return change.is_along == is_along && std::abs(change.t - t) <= within;
  });
}

/// Whether friction changes to stick (`begins`) or to slip at time t.
bool rests(const Trajectory& run, bool begins, double t, double within) {
  return std::ranges::any_of(run.all<FrictionChange>(), [&](const FrictionChange& change) {
    return (change.to == FrictionChange::To::kSticks) == begins && std::abs(change.t - t) <= within;
  });
}

/// x'' = −sign(x + c x'), c = 1/4, x(0) = 1, x'(0) = 0. The motion consists of parabolas between crossings of the
/// surface x + c x' = 0, until |x'| ≤ c at a crossing, at (t_b, x_b). From there it is a sliding mode, x = x_b exp(−(t
/// − t_b)/c). The times of the crossings are roots of quadratic equations.
TEST_P(Sliding, RelayOfPlaceAndSpeedEndsOnItsSurface) {
  const double c = 0.25;
  Sketch s("relay");
  const auto P = s.particle("p", 1.0, 1);
  const auto level = s.builder.q(s.coordinates[0]) + s.number(c) * s.builder.q_dot(s.coordinates[0]);
  s.builder.add_force(P, s.number(-1.0) * of(s, Op::kSign, level) * s.axis(0));
  s.start_all({1.0}, {0.0});
  double t = 0.0, x = 1.0, v = 0.0;
  for (double side = 1.0;; side = -side) {  // next crossing, after the time τ: x + v τ − side τ²/2 + c (v − side τ) = 0
    const double half = 0.5 * side, b = v - c * side, d = x + c * v;
    const double root = std::sqrt(b * b + 4.0 * half * (side > 0.0 ? std::max(d, 0.0) : std::min(d, 0.0)));
    const double tau = side > 0.0 ? (b + root) / (2.0 * half) : (b - root) / (2.0 * half);
    t += tau;
    x += v * tau - half * tau * tau;
    v -= side * tau;
    if (std::abs(v) <= c) break;
  }
  const double end = t + 0.6;
  const Trajectory run = Sliding::run(s, end, 1e-11);
  ASSERT_FALSE(run.stopped) << reason(run);
  EXPECT_NEAR(run.end().q[0], x * std::exp(-(end - t) / c), 1e-9);
  EXPECT_NEAR(run.end().q[0] + c * run.end().u[0], 0.0, 1e-14);
  EXPECT_NEAR(run.end().reaction.u_dot()[0], -run.end().u[0] / c, 1e-12);
  EXPECT_TRUE(changes(run, true, t, 1e-9));
  EXPECT_LT(run.statistics.steps, 600);
  EXPECT_EQ(run.looking.not_proven, 0);
}

/// A block of mass m on an incline of angle a, with Coulomb's law stated as a load. Thrown upwards, it stops and stays
/// at rest (tan a < μ). A force r t down the incline then makes it slip again.
TEST_P(Sliding, CoulombsLawAsALoadHoldsABlock) {
  const double m = 2.0, g = 9.81, a = 0.3, mu = 0.5, v0 = 3.0, r = 4.0;
  Sketch s("block");
  const auto P = s.particle("p", m, 1);
  const auto v = s.builder.q_dot(s.coordinates[0]);
  const double weight = m * g * std::sin(a), bound = mu * m * g * std::cos(a);
  s.builder.add_force(
      P, (s.number(-weight) - s.number(r) * s.builder.time() - s.number(bound) * of(s, Op::kSign, v)) * s.axis(0));
  s.start_all({0.0}, {v0});
  // v' = −(w + b + r t)/m while it moves upwards (w: component of the weight, b: bound of friction). It moves downwards
  // from the time at which w + r t = b.
  const double k = weight + bound;
  const double stop = (-k + std::sqrt(k * k + 2.0 * r * m * v0)) / r;
  const double height = v0 * stop - (0.5 * k * stop * stop + r * stop * stop * stop / 6.0) / m;
  const double off = (bound - weight) / r;
  ASSERT_LT(stop, off);
  const double end = off + 1.0;
  const Trajectory run = Sliding::run(s, end, 1e-11, {0.5 * (stop + off)});
  ASSERT_FALSE(run.stopped) << reason(run);
  ASSERT_EQ(run.asked.size(), 1u);
  EXPECT_NEAR(run.asked[0].q[0], height, 1e-9);
  EXPECT_NEAR(run.asked[0].u[0], 0.0, 1e-14);
  EXPECT_NEAR(run.asked[0].reaction.u_dot()[0], 0.0, 1e-12);
  EXPECT_NEAR(run.end().u[0], -0.5 * r / m, 1e-9);
  EXPECT_NEAR(run.end().q[0], height - r / m / 6.0, 1e-9);
  EXPECT_TRUE(rests(run, true, stop, 1e-9));
  EXPECT_TRUE(rests(run, false, off, 1e-8));
  EXPECT_EQ(run.all<FrictionChange>().size(), 2u);
}

/// A block that starts at rest is in the sliding mode from the first instant.
TEST_P(Sliding, CoulombsLawHoldsWhatStartsAtRest) {
  Sketch s("rest");
  const auto P = s.particle("p", 2.0, 1);
  const auto v = s.builder.q_dot(s.coordinates[0]);
  s.builder.add_force(P, (s.number(-1.0) - s.number(3.0) * of(s, Op::kSign, v)) * s.axis(0));
  s.start_all({0.0}, {0.0});
  const Trajectory run = Sliding::run(s, 5.0, 1e-9);
  ASSERT_FALSE(run.stopped) << reason(run);
  EXPECT_EQ(run.end().q[0], 0.0);
  EXPECT_TRUE(run.all<FrictionChange>().empty());
}

/// Slow slips: under the force F sin(w t), with F just above the bound of friction, the block slips once per half
/// period.
TEST_P(Sliding, EverySlipUnderASlowSineIsSeen) {
  const double bound = 1.0, F = 1.0002, period = 10.0, w = 2.0 * std::numbers::pi / period;
  Sketch s("slips");
  const auto P = s.particle("p", 1.0, 1);
  const auto v = s.builder.q_dot(s.coordinates[0]);
  s.builder.add_force(
      P, (s.number(F) * s.builder.sin(s.number(w) * s.builder.time()) - s.number(bound) * of(s, Op::kSign, v)) *
             s.axis(0));
  s.start_all({0.0}, {0.0});
  const Trajectory run = Sliding::run(s, 10.0 * period, 1e-10);
  ASSERT_FALSE(run.stopped) << reason(run);
  long slips = 0;
  for (const FrictionChange& change : run.all<FrictionChange>())
    slips += change.to == FrictionChange::To::kSlides ? 1 : 0;
  EXPECT_EQ(slips, 20);
}

/// A friction torque as a load, together with a constraint: a rod in the plane keeps its length, and friction in its
/// pin (torque M sign(θ')) stops it. I θ'' = −M until the rod stops; then it stays at rest.
TEST_P(Sliding, BesideAConstraint) {
  const double L = 2.0, m = 1.5, M = 0.7, v0 = 2.0;
  Sketch s("pin");
  const auto P = s.particle("p", m, 2);
  const auto x = s.builder.q(s.coordinates[0]), y = s.builder.q(s.coordinates[1]);
  const auto vx = s.builder.q_dot(s.coordinates[0]), vy = s.builder.q_dot(s.coordinates[1]);
  s.builder.add_constraint("rod", x * x + y * y - s.number(L * L));
  const auto turning = x * vy - y * vx;
  const auto f = s.number(-M / (L * L)) * of(s, Op::kSign, turning);
  s.builder.add_force(P, f * (x * s.axis(1) - y * s.axis(0)));
  s.start_all({L, 0.0}, {0.0, v0});
  const double rate = v0 / L, slowing = M / (m * L * L), stop = rate / slowing;
  const double angle = 0.5 * rate * stop;
  const Trajectory run = Sliding::run(s, stop + 3.0, 1e-11);
  ASSERT_FALSE(run.stopped) << reason(run);
  EXPECT_NEAR(run.end().q[0], L * std::cos(angle), 1e-9);
  EXPECT_NEAR(run.end().q[1], L * std::sin(angle), 1e-9);
  EXPECT_NEAR(run.end().u.norm(), 0.0, 1e-13);
  EXPECT_NEAR(run.end().reaction.lambda()[0], 0.0, 1e-9);
  EXPECT_TRUE(rests(run, true, stop, 1e-9));
}

/// Two blocks, one on top of the other, which is on the ground, with Coulomb's law stated as loads for both contacts.
/// The effects of the two switches add up, and the blocks come to rest one after the other.
TEST_P(Sliding, AlongSeveralSurfacesWhoseSidesAddUp) {
  Sketch s("blocks");
  const auto A = s.particle("a", 1.0, 1), B = s.particle("b", 2.0, 1);
  const auto va = s.builder.q_dot(s.coordinates[0]), vb = s.builder.q_dot(s.coordinates[1]);
  const auto between = s.number(1.0) * of(s, Op::kSign, va - vb), ground = s.number(2.0) * of(s, Op::kSign, vb);
  s.builder.add_force(A, s.number(-1.0) * between * s.axis(0));
  s.builder.add_force(B, (between - ground) * s.axis(0));
  s.start_all({0.0, 0.0}, {3.0, 1.0});
  // Speed of a: 3 − t until t = 3. Speed of b: 1 − t/2 until t = 2; then b stays at rest under a, because the force 1
  // from a is smaller than the bound 2.
  const Trajectory run = Sliding::run(s, 5.0, 1e-11);
  ASSERT_FALSE(run.stopped) << reason(run);
  EXPECT_NEAR(run.end().q[0], 4.5, 1e-9);
  EXPECT_NEAR(run.end().q[1], 1.0, 1e-9);
  EXPECT_TRUE(changes(run, true, 2.0, 1e-9));
  EXPECT_TRUE(changes(run, true, 3.0, 1e-9));
}

/// Two switches whose joint effect is not the sum of their single effects. In the sliding mode on both surfaces the
/// force on the third body is not unique.
TEST_P(Sliding, AlongSurfacesWhoseSidesDoNotAddUpIsNotUnique) {
  Sketch s("product");
  const auto A = s.particle("a", 1.0, 1), B = s.particle("b", 1.0, 1), C = s.particle("c", 1.0, 1);
  const auto a = of(s, Op::kSign, s.builder.q_dot(s.coordinates[0]));
  const auto b = of(s, Op::kSign, s.builder.q_dot(s.coordinates[1]));
  s.builder.add_force(A, s.number(-1.0) * a * s.axis(0));
  s.builder.add_force(B, s.number(-1.0) * b * s.axis(0));
  s.builder.add_force(C, a * b * s.axis(0));
  s.start_all({0.0, 0.0, 0.0}, {1.0, 2.0, 0.0});
  const Trajectory run = Sliding::run(s, 5.0, 1e-10);
  ASSERT_TRUE(run.stopped);
  EXPECT_EQ(run.stopped->kind, FailureKind::kNotUnique) << reason(run);
  EXPECT_NEAR(run.stopped->t, 2.0, 1e-8);
}

/// A wall that pushes while it is compressed. The vector fields of the two regions do not both point towards the
/// surface, so the surface is crossed.
TEST_P(Sliding, ContactByMaxIsPassed) {
  Sketch s("contact");
  const auto P = s.particle("p", 1.0, 1);
  const double k = 400.0;
  const auto pressed = of(s, Op::kMaximum, s.number(-1.0) * s.builder.q(s.coordinates[0]), s.number(0.0));
  s.builder.add_force(P, s.number(k) * pressed * s.axis(0));
  s.start_all({1.0}, {-2.0});
  const double contact = std::numbers::pi / std::sqrt(k), end = 2.0;
  const Trajectory run = Sliding::run(s, end, 1e-11);
  ASSERT_FALSE(run.stopped) << reason(run);
  EXPECT_NEAR(run.end().q[0], 2.0 * (end - 0.5 - contact), 1e-9);
  EXPECT_TRUE(run.all<SurfaceChange>().empty());
}

INSTANTIATE_TEST_SUITE_P(Ways, Sliding,
                         ::testing::Values(Way{"dop853", equations::Formulation::kExplicit},
                                           Way{"dop853", equations::Formulation::kAugmented},
                                           Way{"dop853", equations::Formulation::kMinimal},
                                           Way{"dp5", equations::Formulation::kExplicit},
                                           Way{"tsit5", equations::Formulation::kExplicit}));

}  // namespace
}  // namespace vinculum::sim
