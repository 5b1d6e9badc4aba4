// Checks the statement of theory.md §5.3 for rows of every level on bodies, particles, contact points, and massless
// points and frames.
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "support/model/newtonian.hpp"
#include "support/model/random_model.hpp"
#include "vinculum/model/calculus.hpp"
#include "vinculum/model/expansion.hpp"
#include "vinculum/model/inspect/inspection.hpp"
#include "vinculum/model/traversal.hpp"
#include "vinculum/reaction_laws/laws.hpp"

namespace vinculum::model {
namespace {

using testing::RandomModel;

using testing::N;

Instant with_more(Instant at, std::vector<double> Instant::* of, std::size_t i) {
  (at.*of)[i] += 1.0;
  return at;
}

/// Entry of the row for coordinate i: ∂φ/∂q_i, ∂ψ/∂q_i' or ∂χ/∂q_i'', by differences. They are exact because φ' and χ
/// are affine in these variables.
double column_of(const Model& model, const Instant& at, Term row, Level level, std::size_t i) {
  TermPool& pool = *model.terms;
  const auto difference = [&](std::vector<double> Instant::* of) {
    const Jet more = TermValues(model, with_more(at, of, i)).scalar(row), now = TermValues(model, at).scalar(row);
    return level == Level::kPosition ? more.rate - now.rate : more.value - now.value;
  };
  switch (level) {
    case Level::kPosition: {
      const double by_rate = difference(&Instant::q_dot);
      // φ' is NaN if φ contains a constant acceleration, which has no rate in a jet
      if (!std::isnan(by_rate)) return by_rate;
      return TermValues(model, at).scalar(pool.partial(row, pool.coordinate(CoordinateId(i), 0))).value;
    }
    case Level::kVelocity:
      return TermValues(model, at).scalar(pool.partial(row, pool.coordinate(CoordinateId(i), 1))).value;
    case Level::kAcceleration:
    case Level::kThird: break;
  }
  return difference(&Instant::q_ddot);
}

/// Coordinates on which a generalized force may remain: those outside of vectors in the row, and those that rotate
/// frames without body.
std::set<std::size_t> bare_coordinates(const Model& model, Term row) {
  std::set<std::size_t> bare;
  const auto take = [&](Term term) {
    for (const Term leaf : leaves_as_read(term)) {
      if (leaf.kind() == TermKind::kCoordinate) bare.insert(leaf.index());
    }
  };
  KinematicTree tree(model);
  std::set<PointId> wandering;
  for (std::size_t p = 0; p < model.points.size(); ++p) {
    if (tree.wanders(PointId(p))) wandering.insert(PointId(p));
  }
  take(expand_massless(model, seen_in_newtonian(model, expand_massless(model, row, wandering)), wandering));
  for (const Frame& frame : model.frames) {
    if (frame.body) continue;
    for (const SimpleRotation& rotation : frame.rotations) take(rotation.angle);
    if (frame.quaternion)
      for (const CoordinateId q : frame.quaternion->e) bare.insert(q.index());
  }
  return bare;
}

/// Checks Σ v_i·W + Σ ω_i·τ = (row)_i for every coordinate that does not occur outside of vectors. Returns whether the
/// row contains such ("bare") coordinates.
bool expect_law(const Model& model, Term row, const Instant& at, const std::string& what) {
  TermPool& pool = *model.terms;
  const Level level = level_of(model, row);
  const RowInspection inspection = inspect_row(model, row, level);
  const std::set<std::size_t> bare = inspection.has_bare_part ? bare_coordinates(model, row) : std::set<std::size_t>{};
  TermValues values(model, at);
  for (std::size_t i = 0; i < model.coordinates.size(); ++i) {
    if (bare.contains(i)) continue;
    double sum = 0.0, size = 1.0;
    TermValues more(model, with_more(at, &Instant::q_dot, i));
    const auto add = [&](Term vector, Term coefficient) {
      const JetVector c = values.vector(coefficient), v = values.vector(vector), v_more = more.vector(vector);
      for (std::size_t k = 0; k < 3; ++k) {
        const double term = (v_more[k].value - v[k].value) * c[k].value;
        sum += term;
        size += std::fabs(term);
      }
    };
    for (const PointReaction& force : inspection.forces) add(pool.velocity(force.point, N), force.W);
    for (const BodyReaction& torque : inspection.torques) add(pool.angular_velocity(torque.body, N), torque.tau);
    EXPECT_NEAR(sum, column_of(model, at, row, level, i), 1e-9 * size) << what << "\n"
                                                                       << to_text(model, row) << " by q" << i;
  }
  return inspection.has_bare_part;
}

TEST(BodiesInspection, ForcesAndTorquesDoWhatTheRowDoesInRandomModels) {
  int rows = 0, bare = 0;
  for (unsigned seed = 0; seed < 40; ++seed) {
    RandomModel random(seed);
    TermPool& pool = random.builder.terms();
    const auto pos = [&] { return pool.position(random.point(), random.point()); };
    const auto vel = [&] { return pool.velocity(random.point(), random.frame()); };
    const auto omega = [&] { return pool.angular_velocity(random.frame(), random.frame()); };
    const Term b = random.basis();
    const std::vector<Term> all{pool.dot(pos(), random.basis()) - 0.3,
                                pool.dot(pos(), pos()) + pool.dot(random.basis(), random.basis()),
                                pool.dot(pool.cross(random.basis(), random.basis()), pos() + random.basis()),
                                pool.dot(vel(), random.basis()) + random.builder.time(),
                                pool.dot(vel() - vel(), pos()) + pool.dot(omega(), b),
                                pool.dot(vel(), pool.cross(vel(), b)) + pool.dot(omega(), omega()),
                                pool.dot(vel(), vel()) * pool.dot(omega(), random.basis()),
                                pool.dot(pool.acceleration(random.point(), random.frame()), b) + pool.dot(vel(), vel()),
                                pool.dot(pool.angular_acceleration(random.frame(), random.frame()), pos()) +
                                    pool.dot(pool.acceleration(random.point(), N), random.basis())};
    for (const Term row : all) {
      ++rows;
      bare += expect_law(random.model(), row, random.instant(), "model " + std::to_string(seed));
      if (::testing::Test::HasFailure()) return;
    }
  }
  EXPECT_EQ(rows, 360);
  EXPECT_GT(rows - bare, 60);  // enough rows have no coordinates outside of vectors; they test every coordinate
}

/// A disk on a plane. The contact point is defined in the frame L, which leans with the disk but does not spin.
class DiskTest : public ::testing::Test {
 protected:
  ModelBuilder builder{"disk"};
  TermPool& pool = builder.terms();
  PointId O = builder.add_fixed_point("O", N);
  Term x = coordinate("x"), y = coordinate("y"), z = coordinate("z"), yaw = coordinate("yaw"),
       lean = coordinate("lean"), spin = coordinate("spin");
  FrameId A = builder.add_rotated_frame("A", N, yaw, 2), L = builder.add_rotated_frame("L", A, lean, 0),
          D = builder.add_rotated_frame("D", L, spin, 1);
  BodyId wheel = builder.add_body("wheel", D, builder.number(2.0),
                                  {builder.number(0.25), builder.number(0.5), builder.number(0.25), builder.number(0.0),
                                   builder.number(0.0), builder.number(0.0)},
                                  O, x* builder.axis(N, 0) + y * builder.axis(N, 1) + z * builder.axis(N, 2));
  PointId C = builder.center_of(wheel);
  PointId contact = builder.add_point_on("contact", D, C, -0.5 * builder.axis(L, 2));
  Term Nz = builder.axis(N, 2);

  Term coordinate(const std::string& name) { return builder.q(builder.add_coordinate(name)); }
  std::string text(Term term) { return to_text(builder.model(), term); }
  std::string wrench(Term row) {
    const RowInspection inspection = inspect_row(builder.model(), row, level_of(builder.model(), row));
    std::string all;
    for (const PointReaction& force : inspection.forces)
      all += builder.model().point(force.point).name + ": " + text(force.W) + "; ";
    for (const BodyReaction& torque : inspection.torques)
      all += "on " + builder.model().frame(torque.body).name + ": " + text(torque.tau) + "; ";
    return all + (inspection.has_bare_part ? "bare" : "");
  }
  Instant at{0.3, {0.1, 0.2, 0.45, 0.7, 0.4, -0.9}, {1, 2, 3, 4, 5, 6}, {-1, 2, -3, 1, 2, 3}, {}, {}};
};

TEST_F(DiskTest, RollingActsAtTheContactAtVelocityAndAtPositionLevel) {
  EXPECT_EQ(wrench(pool.dot(builder.vel(contact), builder.axis(A, 0))), "contact: A.x; ");
  EXPECT_EQ(wrench(pool.dot(builder.pos(contact, O), Nz)),
            "contact: N.z; O: -N.z; on N: cross(N.z, pos(contact, O)); ");
  expect_law(builder.model(), pool.dot(builder.pos(contact, O), Nz), at, "plane");
  expect_law(builder.model(), pool.dot(builder.vel(contact), builder.axis(A, 0)), at, "slip");
}

TEST_F(DiskTest, APlaceThatDoesNotMoveAsTheMatterIsExpanded) {
  // Along A.x the contact point moves with the center, but the material point also moves with the spin.
  const Term row = pool.dot(builder.pos(contact, O), builder.axis(N, 0));
  const std::string found = wrench(row);
  EXPECT_EQ(found.find("contact"), std::string::npos) << found;
  expect_law(builder.model(), row, at, "place");
  EXPECT_NE(wrench(time_derivative(builder.model(), row)), wrench(pool.dot(builder.vel(contact), builder.axis(N, 0))));
}

TEST_F(DiskTest, DirectionsFixedInTheBodyPutATorqueOnIt) {
  EXPECT_EQ(wrench(pool.dot(builder.axis(D, 0), Nz)), "on D: cross(D.x, N.z); on N: cross(N.z, D.x); ");
  EXPECT_EQ(wrench(pool.dot(builder.omega(D), builder.axis(D, 1)) - 3.0), "on D: D.y; ");
  EXPECT_EQ(wrench(pool.dot(pool.angular_acceleration(D, N), Nz)), "on D: N.z; ");
  EXPECT_EQ(wrench(pool.dot(builder.omega(L), Nz)), "bare");  // a frame without body transmits no torque
}

TEST_F(DiskTest, AFrameHungFromABodyTurnsWithIt) {
  const FrameId F = builder.add_rotated_frame("F", D, coordinate("hinge"), 1);
  at.q.push_back(0.3), at.q_dot.push_back(0.4), at.q_ddot.push_back(0.5);
  EXPECT_EQ(wrench(pool.dot(builder.omega(F), Nz)), "on D: N.z; bare");
  EXPECT_EQ(wrench(pool.dot(builder.axis(F, 0), Nz)), "on D: cross(F.x, N.z); on N: cross(N.z, F.x); bare");
  expect_law(builder.model(), pool.dot(builder.axis(F, 0), Nz), at, "hung");
}

TEST_F(DiskTest, AVelocitySeenInABodyPullsItsPointBackThatIsNowThere) {
  const PointId P =
      builder.point_of(builder.add_particle("P", builder.number(1.0), O, coordinate("p") * builder.axis(N, 0)));
  const ConstraintId slide = builder.add_constraint("slide", pool.dot(builder.vel(P, D), builder.axis(D, 1)));
  const PointId there(builder.model().points.size() - 1);
  EXPECT_EQ(builder.model().point(there).name, "P on wheel");
  EXPECT_EQ(points_of(builder.model(), slide), (std::vector<PointId>{P, there}));
  EXPECT_EQ(text(total_force(builder.model(), slide, there)), "-multiplier(slide)*D.y");
  EXPECT_TRUE(torque_on(builder.model(), slide, D).is_zero());
  EXPECT_EQ(text(resultant_force(builder.model(), slide, D)), "-multiplier(slide)*D.y");
  EXPECT_EQ(text(resultant_moment(builder.model(), slide, D, P)), "-multiplier(slide)*cross(pos(P on wheel, P), D.y)");
  EXPECT_EQ(bodies_of(builder.model(), slide), std::vector<FrameId>{D});
  at.q.push_back(0.3), at.q_dot.push_back(0.4), at.q_ddot.push_back(0.5);
  expect_law(builder.model(), builder.model().constraint(slide).rows[0], at, "relative");
  expect_law(builder.model(), pool.dot(builder.acc(P, D), builder.axis(D, 1)), at, "relative");
}

TEST_F(DiskTest, RowsOfRelativeMotionAreInEquilibriumByThemselves) {
  const FrameId E = builder.add_rotated_frame("E", N, coordinate("e"), builder.axis(N, 0) + builder.axis(N, 1));
  const Term one = builder.number(1.0), zero = builder.number(0.0);
  const BodyId other =
      builder.add_body("other", E, one, {one, one, one, zero, zero, zero}, O, coordinate("f") * builder.axis(N, 1));
  const PointId P = builder.add_point("P", C, 0.2 * builder.axis(D, 0)),
                Q = builder.add_point("Q", builder.center_of(other), 0.3 * builder.axis(E, 2));
  const std::vector<Term> along{builder.axis(E, 0), builder.axis(D, 1)};
  const ConstraintId pin = builder.add_constraint("pin", builder.pos(P, Q), along);
  const ConstraintId align = builder.add_constraint("align", pool.dot(builder.axis(D, 0), builder.axis(E, 1)));
  for (int i = 0; i < 2; ++i) at.q.push_back(0.3 + i), at.q_dot.push_back(0.4), at.q_ddot.push_back(0.5);
  at.lambda = {{1.7, -0.6}, {2.5}};
  at.lambda_ideal = at.lambda;
  for (const ConstraintId c : {pin, align}) {
    EXPECT_EQ(bodies_of(builder.model(), c).size(), 2u);
    const Term force = resultant_force(builder.model(), c, D) + resultant_force(builder.model(), c, E);
    const Term moment = resultant_moment(builder.model(), c, D, O) + resultant_moment(builder.model(), c, E, O);
    TermValues values(builder.model(), at);
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_NEAR(values.vector(force)[i].value, 0.0, 1e-14);
      EXPECT_NEAR(values.vector(moment)[i].value, 0.0, 1e-14);
    }
  }
}

TEST_F(DiskTest, ADirectedLawExertsItsEffortsAndSplitsNothing) {
  const ConstraintId servo = builder.add_constraint("servo", pool.dot(builder.vel(C), builder.axis(N, 0)) - 1.0);
  Actuator thrust, motor;
  thrust.forces.push_back({C, builder.axis(A, 0), std::nullopt});
  motor.torques.push_back({D, 2.0 * builder.axis(D, 1), L});
  builder.set_law(servo, reaction_laws::directed({thrust, motor}, true));
  builder.add_nonideal(servo, Nonideal{TorqueOn{D, Nz, std::nullopt}, {}});
  const Model& model = builder.model();
  EXPECT_EQ(text(total_force(model, servo, C)), "effort(servo, 1)*A.x");
  EXPECT_EQ(text(ideal_force(model, servo, C)), "effort(servo, 1)*A.x");
  EXPECT_TRUE(nonideal_force(model, servo, C).is_zero());
  EXPECT_EQ(text(torque_on(model, servo, D)), "2*effort(servo, 2)*D.y + N.z");
  EXPECT_EQ(text(torque_on(model, servo, D, Share::kReaction)), "2*effort(servo, 2)*D.y");
  EXPECT_EQ(text(torque_on(model, servo, L)), "-2*effort(servo, 2)*D.y");
  EXPECT_EQ(points_of(model, servo), std::vector<PointId>{C});
  EXPECT_EQ(bodies_of(model, servo), std::vector<FrameId>{D});
  at.effort = {{1.5, -0.7}};
  // Power of the actuators' forces and torques: 1.5 A.x·v + 2(−0.7)(ω_D − ω_L)·D.y + N.z·ω_D.
  const double expected = 1.5 * (std::cos(0.7) * 1 + std::sin(0.7) * 2) - 1.4 * 6.0 +
                          TermValues(model, at).scalar(pool.dot(builder.omega(D), Nz)).value;
  EXPECT_NEAR(TermValues(model, at).scalar(power_of_constraint(model, servo)).value, expected, 1e-13);
}

TEST_F(DiskTest, StatedTorquesJoinTheMultipliedOnes) {
  const ConstraintId spun = builder.add_constraint("spun", pool.dot(builder.omega(D), builder.axis(D, 1)) - 3.0);
  builder.add_nonideal(spun, Nonideal{TorqueOn{D, -0.1 * builder.omega(D), std::nullopt}, {}});
  const Model& model = builder.model();
  EXPECT_EQ(text(torque_on(model, spun, D)), "multiplier(spun)*D.y - 0.1*omega(D)");
  EXPECT_EQ(text(torque_on(model, spun, D, Share::kIdeal)), "ideal_multiplier(spun)*D.y");
  EXPECT_EQ(text(torque_on(model, spun, D, Share::kNonideal)),
            "(multiplier(spun) - ideal_multiplier(spun))*D.y - 0.1*omega(D)");
}

}  // namespace
}  // namespace vinculum::model
