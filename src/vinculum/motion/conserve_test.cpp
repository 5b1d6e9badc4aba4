// Tests of invariants that a projection restores (`conserve`): they are satisfied to machine precision for any
// duration, the method keeps its order, and quantities that are not invariants are refused.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>

#include "support/motion/test_models.hpp"
#include "vinculum/compiled/level_outputs.hpp"
#include "vinculum/model/inspect/inspection.hpp"
#include "vinculum/reaction_laws/laws.hpp"

namespace vinculum::sim {
namespace {

using model::Conserved;
using model::ModelBuilder;
using model::StartKind;
using model::Term;
using testing::run_for;
using testing::Sketch;
using What = Conserved::What;

void conserve(Sketch& s, What what, Term value, model::CoordinateId coordinate = {}) {
  s.builder.model().conserved.push_back({what, value, coordinate, {}, "stated", {}});
}
void conserve_energy(Sketch& s) { conserve(s, What::kEnergy, model::total_energy(s.builder.model())); }

constexpr double kEccentricity = 0.6;

/// A unit mass that orbits a center of unit strength, starting at the pericenter: semi-major axis 1, period 2π.
Sketch kepler(bool keeps) {
  Sketch s("kepler");
  const auto P = s.particle("p", 1.0, 2);
  ModelBuilder& b = s.builder;
  b.add_potential(s.number(-1.0) / b.terms().norm(s.from_origin(P)));
  s.start_all({1.0 - kEccentricity, 0.0}, {0.0, std::sqrt((1.0 + kEccentricity) / (1.0 - kEccentricity))});
  if (keeps) {
    conserve_energy(s);
    conserve(s, What::kExpression,
             b.q(s.coordinates[0]) * b.q_dot(s.coordinates[1]) - b.q(s.coordinates[1]) * b.q_dot(s.coordinates[0]));
  }
  return s;
}

double kepler_energy(const Sample& s) { return 0.5 * s.u.squaredNorm() - 1.0 / s.q.norm(); }

double worst_drift(const Trajectory& trajectory, const std::function<double(const Sample&)>& of) {
  double worst = 0.0;
  for (const Sample& sample : trajectory.samples)
    worst = std::max(worst, std::abs(of(sample) - of(trajectory.samples.front())));
  return worst;
}

TEST(Conserve, KeepsEnergyAndAngularMomentumOfAThousandOrbits) {
  const auto options = run_for(2000.0 * std::numbers::pi, 1e-9);
  auto kept = kepler(true).dynamics(), free = kepler(false).dynamics();
  const Trajectory with = simulate(kept, options), without = simulate(free, options);
  ASSERT_FALSE(with.stopped) << testing::reason(with);
  EXPECT_LT(worst_drift(with, kepler_energy), 1e-13);
  EXPECT_LT(worst_drift(with, [](const Sample& s) { return s.q[0] * s.u[1] - s.q[1] * s.u[0]; }), 1e-13);
  EXPECT_GT(worst_drift(without, kepler_energy), 1e-8);
  // The motion ends at the pericenter again. Its phase error grows linearly with time if the energy is restored, and
  // quadratically if the energy drifts.
  const Vector home = Eigen::Vector2d(1.0 - kEccentricity, 0.0);
  const double error_with = (with.end().q - home).norm(), error_without = (without.end().q - home).norm();
  EXPECT_LT(error_with, 0.05 * error_without) << error_with << " against " << error_without;
}

/// Returns the error of the state at t = 3 with fixed steps of the method dp5.
double error_of_steps(bool keeps, double step, const Vector& reference) {
  auto dynamics = kepler(keeps).dynamics();
  const auto start = assemble(dynamics);
  Vector y(4);
  y << start->q, start->u;
  dynamics.set_scale(Vector::Ones(4), 1e-8);
  Mode mode = dynamics.mode();
  dynamics.keep_levels(mode, 0.0, y);
  dynamics.set_mode(std::move(mode));
  integrate::Problem problem;
  problem.size = 4;
  problem.derivative = [&](double t, const double* at, double* rate) { return dynamics.derivative(t, at, rate); };
  if (keeps) problem.project = [&](double t, double* at) { return dynamics.project(t, at); };
  problem.reached = Vector::Ones(4);
  integrate::Options options;
  options.method = "dp5";
  options.fixed_step = step;
  double t = 0.0;
  EXPECT_TRUE(integrate::integrate(problem, options, t, y, 3.0,
                                   [](const integrate::Step&) { return integrate::Continue::kYes; }));
  return (y - reference).norm();
}

TEST(Conserve, KeepsTheOrderOfTheMethod) {
  auto dynamics = kepler(false).dynamics();
  const Trajectory exact = simulate(dynamics, run_for(3.0, 1e-14));
  Vector reference(4);
  reference << exact.end().q, exact.end().u;
  for (const bool keeps : {false, true}) {
    const double coarse = error_of_steps(keeps, 0.01, reference), fine = error_of_steps(keeps, 0.005, reference);
    EXPECT_NEAR(std::log2(coarse / fine), 5.0, 0.4) << keeps << ": " << coarse << ", " << fine;
  }
  EXPECT_LT(error_of_steps(true, 0.01, reference), error_of_steps(false, 0.01, reference));
}

Sketch pendulum_pair(bool keeps) {
  Sketch s = testing::double_pendulum(1, 1.2);
  if (keeps) conserve_energy(s);
  return s;
}

double pair_energy(const Sample& s) {
  return 0.5 * s.u.head(2).squaredNorm() + 0.75 * s.u.tail(2).squaredNorm() + 9.81 * (s.q[1] + 1.5 * s.q[3]);
}

TEST(Conserve, KeepsTheEnergyOfAConstrainedMotionInEveryFormulation) {
  for (const auto formulation :
       {equations::Formulation::kExplicit, equations::Formulation::kAugmented, equations::Formulation::kMinimal}) {
    auto options = run_for(60.0, 1e-7);
    options.formulation = formulation;
    auto kept = pendulum_pair(true).dynamics(), free = pendulum_pair(false).dynamics();
    const Trajectory with = simulate(kept, options), without = simulate(free, options);
    ASSERT_FALSE(with.stopped) << testing::reason(with);
    EXPECT_LT(worst_drift(with, pair_energy), 2e-13) << static_cast<int>(formulation);
    EXPECT_GT(worst_drift(without, pair_energy), 1e-7);
    EXPECT_LT(with.worst_residual.maxCoeff(), 1e-13);
    for (const Sample& sample : with.samples) {  // also between steps, and for position and velocity
      const Eigen::Vector2d p(sample.q[0], sample.q[1]), v(sample.u[0], sample.u[1]);
      ASSERT_LT(std::abs(p.dot(v)), 1e-12);
    }
  }
}

TEST(Conserve, LeavesAMotionAsAccurateAsItIs) {
  auto exact = pendulum_pair(false).dynamics();
  const Trajectory reference = simulate(exact, run_for(2.0, 1e-13));
  for (const double tolerance : {1e-5, 1e-7, 1e-9}) {
    auto kept = pendulum_pair(true).dynamics(), free = pendulum_pair(false).dynamics();
    const double with = (simulate(kept, run_for(2.0, tolerance)).end().q - reference.end().q).norm();
    const double without = (simulate(free, run_for(2.0, tolerance)).end().q - reference.end().q).norm();
    EXPECT_LT(with, 2.0 * without + 1e-12) << tolerance;
    EXPECT_LT(with, 1e3 * tolerance);
  }
}

TEST(Conserve, MovesPlacesTooWhereSpeedsAreSmall) {
  // A pendulum swings from rest. At its turning points the speed is 0, so no change of speed changes the energy to
  // first order.
  Sketch s("pendulum");
  const auto a = s.coordinate("a");
  const auto A = s.builder.add_rotated_frame("A", Sketch::frame(), s.builder.q(a), 2);
  s.builder.add_particle("p", s.number(1.0), s.origin, s.builder.axis(A, 0));
  s.builder.add_gravity(s.number(9.81) * s.axis(0));
  s.start_all({1.0}, {0.0});
  conserve_energy(s);
  auto dynamics = s.dynamics();
  auto options = run_for(20.0, 1e-6);
  options.output_step = 0.01;
  const Trajectory with = simulate(dynamics, options);
  ASSERT_FALSE(with.stopped) << testing::reason(with);
  EXPECT_LT(worst_drift(with, [](const Sample& x) { return 0.5 * x.u[0] * x.u[0] - 9.81 * std::cos(x.q[0]); }), 1e-13);
  options.tolerance = 1e-12;
  options.conserve = false;
  const Trajectory exact = simulate(dynamics, options);
  for (std::size_t i = 0; i < exact.samples.size(); ++i) {
    ASSERT_LT(std::abs(with.samples[i].q[0] - exact.samples[i].q[0]), 2e-4)
        << exact.samples[i].t;  // the run has 20 periods at the tolerance 1e-6
  }
}

TEST(Conserve, StaysAtAnEquilibrium) {
  Sketch s("equilibrium");
  const auto P = s.particle("p", 1.0, 2);
  s.builder.add_potential(s.square(s.from_origin(P)));
  s.start_all({0.0, 0.0}, {0.0, 0.0});
  conserve_energy(s);
  auto dynamics = s.dynamics();
  const Trajectory run = simulate(dynamics, run_for(1.0, 1e-8));
  EXPECT_FALSE(run.stopped) << testing::reason(run);
  EXPECT_EQ(run.end().q.norm(), 0.0);
}

/// A blade on an inclined plane with the vakonomic or the ideal law. Its constraint is nonholonomic, and ψ depends on
/// the coordinates.
Sketch blade(bool is_vakonomic) {
  Sketch s("blade");
  ModelBuilder& b = s.builder;
  const auto x = s.coordinate("x"), y = s.coordinate("y"), a = s.coordinate("a");
  const auto B = b.add_rotated_frame("B", Sketch::frame(), b.q(a), 2);
  const auto I = s.number(0.4), zero = s.number(0.0);
  const auto body = b.add_body("blade", B, s.number(1.3), {I, I, I, zero, zero, zero}, s.origin,
                               b.q(x) * s.axis(0) + b.q(y) * s.axis(1));
  b.add_gravity(s.number(2.0) * s.axis(0));
  const auto edge = b.add_constraint("edge", s.dot(b.vel(b.center_of(body)), b.axis(B, 1)));
  if (is_vakonomic) reaction_laws::set_vakonomic(b, edge, std::vector{b.number(0.7)}, {});
  s.start_all({0.1, -0.2, 0.3}, {std::cos(0.3), std::sin(0.3), 0.8}, StartKind::kGuess);
  return s;
}

TEST(Conserve, KeepsNonholonomicConstraintsToo) {
  Sketch s = blade(false);
  conserve_energy(s);
  conserve(s, What::kMomentum, model::generalized_momentum(s.builder.model(), model::CoordinateId(std::size_t{2})),
           model::CoordinateId(std::size_t{2}));
  auto dynamics = s.dynamics();
  const Trajectory run = simulate(dynamics, run_for(50.0, 1e-6));
  ASSERT_FALSE(run.stopped) << testing::reason(run);
  const auto energy = [](const Sample& x) {
    return 0.65 * x.u.head(2).squaredNorm() + 0.2 * x.u[2] * x.u[2] - 2.6 * x.q[0];
  };
  EXPECT_LT(worst_drift(run, energy), 1e-12);
  EXPECT_LT(worst_drift(run, [](const Sample& x) { return x.u[2]; }), 1e-14);
  EXPECT_LT(run.worst_residual.maxCoeff(), 1e-14);
}

TEST(Conserve, KeepsTheEffectiveEnergyOfAVakonomicMotion) {
  Sketch s = blade(true);
  const Term value = model::effective_energy(s.builder.model());
  conserve(s, What::kEffectiveEnergy, value);
  auto dynamics = s.dynamics();
  const Trajectory run = simulate(dynamics, run_for(20.0, 1e-6));
  ASSERT_FALSE(run.stopped) << testing::reason(run);
  const auto energy = [](const Sample& x) {
    return 0.65 * x.u.head(2).squaredNorm() + 0.2 * x.u[2] * x.u[2] - 2.6 * x.q[0];
  };
  EXPECT_LT(worst_drift(run, energy), 1e-12);  // F is homogeneous in q', so the stored energy μ F_q'·q' is 0
}

std::string refused(Sketch s) {
  const auto compiled = s.try_compile();
  if (compiled) return "";
  EXPECT_EQ(compiled.error().kind, FailureKind::kNotConserved);
  EXPECT_EQ(compiled.error().statements.size(), 1u);
  return compiled.error().message;
}

TEST(Conserve, IsRefusedWhereSomethingWorks) {
  const auto particle = [](auto&& add) {
    Sketch s("refused");
    const auto P = s.particle("p", 1.0, 2);
    add(s, P);
    s.start_all({1.0, 0.5}, {0.3, 0.2}, StartKind::kGuess);
    conserve_energy(s);
    return refused(std::move(s));
  };
  using Point = model::PointId;
  EXPECT_NE(particle([](Sketch& s, Point P) {
              s.builder.add_force(P, s.number(-0.1) * s.builder.vel(P));
            }).find("force on p works"),
            std::string::npos);
  EXPECT_NE(particle([](Sketch& s, Point P) {
              s.builder.add_constraint("moving",
                                       s.dot(s.from_origin(P), s.axis(1)) -
                                           0.5 * s.builder.terms().function(expr::Op::kCosine, s.builder.time()));
            }).find("the reaction of moving works"),
            std::string::npos);
  EXPECT_NE(particle([](Sketch& s, Point P) {
              const auto floor = s.builder.add_constraint("slide", s.dot(s.from_origin(P), s.axis(1)) - 0.5);
              s.builder.add_nonideal_force(floor, P, s.number(-0.2) * s.builder.vel(P));
            }).find("the reaction of slide works"),
            std::string::npos);
  EXPECT_NE(particle([](Sketch& s, Point P) {
              s.builder.add_potential(s.builder.time() * s.square(s.from_origin(P)));
            }).find("potential depends on the time"),
            std::string::npos);
  // A force that begins at t = 5: the energy is constant before, but not afterwards.
  EXPECT_NE(particle([](Sketch& s, Point P) {
              const Term late = s.builder.terms().function(expr::Op::kMaximum, s.builder.time() - 5.0, s.number(0.0));
              s.builder.add_force(P, late * s.axis(0));
            }).find("force on p works elsewhere, perhaps"),
            std::string::npos);
  // A force that only turns the velocity does no work.
  EXPECT_EQ(particle([](Sketch& s, Point P) {
              s.builder.add_force(P, s.builder.terms().cross(2.0 * s.axis(2), s.builder.vel(P)));
            }),
            "");
}

TEST(Conserve, RefusesAMomentumThatSomethingActsAlong) {
  Sketch s("along");
  const auto P = s.particle("p", 1.0, 3);
  s.builder.add_gravity(s.number(-9.81) * s.axis(2));
  s.builder.add_constraint("ramp", s.dot(s.from_origin(P), s.axis(2)) - s.dot(s.from_origin(P), s.axis(0)));
  s.start_all({0.0, 0.0, 0.0}, {0.1, 0.2, 0.1}, StartKind::kGuess);
  const auto momentum = [&](std::size_t i) { return model::generalized_momentum(s.builder.model(), s.coordinates[i]); };
  conserve(s, What::kMomentum, momentum(1), s.coordinates[1]);
  conserve(s, What::kMomentum, momentum(0), s.coordinates[0]);
  const auto compiled = s.try_compile();
  ASSERT_FALSE(compiled);
  EXPECT_EQ(compiled.error().statements.front().index, 1);
  EXPECT_NE(compiled.error().message.find("the reaction of ramp acts along px"), std::string::npos)
      << compiled.error().message;
}

}  // namespace
}  // namespace vinculum::sim
