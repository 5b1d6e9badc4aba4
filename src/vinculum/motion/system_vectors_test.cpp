#include <gtest/gtest.h>

#include "property/literal_udwadia_kalaba.hpp"
#include "support/motion/test_models.hpp"
#include "vinculum/motion/equations_of.hpp"
#include "vinculum/reaction_laws/laws.hpp"

namespace vinculum::sim {
namespace {

using model::SpeedId;
using model::SystemVector;
using testing::Sketch;
using testing::Term;

/// Adds the outputs "a", "Qi", "Qc", each with one component per speed.
void ask_for_vectors(Sketch& s) {
  const std::size_t nu = s.coordinates.size();
  for (const auto& [name, which] :
       {std::pair("a", SystemVector::kFreeAcceleration), std::pair("Qi", SystemVector::kIdealForce),
        std::pair("Qc", SystemVector::kConstraintForce)}) {
    for (std::size_t r = 0; r < nu; ++r)
      s.builder.add_output(name + std::to_string(r), s.builder.terms().system_vector(which, SpeedId(r)));
  }
}

struct Reported {
  Sample sample;
  MotionGeometry geometry;
  Vector a, Q_ideal, Q_constraint;
};
Reported report_at(Dynamics& dynamics, const Vector& q, const Vector& u) {
  Vector y(q.size() + u.size());
  y << q, u;
  Reported result;
  EXPECT_TRUE(dynamics.report(0.3, y.data(), result.sample));
  auto geometry = EquationsOf(dynamics).geometry(0.3, y.data());
  EXPECT_TRUE(geometry);
  if (geometry) result.geometry = *geometry;
  const Eigen::Index nu = u.size();
  result.a = result.sample.outputs.head(nu);
  result.Q_ideal = result.sample.outputs.segment(nu, nu);
  result.Q_constraint = result.sample.outputs.segment(2 * nu, nu);
  return result;
}

TEST(SystemVectors, OfRedundantRowsAreUniqueAndThoseOfTheFormula) {
  Sketch s = testing::double_pendulum(3);
  ask_for_vectors(s);
  auto dynamics = s.dynamics();
  const Vector q = (Vector(4) << std::sin(0.1), -std::cos(0.1), std::sin(0.1), -std::cos(0.1) - 0.8).finished();
  const auto r = report_at(dynamics, q, Vector::Zero(4));
  EXPECT_EQ(r.sample.rank, 2);
  for (const char unique : r.sample.output_unique) EXPECT_EQ(unique, 1);
  const property::LiteralUdwadiaKalaba literal(r.geometry.M, r.geometry.A);
  const Vector a = r.geometry.M.inverse() * r.geometry.f;
  EXPECT_LT((r.a - a).norm(), 1e-12);
  EXPECT_LT((r.Q_ideal - literal.Q_ideal(a, r.geometry.A, r.geometry.b)).norm(), 1e-11);
  EXPECT_EQ(r.Q_constraint, r.Q_ideal);
}

TEST(SystemVectors, OfADirectedLawCompareItWithTheIdealOne) {
  Sketch s("lifted");
  const auto P = s.particle("p", 2.0, 2);
  s.builder.add_gravity(s.number(-9.81) * s.axis(1));
  const auto height = s.builder.add_constraint("height", s.dot(s.from_origin(P), s.axis(1)));
  model::Actuator actuator;
  actuator.forces = {{P, s.axis(0) + s.axis(1), {}}};
  s.builder.set_law(height, reaction_laws::directed({actuator}, false));
  ask_for_vectors(s);
  auto dynamics = s.dynamics();
  const auto r = report_at(dynamics, Vector::Zero(2), Vector::Zero(2));
  // The effort acts along (1, 1) and balances the weight 2 g. An ideal reaction would act along y alone.
  EXPECT_LT((r.Q_constraint - Vector::Constant(2, 2.0 * 9.81)).norm(), 1e-12);
  EXPECT_LT((r.Q_ideal - Vector((Vector(2) << 0.0, 2.0 * 9.81).finished())).norm(), 1e-12);
  EXPECT_NEAR(r.geometry.gauss(), 2.0 * (9.81 * 9.81 + 9.81 * 9.81), 1e-10);
}

TEST(SystemVectors, OfAVakonomicLawAreOfTheMassWithoutIt) {
  Sketch s;
  const auto P = s.particle("p", 2.0, 2);
  s.builder.add_force(P, s.number(3.0) * s.axis(0));
  auto& pool = s.builder.terms();
  const Term v = s.builder.vel(P);
  const auto speed =
      s.builder.add_constraint("speed", pool.dot(v, v) - s.number(1.0));  // nonlinear, so its law adds 2 μ to M
  const std::vector<Term> starts{s.number(0.7)};
  reaction_laws::set_variational(s.builder, speed, starts, {});
  ask_for_vectors(s);
  auto dynamics = s.dynamics();
  Vector y = (Vector(5) << 0.0, 0.0, 0.6, 0.8, 0.7).finished();
  Sample sample;
  ASSERT_TRUE(dynamics.report(0.0, y.data(), sample));
  EXPECT_NEAR(sample.outputs[0], 1.5, 1e-14);
  EXPECT_NEAR(sample.outputs[1], 0.0, 1e-14);
  // The ideal reaction cancels the force component 3 · 0.6 along the velocity (0.6, 0.8): Qi = −(3 · 0.6) (0.6, 0.8).
  EXPECT_NEAR(sample.outputs[2], -1.08, 1e-12);
  EXPECT_NEAR(sample.outputs[3], -1.44, 1e-12);
  // M u' = f + Qc, with M the mass of the particle alone
  EXPECT_NEAR(sample.outputs[4], 2.0 * sample.reaction.u_dot()[0] - 3.0, 1e-12);
  EXPECT_NEAR(sample.outputs[5], 2.0 * sample.reaction.u_dot()[1], 1e-12);
}

TEST(SystemVectors, OfASingularMassAreFlaggedWhereTheyAreOfTheFreeMotion) {
  Sketch s;
  const auto P = s.particle("p", 1.0, 1);
  const auto slider = s.coordinate("s");
  s.coordinates.push_back(slider);
  s.builder.add_force(P, s.number(-10.0) * s.axis(0));
  s.builder.add_generalized_force(slider, s.number(4.0));
  s.builder.add_constraint("tie", s.dot(s.from_origin(P), s.axis(0)) - s.number(2.0) * s.builder.q(slider));
  ask_for_vectors(s);
  auto dynamics = s.dynamics();
  const auto r = report_at(dynamics, Vector::Zero(2), Vector::Zero(2));
  EXPECT_EQ(r.sample.output_unique, (std::vector<char>{0, 0, 1, 1, 1, 1}));
  EXPECT_LT((r.Q_ideal - Vector((Vector(2) << 2.0, -4.0).finished())).norm(), 1e-12);
  EXPECT_LT((r.Q_constraint - r.Q_ideal).norm(), 1e-12);
}

TEST(SystemVectors, ChangeNoBitOfTheMotion) {
  Sketch plain = testing::parallel_pucks(), asked = testing::parallel_pucks();
  ask_for_vectors(asked);
  auto without = plain.dynamics(), with = asked.dynamics();
  const Trajectory a = simulate(without, testing::run_for(2.0, 1e-9)), b = simulate(with, testing::run_for(2.0, 1e-9));
  ASSERT_FALSE(a.stopped || b.stopped);
  EXPECT_EQ(a.end().q, b.end().q);
  EXPECT_EQ(a.end().u, b.end().u);
}

}  // namespace
}  // namespace vinculum::sim
