#include "vinculum/model/inspect/reveal.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/model/newtonian.hpp"
#include "vinculum/model/builder.hpp"
#include "vinculum/model/calculus.hpp"
#include "vinculum/model/evaluate.hpp"
#include "vinculum/model/inspect/inspection.hpp"
#include "vinculum/reaction_laws/laws.hpp"

namespace vinculum::model {
namespace {

using testing::N;

class RevealTest : public ::testing::Test {
 protected:
  ModelBuilder b{"reveal"};
  TermPool& pool = b.terms();
  PointId O = b.add_fixed_point("O", N);
  Term Nx = b.axis(N, 0), Ny = b.axis(N, 1), Nz = b.axis(N, 2), zero = b.number(0.0);

  Inertia diagonal(double x, double y, double z) { return {b.number(x), b.number(y), b.number(z), zero, zero, zero}; }
  std::vector<Term> basis(FrameId frame = N) { return {b.axis(frame, 0), b.axis(frame, 1), b.axis(frame, 2)}; }
  RevealId force(const std::string& name, PointId point, FrameId frame = N) {
    return b.add_reveal({name, point, {}, basis(frame), {}});
  }
  RevealId torque(const std::string& name, FrameId body, FrameId frame = N) {
    return b.add_reveal({name, {}, body, basis(frame), {}});
  }
  double value(RevealId id, int k, const Instant& at) {
    return TermValues(b.model(), at).scalar(revealed(b.model(), id, k)).value;
  }
};

TEST_F(RevealTest, APinHoldsARodAgainstGravityAndTheCentripetalAcceleration) {
  const double m = 2.0, l = 0.8, g = 9.81, theta = 0.6, rate = 1.7, second = -3.1, I = 0.43;
  const Term q = b.q(b.add_coordinate("theta"));
  const FrameId B = b.add_rotated_frame("B", N, q, 2);
  const PointId pin = b.add_point("pin", O, pool.zero_vector());
  b.add_body("rod", B, b.number(m), diagonal(0.0, I, I), pin, l * b.axis(B, 0));
  b.add_gravity(-g * Ny);
  const RevealId R = force("R", pin, B), T = torque("T", B);
  const Instant at{0.0, {theta}, {rate}, {second}, {}, {}};
  // Newton's equation of the rod, m a = R + m g, along the rod and perpendicular to it.
  EXPECT_NEAR(value(R, 0, at), -m * l * rate * rate + m * g * std::sin(theta), 1e-13);
  EXPECT_NEAR(value(R, 1, at), m * l * second + m * g * std::cos(theta), 1e-13);
  EXPECT_NEAR(value(R, 2, at), 0.0, 1e-13);
  // The given motion is not the free one, so the hinge must exert a torque T on the rod: I_O θ'' = T − m g l cos θ.
  EXPECT_NEAR(value(T, 2, at), (I + m * l * l) * second + m * g * l * std::cos(theta), 1e-13);
  EXPECT_NEAR(value(T, 0, at), 0.0, 1e-13);
}

TEST_F(RevealTest, DirectionsOfAnyLengthMeasureTheSameForce) {
  const PointId P = b.point_of(b.add_particle("P", b.number(2.0), O, b.q(b.add_coordinate("x")) * Nx));
  b.add_gravity(-9.81 * Nz);
  const RevealId R = b.add_reveal({"R", P, {}, {3.0 * Nz, -Nz}, {}});
  const Instant at{0.0, {0.1}, {0.2}, {0.3}, {}, {}};
  EXPECT_NEAR(value(R, 0, at), 2.0 * 9.81, 1e-13);  // the reaction of the table carries the weight of the particle
  EXPECT_NEAR(value(R, 1, at), -2.0 * 9.81, 1e-13);
}

/// Two links in space, connected by a hinge and a ball joint with Euler angles, and loads of every kind.
class ChainTest : public RevealTest {
 protected:
  Term q(const std::string& name) { return b.q(b.add_coordinate(name)); }
  FrameId A = b.add_rotated_frame("A", N, q("a"), Nx + 2.0 * Ny);
  PointId root = b.add_point("root", O, 0.4 * Nz);
  BodyId first =
      b.add_body("first", A, b.number(1.3),
                 {b.number(0.3), b.number(0.4), b.number(0.5), b.number(0.02), b.number(-0.03), b.number(0.01)}, root,
                 0.5 * b.axis(A, 0) + 0.1 * b.axis(A, 2));
  PointId elbow = b.add_point("elbow", b.center_of(first), 0.6 * b.axis(A, 0) - 0.2 * b.axis(A, 1));
  FrameId hinge = b.add_rotated_frame("hinge", A, q("h"), 1);
  FrameId B = b.add_frame("B", hinge, {{0, Term{}, q("c")}, {2, Term{}, q("d")}});
  BodyId second = b.add_body("second", B, b.number(0.7), diagonal(0.2, 0.3, 0.25), elbow,
                             0.3 * b.axis(B, 1) + q("slide") * b.axis(hinge, 0));
  PointId tip = b.add_point_on("tip", B, b.center_of(second), 0.4 * b.axis(B, 2));
  ParticleId rider =
      b.add_particle("rider", b.number(0.2), b.center_of(second), b.q(CoordinateId(std::size_t{4})) * b.axis(B, 0));
  Instant at{0.3, {0.3, -0.5, 0.7, 0.2, 0.4}, {1.1, 0.4, -0.8, 0.9, -0.6}, {0.5, -1.2, 0.3, 0.8, 1.4}, {}, {}};

  void load() {
    b.add_gravity(-9.81 * Nz + 0.3 * Nx);
    b.add_force(tip, 1.2 * b.axis(A, 1), root);
    b.add_force(b.point_of(rider), 0.7 * Ny);
    b.add_torque(B, 0.8 * Nx + 0.2 * b.axis(B, 1), A);
    b.add_spring(tip, O, b.number(5.0), b.number(0.2), b.number(0.3));
    b.add_potential(2.0 * pool.dot(b.pos(tip, O), Ny) * pool.dot(b.axis(A, 0), b.axis(B, 2)));
  }
};

// Newton's and Euler's equations for the second body and the particle on it, written by hand. They contain all external
// forces and torques except those at the elbow.
TEST_F(ChainTest, ForceAndTorqueInAnEmbeddedJointBalanceNewtonAndEuler) {
  load();
  const RevealId F = force("F", elbow, B), T = torque("T", B, B);
  const PointId C = b.center_of(second), P = b.point_of(rider);
  EXPECT_TRUE(loads_without_place(b.model()).empty());

  // The momenta of the chain beyond the elbow change by the external forces, and by the revealed force and couple at
  // the elbow.
  const Term momentum_rate = 0.7 * b.acc(C) + 0.2 * b.acc(P);
  const Term weight = 0.9 * (-9.81 * Nz + 0.3 * Nx);
  const Term r = b.pos(tip, O), stretch_rate = pool.dot(b.vel(tip), pool.unit(r));
  const Term spring = -((5.0 * (pool.norm(r) - 0.2) + 0.3 * stretch_rate) * pool.unit(r));
  const Term field = -2.0 * pool.dot(b.axis(A, 0), b.axis(B, 2)) * Ny;
  const Term outside = weight + 1.2 * b.axis(A, 1) + 0.7 * Ny + spring + field;
  const Term reaction = momentum_rate - outside;

  const Term omega = b.omega(B), alpha = pool.angular_acceleration(B, N);
  const Term spin_rate =
      times_inertia(b.model(), second, alpha) + pool.cross(omega, times_inertia(b.model(), second, omega));
  const Term g = -9.81 * Nz + 0.3 * Nx;
  const Term field_torque = -2.0 * pool.dot(b.pos(tip, O), Ny) * pool.cross(b.axis(B, 2), b.axis(A, 0));
  // B turns about the point `turned` on the slide. Offsets written in vectors of the hinge do not turn with B.
  const PointId turned = b.add_point("turned", elbow, b.q(CoordinateId(std::size_t{4})) * b.axis(hinge, 0));
  const auto moment = [&](PointId point, Term f) { return pool.cross(b.pos(point, turned), f); };
  const Term couple = moment(C, 0.7 * (b.acc(C) - g)) + moment(P, 0.2 * (b.acc(P) - g) - 0.7 * Ny) + spin_rate -
                      moment(tip, 1.2 * b.axis(A, 1) + spring + field) - field_torque - (0.8 * Nx + 0.2 * b.axis(B, 1));
  TermValues values(b.model(), at);
  for (int k = 0; k < 3; ++k) {
    EXPECT_NEAR(value(F, k, at), values.vector(reaction, B)[static_cast<std::size_t>(k)].value, 1e-12);
    EXPECT_NEAR(value(T, k, at), values.vector(couple, B)[static_cast<std::size_t>(k)].value, 1e-12);
  }
}

TEST_F(ChainTest, ReactionsOfStatedConstraintsCountAmongTheForces) {
  const RevealId F = force("F", root);
  const double without = value(F, 2, at);
  const ConstraintId hold = b.add_constraint("hold", b.vel(tip), std::vector<Term>{Nz});
  b.add_nonideal_force(hold, tip, -0.4 * Nz);
  const ConstraintId servo = b.add_constraint("servo", pool.dot(b.vel(b.center_of(first)), Nx));
  Actuator thrust;
  thrust.forces.push_back({b.center_of(first), Nz, std::nullopt});
  b.set_law(servo, reaction_laws::directed({thrust}, true));
  at.lambda = {{1.9}, {0.0}};
  at.effort = {{}, {3.0}};
  EXPECT_NEAR(value(F, 2, at), without - 1.9 + 0.4 - 3.0, 1e-12);
}

/// A crank with its mass center on the axis of rotation, and a pin set off from the same point of the ground.
TEST_F(RevealTest, LeavesOutAPointOfTheBodyThatIsSetOffFromAnotherPoint) {
  const FrameId A = b.add_rotated_frame("A", N, b.q(b.add_coordinate("a")), 2);
  const FrameId B = b.add_rotated_frame("B", N, b.q(b.add_coordinate("b")), 2);
  const BodyId crank = b.add_body("crank", A, b.number(1.0), diagonal(0.1, 0.1, 0.1), O, pool.zero_vector());
  const RevealId bearing = force("bearing", b.center_of(crank));
  b.add_gravity(-9.81 * Ny);
  EXPECT_FALSE(left_out_of(b.model(), bearing));
  b.add_point("mark", O, 0.2 * b.axis(A, 1));                                     // carries nothing
  b.add_body("coaxial", B, b.number(1.0), diagonal(0.1, 0.1, 0.1), O, 0.3 * Nz);  // does not turn with the crank
  EXPECT_FALSE(left_out_of(b.model(), bearing));
  b.add_particle("far", b.number(3.0), b.center_of(crank), 0.5 * b.axis(A, 0));  // set off from the crank
  EXPECT_FALSE(left_out_of(b.model(), bearing));
  const PointId tip = b.point_of(b.add_particle("tip", b.number(2.0), O, 0.5 * b.axis(A, 0)));
  const auto found = left_out_of(b.model(), bearing);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->point, tip);
  EXPECT_EQ(found->base, O);
}

TEST_F(ChainTest, WhatActsOnCoordinatesIsNamed) {
  const CoordinateId h(std::size_t{1});
  b.add_generalized_force(h, b.number(2.0));
  b.add_potential(b.q(h) * b.q(h));
  b.add_constraint("drive", b.q(h) - b.time());
  b.add_constraint("hold", b.vel(tip), std::vector<Term>{Nz});
  EXPECT_EQ(loads_without_place(b.model()),
            (std::vector<std::string>{"generalized force on h", "potential h*h", "drive"}));
}

}  // namespace
}  // namespace vinculum::model
