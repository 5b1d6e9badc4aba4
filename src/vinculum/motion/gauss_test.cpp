#include <cmath>

#include "support/motion/test_models.hpp"

/// Constraints that are nonlinear in the accelerations (theory.md §3.4), compared with closed forms and with
/// independent integrations.
namespace vinculum::sim {
namespace {

using model::PointId;
using model::Term;
using testing::reason;
using testing::run_for;
using testing::Sketch;

/// Integrates y' = rate(y) over `duration`, by many steps of the classical Runge–Kutta method.
template <class Rate>
Vector integrated(Vector y, double duration, int steps, Rate&& rate) {
  const double h = duration / steps;
  for (int i = 0; i < steps; ++i) {
    const Vector a = rate(y), b = rate(y + 0.5 * h * a), c = rate(y + 0.5 * h * b), d = rate(y + h * c);
    y += h / 6.0 * (a + 2.0 * b + 2.0 * c + d);
  }
  return y;
}

/// A particle of mass 2 whose acceleration has a prescribed magnitude.
Sketch jankowski(double size, double drag) {
  Sketch s("jankowski");
  const PointId P = s.particle("p", 2.0, 3);
  s.builder.add_gravity(s.number(-9.81) * s.axis(2));
  if (drag > 0.0) s.builder.add_force(P, -drag * s.builder.terms().norm(s.builder.vel(P)) * s.builder.vel(P));
  s.builder.add_constraint("size", s.square(s.builder.acc(P)) - s.number(size * size));
  s.start_all({0.0, 0.0, 0.0}, {3.0, 1.0, 4.0});
  return s;
}

TEST(PrescribedAcceleration, OfAProjectileIsParabolicMotionWithAnotherGravity) {
  for (const double size : {2.0, 9.81, 30.0}) {
    for (const equations::Formulation formulation : equations::kFormulations) {
      Dynamics dynamics = jankowski(size, 0.0).dynamics();
      SimulateOptions options = run_for(1.5, 1e-10);
      options.formulation = formulation;
      const Trajectory run = simulate(dynamics, options);
      ASSERT_FALSE(run.stopped) << reason(run);
      const Sample& end = run.samples.back();
      EXPECT_NEAR(end.q[0], 4.5, 1e-10);
      EXPECT_NEAR(end.q[2], 4.0 * 1.5 - 0.5 * size * 2.25, 1e-9) << to_string(formulation);
      EXPECT_NEAR(end.reaction.Q_c[2], 2.0 * (9.81 - size), 1e-9);
      EXPECT_LT(run.worst_residual[0], 1e-9 * size * size);
    }
  }
}

TEST(PrescribedAcceleration, PointsAlongGravityAndDrag) {
  const double size = 7.0, drag = 0.3;
  Dynamics dynamics = jankowski(size, drag).dynamics();
  const Trajectory run = simulate(dynamics, run_for(1.5, 1e-10));  // ends before drag balances gravity (t = 1.8)
  ASSERT_FALSE(run.stopped) << reason(run);
  Vector y(6);
  y << 0.0, 0.0, 0.0, 3.0, 1.0, 4.0;
  y = integrated(y, 1.5, 4000, [&](const Vector& at) {
    const Eigen::Vector3d v = at.tail(3);
    const Eigen::Vector3d F = Eigen::Vector3d(0.0, 0.0, -2.0 * 9.81) - drag * v.norm() * v;
    Vector rate(6);
    rate << v, size * F.normalized();
    return rate;
  });
  const Sample& end = run.samples.back();
  EXPECT_LT((end.q - y.head(3)).norm(), 1e-8);
  EXPECT_LT((end.u - y.tail(3)).norm(), 1e-8);
}

/// A pendulum of length 2 whose acceleration has a prescribed magnitude, so that no degree of freedom is left.
Sketch pendulum(double size, double angle, double rate) {
  Sketch s("pendulum");
  const PointId P = s.particle("p", 1.5, 2);
  s.builder.add_gravity(s.number(-9.81) * s.axis(1));
  s.builder.add_constraint("rod", s.square(s.from_origin(P)) - s.number(4.0));
  s.builder.add_constraint("size", s.square(s.builder.acc(P)) - s.number(size * size));
  const double c = std::cos(angle), d = std::sin(angle);
  s.start_all({2.0 * d, -2.0 * c}, {2.0 * rate * c, 2.0 * rate * d}, model::StartKind::kGuess);
  return s;
}

TEST(PrescribedAcceleration, BesideARodLeavesTheBranchNearestToTheFreeOne) {
  const double size = 15.0, angle = 0.4, rate = 1.0;
  Dynamics dynamics = pendulum(size, angle, rate).dynamics();
  const Trajectory run = simulate(dynamics, run_for(0.25, 1e-10));
  ASSERT_FALSE(run.stopped) << reason(run);
  // With the acceleration A in total, the tangential part is l θ'' = −√(A² − (l θ'²)²); gravity selects the sign.
  Vector y(2);
  y << angle, rate;
  y = integrated(y, 0.25, 4000, [&](const Vector& at) {
    Vector change(2);
    const double normal = 2.0 * at[1] * at[1];
    change << at[1], -std::sqrt(size * size - normal * normal) / 2.0;
    return change;
  });
  const Sample& end = run.samples.back();
  EXPECT_NEAR(std::atan2(end.q[0], -end.q[1]), y[0], 1e-9);
  EXPECT_NEAR(end.u.norm(), 2.0 * std::abs(y[1]), 1e-9);
}

TEST(PrescribedAcceleration, StopsWhereTheRodNeedsAllOfIt) {
  // From rest, θ'' = −√(A² − (l θ'²)²)/l: l θ'² reaches A at the time √(l/A) ∫ ds/√(1 − s⁴), s from 0 to 1. There the
  // branch meets the other one, and θ'' = 0 would be a solution as well.
  const double size = 15.0;
  Dynamics dynamics = pendulum(size, 1.0, 0.0).dynamics();
  const Trajectory run = simulate(dynamics, run_for(2.0, 1e-9));
  ASSERT_TRUE(run.stopped);
  EXPECT_EQ(run.stopped->kind, FailureKind::kNotUnique) << reason(run);
  EXPECT_NEAR(run.stopped->t, std::sqrt(2.0 / size) * 1.3110287771461, 1e-4) << reason(run);
}

// The constraint (x'')(y'') = c with unit masses and given forces (X, Y). By Gauss' principle the solution is the point
// of a hyperbola nearest to (X, Y).
TEST(NonlinearAccelerations, OfAProductStayOnTheNearestBranchOfTheHyperbola) {
  Sketch s("product");
  const PointId P = s.particle("p", 1.0, 2);
  model::ModelBuilder& b = s.builder;
  b.add_force(P, 3.0 * s.axis(0) + (s.number(1.0) + b.time()) * s.axis(1));
  const Term a = b.acc(P);
  b.add_constraint("product", s.dot(a, s.axis(0)) * s.dot(a, s.axis(1)) - s.number(2.0));
  s.start_all({0.0, 0.0}, {0.0, 0.0});
  Dynamics dynamics = s.dynamics();
  const Trajectory run = simulate(dynamics, run_for(1.0, 1e-10));
  ASSERT_FALSE(run.stopped) << reason(run);
  for (const Sample& sample : run.samples) {
    const double x = sample.reaction.u_dot()[0], y = sample.reaction.u_dot()[1], Y = 1.0 + sample.t;
    EXPECT_NEAR(x * y, 2.0, 1e-9);
    EXPECT_NEAR((x - 3.0) * x, (y - Y) * y, 1e-8);  // the reaction along (y, x)
    EXPECT_GT(x, 0.0);
    double least = 1e300;
    for (double at = 0.05; at < 20.0; at *= 1.001) least = std::min(least, std::hypot(at - 3.0, 2.0 / at - Y));
    EXPECT_LE(std::hypot(x - 3.0, y - Y), least * (1.0 + 1e-9));
  }
}

}  // namespace
}  // namespace vinculum::sim
