#include "vinculum/solve/contacts/impact_process.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <random>
#include <vector>

#include "support/solve/impacts.hpp"

namespace vinculum::solve {
namespace {

double random_restitution(Random& random) {
  constexpr double kAll[] = {0.0, 0.3, 0.7, 1.0};
  return kAll[random() % 4];
}

/// Contacts without friction, one per row of W, of a system with the mass matrix M and the speeds u.
ImpactProblem problem_of(const Matrix& M, const Matrix& W, const Vector& u, const std::vector<double>& e) {
  ImpactProblem problem = impact_problem(M, W, u, 0, 0.0, 0.0);
  for (std::size_t c = 0; c < e.size(); ++c) problem.contacts[c].restitution = e[c];
  return problem;
}

/// A random system without friction: generic rows, all rows on one body with three speeds, or repeated rows. Some
/// contacts are at rest.
ImpactProblem random_frictionless(Random& random, int trial, bool has_one_e) {
  const int count = 1 + trial % 6, kind = trial / 6 % 3;
  const int nu = kind == 1 ? 3 : count + 1 + trial % 2;
  const Matrix L = random_entries(random, nu, nu);
  const Matrix M = 0.3 * Matrix::Identity(nu, nu) + L * L.transpose();
  Matrix W = random_entries(random, count, nu);
  if (kind == 2 && count > 1) W.row(count - 1) = W.row(0);
  if (kind == 2 && count > 3) W.row(count - 2) = 2.0 * W.row(1);
  Vector u = random_entries(random, nu, 1);
  const Eigen::Index resting = trial / 18 % 3;
  if (resting > 0 && resting < std::min(count, nu)) {
    const Matrix held = W.topRows(resting);
    const Eigen::CompleteOrthogonalDecomposition<Matrix> factor(held);
    u -= factor.solve(Vector(held * u));
  }
  std::vector<double> e(static_cast<std::size_t>(count), random_restitution(random));
  if (!has_one_e)
    for (double& one : e) one = random_restitution(random);
  return problem_of(M, W, u, e);
}

/// One round of the simultaneous law for one e, by trying all sets of contacts with impulses. \returns velocities.
Vector round_by_all_sets(const ImpactProblem& problem, const Vector& gamma, double e) {
  std::vector<Eigen::Index> part;
  for (Eigen::Index i = 0; i < gamma.size(); ++i)
    if (gamma[i] <= 1e-11 * problem.velocity_size[i]) part.push_back(i);
  for (unsigned set = 0; set < 1U << part.size(); ++set) {
    std::vector<Eigen::Index> at;
    for (std::size_t k = 0; k < part.size(); ++k)
      if (((set >> k) & 1U) != 0) at.push_back(part[k]);
    Vector p = Vector::Zero(gamma.size());
    if (!at.empty()) {
      const Eigen::FullPivLU<Matrix> lu(Matrix(problem.G(at, at)));
      if (lu.rcond() < 1e-9) continue;
      p(at) = lu.solve(Vector(-(1.0 + e) * gamma(at).cwiseMin(0.0)));
    }
    const Vector after = gamma + problem.G * p;
    bool holds = p.minCoeff() >= -1e-11;
    for (const Eigen::Index i : part) holds = holds && after[i] >= -e * std::min(gamma[i], 0.0) - 1e-11;
    if (holds) return after;
  }
  return {};
}

TEST(ImpactProcess, IsTheSimultaneousLawWithoutFriction) {
  Random random(21);
  int compared = 0, endless = 0, several_rounds = 0, shared = 0;
  for (int trial = 0; trial < 6000; ++trial) {
    const ImpactProblem problem = random_frictionless(random, trial, true);
    Vector expected = problem.velocity;
    int rounds = 0;
    while (expected.cwiseQuotient(problem.velocity_size).minCoeff() < -1e-9 && rounds <= kMostRounds) {
      expected = round_by_all_sets(problem, expected, problem.contacts.front().restitution);
      ++rounds;
      ASSERT_GT(expected.size(), 0) << trial;
    }
    const ImpactResult result = solve_impact(problem);
    shared += result.are_impulses_unique() ? 0 : 1;
    if (rounds > kMostRounds / 2) {  // the velocities of approach decrease in a geometric series
      ++endless;
      continue;
    }
    ASSERT_EQ(result.ending, ImpactEnding::kRegular) << trial;
    EXPECT_LT((result.velocity - expected).norm(), 1e-8) << trial;
    EXPECT_GE(result.impulse.minCoeff(), 0.0) << trial;
    EXPECT_NEAR(result.energy_change(), energy_gain(problem, result), 1e-9) << trial;
    ++compared;
    several_rounds += rounds > 1 ? 1 : 0;
  }
  EXPECT_GT(compared, 5700);
  EXPECT_EQ(compared + endless, 6000);
  EXPECT_GT(several_rounds, 300);
  EXPECT_GT(shared, 100);
}

TEST(ImpactProcess, NeverRaisesTheEnergyWithoutFriction) {
  Random random(22);
  int many = 0, inelastic = 0;
  for (int trial = 0; trial < 10000; ++trial) {
    const ImpactProblem problem = random_frictionless(random, trial, false);
    const ImpactResult result = solve_impact(problem);
    const double size = energy_size(problem);
    EXPECT_LE(energy_gain(problem, result), 1e-10 * size) << trial;
    EXPECT_NEAR(result.energy_change(), energy_gain(problem, result), 1e-9 * (1.0 + size)) << trial;
    EXPECT_GE(result.impulse.minCoeff(), 0.0) << trial;
    EXPECT_GE((result.velocity.array() / problem.velocity_size.array()).minCoeff(), -1e-8) << trial;
    EXPECT_NE(result.ending, ImpactEnding::kNoSolution) << trial;
    EXPECT_NE(result.ending, ImpactEnding::kOneByOne) << trial;
    many += result.ending == ImpactEnding::kManySolutions ? 1 : 0;
    inelastic += result.ending == ImpactEnding::kInelastic ? 1 : 0;
  }
  EXPECT_GT(many, 100);  // repeated rows with unlike e
  EXPECT_LT(inelastic, 600);
}

/// Equal balls in a row that touch; the first one has the velocity 1. Contact c is between ball c and ball c + 1.
ImpactProblem cradle(int balls, double e, bool is_sequential) {
  Matrix W = Matrix::Zero(balls - 1, balls);
  for (int c = 0; c + 1 < balls; ++c) {
    W(c, c) = -1.0;
    W(c, c + 1) = 1.0;
  }
  ImpactProblem problem = problem_of(Matrix::Identity(balls, balls), W, Vector::Unit(balls, 0),
                                     std::vector<double>(static_cast<std::size_t>(balls - 1), e));
  problem.velocity_size.setOnes();
  for (ImpactContact& one : problem.contacts) one.is_sequential = is_sequential;
  return problem;
}

/// Velocities of the balls of a cradle.
Vector speeds_of(const ImpactResult& result) {
  const Eigen::Index balls = result.impulse.size() + 1;
  Vector u = Vector::Unit(balls, 0);
  u.head(balls - 1) -= result.impulse;
  u.tail(balls - 1) += result.impulse;
  return u;
}

TEST(ImpactProcess, OfACradleOneAfterTheOtherPassesTheVelocityOn) {
  for (const int balls : {2, 3, 5, 12}) {
    const ImpactResult result = solve_impact(cradle(balls, 1.0, true));
    EXPECT_EQ(result.rounds, balls - 1);
    EXPECT_LT((speeds_of(result) - Vector::Unit(balls, balls - 1)).norm(), 1e-12);
    EXPECT_EQ(result.ending, ImpactEnding::kRegular);
  }
}

TEST(ImpactProcess, OfACradleAtOnceThrowsTheFirstBallBack) {
  // The first ball meets n − 1 balls that act as one body of mass n − 1.
  for (const int balls : {2, 3, 5, 12}) {
    const double n = balls - 1.0, e = 0.6;
    const ImpactResult result = solve_impact(cradle(balls, e, false));
    Vector expected = Vector::Constant(balls, (1.0 + e) / (1.0 + n));
    expected[0] = (1.0 - e * n) / (1.0 + n);
    EXPECT_LT((speeds_of(result) - expected).norm(), 1e-12);
    EXPECT_NEAR(result.energy_change(), -0.5 * (1.0 - e * e) * n / (1.0 + n), 1e-12);
    EXPECT_EQ(result.rounds, 1);
  }
}

/// A block of unit mass on its corners at (±a, −h) from its center; the speeds are those of the center and ω.
ImpactProblem rocking_block(double a, double h, double e, double omega, bool may_slide) {
  const double inertia = (a * a + h * h) / 3.0;
  const Matrix M = Vector{{1.0, 1.0, inertia}}.asDiagonal();
  // The block turns about its right corner; its left corner meets the ground.
  const Vector u{{-omega * h, -omega * a, omega}};
  Matrix W(2, 3);
  W << 0.0, 1.0, -a, 0.0, 1.0, a;
  ImpactProblem problem = problem_of(M, W, u, {e, e});
  if (may_slide) return problem;
  // Rows of the ground that hold the right corner while the block turns about the left one are part of the space of G:
  // no tangential motion of the corners.
  const Vector t{{1.0, 0.0, h}};
  const Matrix inverse = M.inverse();
  const Vector through = inverse * t;
  const Matrix in_space = inverse - through * through.transpose() / t.dot(through);
  problem.G = W * in_space * W.transpose();
  problem.G_size = problem.G.diagonal();
  return problem;
}

TEST(ImpactProcess, OfARockingBlockIsHousnersRatio) {
  const double a = 0.3, h = 0.9, omega = 0.8;
  const ImpactProblem problem = rocking_block(a, h, 0.0, omega, false);
  EXPECT_NEAR(problem.velocity[1], 0.0, 1e-15);
  EXPECT_LT(problem.velocity[0], 0.0);
  const ImpactResult result = solve_impact(problem);
  // The left corner stays, the right one rises: ω⁺/ω⁻ = 1 − (3/2) sin²α with tan α = a/h.
  const double ratio = 1.0 - 1.5 * a * a / (a * a + h * h);
  EXPECT_NEAR(result.velocity[0], 0.0, 1e-14);
  EXPECT_NEAR(result.velocity[1], 2.0 * a * omega * ratio, 1e-13);
  EXPECT_EQ(result.impulse[1], 0.0);
}

/// A plate of unit mass that falls on four legs at (±1, ±1); the speeds are v, ω_x, ω_y.
ImpactProblem plate_on_legs(const Vector& u, const std::vector<double>& e) {
  Matrix W(4, 3);
  W << 1.0, 1.0, -1.0, 1.0, 1.0, 1.0, 1.0, -1.0, 1.0, 1.0, -1.0, -1.0;
  return problem_of(Vector{{1.0, 0.5, 0.5}}.asDiagonal(), W, u, e);
}

TEST(ImpactProcess, OnFourLegsHasUniqueVelocitiesButNotImpulses) {
  const ImpactResult result = solve_impact(plate_on_legs(Vector{{-2.0, 0.0, 0.0}}, {0.5, 0.5, 0.5, 0.5}));
  EXPECT_FALSE(result.are_impulses_unique());
  EXPECT_EQ(result.ending, ImpactEnding::kRegular);
  EXPECT_LT((result.velocity - Vector::Constant(4, 1.0)).norm(), 1e-13);
  EXPECT_LT((result.impulse - Vector::Constant(4, 0.75)).norm(), 1e-13);
}

TEST(ImpactProcess, SaysThatUnlikeLegsHaveManySolutions) {
  // How much each leg bounces depends on its share of the work of compression, and this share is arbitrary.
  const ImpactResult result = solve_impact(plate_on_legs(Vector{{-2.0, 0.0, 0.0}}, {0.9, 0.0, 0.4, 0.0}));
  EXPECT_FALSE(result.are_impulses_unique());
  EXPECT_EQ(result.ending, ImpactEnding::kManySolutions);
}

TEST(ImpactProcess, SaysThatPrescribedMotionsLeaveNoSolution) {
  ImpactProblem pressed = problem_of(Matrix::Identity(1, 1), Matrix{{1.0}, {-1.0}}, Vector::Zero(1), {0.5, 0.5});
  pressed.velocity = Vector{{-1.0, -1.0}};  // two walls approach the body from both sides
  pressed.velocity_size.setOnes();
  EXPECT_EQ(solve_impact(pressed).ending, ImpactEnding::kNoSolution);
  ImpactProblem driven =
      problem_of(Matrix::Identity(1, 1), Matrix{{1.0}, {1.0}}, Vector::Constant(1, -1.0), {0.5, 0.5});
  driven.G.row(1).setZero();
  driven.G.col(1).setZero();  // no impulse changes the second velocity
  EXPECT_EQ(solve_impact(driven).ending, ImpactEnding::kNoSolution);
}

TEST(ImpactProcess, ScalesWithVelocitiesAndMasses) {
  Random random(23);
  for (int trial = 0; trial < 300; ++trial) {
    const ImpactProblem problem = random_frictionless(random, trial, false);
    const ImpactResult expected = solve_impact(problem);
    for (const double speed : {1e-8, 1.0, 1e8}) {
      for (const double mass : {1e-6, 1.0, 1e6}) {
        const ImpactResult result = solve_impact(scaled(problem, speed, mass));
        if (expected.rounds > kMostRounds / 2) continue;  // the last rounds depend on rounding errors
        EXPECT_EQ(result.ending, expected.ending) << trial;
        EXPECT_EQ(result.pieces, expected.pieces) << trial;
        EXPECT_LT((result.velocity / speed - expected.velocity).norm(), 1e-8 * (1.0 + expected.velocity.norm()));
        EXPECT_LT((result.impulse / (speed * mass) - expected.impulse).norm(), 1e-8 * (1.0 + expected.impulse.norm()));
      }
    }
  }
}

TEST(ImpactProcess, NeedsNoApproach) {
  ImpactProblem problem = problem_of(Matrix::Identity(2, 2), Matrix::Identity(2, 2), Vector{{0.0, 0.3}}, {0.5, 0.5});
  const ImpactResult result = solve_impact(problem);
  EXPECT_EQ(result.rounds, 0);
  EXPECT_EQ(result.pieces, 0);
  EXPECT_EQ(result.impulse, Vector::Zero(2));
  EXPECT_EQ(result.velocity, problem.velocity);
  problem.contacts.clear();
  EXPECT_EQ(solve_impact(problem).ending, ImpactEnding::kRegular);
}

TEST(ImpactProcess, LawsAgreeForOneContactWithoutFriction) {
  for (const RestitutionLaw law :
       {RestitutionLaw::kEnergetic, RestitutionLaw::kNewton, RestitutionLaw::kPoisson, RestitutionLaw::kMoreau}) {
    ImpactProblem problem = problem_of(Matrix{{4.0}}, Matrix{{2.0}}, Vector::Constant(1, -3.0), {0.3});
    problem.contacts.front().law = law;
    const ImpactResult result = solve_impact(problem);
    EXPECT_NEAR(result.velocity[0], 1.8, 1e-14);
    EXPECT_NEAR(result.impulse[0], 7.8, 1e-14);
    EXPECT_NEAR(result.work.front().compression, -18.0, 1e-13);
    EXPECT_NEAR(result.work.front().restitution, 18.0 * 0.09, 1e-13);
    EXPECT_EQ(result.work.front().tangential, 0.0);
  }
}

}  // namespace
}  // namespace vinculum::solve
