#include <gtest/gtest.h>

#include <cmath>

#include "support/elaborate/elaborated.hpp"

// Tests of lists and matrices in model texts, in the plane of testing::in_plane: x = 0.3, y = -0.7, phi = 0.4, x' =
// 1.1, y' = -0.2, phi' = 0.6.
namespace vinculum::elaborate {
namespace {

using testing::expect_messages;

double value_of(const std::string& text, const std::string& output) {
  const auto result = testing::in_plane(text);
  EXPECT_EQ(result.messages, "");
  return testing::value_of(result, output);
}

TEST(Arrays, AreIndexedFromOne) {
  EXPECT_EQ(value_of("let A = [1, 2; 3, 4]\nlet a = [5, 6, 7]\noutput o = 10*A[1,2] + a[3]\n", "o"), 27.0);
}

TEST(Arrays, AddAndMultiply) {
  const std::string text =
      "let A = [1, 2; 3, 4]\nlet b = [x, y]\nlet c = 2*(A*b) - b/2 + b\nlet D = transpose(A)*A - A\n"
      "output c1 = c[1]/1 [m]\noutput c2 = c[2]/1 [m]\noutput d = D[1,2]\noutput s = (transpose(b)*b)[1]/1 "
      "[m^2]\noutput e = (-A)[2,1]\n";
  EXPECT_NEAR(value_of(text, "c1"), 2.0 * (0.3 - 1.4) + 0.15, 1e-15);
  EXPECT_NEAR(value_of(text, "c2"), 2.0 * (0.9 - 2.8) - 0.35, 1e-15);
  EXPECT_EQ(value_of(text, "d"), 12.0);
  EXPECT_NEAR(value_of(text, "s"), 0.58, 1e-15);
  EXPECT_EQ(value_of(text, "e"), -3.0);
}

TEST(Arrays, HaveADimensionForEachEntry) {
  const auto result = testing::in_plane(
      "let a = [x, phi, 0]\nlet r = dt(a)\nlet s = r + [y', 0, x]\noutput p = r[1]\noutput q = r[2]\n"
      "output w = s[3]\n");
  ASSERT_EQ(result.messages, "");
  EXPECT_EQ(result.model->outputs[0].dimension, make_dimension(0, 1, -1));
  EXPECT_EQ(result.model->outputs[1].dimension, make_dimension(0, 0, -1));
  EXPECT_EQ(result.model->outputs[2].dimension, make_dimension(0, 1, 0));
}

TEST(Jacobian, HoldsThePartialDerivatives) {
  const std::string text =
      "let f = [x*cos(phi) + y'*1 [s], x*y/1 [m], t*1 [m/s]]\nlet J = jacobian(f, [x, phi, y', t])\n"
      "output a = J[1,1]\noutput b = J[1,2]/1 [m]\noutput c = J[1,3]/1 [s]\noutput d = J[3,4]/1 [m/s]\noutput e = "
      "J[2,1]\n";
  EXPECT_NEAR(value_of(text, "a"), std::cos(0.4), 1e-13);
  EXPECT_NEAR(value_of(text, "b"), -0.3 * std::sin(0.4), 1e-13);
  EXPECT_NEAR(value_of(text, "c"), 1.0, 1e-13);
  EXPECT_NEAR(value_of(text, "d"), 1.0, 1e-13);
  EXPECT_NEAR(value_of(text, "e"), -0.7, 1e-13);
}

TEST(PseudoInverse, OfAJacobianMapsVelocitiesToRates) {
  // J maps three rates to two velocities, so J pinv(J) is the identity matrix, and dimensionless.
  const auto result = testing::in_plane(
      "let f = [x + 0.2 [m]*cos(phi), y + 0.2 [m]*sin(phi)]\nlet J = jacobian(f, [x, y, phi])\nlet one = J*pinv(J)\n"
      "output a = one[1,1]\noutput b = one[1,2]\nlet u = pinv(J)*[1 [m/s], 0]\noutput w = u[3]\nlet v = u + [x', y', "
      "phi']\noutput z = v[1]\n");
  ASSERT_EQ(result.messages, "");
  EXPECT_NEAR(testing::value_of(result, "a"), 1.0, 1e-15);
  EXPECT_NEAR(testing::value_of(result, "b"), 0.0, 1e-15);
  EXPECT_EQ(result.model->outputs[2].dimension, make_dimension(0, 0, -1));
}

TEST(Solve, KeepsUnits) {
  const auto result =
      testing::in_plane("let s = solve([2, 1 [m]; 0, 4], [3 [m], 8])\noutput a = s[1]\noutput b = s[2]\n");
  ASSERT_EQ(result.messages, "");
  EXPECT_NEAR(testing::value_of(result, "a"), 0.5, 1e-15);
  EXPECT_NEAR(testing::value_of(result, "b"), 2.0, 1e-15);
  EXPECT_EQ(result.model->outputs[0].dimension, make_dimension(0, 1, 0));
  EXPECT_TRUE(result.model->outputs[1].dimension.is_dimensionless());
}

TEST(ListConstraint, HasARowForEachEntry) {
  const auto result = testing::in_plane(
      "constraint c: [x', phi'] = [y', 1 [1/s]]\nconstraint d: [x - y, phi'] = 0\noutput l = multiplier(c)\noutput m = "
      "multiplier(d)[1]\n");
  ASSERT_EQ(result.messages, "");
  const model::Constraint& c = result.model->constraints[0];
  ASSERT_EQ(c.rows.size(), 2u);
  EXPECT_EQ(c.row_dimensions[1], make_dimension(0, 0, -1));
  EXPECT_NEAR(testing::value_of(*result.model, c.rows[0]), 1.3, 1e-15);
  EXPECT_NEAR(testing::value_of(*result.model, c.rows[1]), -0.4, 1e-15);
  EXPECT_EQ(result.model->outputs[1].dimension, make_dimension(1, 1, -2));  // force on a row of position level: J/m
}

TEST(Arrays, StateTheServoOfAnArm) {
  const auto result = testing::elaborated(R"(model arm
frame N newtonian
point O fixed in N
param m = 1 [kg], l = 0.4 [m], w = 2 [rad/s]
coord q[1..3] [rad]
frame A = N rotated q[1] about z
frame B = A rotated q[2] about z
frame C = B rotated q[3] about z
body a frame A mass m inertia (0, 0.01, 0.01) [kg*m^2] at O + l/2*A.x
body b frame B mass m inertia (0, 0.01, 0.01) [kg*m^2] at O + l*A.x + l/2*B.x
body c frame C mass m inertia (0, 0.01, 0.01) [kg*m^2] at O + l*A.x + l*B.x + l/2*C.x
point E on c = O + l*A.x + l*B.x + l*C.x
let p = [dot(pos(E, O), N.x), dot(pos(E, O), N.y)]
let J = jacobian(p, [q[1], q[2], q[3]])
let v = [-0.1 [m/s]*sin(w*t), 0.1 [m/s]*cos(w*t)]
constraint servo: [q[1]', q[2]', q[3]'] = pinv(J)*v
    via torque on a from N along N.z, torque on b from a along N.z, torque on c from b along N.z
reveal R: force on a along N.x, N.y
reveal T: torque on a along N.z
output e1 = effort(servo, 1)
output rev = R
output tau = T
start q[1] = 0.3, q[2] = 0.7, q[3] = 0.5
run 1 [s]
expect always: norm(vel(E)) = 0.1 [m/s] ± 1e-9
)");
  ASSERT_EQ(result.messages, "");
  const model::Model& model = *result.model;
  const model::Constraint& servo = model.constraints[0];
  ASSERT_EQ(servo.rows.size(), 3u);
  EXPECT_EQ(servo.level, model::Level::kVelocity);
  // Rates that satisfy the rows move the end point as stated, J q' = v. Of all such rates they are the smallest,
  // because q' is in the row space of J.
  model::Instant at;
  at.t = 0.9;
  at.q = {0.3, 0.7, 0.5};
  at.q_dot = at.q_ddot = {0.0, 0.0, 0.0};
  model::TermValues still(model, at);
  for (std::size_t i = 0; i < 3; ++i) at.q_dot[i] = -still.scalar(servo.rows[i]).value;  // row = q' − pinv(J) v
  model::TermValues moving(model, at);
  const model::PointId end(model.points.size() - 1);
  const model::JetVector velocity = moving.vector(model.terms->velocity(end, model::Model::newtonian()));
  EXPECT_NEAR(velocity[0].value, -0.1 * std::sin(1.8), 1e-13);
  EXPECT_NEAR(velocity[1].value, 0.1 * std::cos(1.8), 1e-13);
  for (const model::Term row : servo.rows) EXPECT_NEAR(moving.scalar(row).value, 0.0, 1e-13);
}

TEST(Arrays, SayWhereKindsAndUnitsDisagree) {
  expect_messages(R"(let a = [x, N.x]
let b = [1, 2; 3]
let c = [x, 1] + [1, 1]
let d = [1, 2] + [1, 2, 3]
let e = [1, 2]*[3, 4]
let f = [1, 2; 3, 4]*[x, phi]
let G = pinv([1, 2; 2, 4])
let h = jacobian([x*y], [x + y])
let K = solve([1, 2, 3; 4, 5, 6], [1, 2])
let l = pinv([1 [m], 1; 1, 2])
constraint m: [x, y] = N.x
constraint k: [x, y] = [1 [m], phi]
let A = [1, 2; 3, 4]
let o = A[3, 1] + A[1]
)",
                  R"(m.vin:7:13: error: an entry of a list is a scalar, found a vector [wrong-kind]
  7 | let a = [x, N.x]
    |             ^^^
  hint: a vector has measure numbers: `[dot(v, N.x), dot(v, N.y), dot(v, N.z)]`

m.vin:8:16: error: the rows of a matrix are of one length: the first has 2, this one 1 [wrong-argument-count]
  8 | let b = [1, 2; 3]
    |                ^

m.vin:9:9: error: the two sides of `+` differ in dimension: entry 1 is length, m and dimensionless [dimension-mismatch]
  9 | let c = [x, 1] + [1, 1]
    |         ^^^^^^^^^^^^^^^

m.vin:10:9: error: `+` needs two lists of one length, or two matrices of one size [wrong-kind]
  10 | let d = [1, 2] + [1, 2, 3]
     |         ^^^^^^ a list of 2
     |                  ^^^^^^^^^ a list of 3

m.vin:11:9: error: `*` needs a scalar on one side, or a matrix on its left and a list or a matrix on its right [wrong-kind]
  11 | let e = [1, 2]*[3, 4]
     |         ^^^^^^ a list
     |                ^^^^^^ a list
  hint: a list is used as a column, `A*b`; `transpose(a)` is a row

m.vin:12:9: error: this product adds quantities that differ in dimension: entry 1 is length, m and dimensionless [dimension-mismatch]
  12 | let f = [1, 2; 3, 4]*[x, phi]
     |         ^^^^^^^^^^^^^^^^^^^^^

m.vin:13:14: error: this matrix is singular [bad-value]
  13 | let G = pinv([1, 2; 2, 4])
     |              ^^^^^^^^^^^^
  hint: `pinv` and `solve` want a matrix of full rank

m.vin:14:26: error: `jacobian` takes derivatives by coordinates, their first derivatives, speeds and `t`, found another expression [wrong-kind]
  14 | let h = jacobian([x*y], [x + y])
     |                          ^^^^^
  hint: write `jacobian([f1, f2], [q1, q2])`

m.vin:15:15: error: `solve` needs a square matrix, found a matrix of 2 by 3 [wrong-kind]
  15 | let K = solve([1, 2, 3; 4, 5, 6], [1, 2])
     |               ^^^^^^^^^^^^^^^^^^
  hint: `pinv(A)*b` is the solution of least squares or of least size

m.vin:16:14: error: the dimensions of this matrix belong to no linear map [dimension-mismatch]
  16 | let l = pinv([1 [m], 1; 1, 2])
     |              ^^^^^^^^^^^^^^^^
  hint: entry (i, j) is of dimension d_i/e_j, with one d for each row and one e for each column

m.vin:17:15: error: two sides of constraint `m` are of one kind [wrong-kind]
  17 | constraint m: [x, y] = N.x
     |               ^^^^^^ a list of 2
     |                        ^^^ a vector

m.vin:18:19: error: entry 2 of the two sides of constraint `k` differs in dimension [dimension-mismatch]
  18 | constraint k: [x, y] = [1 [m], phi]
     |                   ^ length, m
     |                        ^^^^^^^^^^^^ dimensionless

m.vin:20:11: error: this index is a whole number from 1 to 2 [bad-value]
  20 | let o = A[3, 1] + A[1]
     |           ^

m.vin:20:19: error: an entry of a matrix has two indices, row and column [wrong-argument-count]
  20 | let o = A[3, 1] + A[1]
     |                   ^^^^
)");
}

}  // namespace
}  // namespace vinculum::elaborate
