#include "vinculum/model/inspect/inspection.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "vinculum/model/builder.hpp"
#include "vinculum/model/calculus.hpp"
#include "vinculum/model/evaluate.hpp"
#include "vinculum/model/unilateral.hpp"

namespace vinculum::model {
namespace {

using expr::Op;

/// Two free particles, a massless point on the second, and a frame rotated by a coordinate.
class InspectionTest : public ::testing::Test {
 protected:
  ModelBuilder builder{"inspection"};
  TermPool& pool = builder.terms();
  FrameId N = Model::newtonian();
  Term Nx = builder.axis(N, 0), Ny = builder.axis(N, 1), Nz = builder.axis(N, 2);
  Term x = coordinate("x"), y = coordinate("y"), z = coordinate("z"), a = coordinate("a"), b = coordinate("b");
  FrameId B = builder.add_rotated_frame("B", N, b, 2);
  PointId O = builder.add_fixed_point("O", N);
  PointId P1 = builder.point_of(builder.add_particle("P1", builder.number(1.0), O, x* Nx + y * Ny));
  PointId P2 = builder.point_of(builder.add_particle("P2", builder.number(2.0), O, z* Nx + a * Nz));
  PointId tip = builder.add_point("tip", P2, 0.5 * builder.axis(B, 0));

  Term coordinate(const std::string& name) { return builder.q(builder.add_coordinate(name)); }
  std::string text(Term term) { return to_text(builder.model(), term); }
  /// The forces as text: "P1: W; P2: W", followed by " + bare" if the row also contains coordinates outside of vectors.
  std::string forces(Term row) {
    const RowInspection inspection = inspect_row(builder.model(), row, level_of(builder.model(), row));
    std::string all;
    for (const PointReaction& reaction : inspection.forces) {
      all += (all.empty() ? "" : "; ") + builder.model().point(reaction.point).name + ": " + text(reaction.W);
    }
    return all + (inspection.has_bare_part ? " + bare" : "");
  }
};

TEST_F(InspectionTest, ParallelVelocitiesPullEachParticleAcrossTheOther) {
  EXPECT_EQ(forces(pool.dot(builder.vel(P2), pool.cross(Nz, builder.vel(P1)))),
            "P2: cross(N.z, vel(P1)); P1: cross(vel(P2), N.z)");
}

TEST_F(InspectionTest, ConstraintsNonlinearInVelocityAreInspectedTheSame) {
  const Term v = builder.vel(P1);
  const auto squared = [this](Term s) { return pool.function(Op::kPower, s, pool.number(2.0)); };
  const Term x2 = squared(pool.dot(v, Nx)), y2 = squared(pool.dot(v, Ny)), z2 = squared(pool.dot(v, Nz));
  EXPECT_EQ(forces(x2 + y2 - z2), "P1: 2*dot(vel(P1), N.x)*N.x + 2*dot(vel(P1), N.y)*N.y - 2*dot(vel(P1), N.z)*N.z");
  EXPECT_EQ(forces(pool.dot(v, v) - 4.0), "P1: 2*vel(P1)");
  EXPECT_EQ(forces(pool.norm(v) - 2.0), "P1: unit(vel(P1))");
}

TEST_F(InspectionTest, DistancesPullAlongTheLine) {
  EXPECT_EQ(forces(pool.norm(builder.pos(P2, P1)) - 1.0), "P2: unit(pos(P2, P1)); P1: -unit(pos(P2, P1))");
  EXPECT_EQ(forces(pool.norm(builder.pos(P1, O)) - 1.0), "P1: unit(pos(P1, O)); O: -unit(pos(P1, O))");
}

TEST_F(InspectionTest, AccelerationsCarryTheForceAtTheirOwnLevel) {
  EXPECT_EQ(forces(pool.dot(builder.acc(P1), Nx) + pool.dot(builder.vel(P1), builder.vel(P2))), "P1: N.x");
}

TEST_F(InspectionTest, MasslessPointsHandTheirForceDownAndTheTurningFrameStaysBare) {
  EXPECT_EQ(forces(pool.dot(builder.vel(tip), Ny)), "P2: N.y + bare");
  EXPECT_EQ(forces(pool.dot(builder.pos(tip, O), Ny)), "P2: N.y; O: -N.y + bare");
}

TEST_F(InspectionTest, VelocitySeenInATurningFrameActsOnTheParticleAndIsPartlyBare) {
  EXPECT_EQ(forces(pool.dot(builder.vel(P1, B), Nx)), "P1: N.x + bare");
}

TEST_F(InspectionTest, BareCoordinatesNameNoPoint) {
  EXPECT_EQ(forces(x * y - 1.0), " + bare");
  EXPECT_EQ(forces(builder.q_dot(CoordinateId(std::size_t{0})) - 1.0), " + bare");
}

TEST_F(InspectionTest, TheCoefficientIsTheDerivativeOfTheRowByTheVelocity) {
  // Independent computation: differences of ψ when only the velocity of P1 changes, that is, the rates of its
  // coordinates one after another.
  const Term v = builder.vel(P1), w = builder.vel(P2);
  const Term row = pool.norm(pool.cross(v, w)) * pool.dot(pool.unit(v - w), Nx) +
                   pool.function(Op::kMaximum, pool.dot(v, w), pool.dot(v, Ny)) + pool.dot(v, v) / (1.0 + x * x);
  const RowInspection inspection = inspect_row(builder.model(), row, Level::kVelocity);
  ASSERT_EQ(inspection.forces.size(), 2u);
  EXPECT_FALSE(inspection.has_bare_part);
  ASSERT_EQ(inspection.forces[0].point, P1);

  Instant at{0.0, {0.3, -0.4, 0.5, 0.7, 0.2}, {1.1, -0.6, 0.9, 1.3, 0.4}, std::vector<double>(5, 0.0), {}, {}};
  const JetVector W = TermValues(builder.model(), at).vector(inspection.forces[0].W);
  const double step = 1e-6;
  for (std::size_t i = 0; i < 2; ++i) {
    Instant plus = at, minus = at;
    plus.q_dot[i] += step;
    minus.q_dot[i] -= step;
    const double difference =
        (TermValues(builder.model(), plus).scalar(row).value - TermValues(builder.model(), minus).scalar(row).value) /
        (2.0 * step);
    EXPECT_NEAR(W[i].value, difference, 1e-8);
  }
}

TEST_F(InspectionTest, ForcesAddTheStatedPartToTheMultipliedOne) {
  const ConstraintId slide = builder.add_constraint("slide", pool.dot(builder.vel(P1), Ny));
  builder.add_nonideal_force(slide, P1, -0.2 * builder.vel(P1), P2);
  const Model& model = builder.model();
  EXPECT_EQ(text(total_force(model, slide, P1)), "multiplier(slide)*N.y - 0.2*vel(P1)");
  EXPECT_EQ(text(total_force(model, slide, P2)), "0.2*vel(P1)");
  EXPECT_EQ(text(ideal_force(model, slide, P1)), "ideal_multiplier(slide)*N.y");
  EXPECT_EQ(text(nonideal_force(model, slide, P1)), "(multiplier(slide) - ideal_multiplier(slide))*N.y - 0.2*vel(P1)");
  EXPECT_EQ(text(reaction(model, slide, P1)), "multiplier(slide)*N.y");
  EXPECT_EQ(points_of(model, slide), (std::vector<PointId>{P1, P2}));
  EXPECT_EQ(text(power_of_constraint(model, slide)),
            "dot(multiplier(slide)*N.y - 0.2*vel(P1), vel(P1)) + 0.2*dot(vel(P1), vel(P2))");
}

TEST_F(InspectionTest, TheForceOfAnOpenContactIsZeroAlsoWhereItHasNoDirection) {
  const ConstraintId rope = builder.add_constraint("rope", builder.number(1.0) - pool.norm(builder.pos(P1, P2)));
  const ConstraintId floor = builder.add_constraint("floor", pool.dot(builder.pos(P1, P2), Ny));
  for (const ConstraintId id : {rope, floor}) make_unilateral(builder, id, Unilateral{{}, builder.number(0.0), {}});
  const Model& model = builder.model();
  EXPECT_EQ(text(total_force(model, floor, P1)), "multiplier(floor)*N.y");
  const Term force = total_force(model, rope, P1);
  Instant at;
  at.q.assign(model.coordinates.size(), 0.0);
  at.q_dot = at.q_ddot = at.q;
  at.z = {0.0, 0.0};
  at.lambda = {{2.0}, {0.0}};
  const auto size = [&] { return TermValues(model, at).vector(force); };
  for (const Jet& component : size()) EXPECT_EQ(component.value, 0.0);
  at.q = {0.3, 0.1, 0.2, -0.4, 0.0};
  for (const Jet& component : size()) EXPECT_EQ(component.value, 0.0);
  at.z[0] = 1.0;  // closed
  double square = 0.0;
  for (const Jet& component : size()) square += component.value * component.value;
  EXPECT_NEAR(square, 4.0, 1e-14);
}

TEST_F(InspectionTest, RowsOfAVectorConstraintBringTheirOwnMultipliers) {
  const std::vector<Term> along{Nx, Nz};
  const ConstraintId glue = builder.add_constraint("glue", builder.pos(P1, P2), along);
  EXPECT_EQ(text(total_force(builder.model(), glue, P1)), "multiplier(glue)[1]*N.x + multiplier(glue)[2]*N.z");
  EXPECT_EQ(text(total_force(builder.model(), glue, P2)), "-multiplier(glue)[1]*N.x - multiplier(glue)[2]*N.z");
  EXPECT_TRUE(nonideal_force(builder.model(), glue, P1).is_zero());
}

TEST_F(InspectionTest, EnergiesSumOverParticlesAndLoads) {
  builder.add_gravity(-9.81 * Nz);
  builder.add_spring(P1, P2, builder.number(3.0), builder.number(0.5));
  builder.add_gravity(x * Ny);  // its acceleration is not constant, so it has no potential
  const Model& model = builder.model();
  TermValues values(
      model, Instant{0.0, {0.3, 0.4, 0.5, 0.7, 0.2}, {1.0, 2.0, 3.0, 4.0, 5.0}, std::vector<double>(5, 0.0), {}, {}});
  EXPECT_NEAR(values.scalar(kinetic_energy(model)).value, 0.5 * 5.0 + 0.5 * 2.0 * 25.0, 1e-12);
  const double length = std::sqrt(0.2 * 0.2 + 0.4 * 0.4 + 0.7 * 0.7);
  EXPECT_NEAR(values.scalar(potential_energy(model)).value, 2.0 * 9.81 * 0.7 + 1.5 * (length - 0.5) * (length - 0.5),
              1e-12);
  EXPECT_EQ(text(momentum(model, ParticleId(std::size_t{1}))), "2*vel(P2)");
  EXPECT_EQ(text(angular_momentum(model, ParticleId(std::size_t{0}), O)), "cross(pos(P1, O), vel(P1))");
}

}  // namespace
}  // namespace vinculum::model
