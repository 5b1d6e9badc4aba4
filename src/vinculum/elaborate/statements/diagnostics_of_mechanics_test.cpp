#include <gtest/gtest.h>

#include "support/elaborate/elaborated.hpp"

// Messages about mechanics, as the command shows them. The texts begin on line 7, after the statements of a plane, a
// particle P and the coordinates x, y, phi.
namespace vinculum::elaborate {
namespace {

using testing::expect_messages;

TEST(MisplacedStatement, IsASecondRun) {
  expect_messages(R"(run 3 [s]
run 4 [s]
)",
                  R"(m.vin:8:1: error: a model has one `run` [misplaced-statement]
  8 | run 4 [s]
    | ^^^^^^^^^
  7 | run 3 [s]
    | ^^^^^^^^^ the first one
)");
}

TEST(MisplacedStatement, IsASecondNewtonianFrame) {
  expect_messages(R"(frame M newtonian
)",
                  R"(m.vin:7:7: error: a model has one newtonian frame [misplaced-statement]
  7 | frame M newtonian
    |       ^
  2 | frame N newtonian
    |       ^ the first one
)");
}

TEST(NotAllowedHere, IsAMultiplierInARelation) {
  expect_messages(
      R"(constraint c: x' = y'
constraint d: x' = multiplier(c)*1 [m/s/N]
)",
      R"(m.vin:8:20: error: multipliers and forces of constraints cannot be used in the relation of a constraint [not-allowed-here]
  8 | constraint d: x' = multiplier(c)*1 [m/s/N]
    |                    ^^^^^^^^^^^^^
  hint: a relation contains positions, velocities and accelerations; a law of forces is a `nonideal` clause
)");
}

TEST(NotAllowedHere, IsAMultiplierBehindALet) {
  expect_messages(
      R"(constraint c: x' = y'
let a = multiplier(c)*1 [m/s/N]
constraint d: x' = a
)",
      R"(m.vin:9:20: error: `a` contains a multiplier, but the relation of a constraint may contain no multipliers and no forces of constraints [not-allowed-here]
  9 | constraint d: x' = a
    |                    ^
  hint: results of constraints are for `output`, `expect` and `let`
)");
}

TEST(NotAllowedHere, IsACoordinateInAParameter) {
  expect_messages(
      R"(param a = 2*x
)",
      R"(m.vin:7:13: error: `x` changes with the coordinates, but parameter `a` may contain only numbers and parameters [not-allowed-here]
  7 | param a = 2*x
    |             ^
)");
}

TEST(NotAllowedHere, IsTheAccelerationInALoad) {
  expect_messages(
      R"(force on P = 1 [kg]*(2*acc(P) + g*N.x)
)",
      R"(m.vin:7:24: error: `acc(P)` is of acceleration level, but a force may contain only coordinates, speeds, parameters and `t` [not-allowed-here]
  7 | force on P = 1 [kg]*(2*acc(P) + g*N.x)
    |                        ^^^^^^
  hint: for added mass write a `particle` of that mass at the point; a part that moves by `acc(P)` is a constraint with its reaction
)");
}

TEST(NotAllowedHere, IsASpeedInTheAngleOfAFrame) {
  expect_messages(
      R"(frame B = N rotated phi'*1 [s] about z
)",
      R"(m.vin:7:21: error: `phi'` is of velocity level, but the angle of a frame may contain only coordinates, parameters and `t` [not-allowed-here]
  7 | frame B = N rotated phi'*1 [s] about z
    |                     ^^^^
)");
}

TEST(NotAllowedHere, IsAnAxisThatMovesInTheParent) {
  expect_messages(R"(frame A = N rotated phi about z
frame B = N rotated 1 about A.x
)",
                  R"(m.vin:8:29: error: an axis is `x`, `y`, `z` or a vector fixed in `N` [not-allowed-here]
  8 | frame B = N rotated 1 about A.x
    |                             ^^^
  hint: this vector moves in `N`
)");
}

TEST(NotAllowedHere, IsAForceOnWhatCannotMove) {
  expect_messages(R"(force on O = 1 [N]*N.x
)",
                  R"(m.vin:7:10: error: no coordinate moves `O`, so a force on it has no effect [not-allowed-here]
  7 | force on O = 1 [N]*N.x
    |          ^
)");
}

TEST(NotAllowedHere, IsAResultInsideALoad) {
  expect_messages(R"(constraint c: x = y
force on P = force(c, P)
)",
                  R"(m.vin:8:14: error: `force` cannot be used in a load [not-allowed-here]
  8 | force on P = force(c, P)
    |              ^^^^^
  hint: a force that depends on a reaction is part of the reaction: under its constraint write `nonideal on P = VEC`, or `friction on P mu = EXPR`
)");
}

TEST(PointNotInConstraint, SaysWhereTheForceOnAPointWithoutMassFalls) {
  expect_messages(
      R"(point A = P + 1 [m]*N.x
constraint c: norm(pos(A, O)) = L
    nonideal on P = -1 [kg/s]*vel(P)
output a = force(c, A)
)",
      R"(m.vin:10:21: error: `A` carries no mass: the force of constraint `c` is reported on `P` [point-not-in-constraint]
  10 | output a = force(c, A)
     |                     ^
  hint: ask for the force on `P`
)");
}

TEST(PointNotInConstraint, ListsThePointsOfTheConstraint) {
  expect_messages(R"(point Q = O + y*N.x
constraint c: norm(pos(P, O)) = L
output a = force(c, Q)
)",
                  R"(m.vin:9:21: error: constraint `c` puts no force on `Q` [point-not-in-constraint]
  9 | output a = force(c, Q)
    |                     ^
  hint: it puts forces on `P`
)");
}

TEST(SingularSpeeds, SayNothingNewWhereTheyAreNonlinear) {
  expect_messages(
      R"(speed u = x' + y', w = u^2*1 [s/m]
)",
      R"(m.vin:7:20: error: the speed `w` is not a new function of the derivatives of the coordinates: the speeds stated before it and those that are affine already determine it [singular-speeds]
  7 | speed u = x' + y', w = u^2*1 [s/m]
    |                    ^
  hint: speeds are independent combinations of the derivatives of the coordinates, as many as coordinates at most
)");
}

TEST(NonlinearSpeeds, AreNothingToWriteEquationsIn) {
  expect_messages(
      R"(speed w = x'^2
output J = jacobian([x'], [w])
run 1 [s] formulation minimal independent w
)",
      R"(m.vin:8:28: error: `w` is not affine in the derivatives of the coordinates: nothing is written in it [wrong-kind]
  8 | output J = jacobian([x'], [w])
    |                            ^
  hint: take derivatives by those of the coordinates; those by speeds are `solve` of the speeds' own

m.vin:9:43: error: `w` is not affine in the derivatives of the coordinates, and no equation is written in it [bad-value]
  9 | run 1 [s] formulation minimal independent w
    |                                           ^
  hint: choose among `x'`, `y'`, `phi'`
)");
}

TEST(SingularSpeeds, SayNothingNew) {
  expect_messages(
      R"(speed u = x' + y', w = 2*u
)",
      R"(m.vin:7:20: error: the speed `w` is not a new combination of the derivatives of the coordinates: 1 speed before it already determine it [singular-speeds]
  7 | speed u = x' + y', w = 2*u
    |                    ^
  hint: speeds are independent combinations of the derivatives of the coordinates, as many as coordinates at most
)");
}

TEST(TrivialConstraint, IsAWarning) {
  expect_messages(R"(constraint c: (x + y)^2 = x^2 + 2*x*y + y^2
)",
                  R"(m.vin:7:15: warning: the relation of `c` reduces to 0 = 0 [trivial-constraint]
  7 | constraint c: (x + y)^2 = x^2 + 2*x*y + y^2
    |               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  hint: it restricts no motion
)");
}

TEST(TrivialConstraint, NamesTheRow) {
  expect_messages(R"(constraint c: pos(P, O) = L*N.x
)",
                  R"(m.vin:7:15: warning: row 3 of `c` reduces to 0 = 0 [trivial-constraint]
  7 | constraint c: pos(P, O) = L*N.x
    |               ^^^^^^^^^^^^^^^^^
  hint: it restricts no motion; the other rows alone are stated by `along N.x, N.y`
)");
}

TEST(Contradiction, IsAnError) {
  expect_messages(
      R"(constraint c: sin(phi)^2 + cos(phi)^2 = 2
)",
      R"(m.vin:7:15: error: the relation of `c` can never be true: nothing in it moves, and it misses by 1 [contradiction]
  7 | constraint c: sin(phi)^2 + cos(phi)^2 = 2
    |               ^^^^^^^^^^^^^^^^^^^^^^^^^^^
  hint: a constraint relates coordinates, speeds or accelerations
)");
}

TEST(Contradiction, SaysHowLargeTheGapIs) {
  expect_messages(
      R"(constraint c: dot(pos(P, O), N.z) = 0.001 [mm]
)",
      R"(m.vin:7:15: error: the relation of `c` can never be true: nothing in it moves, and it misses by 1e-06 m [contradiction]
  7 | constraint c: dot(pos(P, O), N.z) = 0.001 [mm]
    |               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  hint: a constraint relates coordinates, speeds or accelerations
)");
}

// Here the bounds of rounding errors, accumulated through 200 rotated frames, exceed the position of the last link.
TEST(Contradiction, IsNotARelationAtTheEndOfALongChain) {
  expect_messages(R"(coord q[1..200]
point J[1] fixed in N
frame B[1] = N rotated q[1] about z
for i in 2..200 {
    frame B[i] = B[i - 1] rotated q[i] about z
    point J[i] = J[i - 1] + L*B[i - 1].x
}
constraint c: dot(pos(J[200], J[1]), N.y) = 0
constraint d: dot(B[200].x, N.y) = 0
)",
                  "");
}

TEST(Contradiction, IsARelationOfTimeAlone) {
  expect_messages(R"(constraint c: t = 1 [s]
)",
                  R"(m.vin:7:15: error: the relation of `c` can never be true: nothing in it moves [contradiction]
  7 | constraint c: t = 1 [s]
    |               ^^^^^^^^^
  hint: a constraint relates coordinates, speeds or accelerations
)");
}

TEST(NotAllowedHere, IsTheEffortOfWhatNoActuatorKeeps) {
  expect_messages(R"(constraint c: x = y
output a = effort(c, 1)
)",
                  R"(m.vin:8:19: error: `c` is enforced by no actuators [not-allowed-here]
  8 | output a = effort(c, 1)
    |                   ^
  hint: they are named in a clause: `via force on P along VEC`
)");
}

TEST(NotAllowedHere, IsFrictionByTheForceThatHoldsIt) {
  expect_messages(
      R"(constraint c: norm(pos(P, O)) = L
    nonideal on P = -0.2*norm(force(c, P))*N.x
)",
      R"(m.vin:8:31: error: `force` cannot be used in a `nonideal` clause, because it contains the forces that such clauses state [not-allowed-here]
  8 |     nonideal on P = -0.2*norm(force(c, P))*N.x
    |                               ^^^^^^^^^^^
  hint: use `reaction(c, P)`, the actual reaction without the stated forces, or `multiplier(c)`
)");
}

TEST(UnknownName, IsAnotherFormulation) {
  expect_messages(R"(run 3 [s] formulation minimum
)",
                  R"(m.vin:7:23: error: unknown formulation `minimum` [unknown-name]
  7 | run 3 [s] formulation minimum
    |                       ^^^^^^^
  hint: did you mean `minimal`?
)");
}

TEST(FileNotFound, LeadsOutOfTheFolder) {
  expect_messages(
      R"(let a = table("../secret.csv", phi)
)",
      R"(m.vin:7:15: error: a table must be in the model's folder or below it: `../secret.csv` leads out of it [file-not-found]
  7 | let a = table("../secret.csv", phi)
    |               ^^^^^^^^^^^^^^^
)");
}

}  // namespace
}  // namespace vinculum::elaborate
