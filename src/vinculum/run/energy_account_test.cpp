// Compares powers and energies of whole runs with closed forms, and checks their balance.
#include "vinculum/run/energy_account.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/motion/test_models.hpp"

namespace vinculum::sim {
namespace {

using model::ModelBuilder;
using model::Term;
using testing::run_for;
using testing::Sketch;

struct Ledger {
  explicit Ledger(Sketch s, double duration, double tolerance = 1e-10) : bound(*s.try_compile()), account(*bound) {
    Dynamics dynamics(bound);
    SimulateOptions options = run_for(duration, tolerance);
    account.follow(options);
    trajectory = simulate(dynamics, options);
    EXPECT_FALSE(trajectory.stopped) << testing::reason(trajectory);
    rows = account.rows();
    EXPECT_EQ(rows.size(), trajectory.samples.size());
  }
  [[nodiscard]] bool has(const std::string& column) const {
    return std::ranges::find(account.columns(), column) != account.columns().end();
  }
  [[nodiscard]] double at(std::size_t row, const std::string& column) const {
    const auto found = std::ranges::find(account.columns(), column);
    EXPECT_NE(found, account.columns().end()) << column;
    return found == account.columns().end() ? NAN : rows[row].values[found - account.columns().begin()];
  }
  std::shared_ptr<const Binding> bound;
  EnergyAccount account;
  Trajectory trajectory;
  std::vector<EnergyAccount::Row> rows;
};

TEST(EnergyAccount, FrictionTakesTheNormalForceTimesThePath) {
  constexpr double kMu = 0.3, kMass = 2.0, kGravity = 9.81, kSpeed = 3.0;
  Sketch s("block");
  ModelBuilder& b = s.builder;
  const auto P = s.particle("p", kMass, 2);
  b.add_gravity(s.number(-kGravity) * s.axis(1));
  const auto ground = b.add_constraint("ground", s.dot(s.from_origin(P), s.axis(1)));
  const Term normal = b.terms().norm(model::Term(b.terms().multiplier(ground, 0) * s.axis(1)));
  b.add_nonideal_force(ground, P, -kMu * normal * b.terms().unit(b.vel(P)));
  s.start_all({0.0, 0.0}, {kSpeed, 0.0});
  const Ledger ledger(std::move(s), 0.8);
  for (std::size_t i = 0; i < ledger.rows.size(); ++i) {
    const double t = ledger.rows[i].t, v = kSpeed - kMu * kGravity * t,
                 path = kSpeed * t - 0.5 * kMu * kGravity * t * t;
    ASSERT_NEAR(ledger.at(i, "power(ground)"), -kMu * kMass * kGravity * v, 1e-8);
    ASSERT_NEAR(ledger.at(i, "work"), -kMu * kMass * kGravity * path, 1e-8);
    ASSERT_NEAR(ledger.at(i, "energy"), 0.5 * kMass * v * v, 1e-8);
    ASSERT_NEAR(ledger.at(i, "balance"), 0.0, 1e-9);
    ASSERT_NEAR(ledger.at(i, "power(gravity)"), 0.0, 1e-12);
  }
}

TEST(EnergyAccount, LosesNoWorkWhereFrictionComesToRest) {
  Sketch s("block");
  ModelBuilder& b = s.builder;
  const auto P = s.particle("p", 2.0, 2);
  b.add_gravity(s.number(-9.81) * s.axis(1));
  const auto ground = b.add_constraint("ground", s.dot(s.from_origin(P), s.axis(1)));
  b.add_nonideal_force(
      ground, P,
      -0.3 * b.terms().norm(model::Term(b.terms().multiplier(ground, 0) * s.axis(1))) * b.terms().unit(b.vel(P)));
  s.start_all({0.0, 0.0}, {1.0, 0.0});
  const Ledger ledger(std::move(s), 0.7);  // at rest from 0.34 s on
  ASSERT_EQ(ledger.trajectory.all<FrictionChange>().size(), 1u);
  EXPECT_NEAR(ledger.at(ledger.rows.size() - 1, "work"), -1.0, 1e-10);
  EXPECT_NEAR(ledger.account.worst().error, 0.0, 1e-10);
}

TEST(EnergyAccount, ADamperAndADriveBalanceTheEnergy) {
  // x'' = −k x − c x' + sin t with unit mass. The power of the spring is minus the rate of its potential energy.
  Sketch s("oscillator");
  ModelBuilder& b = s.builder;
  const auto P = s.particle("p", 1.0, 1);
  const auto anchor = b.add_point("anchor", s.origin, s.number(-3.0) * s.axis(0));
  b.add_spring(P, anchor, s.number(4.0), s.number(3.0), s.number(0.3));
  b.add_force(P, b.sin(b.time()) * s.axis(0));
  s.start_all({0.5}, {0.2});
  const Ledger ledger(std::move(s), 20.0, 1e-12);
  EXPECT_LT(ledger.account.worst().relative, 1e-9);
  for (std::size_t i = 0; i < ledger.rows.size(); ++i) {
    const Sample& sample = ledger.trajectory.samples[i];
    const double x = sample.q[0], v = sample.u[0];
    ASSERT_NEAR(ledger.at(i, "kinetic_energy"), 0.5 * v * v, 1e-12);
    ASSERT_NEAR(ledger.at(i, "potential_energy"), 2.0 * x * x, 1e-12);
    ASSERT_NEAR(ledger.at(i, "power(spring p anchor)"), -4.0 * x * v - 0.3 * v * v, 1e-12);
    ASSERT_NEAR(ledger.at(i, "power(force on p)"), std::sin(sample.t) * v, 1e-12);
  }
  EXPECT_FALSE(ledger.has("hamiltonian"));
  EXPECT_FALSE(ledger.has("power(time)"));
}

TEST(EnergyAccount, WhatMovesPointsWithTheTimeHasAPowerOfItsOwn) {
  // A bead on a line that turns at the rate 2: r = cosh(2 t). The torque of the line is 2 m r r' · 2, and its power is
  // 2 times the torque.
  Sketch s("turning");
  const auto r = s.coordinate("r");
  const auto A = s.builder.add_rotated_frame("A", Sketch::frame(), 2.0 * s.builder.time(), 2);
  s.builder.add_particle("p", s.number(1.5), s.origin, s.builder.q(r) * s.builder.axis(A, 0));
  s.start_all({1.0}, {0.0});
  const Ledger ledger(std::move(s), 1.0, 1e-11);
  for (std::size_t i = 0; i < ledger.rows.size(); ++i) {
    const double t = ledger.rows[i].t, place = std::cosh(2.0 * t), speed = 2.0 * std::sinh(2.0 * t);
    ASSERT_NEAR(ledger.at(i, "power(time)"), 2.0 * 2.0 * 1.5 * 2.0 * place * speed, 1e-7);
    ASSERT_NEAR(ledger.at(i, "hamiltonian"), 0.75 * (speed * speed - 4.0 * place * place), 1e-8);
    ASSERT_NEAR(ledger.at(i, "balance"), 0.0, 1e-8);
  }
}

TEST(EnergyAccount, OfALagrangianIsNotSplit) {
  Sketch s("lagrangian");
  ModelBuilder& b = s.builder;
  const auto x = s.coordinate("x");
  b.add_lagrangian(0.5 * b.q_dot(x) * b.q_dot(x) - (1.0 + 0.5 * b.time()) * b.q(x) * b.q(x));
  b.add_generalized_force(x, -0.2 * b.q_dot(x));
  s.start_all({1.0}, {0.3});
  const Ledger ledger(std::move(s), 3.0);
  EXPECT_FALSE(ledger.has("kinetic_energy"));
  EXPECT_LT(ledger.account.worst().relative, 1e-9);
  for (std::size_t i = 0; i < ledger.rows.size(); ++i) {
    const Sample& sample = ledger.trajectory.samples[i];
    ASSERT_NEAR(ledger.at(i, "power(generalized force on x)"), -0.2 * sample.u[0] * sample.u[0], 1e-12);
    ASSERT_NEAR(ledger.at(i, "power(time)"), 0.5 * sample.q[0] * sample.q[0], 1e-12);
  }
}

TEST(EnergyAccount, CountsWhatIsLostInAStepTooCoarse) {
  // The balance shows the error of the run, so it must be clearly larger at a loose tolerance than at a fine one.
  const auto worst = [](double tolerance) {
    Sketch s = testing::double_pendulum(1, 1.2);
    return Ledger(std::move(s), 10.0, tolerance).account.worst().relative;
  };
  const double coarse = worst(1e-4), fine = worst(1e-11);
  EXPECT_GT(coarse, 1e-5);
  EXPECT_LT(fine, 1e-9);
}

}  // namespace
}  // namespace vinculum::sim
