#include <gtest/gtest.h>

#include "support/elaborate/elaborated.hpp"

// Statements of bodies, quaternions, torques and servo constraints: their effect on the model, and errors.
namespace vinculum::elaborate {
namespace {

using testing::expect_messages_with_plate;
using testing::output_of;
using testing::with_plate;

TEST(Body, StandsForItsFrameAndItsMassCentre) {
  const auto result = with_plate(
      "output a = dot(omega(plate), N.z) - phi'\n"
      "output b = dot(vel(plate), N.x) - x'\n"
      "output c = dot(pos(center(plate), O), N.y) - y\n"
      "output d = dot(plate.x, D.x)\n"
      "point P = plate + r*plate.x\n"
      "output e = dot(vel(P) - vel(plate), D.y)/r - phi'\n"
      "output f = dot(momentum(plate), N.x)/m - x'\n"
      "output h = dot(angular_momentum(plate, plate), N.z)/(m*r^2/2) - phi'\n");
  ASSERT_EQ(result.messages, "");
  for (const char* name : {"a", "b", "c", "e", "f", "h"})
    EXPECT_NEAR(testing::value_of(result, name), 0.0, 1e-15) << name;
  EXPECT_EQ(testing::value_of(result, "d"), 1.0);
  EXPECT_EQ(output_of(result, "h").dimension, make_dimension(0, 0, -1));
}

TEST(Body, HasItsInertiaInTheUnitBehindIt) {
  const auto result = testing::in_plane(
      "frame A = N rotated phi about z\n"
      "body b frame A mass 3 [kg] inertia (1, 2, 2.5, 0.1, 0, -0.2) [kg*mm^2] at O\n"
      "frame B = A rotated phi about x\n"
      "body c frame B mass 2 [kg] inertia (1, 9, 9) [kg*m^2] at O + 2 [m]*B.x about O\n");
  ASSERT_EQ(result.messages, "");
  const model::Inertia& first = result.model->bodies[0].inertia;
  EXPECT_DOUBLE_EQ(testing::value_of(*result.model, first.yy), 2e-6);
  EXPECT_DOUBLE_EQ(testing::value_of(*result.model, first.zx), -2e-7);
  const model::Inertia& second = result.model->bodies[1].inertia;  // 9 − 2·2²: moved to the mass center
  EXPECT_NEAR(testing::value_of(*result.model, second.yy), 1.0, 1e-14);
  EXPECT_NEAR(testing::value_of(*result.model, second.xx), 1.0, 1e-14);
}

TEST(Body, RefusesWhatNoBodyCanBe) {
  expect_messages_with_plate(
      "frame E = N rotated phi about x\nbody b frame E mass m inertia (1, 1, 1, 2, 0, 0) [kg*m^2] at O\n",
      R"(m.vin:9:32: error: no body has this inertia: about some axis through the mass centre its moment is negative [bad-value]
  9 | body b frame E mass m inertia (1, 1, 1, 2, 0, 0) [kg*m^2] at O
    |                                ^^^^^^^^^^^^^^^^
  hint: products of inertia carry their sign: Ixy = -∫ x y dm
)");
  expect_messages_with_plate(
      "frame E = N rotated phi about x\nbody b frame E mass m inertia (1, 1, 3) [kg*m^2] at O\n",
      R"(m.vin:9:32: error: no body has this inertia: a principal moment about the mass centre exceeds the sum of the other two [bad-value]
  9 | body b frame E mass m inertia (1, 1, 3) [kg*m^2] at O
    |                                ^^^^^^^
  hint: of a plate it is the sum, of any other body less: I_zz = ∫ (x^2 + y^2) dm ≤ I_xx + I_yy
)");
  expect_messages_with_plate(
      "frame E = N rotated phi about x\nbody b frame E mass m inertia (m*r^2, 0, m*r) at O + x*N.x\n"
      "body c frame E mass m inertia (1, 1, 1) [kg*m^2] at O + x*N.x about plate\n",
      R"(m.vin:9:42: error: a moment of inertia must be in kg*m^2, found kg*m [dimension-mismatch]
  9 | body b frame E mass m inertia (m*r^2, 0, m*r) at O + x*N.x
    |                                          ^^^ kg*m

m.vin:10:69: error: inertia is about a point fixed in the body, and `plate` moves in it [not-allowed-here]
  10 | body c frame E mass m inertia (1, 1, 1) [kg*m^2] at O + x*N.x about plate
     |                                                                     ^^^^^
)");
}

TEST(Body, MayBeARodOrAPlateInAnyAttitude) {
  const auto problem = [](const std::string& inertia) {
    return testing::in_plane("frame A = N rotated phi about z\nbody b frame A mass 2 [kg] inertia (" + inertia +
                             ") [kg*m^2] at O\n")
        .messages;
  };
  EXPECT_EQ(problem("0, 1, 1"), "");
  EXPECT_EQ(problem("1, 2, 3"), "");
  EXPECT_EQ(problem("0.333, 0.333, 0.667"), "");      // moments of a plate, rounded to three digits
  EXPECT_EQ(problem("0.5, 0.5, 1, -0.5, 0, 0"), "");  // a rod along x + y
  EXPECT_EQ(problem("2.5, 2, 1.5, 0, 0, 0.5"), "");   // principal moments 2 ± 1/√2 and 2
  // principal moments 0.5, 1.5 and 2.5, although the diagonal would be possible
  EXPECT_NE(problem("1.5, 1.5, 1.5, 0, 0, 1"), "");
  EXPECT_NE(problem("1, 1, 2.05"), "");
}

TEST(PointOn, IsAPointOfTheBody) {
  const auto result = with_plate(
      "point c on plate = O + 1 [m]*N.x\n"
      "output a = dot(vel(c), N.y) - (y' + phi'*(1 [m] - x))\n"
      "force on c = 2 [N]*N.x\n");
  ASSERT_EQ(result.messages, "");
  EXPECT_NEAR(testing::value_of(result, "a"), 0.0, 1e-14);
}

TEST(Quaternion, TurnsAFrameAndBringsItsSpeeds) {
  const auto result = testing::elaborated(
      "model m\nframe N newtonian\npoint O fixed in N\ncoord e0, e1, e2, e3\n"
      "frame B = N quaternion(e0, e1, e2, e3)\n"
      "body b frame B mass 1 inertia (1, 2, 3) at O\n"
      "let w = [B.wx, B.wy, B.wz]\n"
      "let J = jacobian([B.wx*B.wy], w)\n"
      "output L = J[1,2] - B.wx\n"
      "output A = B.wz'\n"
      "start e0 = 1, B.wx = 2, b.wy ~ 1\n");
  ASSERT_EQ(result.messages, "");
  const model::Model& model = *result.model;
  ASSERT_EQ(model.speeds.size(), 3u);
  EXPECT_EQ(model.speeds[0].name, "B.wx");
  ASSERT_EQ(model.starts.size(), 3u);
  EXPECT_EQ(model.starts[1].on, model::StartCondition::On::kSpeed);
  EXPECT_EQ(model.starts[2].index, 1u);
}

TEST(Quaternion, KeepsItsCoordinatesToItself) {
  EXPECT_EQ(testing::in_plane("coord a, b, c, d\nframe A = N rotated a about z\nframe B = N quaternion(a, b, c, d)\n"
                              "frame C = N quaternion(b, c, d, x)\nframe E = N rotated 2*d about z\n")
                .messages,
            R"(m.vin:9:24: error: `a` is part of an angle and cannot be a coordinate of a quaternion [not-allowed-here]
  9 | frame B = N quaternion(a, b, c, d)
    |                        ^
  8 | frame A = N rotated a about z
    |                     ^ the angle

m.vin:10:24: error: `b` is a coordinate of a quaternion already [not-allowed-here]
  10 | frame C = N quaternion(b, c, d, x)
     |                        ^
   9 | frame B = N quaternion(a, b, c, d)
     |                           ^ here
  hint: each quaternion needs four separate coordinates

m.vin:10:27: error: `c` is a coordinate of a quaternion already [not-allowed-here]
  10 | frame C = N quaternion(b, c, d, x)
     |                           ^
   9 | frame B = N quaternion(a, b, c, d)
     |                              ^ here
  hint: each quaternion needs four separate coordinates

m.vin:10:30: error: `d` is a coordinate of a quaternion already [not-allowed-here]
  10 | frame C = N quaternion(b, c, d, x)
     |                              ^
   9 | frame B = N quaternion(a, b, c, d)
     |                                 ^ here
  hint: each quaternion needs four separate coordinates

m.vin:10:33: error: a coordinate of a quaternion must be dimensionless, found m [dimension-mismatch]
  10 | frame C = N quaternion(b, c, d, x)
     |                                 ^
  hint: a unit in `coord` is that of all names before it up to the one before: declare the four in a separate `coord`

m.vin:11:21: error: an angle cannot contain `d`, a coordinate of a quaternion [not-allowed-here]
  11 | frame E = N rotated 2*d about z
     |                     ^^^
   9 | frame B = N quaternion(a, b, c, d)
     |                                 ^ the quaternion
)");
}

TEST(Torque, ActsOnABodyAndItsOppositeOnAnother) {
  const auto result = with_plate("torque on plate = 3 [N*m]*N.z from N\ntorque on D = 1 [N*m]*D.z\n");
  ASSERT_EQ(result.messages, "");
  ASSERT_EQ(result.model->loads.size(), 2u);
  const auto& torque = std::get<model::TorqueOn>(result.model->loads[0].what);
  EXPECT_EQ(torque.from, model::Model::newtonian());
  expect_messages_with_plate(
      "frame E = D rotated 1 about x\ntorque on E = 1 [N*m]*N.z\ntorque on plate = 1 [N]*N.z\ntorque on N = 1 "
      "[N*m]*N.z\n",
      R"(m.vin:9:11: error: a body is needed here, and no body is fixed in the frame `E` [wrong-kind]
  9 | torque on E = 1 [N*m]*N.z
    |           ^
  hint: declare the body: `body B frame E mass m inertia (…) at O + …`

m.vin:10:19: error: a torque must be in N*m, found N [dimension-mismatch]
  10 | torque on plate = 1 [N]*N.z
     |                   ^^^^^^^^^ force, N

m.vin:11:11: error: a body is needed here, `N` is the newtonian frame [wrong-kind]
  11 | torque on N = 1 [N*m]*N.z
     |           ^
  hint: the ground does not turn; the opposite of a torque on a body goes there by `from N`
)");
}

TEST(Results, OfConstraintsOnBodies) {
  const auto result = with_plate(
      "point c on plate = plate - r*N.y\n"
      "constraint roll: vel(c) = 0 along N.x, N.y\n"
      "constraint turn: dot(omega(plate), N.z) = 1 [1/s]\n"
      "    nonideal on plate = -0.1 [N*m]*N.z\n"
      "output F = force(roll, c) in plate\n"
      "output G = force(roll, plate)\n"
      "output M = torque(turn, plate) in D\n"
      "output Fi = ideal_force(roll, plate) - reaction(roll, plate) + nonideal_force(roll, c)\n"
      "output p = power(turn)\n");
  ASSERT_EQ(result.messages, "");
  EXPECT_EQ(output_of(result, "M").dimension, make_dimension(1, 2, -2));
  EXPECT_EQ(output_of(result, "G").dimension, make_dimension(1, 1, -2));
  expect_messages_with_plate(
      "frame E = N rotated phi about x\nbody other frame E mass m inertia (1, 1, 1) [kg*m^2] at O\n"
      "constraint turn: dot(omega(plate), N.z) = 1 [1/s]\noutput M = torque(turn, other)\n",
      R"(m.vin:11:25: error: constraint `turn` puts no torque on `other` [point-not-in-constraint]
  11 | output M = torque(turn, other)
     |                         ^^^^^
  hint: it acts on the body `plate`
)");
}

TEST(Directed, FallsOnWhatTheRowNames) {
  const auto result = with_plate(
      "constraint c: dot(vel(plate), N.x) = 0\n    law directed along N.x + N.y\n"
      "constraint d: phi' = 0\n    via torque on plate from N along N.z scale 2, force on plate along 1 [m]*N.y\n"
      "output e = effort(d, 2)\noutput f = effort(d, 1)\noutput l = multiplier(c)\n");
  ASSERT_EQ(result.messages, "");
  const model::Law& law = *result.model->constraints[0].law;
  EXPECT_FALSE(law.has_named_actuators());
  ASSERT_EQ(law.actuators().size(), 1u);
  EXPECT_EQ(law.actuators()[0].forces[0].point, result.model->bodies[0].center);
  const model::Law& via = *result.model->constraints[1].law;
  EXPECT_TRUE(via.has_named_actuators());
  ASSERT_EQ(via.actuators().size(), 2u);
  EXPECT_EQ(via.actuators()[0].scale, 2.0);
  EXPECT_EQ(output_of(result, "e").dimension, make_dimension(1, 0, -2));
  EXPECT_EQ(output_of(result, "f").dimension, make_dimension(1, 2, -2));
  EXPECT_EQ(output_of(result, "l").dimension, make_dimension(1, 1, -2));
}

TEST(Directed, LinesOfActuatorsAreOneList) {
  const auto result = with_plate(
      "constraint c: vel(plate) = 0 along N.x, N.y\n    via force on plate along N.x\n    via force on plate along N.y "
      "scale 2,\n"
      "      torque on plate along N.z scale 3\noutput e = effort(c, 3)\n");
  ASSERT_EQ(result.messages, "");
  const auto actuators = result.model->constraints[0].law->actuators();
  ASSERT_EQ(actuators.size(), 3u);
  for (std::size_t k = 0; k < 3; ++k) EXPECT_EQ(actuators[k].scale, static_cast<double>(k + 1));
  EXPECT_EQ(actuators[2].torques.size(), 1u);
  EXPECT_EQ(output_of(result, "e").dimension, make_dimension(1, 2, -2));
}

TEST(Directed, GoesWithNoOtherLaw) {
  expect_messages_with_plate(R"(constraint c: vel(plate) = 0 along N.x, N.y
    via force on plate along N.x
    law directed along N.x, N.y
    via force on plate along N.y
)",
                             R"(m.vin:10:5: error: a constraint has one law [misplaced-statement]
  10 |     law directed along N.x, N.y
     |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^
   9 |     via force on plate along N.x
     |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ the first one
  hint: actuators named by `via` keep the constraint alone: they are its law
)");
  expect_messages_with_plate(R"(constraint c: vel(plate) = 0 along N.x, N.y
    law directed along N.x, N.y
    via force on plate along N.x
    via force on plate along N.y
)",
                             R"(m.vin:10:5: error: a constraint has one law [misplaced-statement]
  10 |     via force on plate along N.x
     |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^
   9 |     law directed along N.x, N.y
     |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^ the first one
  hint: actuators named by `via` keep the constraint alone: they are its law
)");
}

TEST(Force, OnAPointFixedInABodyItIsNotDeclaredOn) {
  expect_messages_with_plate(
      R"(coord psi [rad]
frame E = N rotated psi about z
point J = O + x*N.x
body rod frame E mass 1 [kg] inertia (1, 1, 1) [kg*m^2] at J + r*E.x
constraint c: vel(J) = 0 along N.x
output f = force(c, J)
)",
      "");
}

TEST(PointFixedIn, IsAtRest) {
  expect_messages_with_plate(
      R"(point X fixed in D
point Y fixed in plate
output v = vel(X)
)",
      R"(m.vin:8:18: error: `D` moves: a point fixed in it needs a place in it [not-allowed-here]
  8 | point X fixed in D
    |                  ^
  hint: set it off by a vector fixed there, `point X = plate + VEC`, or write `point X on D = plate + VEC`

m.vin:9:18: error: `plate` moves: a point fixed in it needs a place in it [not-allowed-here]
  9 | point Y fixed in plate
    |                  ^^^^^
  hint: set it off by a vector fixed there, `point Y = plate + VEC`, or write `point Y on plate = plate + VEC`
)");
}

TEST(Directed, SaysWhatItCannotBe) {
  expect_messages_with_plate(
      R"(constraint c: x' = y'
    law directed along N.x
constraint d: vel(plate) = 0 along N.x, N.y
    via force on plate along N.x
constraint e: phi' = 0
    via torque on plate along N.z
output l = multiplier(e)
output k = effort(e, 2)
)",
      R"(m.vin:9:24: error: `c` does not act on one point or body, or on two oppositely: a direction alone does not say where [not-allowed-here]
  9 |     law directed along N.x
    |                        ^^^
  hint: name the actuator: `via force on P along VEC` or `via torque on B along VEC`

m.vin:11:5: error: 2 rows of `d` cannot be kept by 1 actuator [wrong-argument-count]
  11 |     via force on plate along N.x
     |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  hint: name as many actuators as there are rows, or more: `via force on P along VEC, torque on B along VEC`

m.vin:14:23: error: `e` is enforced by actuators and has no multipliers [not-allowed-here]
  14 | output l = multiplier(e)
     |                       ^
  hint: ask for `effort(e, 1)`

m.vin:15:22: error: this index can only be 1 [bad-value]
  15 | output k = effort(e, 2)
     |                      ^
)");
}

}  // namespace
}  // namespace vinculum::elaborate
