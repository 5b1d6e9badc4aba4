#include "vinculum/reaction_laws/laws.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>

#include "vinculum/base/contract.hpp"
#include "vinculum/model/builder.hpp"
#include "vinculum/model/calculus.hpp"
#include "vinculum/model/evaluate.hpp"
#include "vinculum/model/inspect/inspection.hpp"

namespace vinculum::reaction_laws {
namespace {

using namespace model;

TEST(States, TheRateOfAStateIsTheOneStated) {
  ModelBuilder b("state");
  const CoordinateId x = b.add_coordinate("x");
  const StateId z = b.add_state("z", b.q(x) * b.q_dot(x), b.number(2.0));
  const Term rate = time_derivative(b.model(), b.z(z) * b.z(z));
  EXPECT_EQ(level_of(b.model(), b.z(z)), Level::kPosition);
  EXPECT_EQ(level_of(b.model(), rate), Level::kVelocity);
  EXPECT_EQ(to_text(b.model(), b.z(z) + b.q(x)), "z + x");
  Instant at{0.0, {3.0}, {0.5}, {-2.0}, {}, {}};
  at.z = {4.0};
  TermValues values(b.model(), at);
  EXPECT_DOUBLE_EQ(values.scalar(rate).value, 2.0 * 4.0 * 1.5);
  EXPECT_DOUBLE_EQ(values.scalar(b.z(z)).second, 0.5 * 0.5 + 3.0 * -2.0);
}

TEST(States, ARateMayHoldItsOwnState) {
  ModelBuilder b("sensor");
  const CoordinateId x = b.add_coordinate("x");
  const StateId z = b.add_state("z", b.q(x)), w = b.add_state("w", b.z(z) * b.q(x));
  b.model().states[z.index()].rate = b.q(x) - b.z(z) * b.z(w);
  Instant at{0.0, {3.0}, {0.5}, {-2.0}, {}, {}};
  at.z = {4.0, 0.7};
  const Jet jet = TermValues(b.model(), at).scalar(b.z(z));
  const double z_dot = 3.0 - 4.0 * 0.7, w_dot = 4.0 * 3.0;
  EXPECT_DOUBLE_EQ(jet.value, 4.0);
  EXPECT_DOUBLE_EQ(jet.rate, z_dot);
  EXPECT_DOUBLE_EQ(jet.second, 0.5 - z_dot * 0.7 - 4.0 * w_dot);
}

TEST(States, AMultiplierOfALawHasNoRateOfItsOwn) {
  ModelBuilder b("mu");
  const CoordinateId x = b.add_coordinate("x"), y = b.add_coordinate("y");
  const ConstraintId c = b.add_constraint("c", b.q_dot(x) - b.q(y) * b.q_dot(y));
  reaction_laws::set_vakonomic(b, c);
  ASSERT_EQ(b.model().states.size(), 1u);
  EXPECT_EQ(b.model().states[0].name, "mu(c)");
  EXPECT_FALSE(time_derivative(b.model(), b.z(StateId(std::size_t{0}))).is_valid());
  const ConstraintId two = b.add_rows("two", {b.q_dot(x), b.q_dot(y)});
  // A constraint with two rows needs two multipliers.
  EXPECT_THROW(b.set_law(two, b.model().constraint(c).law), InternalError);
  EXPECT_THROW(b.add_state("mu(c)", b.number(1.0)), InternalError);
}

TEST(Energies, OfALagrangianFunctionIsItsLegendreTransform) {
  ModelBuilder b("charge");
  const CoordinateId x = b.add_coordinate("x"), y = b.add_coordinate("y");
  const Term vx = b.q_dot(x), vy = b.q_dot(y);
  b.add_lagrangian((vx * vx + vy * vy) / 2.0 + 3.0 * (b.q(x) * vy - b.q(y) * vx) - b.q(x) * b.q(x));
  EXPECT_THROW(b.add_lagrangian(b.terms().coordinate(x, 2)), InternalError);
  TermValues values(b.model(), Instant{0.0, {0.7, -0.2}, {1.5, 0.3}, {0.0, 0.0}, {}, {}});
  const double expected = (1.5 * 1.5 + 0.3 * 0.3) / 2.0 + 0.49;  // terms linear in the velocities do not contribute
  EXPECT_NEAR(values.scalar(total_energy(b.model())).value, expected, 1e-9);
}

TEST(Energies, TheEffectiveOneHoldsTheMultiplierTimesTheHomogeneousPart) {
  ModelBuilder b("effective");
  const CoordinateId x = b.add_coordinate("x"), y = b.add_coordinate("y");
  const PointId O = b.add_fixed_point("O", Model::newtonian());
  b.add_particle("P", b.number(2.0), O,
                 b.q(x) * b.axis(Model::newtonian(), 0) + b.q(y) * b.axis(Model::newtonian(), 1));
  const ConstraintId c = b.add_constraint("c", b.q_dot(x) * b.q_dot(x) + b.q(y) * b.q_dot(y) - b.number(5.0));
  reaction_laws::set_vakonomic(b, c);
  Instant at{0.0, {0.7, -0.2}, {1.5, 0.3}, {0.0, 0.0}, {}, {}};
  at.z = {0.4};
  TermValues values(b.model(), at);
  const double E = 1.5 * 1.5 + 0.3 * 0.3;
  EXPECT_NEAR(values.scalar(effective_energy(b.model())).value, E + 0.4 * (2.0 * 1.5 * 1.5 - 0.2 * 0.3), 1e-9);
}

TEST(Reactions, OfTheFurtherLawsActOnPointsUnlessRowsChangeWithBareCoordinates) {
  ModelBuilder b("beside");
  const CoordinateId x = b.add_coordinate("x"), y = b.add_coordinate("y");
  const PointId O = b.add_fixed_point("O", Model::newtonian());
  const ParticleId P = b.add_particle("P", b.number(1.0), O,
                                      b.q(x) * b.axis(Model::newtonian(), 0) + b.q(y) * b.axis(Model::newtonian(), 1));
  const ConstraintId c = b.add_constraint("c", b.terms().dot(b.vel(b.point_of(P)), b.axis(Model::newtonian(), 1)));
  EXPECT_FALSE(acts_on_coordinates(b.model(), c));
  b.set_law(c, reaction_laws::adiabatic({b.number(1.0)}));
  EXPECT_FALSE(acts_on_coordinates(b.model(), c));
  b.set_law(c, reaction_laws::viscous(b.number(10.0)));
  EXPECT_FALSE(acts_on_coordinates(b.model(), c));
  b.set_law(c, reaction_laws::gyroscopic({{b.number(0.0), b.number(1.0)}, {b.number(-1.0), b.number(0.0)}}));
  EXPECT_TRUE(acts_on_coordinates(b.model(), c));
  const ConstraintId bare =
      b.add_constraint("bare", b.q(x) * b.terms().dot(b.vel(b.point_of(P)), b.axis(Model::newtonian(), 1)));
  EXPECT_FALSE(acts_on_coordinates(b.model(), bare));
  b.set_law(bare, reaction_laws::inertial(b.number(10.0)));
  EXPECT_TRUE(acts_on_coordinates(b.model(), bare));
}

TEST(Laws, HaveTheImpulsesOfTheIdealLawIfTheirOtherForcesAreBounded) {
  ModelBuilder b("impulses");
  const CoordinateId x = b.add_coordinate("x"), y = b.add_coordinate("y");
  const Term one = b.number(1.0), none = b.number(0.0);
  const ConstraintId line = b.add_constraint("line", b.q_dot(x) - b.q(y) * b.q_dot(y));
  const ConstraintId square = b.add_constraint("square", b.q_dot(x) * b.q_dot(x) - b.q_dot(y) * b.q_dot(y));
  const Model& model = b.model();
  const auto both = [&](const Law& law) {
    return std::pair(law.has_ideal_impulses(model, line), law.has_ideal_impulses(model, square));
  };
  constexpr std::pair kAlways(true, true), kLinear(true, false), kNever(false, false);
  EXPECT_EQ(both(Law()), kAlways);
  EXPECT_EQ(both(*gyroscopic({{none, one}, {-one, none}})), kAlways);
  EXPECT_EQ(both(*stiff(one)), kAlways);
  EXPECT_EQ(both(*viscous(one)), kAlways);
  EXPECT_EQ(both(*adiabatic({one})), kLinear);
  EXPECT_EQ(both(*inertial(one)), kLinear);
  EXPECT_EQ(both(*directed({Actuator{}}, true)), kNever);
  set_vakonomic(b, line);
  EXPECT_EQ(both(*model.constraint(line).law), kNever);
}

}  // namespace
}  // namespace vinculum::reaction_laws
