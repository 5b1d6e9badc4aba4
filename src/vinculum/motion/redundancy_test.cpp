#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "support/motion/test_models.hpp"

namespace vinculum::sim {
namespace {

using testing::kind_of;
using testing::reason;
using testing::run_for;
using testing::Sketch;
using testing::StartKind;
using testing::Term;

TEST(Redundancy, StatedThriceMovesAsStatedOnce) {
  auto once = testing::double_pendulum(1).dynamics();
  auto thrice = testing::double_pendulum(3).dynamics();
  const Trajectory a = simulate(once, run_for(10.0, 1e-12));
  const Trajectory b = simulate(thrice, run_for(10.0, 1e-12));
  ASSERT_FALSE(a.stopped) << reason(a);
  ASSERT_FALSE(b.stopped) << reason(b);
  EXPECT_LT((a.end().q - b.end().q).cwiseAbs().maxCoeff(), 1e-11);
  EXPECT_LT((a.end().reaction.Q_c - b.end().reaction.Q_c).cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_EQ(b.end().rank, 2);
  EXPECT_LT(b.worst_residual.maxCoeff(), 1e-14);  // the terms of the row are as large as 2.5 × 2
}

TEST(Redundancy, CallsNoMultiplierUniqueThatIsNot) {
  // The constraint `upper` is stated twice, `lower` once. Only the force of the lower rod and the sum of the forces of
  // the upper rods are unique.
  Sketch s = testing::double_pendulum(1);
  const auto P1 = model::PointId(std::size_t{1});
  const auto again = s.builder.add_constraint("again", s.number(3.0) * (s.square(s.from_origin(P1)) - s.number(1.0)));
  auto& pool = s.builder.terms();
  const auto upper = model::ConstraintId(std::size_t{0}), lower = model::ConstraintId(std::size_t{1});
  s.builder.add_output("upper", pool.multiplier(upper, 0));
  s.builder.add_output("lower", pool.multiplier(lower, 0));
  s.builder.add_output("both", pool.multiplier(upper, 0) + s.number(3.0) * pool.multiplier(again, 0));
  auto dynamics = s.dynamics();
  const Trajectory run = simulate(dynamics, run_for(1.0, 1e-9));
  ASSERT_FALSE(run.stopped) << reason(run);
  const Sample& end = run.end();
  EXPECT_EQ(end.row_unique, (std::vector<char>{0, 1, 0}));
  EXPECT_EQ(end.output_unique, (std::vector<char>{0, 1, 1}));
  const auto& forces = dynamics.binding()->point_forces;
  ASSERT_EQ(forces.size(), 4u);
  for (std::size_t i = 0; i < forces.size(); ++i) {
    const char along = forces[i].constraint == lower ? 1 : 0;
    EXPECT_EQ(end.point_force_unique[i], (std::array<char, 3>{along, along, 1})) << i;  // all forces are in the plane
  }
}

TEST(Redundancy, FindsTheForceAtAPointUniqueThoughItsMultipliersAreNot) {
  // One vector constraint with the directions e_x, e_y and e_x + e_y has three multipliers for two force components.
  Sketch s;
  const auto P = s.particle("p", 1.0, 2);
  s.builder.add_gravity(s.number(-9.81) * s.axis(1));
  const Term along[] = {s.axis(0), s.axis(1), s.axis(0) + s.axis(1)};
  s.builder.add_constraint("held", s.builder.vel(P), along);
  s.start_all({0.0, 0.0}, {0.0, 0.0});
  auto dynamics = s.dynamics();
  const Trajectory run = simulate(dynamics, run_for(0.1, 1e-8));
  ASSERT_FALSE(run.stopped) << reason(run);
  EXPECT_EQ(run.end().rank, 2);
  EXPECT_EQ(run.end().row_unique, (std::vector<char>{0, 0, 0}));
  EXPECT_EQ(run.end().point_force_unique, (std::vector<std::array<char, 3>>{{1, 1, 1}}));
  EXPECT_NEAR(run.end().reaction.Q_c[1], 9.81, 1e-12);
}

TEST(Redundancy, CarriesAThirdCrankThatIsRedundantOnTheManifoldOnly) {
  // A parallelogram with a third parallel crank in the middle of the rod. The row of the third crank depends on the
  // other rows only at states that satisfy them exactly. The motion starts away from the flat configuration.
  Sketch s = testing::four_bar(1.3, 0.0);
  const auto P = model::PointId(std::size_t{2}), Q = model::PointId(std::size_t{3});
  const Term middle = s.number(0.5) * (s.from_origin(P) + s.from_origin(Q)) - s.axis(0);
  s.builder.add_constraint("third", s.square(middle) - s.number(1.0));
  auto dynamics = s.dynamics();
  Sketch plain = testing::four_bar(1.3, 0.0);
  auto reference = plain.dynamics();
  const Trajectory run = simulate(dynamics, run_for(1.0, 1e-9));
  const Trajectory expected = simulate(reference, run_for(1.0, 1e-9));
  ASSERT_FALSE(run.stopped) << reason(run) << " at " << run.stopped->t;
  ASSERT_FALSE(expected.stopped) << reason(expected);
  EXPECT_LT((run.end().q - expected.end().q).cwiseAbs().maxCoeff(), 1e-7);
  EXPECT_EQ(run.start().rank, 3);
}

// Compares two double pendulums. The rods of the first are stated a second time in other forms; the rods of the second
// are stated once. Steps, rejections and motion must agree.
void expect_as_cheap_as_once(const std::function<void(Sketch&, Term upper, Term lower)>& state_again) {
  for (const double tolerance : {1e-3, 1e-6, 1e-9, 1e-12}) {
    Sketch s = testing::double_pendulum(1);
    const auto P1 = model::PointId(std::size_t{1}), P2 = model::PointId(std::size_t{2});
    state_again(s, s.square(s.from_origin(P1)), s.square(s.builder.pos(P2, P1)));
    auto again = s.dynamics();
    auto once = testing::double_pendulum(1).dynamics();
    const Trajectory a = simulate(again, run_for(10.0, tolerance));
    const Trajectory b = simulate(once, run_for(10.0, tolerance));
    ASSERT_FALSE(a.stopped) << reason(a);
    ASSERT_FALSE(b.stopped) << reason(b);
    EXPECT_LE(10 * a.statistics.steps, 11 * b.statistics.steps) << tolerance;
    EXPECT_LE(10 * a.statistics.rejected, 11 * b.statistics.rejected + 10) << tolerance;
    EXPECT_LE(10 * a.counts.fallbacks, 10 * b.counts.fallbacks + b.statistics.evaluations) << tolerance;
    EXPECT_LT(a.worst_residual.maxCoeff(), 1e-14);
    if (tolerance == 1e-12) {
      EXPECT_LT((a.end().q - b.end().q).cwiseAbs().maxCoeff(), 1e-11);
    }
  }
}

TEST(Redundancy, InOtherNonlinearFormsCostsNoSteps) {
  // At states that violate the constraints, the forms |r| − 1 and r² − 1 of the same rod require different
  // accelerations.
  expect_as_cheap_as_once([](Sketch& s, Term upper, Term lower) {
    const auto length = [&s](Term square) { return s.builder.terms().function(expr::Op::kSquareRoot, square); };
    s.builder.add_constraint("upper_length", length(upper) - s.number(1.0));
    s.builder.add_constraint("lower_length", length(lower) - s.number(0.8));
  });
}

TEST(Redundancy, ByFactorsThatVaryWithTheStateCostsNoSteps) {
  expect_as_cheap_as_once([](Sketch& s, Term upper, Term lower) {
    const Term x = s.builder.q(s.coordinates[0]);
    const Term factor = s.number(1.0) + x * x;
    s.builder.add_constraint("upper_again", factor * (upper - s.number(1.0)));
    s.builder.add_constraint("lower_again", factor * (lower - s.number(0.64)));
    s.builder.add_constraint("upper_thrice", s.number(3.0) * (upper - s.number(1.0)));
  });
}

TEST(Contradiction, OfAccelerationsIsNamedWithItsSize) {
  // Two servo constraints require different accelerations of one particle.
  Sketch s;
  const auto P = s.particle("p", 1.0, 2);
  s.builder.add_constraint("fast", s.dot(s.builder.acc(P), s.axis(0)) - s.number(2.0));
  s.builder.add_constraint("slow", s.dot(s.builder.acc(P), s.axis(0)) - s.number(1.5));
  s.builder.add_constraint("other", s.dot(s.builder.acc(P), s.axis(1)));
  s.start_all({0.0, 0.0}, {0.0, 0.0});
  auto dynamics = s.dynamics();
  const Trajectory run = simulate(dynamics, run_for(1.0, 1e-8));
  EXPECT_EQ(kind_of(run), FailureKind::kInconsistent) << reason(run);
  EXPECT_EQ(run.stopped->rows.size(), 2u);
  EXPECT_NEAR(run.stopped->size, 0.5, 1e-12);
  EXPECT_NE(run.stopped->message.find("`fast`"), std::string::npos) << run.stopped->message;
  EXPECT_NE(run.stopped->message.find("`slow`"), std::string::npos) << run.stopped->message;
  EXPECT_EQ(run.stopped->message.find("`other`"), std::string::npos) << run.stopped->message;
}

TEST(Contradiction, ThatBeginsLaterStopsTheRunThere) {
  // Both constraints require rest until t = 1; then one of them requires motion.
  Sketch s;
  const auto P = s.particle("p", 1.0, 1);
  auto& pool = s.builder.terms();
  const Term late = pool.function(expr::Op::kMaximum, s.number(0.0), s.builder.time() - s.number(1.0));
  const Term x = s.dot(s.from_origin(P), s.axis(0));
  s.builder.add_constraint("rest", x);
  s.builder.add_constraint("go", x - late * late * late);
  s.start_all({0.0}, {0.0});
  auto dynamics = s.dynamics();
  const Trajectory run = simulate(dynamics, run_for(3.0, 1e-8));
  EXPECT_EQ(kind_of(run), FailureKind::kInconsistent) << reason(run);
  EXPECT_NEAR(run.stopped->t, 1.0, 1e-3);
  EXPECT_NE(run.stopped->message.find("`go`"), std::string::npos) << run.stopped->message;
  EXPECT_LE(run.end().t, run.stopped->t + 1e-3);
}

TEST(MasslessParticle, WithoutConstraintIsUndeterminedByName) {
  Sketch s;
  s.particle("heavy", 1.0, 2);
  s.particle("light", 0.0, 2);
  s.start_all({0.0, 0.0, 1.0, 0.0}, {0.0, 0.0, 0.0, 0.0});
  auto dynamics = s.dynamics();
  const Trajectory run = simulate(dynamics, run_for(1.0, 1e-8));
  EXPECT_EQ(kind_of(run), FailureKind::kUndetermined) << reason(run);
  EXPECT_NE(run.stopped->message.find("lightx'"), std::string::npos) << run.stopped->message;
  EXPECT_EQ(run.stopped->message.find("heavy"), std::string::npos) << run.stopped->message;
}

TEST(MasslessParticle, HeldByConstraintsMovesAsTheLimitOfSmallMass) {
  // A weight hangs on two rods of length 1 and 0.8 with a massless particle between them. A constraint keeps this
  // particle above the weight (same x).
  const auto model = [](double middle) {
    Sketch s;
    const auto P = s.particle("a", middle, 2);
    const auto Q = s.particle("b", 1.5, 2);
    s.builder.add_gravity(s.number(-9.81) * s.axis(1));
    s.builder.add_constraint("upper", s.square(s.from_origin(P)) - s.number(1.0));
    s.builder.add_constraint("hang", s.dot(s.builder.pos(Q, P), s.axis(0)));
    s.builder.add_constraint("lower", s.dot(s.builder.pos(Q, P), s.axis(1)) + s.number(0.8));
    const double x = std::sin(0.5), y = -std::cos(0.5);
    s.start_all({x, y, x, y - 0.8}, {0.0, 0.0, 0.0, 0.0}, StartKind::kGuess);
    return s;
  };
  auto massless = model(0.0).dynamics();
  auto light = model(1e-9).dynamics();
  const Trajectory a = simulate(massless, run_for(2.0, 1e-10));
  const Trajectory b = simulate(light, run_for(2.0, 1e-10));
  ASSERT_FALSE(a.stopped) << reason(a);
  ASSERT_FALSE(b.stopped) << reason(b);
  EXPECT_LT((a.end().q - b.end().q).cwiseAbs().maxCoeff(), 1e-7);
  EXPECT_LT((a.end().reaction.Q_c - b.end().reaction.Q_c).cwiseAbs().maxCoeff(), 1e-6);
}

TEST(Rows, OfVeryDifferentUnitsMoveAlike) {
  for (const double factor : {1e-6, 1e6}) {
    Sketch s("scaled");
    const auto P1 = s.particle("a", 1.0, 2);
    const auto P2 = s.particle("b", 1.5, 2);
    s.builder.add_gravity(s.number(-9.81) * s.axis(1));
    s.builder.add_constraint("upper", s.number(factor) * (s.square(s.from_origin(P1)) - s.number(1.0)));
    s.builder.add_constraint("lower", s.square(s.builder.pos(P2, P1)) - s.number(0.64));
    const double x = std::sin(0.1), y = -std::cos(0.1);
    s.start_all({x, y, x, y - 0.8}, {0.0, 0.0, 0.0, 0.0}, StartKind::kGuess);
    auto scaled = s.dynamics();
    auto plain = testing::double_pendulum(1).dynamics();
    const Trajectory a = simulate(scaled, run_for(3.0, 1e-11));
    const Trajectory b = simulate(plain, run_for(3.0, 1e-11));
    ASSERT_FALSE(a.stopped) << reason(a);
    EXPECT_EQ(a.end().rank, 2);
    EXPECT_LT((a.end().q - b.end().q).cwiseAbs().maxCoeff(), 1e-11);
  }
}

TEST(NonFinite, NamesTheExpressionAndTheTime) {
  Sketch s;
  const auto P = s.particle("p", 1.0, 1);
  const Term x = s.dot(s.from_origin(P), s.axis(0));
  s.builder.add_force(P, s.builder.terms().function(expr::Op::kSquareRoot, s.number(0.5) - x) * s.axis(0));
  s.start_all({0.0}, {1.0});
  auto dynamics = s.dynamics();
  const Trajectory run = simulate(dynamics, run_for(2.0, 1e-8));
  EXPECT_EQ(kind_of(run), FailureKind::kNonFinite) << reason(run);
  EXPECT_NE(run.stopped->message.find("sqrt"), std::string::npos) << run.stopped->message;
  EXPECT_GT(run.stopped->t, 0.3);
  EXPECT_LT(run.end().q[0], 0.5 + 1e-9);
}

}  // namespace
}  // namespace vinculum::sim
