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

using Eigen::Vector2d;

/// Rows of the contact of a body at the point r from its center, with the normal z.
Matrix rows_of(const Eigen::Vector3d& r) {
  Matrix W = Matrix::Zero(3, 6);
  const Eigen::Vector3d axes[] = {{0.0, 0.0, 1.0}, {1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}};
  for (int k = 0; k < 3; ++k) {
    W.row(k).head(3) = axes[k].transpose();
    W.row(k).tail(3) = r.cross(axes[k]).transpose();
  }
  return W;
}

/// A random body that meets the ground with one point.
ImpactProblem random_body(Random& random) {
  Matrix M = Matrix::Identity(6, 6);
  const Matrix L = random_entries(random, 3, 3);
  M.bottomRightCorner(3, 3) = 0.2 * Matrix::Identity(3, 3) + L * L.transpose();
  const Eigen::Vector3d r(uniform(random, -1.0, 1.0), uniform(random, -1.0, 1.0), uniform(random, -1.0, 0.0));
  Vector u = random_entries(random, 6, 1);
  const Matrix W = rows_of(r);
  if (W.row(0).dot(u) > 0.0) u = -u;
  return impact_problem(M, W, u, 2, uniform(random, 0.0, 1.0), uniform(random, 0.05, 1.5));
}

TEST(ImpactInSpace, OfASphereSlidesThroughOrRolls) {
  const Matrix M = Vector{{1.0, 1.0, 1.0, 0.4, 0.4, 0.4}}.asDiagonal();
  const Matrix W = rows_of({0.0, 0.0, -1.0});
  const double e = 0.6, v = 2.0;
  for (const double mu : {0.1, 0.25, 0.3, 0.6}) {
    const Vector2d slip(1.8, -2.4);  // of length 3
    const ImpactResult result = solve_impact(impact_problem(M, W, Vector{{1.8, -2.4, -v, 0.0, 0.0, 0.0}}, 2, e, mu));
    EXPECT_NEAR(result.impulse[0], (1.0 + e) * v, 1e-13);
    const double force = std::min(mu * (1.0 + e) * v, 3.0 / 3.5);
    EXPECT_LT((result.impulse.tail(2) + force / 3.0 * slip).norm(), 1e-13) << mu;
    EXPECT_LT((result.velocity.tail(2) - (1.0 - 3.5 * force / 3.0) * slip).norm(), 1e-13) << mu;
  }
}

TEST(ImpactInSpace, OfAPlaneMotionIsThatOfThePlane) {
  Random random(41);
  for (int trial = 0; trial < 500; ++trial) {
    const double x = uniform(random, -1.0, 1.0), z = uniform(random, -1.0, 0.0), turn = uniform(random, 0.0, 6.0);
    const double c = std::cos(turn), s = std::sin(turn);
    const Vector u = random_entries(random, 3, 1);  // along the plane, upwards, turning
    const Matrix M = Vector{{1.0, 1.0, 1.0, 0.3, 0.3, 0.3}}.asDiagonal();
    const ImpactProblem space =
        impact_problem(M, rows_of({x * c, x * s, z}), Vector{{u[0] * c, u[0] * s, u[1], -s * u[2], c * u[2], 0.0}}, 2,
                       uniform(random, 0.0, 1.0), uniform(random, 0.05, 0.8));
    ImpactProblem plane = space;
    Matrix turned = Matrix::Zero(2, 3);
    turned << 1.0, 0.0, 0.0, 0.0, c, s;
    plane.G = turned * space.G * turned.transpose();
    plane.G_size = plane.G.diagonal();
    plane.velocity = turned * space.velocity;
    plane.velocity_size = Vector::Ones(2);
    plane.contacts.front().count = 1;
    const ImpactResult expected = solve_impact(plane), result = solve_impact(space);
    EXPECT_LT((turned * result.impulse - expected.impulse).norm(), 1e-11 * (1.0 + expected.impulse.norm())) << trial;
    EXPECT_NEAR(result.impulse.norm(), expected.impulse.norm(), 1e-11 * (1.0 + expected.impulse.norm()));
  }
}

/// The impact of one contact by fixed steps of σ with dp = |v| dσ, in which the slip v never becomes 0. If it is
/// smaller than 1e-12, the contact sticks, or slips again in a direction that is found by trying angles.
Vector by_fixed_steps(const ImpactProblem& problem) {
  const double mu = problem.contacts.front().mu, e = problem.contacts.front().restitution;
  using State = Eigen::Matrix<double, 4, 1>;  // impulses, work of the normal force
  const auto velocity = [&](const State& y) { return Vector(problem.velocity + problem.G * y.head(3)); };
  double compression = 0.0;
  bool is_compressed = true;
  const auto missing = [&](const State& y) {
    return is_compressed ? -velocity(y)[0] : -e * e * compression - (y[3] - compression);
  };
  State y = State::Zero();
  Vector2d d = Vector2d::Zero();
  double friction = 0.0;  // of the contact whose slip has ended, per unit of the normal impulse
  bool is_at_rest = false;
  const auto rate = [&](const State& at) {
    const Vector v = velocity(at);
    State dy;
    if (is_at_rest) {
      dy << 1.0, -friction * d, v[0];
      return dy;
    }
    dy << v.tail(2).norm(), -mu * v.tail(2), v.tail(2).norm() * v[0];
    return dy;
  };
  const auto step = [&](const State& at, double h) {
    const State a = rate(at), b = rate(at + 0.5 * h * a), c = rate(at + 0.5 * h * b), f = rate(at + h * c);
    return State(at + h / 6.0 * (a + 2.0 * b + 2.0 * c + f));
  };
  const double h = 1e-3;
  for (int k = 0; k < 2000000; ++k) {
    if (!is_at_rest && velocity(y).tail(2).norm() < 1e-12) {
      is_at_rest = true;
      const Matrix own = problem.G.bottomRightCorner(2, 2);
      const Vector pull = problem.G.col(0).tail(2);
      const Vector2d stick = own.inverse() * pull;
      friction = std::min(mu, stick.norm());
      d = stick.normalized();
      if (stick.norm() > mu) {
        const auto along = [](double angle) { return Vector2d(std::cos(angle), std::sin(angle)); };
        const auto across = [&](double angle) {
          const Vector2d at = along(angle), w = pull - mu * own * at;
          return at[0] * w[1] - at[1] * w[0];
        };
        for (int n = 0; n < 1000; ++n) {
          double low = 2.0 * std::numbers::pi * n / 1000, high = 2.0 * std::numbers::pi * (n + 1) / 1000;
          const bool rises = across(low) < 0.0;
          if (rises == (across(high) < 0.0)) continue;
          for (int m = 0; m < 60; ++m) ((across(0.5 * (low + high)) < 0.0) == rises ? low : high) = 0.5 * (low + high);
          if (along(low).dot(pull - mu * own * along(low)) > 0.0) d = along(low);
        }
      }
    }
    const State next = step(y, h);
    if (missing(next) > 0.0) {
      y = next;
      continue;
    }
    double low = 0.0, high = h;
    for (int n = 0; n < 60; ++n) (missing(step(y, 0.5 * (low + high))) > 0.0 ? low : high) = 0.5 * (low + high);
    y = step(y, high);
    if (!is_compressed) return y.head(3);
    is_compressed = false;
    compression = y[3];
  }
  return Vector::Constant(3, std::nan(""));
}

TEST(ImpactInSpace, OfARandomBodyAgreesWithFixedSteps) {
  Random random(42);
  int turned = 0, sticks = 0;
  for (int trial = 0; trial < 60; ++trial) {
    const ImpactProblem problem = random_body(random);
    const ImpactResult result = solve_impact(problem);
    const Vector expected = by_fixed_steps(problem);
    EXPECT_LT((result.impulse - expected).norm(), 1e-9 * expected.norm()) << trial;
    sticks += result.velocity.tail(2).norm() < 1e-9 ? 1 : 0;
    const Vector2d before = problem.velocity.tail(2), after = result.velocity.tail(2);
    turned += std::abs(before[0] * after[1] - before[1] * after[0]) > 0.1 * before.norm() * after.norm() ? 1 : 0;
  }
  EXPECT_GT(turned, 20);
  EXPECT_GT(sticks, 5);
}

TEST(ImpactInSpace, LosesTheEnergyOfItsLaw) {
  Random random(43);
  int pieces = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    const ImpactProblem problem = random_body(random);
    const ImpactResult result = solve_impact(problem);
    ASSERT_EQ(result.ending, ImpactEnding::kRegular) << trial;
    const ImpactWork& work = result.work.front();
    const double size = -work.compression - work.tangential, e = problem.contacts.front().restitution;
    EXPECT_NEAR(work.restitution, -e * e * work.compression, 1e-10 * size) << trial;
    EXPECT_NEAR(result.energy_change(), energy_gain(problem, result), 1e-10 * size) << trial;
    EXPECT_LE(work.tangential, 1e-12 * size) << trial;
    EXPECT_LE(result.impulse.tail(2).norm(), problem.contacts.front().mu * result.impulse[0] * (1.0 + 1e-12));
    pieces = std::max(pieces, result.pieces);
  }
  EXPECT_LT(pieces, 3000);
}

TEST(ImpactInSpace, OfSeveralContactsLosesEnergy) {
  Random random(44);
  int endings[5] = {};
  for (int trial = 0; trial < 60; ++trial) {
    const int count = 2 + trial % 2, nu = 3 * count + 1;
    const Matrix L = random_entries(random, nu, nu);
    const ImpactProblem problem =
        impact_problem(0.5 * Matrix::Identity(nu, nu) + L * L.transpose(), random_entries(random, 3 * count, nu),
                       random_entries(random, nu, 1), 2, uniform(random, 0.0, 1.0), uniform(random, 0.05, 0.5));
    const ImpactResult result = solve_impact(problem);
    ++endings[static_cast<int>(result.ending)];
    EXPECT_LE(energy_gain(problem, result), 1e-10) << trial;
    EXPECT_NEAR(result.energy_change(), energy_gain(problem, result), 1e-9) << trial;
    for (const ImpactContact& one : problem.contacts) {
      EXPECT_GE(result.velocity[one.normal], -1e-8) << trial;
      EXPECT_LE(result.impulse.segment(one.first, 2).norm(), one.mu * result.impulse[one.normal] + 1e-9) << trial;
    }
  }
  EXPECT_GT(endings[0], 50);
}

TEST(ImpactInSpace, OfABodyThatJamsEndsAtRest) {
  // A body with two speeds, which are also its slip velocities. The normal velocity is s·v, so that the body is at rest
  // when its slip ends. Friction can then carry any normal force, since |s| < mu: the restitution has no effect.
  const Vector2d s(-0.5, 0.3);
  Matrix W = Matrix::Zero(3, 2);
  W << s.transpose(), Matrix::Identity(2, 2);
  const Matrix M = Vector2d(1.0, 0.7).asDiagonal();
  for (const double e : {0.5, 1.0}) {
    const Vector2d u(1.0, -0.5);
    const ImpactProblem problem = impact_problem(M, W, u, 2, e, 0.7);
    const ImpactResult result = solve_impact(problem);
    EXPECT_EQ(result.ending, ImpactEnding::kRegular) << e;
    EXPECT_LT(result.velocity.norm(), 1e-10) << e;
    EXPECT_LT(result.impulse.norm(), 10.0) << e;
    EXPECT_NEAR(result.energy_change(), -0.5 * u.dot(M * u), 1e-10) << e;
  }
}

}  // namespace
}  // namespace vinculum::solve
