#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <numbers>
#include <random>
#include <vector>

#include "support/solve/impacts.hpp"
#include "vinculum/solve/contacts/impact_process.hpp"

namespace vinculum::solve {
namespace {

void expect_coulomb(const ImpactProblem& problem, const ImpactResult& result, int trial) {
  const double size = result.impulse.lpNorm<Eigen::Infinity>();
  for (const ImpactContact& one : problem.contacts) {
    const double p = result.impulse[one.normal];
    EXPECT_GE(p, -1e-9 * size) << trial;
    EXPECT_LE(result.impulse.segment(one.first, one.count).norm(), one.mu * p + 1e-9 * size) << trial;
  }
}

/// A sphere of unit mass and radius: normal and tangential motion are not coupled, and G_tt = 7/2 G_nn.
TEST(ImpactFriction, OfASphereSlidesThroughOrRolls) {
  const Matrix M = Vector{{1.0, 1.0, 0.4}}.asDiagonal();
  Matrix W(2, 3);
  W << 0.0, 1.0, 0.0, 1.0, 0.0, 1.0;
  const double e = 0.6, v = 2.0;
  for (const double mu : {0.1, 0.25, 0.3, 0.6}) {
    for (const double slip : {3.0, -3.0}) {
      const ImpactResult result = solve_impact(impact_problem(M, W, Vector{{slip, -v, 0.0}}, 1, e, mu));
      EXPECT_NEAR(result.impulse[0], (1.0 + e) * v, 1e-13);
      const double bound = mu * (1.0 + e) * v, stop = 3.0 / 3.5;
      EXPECT_NEAR(result.impulse[1], std::copysign(std::min(bound, stop), -slip), 1e-13) << mu;
      EXPECT_NEAR(result.velocity[1], std::copysign(std::max(0.0, 3.0 - 3.5 * bound), slip), 1e-13);
      EXPECT_EQ(result.ending, ImpactEnding::kRegular);
    }
  }
}

/// A rod of unit mass and half length 1 whose end, at the angle θ below the horizontal, meets the ground.
ImpactProblem rod(double angle, const Vector& u, double e, double mu) {
  const double x = std::cos(angle), y = -std::sin(angle);
  Matrix W(2, 3);
  W << 0.0, 1.0, x, 1.0, 0.0, -y;
  return impact_problem(Vector{{1.0, 1.0, 1.0 / 3.0}}.asDiagonal(), W, u, 1, e, mu);
}

/// Routh's construction: the contact slips with friction μ ṗ until the slip is 0 at the impulse p₁, and then sticks or
/// slips with a constant direction. \returns the impulses (normal, tangential) under the energetic law.
Vector by_routh(const ImpactProblem& problem) {
  const double a = problem.G(0, 0), b = problem.G(0, 1), c = problem.G(1, 1);
  const double mu = problem.contacts.front().mu, e = problem.contacts.front().restitution;
  const double gamma = problem.velocity[0], slip = problem.velocity[1], sign = slip > 0.0 ? 1.0 : -1.0;
  const double first = -mu * sign, slip_rate = b + c * first;
  const double p1 = slip == 0.0 ? 0.0 : slip * slip_rate < 0.0 ? -slip / slip_rate : 1e300;
  const double second = std::abs(b) <= mu * c ? -b / c : (b > 0.0 ? -mu : mu);
  const double a1 = a + b * first, a2 = a + b * second;  // rates of the normal velocity
  const auto velocity = [&](double p) { return p <= p1 ? gamma + a1 * p : gamma + a1 * p1 + a2 * (p - p1); };
  const auto work = [&](double p) {
    if (p <= p1) return p * (gamma + 0.5 * a1 * p);
    return p1 * (gamma + 0.5 * a1 * p1) + (p - p1) * 0.5 * (velocity(p1) + velocity(p));
  };
  const auto root = [](const auto& f, double from, double to) {
    for (int k = 0; k < 200; ++k) (f(0.5 * (from + to)) < 0.0 ? from : to) = 0.5 * (from + to);
    return from;
  };
  double high = 1.0;
  while (velocity(high) < 0.0 || high < (p1 < 1e299 ? p1 : 0.0)) high *= 2.0;
  const double low = a1 < 0.0 ? p1 : 0.0;
  const double pc = root([&](double p) { return velocity(p); }, low, high);
  const double target = (1.0 - e * e) * work(pc);
  while (work(high) < target) high *= 2.0;
  const double p = root([&](double at) { return work(at) - target; }, pc, high);
  return Vector{{p, p <= p1 ? first * p : first * p1 + second * (p - p1)}};
}

TEST(ImpactFriction, OfARodAgreesWithRouthsConstruction) {
  Random random(31);
  int slides = 0, stops = 0, reverses = 0, pulled = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    Vector u = random_entries(random, 3, 1);
    const ImpactProblem problem =
        rod(uniform(random, 0.1, 3.0), u, uniform(random, 0.0, 1.0), uniform(random, 0.05, trial % 2 == 0 ? 0.8 : 2.0));
    if (problem.velocity[0] > -1e-3) continue;
    const ImpactResult result = solve_impact(problem);
    const Vector expected = by_routh(problem);
    EXPECT_LT((result.impulse - expected).norm(), 1e-10 * (1.0 + expected.norm())) << trial;
    EXPECT_EQ(result.ending, ImpactEnding::kRegular);
    EXPECT_NEAR(result.work[0].restitution, -std::pow(problem.contacts[0].restitution, 2) * result.work[0].compression,
                1e-12 * (1.0 - result.work[0].compression));
    EXPECT_NEAR(result.energy_change(), energy_gain(problem, result), 1e-11 * (1.0 + energy_size(problem)));
    EXPECT_LE(result.energy_change(), 1e-12 * energy_size(problem));
    expect_coulomb(problem, result, trial);
    const double before = problem.velocity[1], after = result.velocity[1];
    (std::abs(after) < 1e-12 ? stops : before * after > 0.0 ? slides : reverses) += 1;
    const double d = before > 0.0 ? 1.0 : -1.0;
    pulled += problem.G(0, 0) - problem.contacts[0].mu * d * problem.G(0, 1) < 0.0 ? 1 : 0;
  }
  EXPECT_GT(slides, 200);
  EXPECT_GT(stops, 200);
  EXPECT_GT(reverses, 30);
  EXPECT_GT(pulled, 20);  // friction pulls the rod towards the ground until the slip ends (Painlevé)
}

/// The double pendulum of Kane & Levinson, Dynamics (1985), §5.8: two equal rods whose end meets the ground.
ImpactProblem double_pendulum(RestitutionLaw law, double e, double mu) {
  const double one = std::numbers::pi / 9.0, two = std::numbers::pi / 6.0;
  const Matrix M{{4.0 / 3.0, 0.5 * std::cos(two - one)}, {0.5 * std::cos(two - one), 1.0 / 3.0}};
  Matrix W(2, 2);
  W << std::sin(one), std::sin(two), std::cos(one), std::cos(two);
  ImpactProblem problem = impact_problem(M, W, Vector{{-0.1, -0.2}}, 1, e, mu);
  problem.contacts.front().law = law;
  return problem;
}

TEST(ImpactFriction, OfTheDoublePendulumGainsEnergyWithoutAProcess) {
  // Kane & Levinson apply Coulomb's law to the whole impulse and to the slip after the impact, as Moreau's law does.
  const ImpactProblem problem = double_pendulum(RestitutionLaw::kMoreau, 0.7, 0.5);
  const ImpactResult gained = solve_impact(problem);
  EXPECT_NEAR(gained.velocity[0], -0.7 * problem.velocity[0], 1e-14);
  EXPECT_GT(gained.energy_change(), 0.0);
  EXPECT_NEAR(gained.energy_change(), energy_gain(problem, gained), 1e-14);
  for (const RestitutionLaw law : {RestitutionLaw::kEnergetic, RestitutionLaw::kNewton, RestitutionLaw::kPoisson})
    EXPECT_LT(solve_impact(double_pendulum(law, 0.7, 0.5)).energy_change(), 0.0);
}

TEST(ImpactFriction, OfARodGainsEnergyUnderNewtonsLawOnly) {
  Random random(33);
  int gained = 0, compared = 0;
  for (int trial = 0; trial < 4000; ++trial) {
    ImpactProblem problem = rod(uniform(random, 0.1, 3.0), random_entries(random, 3, 1), 0.95, 0.8);
    if (problem.velocity[0] > -1e-3) continue;
    ++compared;
    for (const RestitutionLaw law : {RestitutionLaw::kEnergetic, RestitutionLaw::kPoisson, RestitutionLaw::kNewton}) {
      problem.contacts.front().law = law;
      const ImpactResult result = solve_impact(problem);
      EXPECT_NEAR(result.energy_change(), energy_gain(problem, result), 1e-11 * (1.0 + energy_size(problem)));
      if (law == RestitutionLaw::kNewton)
        gained += result.energy_change() > 1e-9 * energy_size(problem) ? 1 : 0;
      else
        EXPECT_LE(result.energy_change(), 1e-12 * energy_size(problem)) << trial;
    }
  }
  EXPECT_GT(compared, 1000);
  EXPECT_GT(gained, 5);
}

/// A random system with friction: generic rows, all rows on one body with three speeds, or repeated contacts.
ImpactProblem random_with_friction(Random& random, int trial) {
  const int count = 1 + trial % 6, kind = trial / 6 % 3;
  const int nu = kind == 1 ? 3 : 2 * count + trial % 2;
  const Matrix L = random_entries(random, nu, nu);
  const Matrix M = 0.3 * Matrix::Identity(nu, nu) + L * L.transpose();
  Matrix W = random_entries(random, 2 * count, nu);
  if (kind == 1) {  // points of a body in the plane
    for (int c = 0; c < count; ++c) {
      const double x = uniform(random, -1.0, 1.0), y = uniform(random, -1.0, 1.0), at = uniform(random, -1.0, 1.0);
      W.row(2 * c) << -std::sin(at), std::cos(at), x * std::cos(at) + y * std::sin(at);
      W.row(2 * c + 1) << std::cos(at), std::sin(at), x * std::sin(at) - y * std::cos(at);
    }
  }
  if (kind == 2 && count > 1) W.bottomRows(2) = W.topRows(2);
  Vector u = random_entries(random, nu, 1);
  const Eigen::Index resting = 2 * (trial / 18 % 2);
  if (resting > 0 && resting < std::min(2 * count, nu)) {
    const Matrix held = W.topRows(resting);
    const Eigen::CompleteOrthogonalDecomposition<Matrix> factor(held);
    u -= factor.solve(Vector(held * u));
  }
  ImpactProblem problem = impact_problem(M, W, u, 1, 0.0, 0.0);
  constexpr double kRestitution[] = {0.0, 0.3, 0.7, 1.0};
  const bool are_alike = trial % 5 == 0;
  for (ImpactContact& one : problem.contacts) {
    one.restitution = kRestitution[random() % 4];
    one.mu = uniform(random, 0.0, 0.8);
    if (!are_alike) continue;
    one.restitution = problem.contacts.front().restitution;
    one.mu = problem.contacts.front().mu;
  }
  return problem;
}

TEST(ImpactFriction, NeverRaisesTheEnergy) {
  Random random(32);
  int regular = 0, many = 0, shared = 0;
  constexpr int kTrials = 2000;
  for (int trial = 0; trial < kTrials; ++trial) {
    const ImpactProblem problem = random_with_friction(random, trial);
    const ImpactResult result = solve_impact(problem);
    const double size = energy_size(problem);
    EXPECT_LE(energy_gain(problem, result), 1e-9 * size) << trial;
    EXPECT_NEAR(result.energy_change(), energy_gain(problem, result), 1e-8 * (1.0 + size)) << trial;
    expect_coulomb(problem, result, trial);
    EXPECT_NE(result.ending, ImpactEnding::kNoSolution) << trial;
    for (const ImpactContact& one : problem.contacts)
      EXPECT_GE(result.velocity[one.normal] / problem.velocity_size[one.normal], -1e-8) << trial;
    regular += result.ending == ImpactEnding::kRegular ? 1 : 0;
    many += result.ending == ImpactEnding::kManySolutions ? 1 : 0;
    shared += result.are_impulses_unique() ? 0 : 1;
    if (trial % 5 == 0 && trial / 6 % 3 != 1) {  // not the contacts of one body
      EXPECT_NE(result.ending, ImpactEnding::kManySolutions) << trial;
    }
  }
  EXPECT_GT(regular, kTrials * 4 / 5);
  EXPECT_GT(many, 50);  // mostly repeated contacts with unlike coefficients
  EXPECT_GT(shared, 100);
}

TEST(ImpactFriction, ScalesWithVelocitiesAndMasses) {
  Random random(34);
  for (int trial = 0; trial < 100; ++trial) {
    const ImpactProblem problem = random_with_friction(random, trial);
    const ImpactResult expected = solve_impact(problem);
    if (expected.ending != ImpactEnding::kRegular || expected.rounds > 10) continue;
    for (const double speed : {1e-8, 1e8}) {
      for (const double mass : {1e-6, 1e6}) {
        const ImpactResult result = solve_impact(scaled(problem, speed, mass));
        EXPECT_EQ(result.ending, expected.ending) << trial;
        EXPECT_LT((result.velocity / speed - expected.velocity).norm(), 1e-8 * (1.0 + expected.velocity.norm()));
      }
    }
  }
}

TEST(ImpactFriction, OfContactsOneAfterTheOtherLosesEnergy) {
  Random random(35);
  for (int trial = 0; trial < 500; ++trial) {
    ImpactProblem problem = random_with_friction(random, trial);
    for (ImpactContact& one : problem.contacts) one.is_sequential = true;
    const ImpactResult result = solve_impact(problem);
    EXPECT_LE(energy_gain(problem, result), 1e-9 * energy_size(problem)) << trial;
    expect_coulomb(problem, result, trial);
    if (result.rounds <= kMostRounds) {  // otherwise contacts act together at the end
      EXPECT_EQ(result.ending, ImpactEnding::kRegular) << trial;
    }
  }
}

TEST(ImpactFriction, OfABallOnASlidingBlockBrakesTheBlock) {
  // A ball (1 kg) without friction falls on a block (2 kg) that slides along a rough floor.
  // Contact 0: ball and block, e = 1. Contact 1: block and floor, which is at rest and holds the block.
  Matrix W(3, 3);  // speeds: ball down, block down, block along the floor
  W << -1.0, 1.0, 0.0, 0.0, -1.0, 0.0, 0.0, 0.0, 1.0;
  const Matrix M = Vector{{1.0, 2.0, 2.0}}.asDiagonal();
  ImpactProblem problem;
  const Vector u{{3.0, 0.0, 0.5}};
  problem.G = W * M.inverse() * W.transpose();
  problem.G_size = problem.G.diagonal();
  problem.velocity = W * u;
  problem.velocity_size = Vector::Constant(3, 3.0);
  ImpactContact ball, floor;
  ball.normal = 0;
  ball.restitution = 1.0;
  floor.normal = 1;
  floor.first = 2;
  floor.count = 1;
  floor.mu = 0.1;
  problem.contacts = {ball, floor};
  const ImpactResult result = solve_impact(problem);
  // The block does not move down, so that the ball returns with its velocity. Both normal impulses are 2 · 3 N s.
  EXPECT_NEAR(result.impulse[0], 6.0, 1e-12);
  EXPECT_NEAR(result.impulse[1], 6.0, 1e-12);
  EXPECT_NEAR(result.impulse[2], -0.6, 1e-12);
  EXPECT_NEAR(result.velocity[2], 0.2, 1e-12);
  EXPECT_NEAR(result.energy_change(), 0.5 * 2.0 * (0.04 - 0.25), 1e-12);
  EXPECT_NEAR(result.work[1].tangential, result.energy_change(), 1e-12);
}

TEST(ImpactFriction, OfAJammedBodyThatADrivenWallPressesHasNoSolution) {
  // A body with one speed q' slides along its guide. The contact has the velocities (q' − 0.3, −3 q'), where 0.3 is the
  // velocity of the wall. The slip ends at q' = 0. Friction then carries any normal force.
  const Matrix W = Vector{{1.0, -3.0}};
  ImpactProblem problem = impact_problem(Matrix::Identity(1, 1), W, Vector::Constant(1, -0.5), 1, 1.0, 0.5);
  problem.velocity[0] -= 0.3;
  for (const RestitutionLaw law : {RestitutionLaw::kEnergetic, RestitutionLaw::kNewton, RestitutionLaw::kPoisson}) {
    problem.contacts.front().law = law;
    const ImpactResult result = solve_impact(problem);
    EXPECT_EQ(result.ending, ImpactEnding::kNoSolution);
    EXPECT_LT(result.impulse.norm(), 10.0);
  }
}

}  // namespace
}  // namespace vinculum::solve
