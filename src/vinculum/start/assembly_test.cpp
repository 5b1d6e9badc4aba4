#include "vinculum/start/assembly.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/motion/test_models.hpp"

namespace vinculum::sim {
namespace {

using testing::run_for;
using testing::Sketch;
using testing::StartCondition;
using testing::StartKind;
using testing::Term;

Failure failure_at_start(Sketch& s) {
  auto dynamics = s.dynamics();
  const auto start = assemble(dynamics);
  EXPECT_FALSE(start);
  return start ? Failure{} : start.error();
}

bool mentions(const Failure& failure, const std::string& text) {
  return failure.message.find(text) != std::string::npos;
}

/// A crank of length 2 about the origin whose tip has the coordinates px, py. In addition, a particle without
/// constraints.
struct Crank : Sketch {
  Crank() {
    const auto P = particle("p", 1.0, 2);
    particle("free", 1.0, 2);
    builder.add_constraint("crank", square(from_origin(P)) - number(4.0));
  }
};

TEST(Assembly, HoldsWhatIsStatedAndFindsTheRest) {
  Crank s;
  s.start(s.coordinates[0], 1.2);
  s.start(s.coordinates[1], 1.0, StartKind::kGuess);
  s.start_rate(s.coordinates[0], 3.0);
  s.start_rate(s.coordinates[1], 0.0, StartKind::kGuess);
  auto dynamics = s.dynamics();
  const auto start = assemble(dynamics);
  ASSERT_TRUE(start) << start.error().message;
  EXPECT_EQ(start->q[0], 1.2);
  EXPECT_NEAR(start->q[1], 1.6, 1e-15);
  EXPECT_EQ(start->u[0], 3.0);
  EXPECT_NEAR(start->u[1], -2.25, 1e-14);
  EXPECT_EQ(start->attempt, 0);
}

TEST(Assembly, LeavesAloneWhatNeedNotMove) {
  Crank s;
  s.start(s.coordinates[0], 1.0, StartKind::kGuess);
  s.start(s.coordinates[1], 1.0, StartKind::kGuess);
  s.start(s.coordinates[2], 0.3, StartKind::kGuess);
  s.start_rate(s.coordinates[3], -0.7, StartKind::kGuess);
  auto dynamics = s.dynamics();
  const auto start = assemble(dynamics);
  ASSERT_TRUE(start) << start.error().message;
  EXPECT_EQ(start->q[2], 0.3);
  EXPECT_EQ(start->q[3], 0.0);
  EXPECT_EQ(start->u[2], 0.0);
  EXPECT_EQ(start->u[3], -0.7);
  // The start is the point of the circle nearest to the guess, along the radius.
  EXPECT_NEAR(start->q[0], std::sqrt(2.0), 1e-14);
  EXPECT_NEAR(start->q[1], std::sqrt(2.0), 1e-14);
}

TEST(Assembly, KeepsAConsistentGuessBitForBit) {
  auto dynamics = testing::four_bar(0.0, 2.0).dynamics();
  const auto start = assemble(dynamics);
  ASSERT_TRUE(start) << start.error().message;
  EXPECT_EQ(start->q, (Vector(4) << 1.0, 0.0, 3.0, 0.0).finished());
  EXPECT_EQ(start->iterations, 0);
}

TEST(Assembly, LeavesAGuessWhereTheGradientVanishes) {
  Crank s;  // the guess (0, 0) is the center of the circle, where x² + y² has no gradient
  auto dynamics = s.dynamics();
  const auto start = assemble(dynamics);
  ASSERT_TRUE(start) << start.error().message;
  EXPECT_GT(start->attempt, 0);
  EXPECT_NEAR(std::hypot(start->q[0], start->q[1]), 2.0, 1e-14);
  EXPECT_EQ(start->q[2], 0.0);  // coordinates that occur in no equation are not perturbed
}

TEST(Assembly, IsRepeatable) {
  Crank s, again;
  auto first = s.dynamics(), second = again.dynamics();
  EXPECT_EQ(assemble(first)->q, assemble(second)->q);
}

TEST(Assembly, ClosesALoopWithRedundantRows) {
  auto dynamics = testing::double_pendulum(3).dynamics();
  const auto start = assemble(dynamics);
  ASSERT_TRUE(start) << start.error().message;
  EXPECT_NEAR(std::hypot(start->q[0], start->q[1]), 1.0, 1e-15);
}

TEST(Assembly, SeesTheAssembledCoordinatesInRightSides) {
  // y = 0.5 x is stated with `=`, while x follows from the circle of radius 2.
  Crank s;
  s.start(s.coordinates[0], 1.0, StartKind::kGuess);
  s.builder.add_start({StartCondition::On::kCoordinate,
                       s.coordinates[1].value,
                       StartKind::kHeld,
                       s.number(0.5) * s.builder.q(s.coordinates[0]),
                       {}});
  s.builder.add_start({StartCondition::On::kCoordinateRate,
                       s.coordinates[2].value,
                       StartKind::kHeld,
                       s.builder.q(s.coordinates[0]),
                       {}});
  auto dynamics = s.dynamics();
  const auto start = assemble(dynamics);
  ASSERT_TRUE(start) << start.error().message;
  EXPECT_NEAR(start->q[1], 0.5 * start->q[0], 1e-15);
  EXPECT_NEAR(start->q[0], 2.0 / std::sqrt(1.25), 1e-14);
  EXPECT_EQ(start->u[2], start->q[0]);
}

TEST(Assembly, ExplainsLengthsThatCannotClose) {
  // Two cranks of length 1 whose bearings are 5 apart, connected by a rod of length 2.
  Sketch s;
  const auto B = s.builder.add_point("B", s.origin, s.number(5.0) * s.axis(0));
  const auto P = s.particle("p", 1.0, 2), Q = s.particle("q", 1.0, 2);
  s.builder.add_constraint("left", s.square(s.from_origin(P)) - s.number(1.0));
  s.builder.add_constraint("right", s.square(s.builder.pos(Q, B)) - s.number(1.0));
  s.builder.add_constraint("rod", s.square(s.builder.pos(Q, P)) - s.number(4.0));
  s.start_all({1.0, 0.1, 4.0, 0.1}, {}, StartKind::kGuess);
  const Failure failure = failure_at_start(s);
  EXPECT_EQ(failure.kind, FailureKind::kAssembly);
  EXPECT_EQ(failure.rows.size(), 3u);
  EXPECT_TRUE(mentions(failure, "`left`") && mentions(failure, "`right`") && mentions(failure, "`rod`"))
      << failure.message;
  EXPECT_GT(failure.size, 0.1);
}

TEST(Assembly, NamesTheHeldValueInConflict) {
  Crank s;
  s.start(s.coordinates[0], 2.5);  // px = 2.5 is outside the circle for every py
  s.start(s.coordinates[2], 9.0);  // also stated with `=`, but not part of the conflict
  const Failure failure = failure_at_start(s);
  EXPECT_EQ(failure.kind, FailureKind::kAssembly);
  EXPECT_TRUE(mentions(failure, "`crank`")) << failure.message;
  EXPECT_TRUE(mentions(failure, "`px = 2.5`")) << failure.message;
  EXPECT_FALSE(mentions(failure, "freex")) << failure.message;
  EXPECT_NEAR(failure.size, 2.25, 1e-6);
}

TEST(Assembly, NamesHeldSpeedsInConflict) {
  Crank s;
  s.start(s.coordinates[0], 2.0);
  s.start(s.coordinates[1], 0.0, StartKind::kGuess);
  s.start_rate(s.coordinates[0], 0.5);  // a speed along the crank, which is impossible
  const Failure failure = failure_at_start(s);
  EXPECT_EQ(failure.kind, FailureKind::kAssembly);
  EXPECT_TRUE(mentions(failure, "`crank`")) << failure.message;
  EXPECT_TRUE(mentions(failure, "px' = 0.5")) << failure.message;
  EXPECT_TRUE(mentions(failure, "velocities")) << failure.message;
}

TEST(Assembly, RefusesTwoValuesForOneCoordinate) {
  Crank s;
  s.start(s.coordinates[0], 1.0);
  s.start(s.coordinates[0], 1.5);
  const Failure failure = failure_at_start(s);
  EXPECT_EQ(failure.kind, FailureKind::kAssembly);
  EXPECT_TRUE(mentions(failure, "`px = 1`") && mentions(failure, "`px = 1.5`")) << failure.message;
}

TEST(Assembly, TakesAllCoordinatesHeldWhereTheyAreRight) {
  Crank s;
  s.start_all({2.0, 0.0, 1.0, 1.0}, {0.0, 1.0, 0.0, 0.0});
  auto dynamics = s.dynamics();
  const auto start = assemble(dynamics);
  ASSERT_TRUE(start) << start.error().message;
  EXPECT_EQ(start->u[1], 1.0);
}

TEST(Assembly, NamesContradictoryDuplicates) {
  Crank s;
  const auto P = model::PointId(std::size_t{1});
  s.builder.add_constraint("longer", s.square(s.from_origin(P)) - s.number(5.0));
  s.start(s.coordinates[0], 2.0, StartKind::kGuess);
  const Failure failure = failure_at_start(s);
  EXPECT_EQ(failure.kind, FailureKind::kAssembly);
  EXPECT_TRUE(mentions(failure, "`crank`") && mentions(failure, "`longer`")) << failure.message;
}

TEST(Assembly, BringsSpeedsOntoANonlinearVelocityConstraint) {
  // v|² = 4 with fixed vx determines vy, even if the guess has another order of magnitude.
  for (const double guess : {0.01, 0.5, 30.0}) {
    Sketch s;
    const auto P = s.particle("p", 1.0, 2);
    s.builder.add_constraint("speed", s.square(s.builder.vel(P)) - s.number(4.0));
    s.start_rate(s.coordinates[0], 1.2);
    s.start_rate(s.coordinates[1], guess, StartKind::kGuess);
    auto dynamics = s.dynamics();
    const auto start = assemble(dynamics);
    ASSERT_TRUE(start) << start.error().message;
    EXPECT_EQ(start->u[0], 1.2);
    EXPECT_NEAR(start->u[1], 1.6, 1e-14);
  }
}

TEST(Assembly, ChangesSpeedsLeastInTheMetricOfMass) {
  // Masses 1 and 9 on a rod along x with the guessed speeds 1 and 0. Only the relative speed must become 0; the
  // momentum stays the same.
  Sketch s;
  const auto P = s.particle("p", 1.0, 2), Q = s.particle("q", 9.0, 2);
  s.builder.add_constraint("rod", s.square(s.builder.pos(Q, P)) - s.number(1.0));
  s.start_all({0.0, 0.0, 1.0, 0.0}, {});
  s.start_rate(s.coordinates[0], 1.0, StartKind::kGuess);
  auto dynamics = s.dynamics();
  const auto start = assemble(dynamics);
  ASSERT_TRUE(start) << start.error().message;
  EXPECT_NEAR(start->u[0], 0.1, 1e-15);
  EXPECT_NEAR(start->u[2], 0.1, 1e-15);
}

TEST(Assembly, TurnsStatedRatesIntoConditionsOnSpeeds) {
  // By definition u1 = x' + y' and u2 = x' − y'. The conditions x' = 3 and u2 = 1 are fixed, so u1 = 5.
  Sketch s;
  s.particle("p", 1.0, 2);
  const auto x = s.coordinates[0], y = s.coordinates[1];
  s.builder.add_speed("u1", s.builder.q_dot(x) + s.builder.q_dot(y));
  const auto u2 = s.builder.add_speed("u2", s.builder.q_dot(x) - s.builder.q_dot(y));
  s.start_rate(x, 3.0);
  s.builder.add_start({StartCondition::On::kSpeed, u2.value, StartKind::kHeld, s.number(1.0), {}});
  auto dynamics = s.dynamics();
  const auto start = assemble(dynamics);
  ASSERT_TRUE(start) << start.error().message;
  EXPECT_NEAR(start->u[0], 5.0, 1e-14);
  EXPECT_EQ(start->u[1], 1.0);
}

TEST(Assembly, FindsFarAnswersFromZero) {
  // A position is prescribed at 1e4, so the solution is far from the guess 0. The model states no typical size of it.
  Sketch s;
  const auto P = s.particle("p", 1.0, 2);
  s.builder.add_constraint("x", s.dot(s.from_origin(P), s.axis(0)) - s.number(1e4));
  s.builder.add_constraint("y",
                           s.dot(s.from_origin(P), s.axis(1)) - s.dot(s.from_origin(P), s.axis(0)) * s.number(1e-3));
  auto dynamics = s.dynamics();
  const auto start = assemble(dynamics);
  ASSERT_TRUE(start) << start.error().message;
  EXPECT_NEAR(start->q[0], 1e4, 1e-10);
  EXPECT_NEAR(start->q[1], 10.0, 1e-12);
}

TEST(Assembly, PointsAtTheConditionsInConflict) {
  Sketch s;
  s.particle("p", 1.0, 2);
  s.start(s.coordinates[0], 1.0);
  s.start(s.coordinates[1], 2.0);
  s.builder.add_start({model::StartCondition::On::kCoordinate,
                       s.coordinates[1].value,
                       StartKind::kHeld,
                       s.builder.q(s.coordinates[1]) + s.number(1.0),
                       {}});  // the contradiction y = y + 1
  s.start_rate(s.coordinates[0], 3.0);
  auto dynamics = s.dynamics();
  const auto start = assemble(dynamics);
  ASSERT_FALSE(start);
  ASSERT_FALSE(start.error().statements.empty()) << start.error().message;
  EXPECT_EQ(start.error().statements[0].kind, StatementId::Kind::kStart);
  EXPECT_EQ(start.error().statements[0].index, 2) << start.error().message;
}

TEST(Assembly, PointsAtTwoSpeedsHeldForOneRate) {
  Sketch s;
  s.particle("p", 1.0, 1);
  s.start_rate(s.coordinates[0], 3.0);
  s.start_rate(s.coordinates[0], 4.0);
  auto dynamics = s.dynamics();
  const auto start = assemble(dynamics);
  ASSERT_FALSE(start);
  ASSERT_EQ(start.error().statements.size(), 2u);
  EXPECT_EQ(start.error().statements[0].index, 1);
  EXPECT_EQ(start.error().statements[1].index, 0);
}

}  // namespace
}  // namespace vinculum::sim
