#include <gtest/gtest.h>

#include "support/elaborate/elaborated.hpp"

// Statements of joints and reveals: their effect on the model, and errors.
namespace vinculum::elaborate {
namespace {

using testing::expect_messages_with_plate;
using testing::output_of;
using testing::with_plate;

TEST(Joint, AddsItsRowsWithTheirUnits) {
  const auto result = with_plate(
      "point Q = plate + r*D.x\n"
      "joint hinge: revolute between O of N and Q of plate axis N.z\n"
      "output l = multiplier(hinge)\noutput F = force(hinge, Q) in D\noutput M = torque(hinge, plate)\n"
      "output r1 = residual(hinge[2])\n");
  ASSERT_EQ(result.messages, "");
  const model::Constraint& hinge = result.model->constraints[0];
  EXPECT_EQ(hinge.joint, "revolute");
  EXPECT_EQ(hinge.rows.size(), 5u);
  EXPECT_EQ(output_of(result, "l").components.size(), 5u);
  EXPECT_EQ(output_of(result, "r1").dimension, make_dimension(0, 1, 0));
}

TEST(Joint, CarriesClausesAndAFreeBody) {
  const auto result = testing::elaborated(R"(model hinge
frame N newtonian
point O fixed in N
param m = 2 [kg], l = 0.5 [m], g = 9.81 [m/s^2]
coord x, y, z [m], e0, e1, e2, e3
frame B = N quaternion(e0, e1, e2, e3)
body rod frame B mass m inertia (0.01, 0.02, 0.02) [kg*m^2] at O + x*N.x + y*N.y + z*N.z
point E = rod - l/2*B.x
gravity -g*N.y
joint pin: revolute between O of N and E of rod axis N.z
    nonideal on rod = -0.1 [N*m*s]*omega(rod)
output F = force(pin, E) in N
output M = torque(pin, rod) in N
output lam = multiplier(pin)
output Fb = force(pin, rod) in rod
start x = l/2, B.wz = 1
run 1 [s] formulation minimal
expect always: |residual(pin)| < 1e-8
)");
  ASSERT_EQ(result.messages, "");
  EXPECT_EQ(result.model->constraints[0].nonideal.size(), 1u);
  EXPECT_EQ(result.model->speeds.size(), 6u);
  EXPECT_EQ(result.model->run->formulation, "minimal");
}

TEST(Joint, MayBeThereForItsFrictionAlone) {
  const std::string clutch = "joint hinge: revolute between O of N and plate of plate axis N.z\n";
  const auto text = [&](const std::string& clause) {
    return testing::elaborated(
               "model clutch\nframe N newtonian\npoint O fixed in N\ncoord a [rad]\nframe D = N rotated a about z\n"
               "body plate frame D mass 1 [kg] inertia plane 0.1 [kg*m^2] at O\n" +
               clutch + clause + "run 1 [s]\n")
        .messages;
  };
  EXPECT_EQ(text("    friction 0.5 [N*m]\n"), "");
  EXPECT_NE(text("").find("all rows of `hinge` reduce to 0 = 0"), std::string::npos);
}

TEST(Joint, DeclaresThePointsOfItsContact) {
  const auto result = with_plate(
      "joint roll: rolling between O of N and plate of plate surface disk(r) axis N.y axis2 D.z\n"
      "output F = force(roll, roll.Q)\noutput v = vel(roll.Q)\noutput G = force(roll, roll.P)\n");
  EXPECT_EQ(result.messages, "");
}

TEST(Joint, SaysWhatItsStatementLacks) {
  expect_messages_with_plate(R"(point Q = plate + r*D.x
point S = plate + x*D.x
joint a: revolut between O of N and Q of plate
joint b: revolute between O of N and Q of plate length 2 [m]
joint c: spherical between O of N and S of plate
joint d: revolute between Q of plate and O of N axis N.x
joint e: distance between O of N and Q of N length 1 [m]
joint f: distance between O of N and Q of plate length 0 [m]
)",
                             R"(m.vin:10:10: error: unknown joint `revolut` [unknown-name]
  10 | joint a: revolut between O of N and Q of plate
     |          ^^^^^^^
  hint: did you mean `revolute`?

m.vin:11:10: error: a `revolute` joint needs `axis` [wrong-argument-count]
  11 | joint b: revolute between O of N and Q of plate length 2 [m]
     |          ^^^^^^^^
  hint: write `revolute between P of A and Q of B axis VEC [axis2 VEC]`

m.vin:11:56: error: a `revolute` joint takes no `length` [not-allowed-here]
  11 | joint b: revolute between O of N and Q of plate length 2 [m]
     |                                                        ^^^^^
  hint: write `revolute between P of A and Q of B axis VEC [axis2 VEC]`

m.vin:12:39: error: `S` is not fixed in `plate` [not-allowed-here]
  12 | joint c: spherical between O of N and S of plate
     |                                       ^
  hint: set it off from the body: `point S = center(plate) + …`

m.vin:13:54: error: this axis is a vector fixed in `plate` [not-allowed-here]
  13 | joint d: revolute between Q of plate and O of N axis N.x
     |                                                      ^^^
  hint: this vector moves in `plate`

m.vin:14:38: error: `Q` is not fixed in `N` [not-allowed-here]
  14 | joint e: distance between O of N and Q of N length 1 [m]
     |                                      ^
  hint: declare it as `point Q fixed in N`, or set off from such a point

m.vin:14:43: error: a joint connects two different bodies [bad-value]
  14 | joint e: distance between O of N and Q of N length 1 [m]
     |                                           ^

m.vin:15:56: error: the length of a strut is not zero [bad-value]
  15 | joint f: distance between O of N and Q of plate length 0 [m]
     |                                                        ^^^^^
)");
}

TEST(Reveal, HasItsValueOnceAllConstraintsAreThere) {
  const auto result = with_plate(
      "reveal R: force on plate along N.x, N.y\n"
      "reveal T: torque on plate along N.z\n"
      "output a = R[2]\noutput b = T\noutput c = R\n"
      "constraint turn: dot(omega(plate), N.z) = 1 [1/s]\n");
  ASSERT_EQ(result.messages, "");
  EXPECT_EQ(output_of(result, "c").components.size(), 2u);
  EXPECT_EQ(output_of(result, "b").dimension, make_dimension(1, 2, -2));
  const std::string messages = with_plate(
                                   "generalized force on phi = 1 [N*m]\nreveal R: force on plate along N.x\nlet f = R\n"
                                   "constraint c: x = f*1 [m/N]\n")
                                   .messages;
  EXPECT_NE(messages.find("`f` contains revealed forces, which the relation of a constraint cannot use"),
            std::string::npos)
      << messages;
  EXPECT_NE(messages.find("the force that `R` reveals is not known"), std::string::npos) << messages;
}

// A point next to a body is offset from it, and nothing is attached to the point: its revealed force is zero.
TEST(Reveal, WarnsWhereNothingHangs) {
  const std::string beside =
      "point Beside = plate + 1 [m] * N.x\nreveal R: force on Beside along N.x, N.y\noutput c = R\n";
  const std::string warned = with_plate(beside).messages;
  EXPECT_NE(warned.find("warning: what `R` reveals is 0"), std::string::npos) << warned;
  EXPECT_NE(warned.find("name `plate` instead"), std::string::npos) << warned;
  EXPECT_EQ(with_plate("point Beside = plate + 1 [m] * N.x\nparticle P mass 1 [kg] at Beside\n"
                       "reveal R: force on Beside along N.x, N.y\noutput c = R\n")
                .messages,
            "");
}

// The directions of a `reveal` may have any length and unit.
TEST(Reveal, IsAForceOrATorqueWhateverItsDirectionIsGivenIn) {
  const auto result = with_plate(
      "reveal R: force on plate along 2 [m]*N.x, 3 [N]*N.y\nreveal T: torque on plate along 5 [s]*N.z\n"
      "output a = R[1]\noutput b = R[2]\noutput c = T\n");
  ASSERT_EQ(result.messages, "");
  EXPECT_EQ(output_of(result, "a").dimension, make_dimension(1, 1, -2));
  EXPECT_EQ(output_of(result, "b").dimension, make_dimension(1, 1, -2));
  EXPECT_EQ(output_of(result, "c").dimension, make_dimension(1, 2, -2));
}

}  // namespace
}  // namespace vinculum::elaborate
