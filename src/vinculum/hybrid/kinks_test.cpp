#include <gtest/gtest.h>

#include <cmath>

#include "support/motion/test_models.hpp"

/// Points that are moved by time and whose velocity jumps; positions and potentials that jump (theory.md §10.2).
namespace vinculum::sim {
namespace {

using expr::Op;
using testing::reason;
using testing::run_for;
using testing::Sketch;

model::Term larger(Sketch& s, model::Term a, model::Term b) { return s.builder.terms().function(Op::kMaximum, a, b); }

/// A mathematical pendulum whose pivot moves with the velocity V from t = 1 on. The impulse acts along the rod, so the
/// component of the bob's velocity perpendicular to the rod does not change: L Δθ' = −V cos θ. From rest at θ = 0
/// without gravity, the pendulum then rotates at a constant rate.
TEST(KinkOfACarriedPoint, GivesAnImpulse) {
  const double V = 0.8, L = 0.5;
  Sketch s("pendulum");
  const auto angle = s.coordinate("theta");
  s.coordinates.push_back(angle);
  const auto x = s.number(V) * larger(s, s.builder.time() - s.number(1.0), s.number(0.0)) +
                 s.number(L) * s.builder.sin(s.builder.q(angle));
  const auto y = s.number(-L) * s.builder.cos(s.builder.q(angle));
  const auto P =
      s.builder.point_of(s.builder.add_particle("p", s.number(1.5), s.origin, x * s.axis(0) + y * s.axis(1)));
  (void)P;
  s.start_all({0.0}, {0.0});
  auto dynamics = s.dynamics();
  const Trajectory run = simulate(dynamics, run_for(3.0, 1e-10));
  ASSERT_FALSE(run.stopped) << reason(run);
  EXPECT_NEAR(run.end().u[0], -V / L, 1e-12);
  EXPECT_NEAR(run.end().q[0], -V / L * 2.0, 1e-10);
  EXPECT_EQ(run.looking.crossings, 1);
}

/// A point whose velocity jumps, with a constraint row in addition: a rod connects the first mass to a second one.
TEST(KinkOfACarriedPoint, GivesAnImpulseBesideRows) {
  const double V = 0.8;
  Sketch s("cart and rod");
  const auto cart = s.coordinate("s");
  s.coordinates.push_back(cart);
  const auto carried = s.builder.q(cart) + s.number(V) * larger(s, s.builder.time() - s.number(1.0), s.number(0.0));
  const auto A = s.builder.point_of(s.builder.add_particle("a", s.number(1.0), s.origin, carried * s.axis(0)));
  const auto B = s.particle("b", 3.0, 1);
  s.builder.add_constraint("rod", s.dot(s.builder.pos(B, A), s.axis(0)) - s.number(2.0));
  s.start_all({0.0, 2.0}, {0.0, 0.0});
  auto dynamics = s.dynamics();
  const Trajectory run = simulate(dynamics, run_for(3.0, 1e-10));
  ASSERT_FALSE(run.stopped) << reason(run);
  // No force acts: the mass center stays at rest, and so do both masses.
  EXPECT_NEAR(run.end().u[0], -V, 1e-12);
  EXPECT_NEAR(run.end().u[1], 0.0, 1e-12);
  EXPECT_NEAR(run.end().q[1], 2.0, 1e-10);
}

/// A prescribed speed that is switched on, under a law with forces of its own. An ideal reaction would give an impulse;
/// this law does not define one, so the run ends. If no velocity jumps, the motion continues.
TEST(KinkOfAConstraint, HasNoImpulseUnderForcesOfALaw) {
  const auto run_at = [](double after) {
    Sketch s("drawn");
    const auto P = s.particle("p", 1.0, 2);
    const auto later = s.builder.terms().function(Op::kLess, s.number(1.0), s.builder.time());
    const auto either = [&](double early, double late) {
      return s.builder.terms().function(Op::kSelect, later, s.number(late), s.number(early));
    };
    s.builder.add_force(P, either(0.0, 1.0) * s.axis(1));
    const auto pace = s.builder.add_constraint("pace", s.dot(s.builder.vel(P), s.axis(0)) - either(0.5, after));
    s.builder.add_nonideal_force(pace, P, s.number(-0.1) * s.builder.vel(P));
    s.start_all({0.0, 0.0}, {0.5, 0.0});
    auto dynamics = s.dynamics();
    return simulate(dynamics, run_for(2.0, 1e-9));
  };
  const Trajectory jumps = run_at(0.7);
  ASSERT_TRUE(jumps.stopped);
  EXPECT_EQ(jumps.stopped->kind, FailureKind::kNotUnique) << reason(jumps);
  EXPECT_NEAR(jumps.stopped->t, 1.0, 1e-9);
  const Trajectory stays = run_at(0.5);
  ASSERT_FALSE(stays.stopped) << reason(stays);
  EXPECT_NEAR(stays.end().q[0], 1.0, 1e-9);
}

/// Coordinates with a fold, y = |x|: the impulse at the fold has no direction.
TEST(KinkOfACarriedPoint, IsNotUniqueAtAFold) {
  Sketch s("fold");
  const auto x = s.coordinate("x");
  s.coordinates.push_back(x);
  const auto q = s.builder.q(x);
  (void)s.builder.add_particle("p", s.number(1.0), s.origin,
                               q * s.axis(0) + s.builder.terms().function(Op::kAbsolute, q) * s.axis(1));
  s.start_all({-1.0}, {1.0});
  auto dynamics = s.dynamics();
  const Trajectory run = simulate(dynamics, run_for(3.0, 1e-9));
  ASSERT_TRUE(run.stopped);
  EXPECT_EQ(run.stopped->kind, FailureKind::kNotUnique) << reason(run);
  EXPECT_NEAR(run.stopped->t, 1.0, 1e-9);
}

/// A position that jumps (of_place), and a potential that jumps with the position.
TEST(JumpOfAPlaceOrPotential, EndsTheMotion) {
  for (const bool of_place : {true, false}) {
    Sketch s("jump");
    const auto x = s.coordinate("x");
    s.coordinates.push_back(x);
    const auto step = [&](model::Term of) { return s.builder.terms().function(Op::kFloor, of); };
    model::Term at = s.builder.q(x) * s.axis(0);
    if (of_place) at = at + step(s.builder.time()) * s.axis(1);
    (void)s.builder.add_particle("p", s.number(1.0), s.origin, at);
    if (!of_place) s.builder.add_potential(s.number(0.1) * step(s.builder.q(x)));
    s.start_all({0.5}, {1.0});
    auto dynamics = s.dynamics();
    const Trajectory run = simulate(dynamics, run_for(3.0, 1e-9));
    ASSERT_TRUE(run.stopped);
    EXPECT_EQ(run.stopped->kind, FailureKind::kInconsistent) << reason(run);
    EXPECT_NEAR(run.stopped->t, of_place ? 1.0 : 0.5, 1e-9);
  }
}

/// A potential that jumps in time, V = (1 + floor(t)) x, changes only the force, not the velocity.
TEST(JumpOfAPlaceOrPotential, OfTimeAloneIsPassed) {
  Sketch s("ratchet");
  const auto x = s.coordinate("x");
  s.coordinates.push_back(x);
  (void)s.builder.add_particle("p", s.number(1.0), s.origin, s.builder.q(x) * s.axis(0));
  s.builder.add_potential((s.number(1.0) + s.builder.terms().function(Op::kFloor, s.builder.time())) * s.builder.q(x));
  s.start_all({0.0}, {0.0});
  auto dynamics = s.dynamics();
  const Trajectory run = simulate(dynamics, run_for(2.0, 1e-10));
  ASSERT_FALSE(run.stopped) << reason(run);
  EXPECT_NEAR(run.end().u[0], -3.0, 1e-12);
  EXPECT_NEAR(run.end().q[0], -0.5 - 1.0 - 1.0, 1e-10);
}

}  // namespace
}  // namespace vinculum::sim
