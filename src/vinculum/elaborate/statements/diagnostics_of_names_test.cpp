#include <gtest/gtest.h>

#include "support/elaborate/elaborated.hpp"

// Messages about names and kinds, as the command shows them. The texts begin on line 7, after the statements of a
// plane, a particle P and the coordinates x, y, phi.
namespace vinculum::elaborate {
namespace {

using testing::expect_messages;

TEST(UnknownName, OffersTheNearestOneOnceHoweverOftenItIsUsed) {
  expect_messages(R"(force on P = gg*1 [kg]*N.x
output a = gg
)",
                  R"(m.vin:7:14: error: unknown name `gg` [unknown-name]
  7 | force on P = gg*1 [kg]*N.x
    |              ^^
  hint: did you mean `g`?
)");
}

TEST(UnknownName, IsOneUsedBeforeItsDeclaration) {
  expect_messages(R"(let a = later + 1
let b = later
let later = 3
)",
                  R"(m.vin:7:9: error: `later` is used before it is declared [unknown-name]
  7 | let a = later + 1
    |         ^^^^^
  9 | let later = 3
    |     ^^^^^ declared here
  hint: declare names before their use: move the declaration up
)");
}

TEST(UnknownName, IsNoThirdVectorOfAFrame) {
  expect_messages(R"(let a = N.w
)",
                  R"(m.vin:7:11: error: a frame has the vectors `x`, `y` and `z`, found `w` [unknown-name]
  7 | let a = N.w
    |           ^
  hint: a point is declared by `point w = P + …*N.x`, and named `w`
)");
}

TEST(UnknownName, IsAMethodThatDoesNotExist) {
  expect_messages(R"(run 3 [s] method dop583
)",
                  R"(m.vin:7:18: error: unknown method `dop583` [unknown-name]
  7 | run 3 [s] method dop583
    |                  ^^^^^^
  hint: did you mean `dop853`?
)");
}

TEST(UnknownName, IsAnEndOfARunThatDoesNotExist) {
  expect_messages(R"(expect stop: asembly
run 1 [s]
)",
                  R"(m.vin:7:14: error: unknown end of a run `asembly` [unknown-name]
  7 | expect stop: asembly
    |              ^^^^^^^
  hint: did you mean `assembly`?
)");
}

TEST(WrongKind, SaysWhatIsWantedAndWhatIsFound) {
  expect_messages(R"(let a = vel(N)
)",
                  R"(m.vin:7:13: error: `vel` needs a point here, found a frame [wrong-kind]
  7 | let a = vel(N)
    |             ^
  hint: write `vel(P[, F])`
)");
}

TEST(WrongKind, ShowsBothSidesOfAnOperator) {
  expect_messages(R"(let a = 3 + N.x
)",
                  R"(m.vin:7:9: error: `+` needs two scalars or two vectors [wrong-kind]
  7 | let a = 3 + N.x
    |         ^ a scalar
    |             ^^^ a vector
  hint: a component of a vector is a scalar: `dot(N.x, N.x)`
)");
}

TEST(WrongKind, OffersTheProductsOfVectors) {
  expect_messages(R"(let a = N.x*N.y
)",
                  R"(m.vin:7:9: error: `*` needs a scalar on one side at least [wrong-kind]
  7 | let a = N.x*N.y
    |         ^^^ a vector
    |             ^^^ a vector
  hint: write `dot(a, b)` or `cross(a, b)`
)");
}

TEST(WrongKind, OffersPosForTheDifferenceOfPoints) {
  expect_messages(R"(let a = P - O
)",
                  R"(m.vin:7:9: error: `-` needs two scalars, two vectors, or a point and a vector [wrong-kind]
  7 | let a = P - O
    |         ^ a point
    |             ^ a point
  hint: the vector between two points is `pos(P, O)`
)");
}

TEST(WrongKind, OffersNormForTheBarsOfAVector) {
  expect_messages(R"(let a = |vel(P)|
)",
                  R"(m.vin:7:10: error: `| |` is the absolute value of a scalar, found a vector [wrong-kind]
  7 | let a = |vel(P)|
    |          ^^^^^^
  hint: the length of a vector is `norm(v)`
)");
}

TEST(WrongKind, IsAFrameWhereAPointIsWanted) {
  expect_messages(R"(force on N = 3 [N]*N.x
)",
                  R"(m.vin:7:10: error: a point is needed here, `N` is a frame [wrong-kind]
  7 | force on N = 3 [N]*N.x
    |          ^
  hint: a point of the ground is declared by `point O fixed in N`
)");
}

TEST(WrongKind, IsAPointThatHasNoName) {
  expect_messages(R"(let a = vel(O + x*N.x)
)",
                  R"(m.vin:7:13: error: `vel` needs the name of a point [wrong-kind]
  7 | let a = vel(O + x*N.x)
    |             ^^^^^^^^^
  hint: declare it before: `point P = O + x*N.x`
)");
}

TEST(WrongKind, IsADirectionOfAScalarRelation) {
  expect_messages(R"(constraint c: x = y along N.x
)",
                  R"(m.vin:7:27: error: `along` follows a vector relation, this one is scalar [wrong-kind]
  7 | constraint c: x = y along N.x
    |                           ^^^
)");
}

TEST(WrongKind, IsAConstraintAsAnOutput) {
  expect_messages(
      R"(constraint c: x = y
output a = c
)",
      R"(m.vin:8:12: error: an output is a scalar, a vector, a list or a matrix, found a constraint [wrong-kind]
  8 | output a = c
    |            ^
  hint: a constraint has results: `multiplier(c)`, `force(c, P)`, `residual(c)`
)");
}

TEST(DuplicateName, ShowsTheFirstDeclaration) {
  expect_messages(R"(let x = 4
)",
                  R"(m.vin:7:5: error: `x` is declared twice [duplicate-name]
  7 | let x = 4
    |     ^
  5 | coord x, y [m], phi [rad]
    |       ^ first declared here, as a coordinate
  hint: take one of the two out, or give it another name
)");
}

TEST(ReservedName, IsTheTimeOrAnOperator) {
  expect_messages(R"(param t = 3, sin = 4
output not = x
)",
                  R"(m.vin:7:7: error: `t` is a word of the language and cannot be declared [reserved-name]
  7 | param t = 3, sin = 4
    |       ^
  hint: choose another name for this parameter

m.vin:8:8: error: `not` is a word of the language and cannot be declared [reserved-name]
  8 | output not = x
    |        ^^^
  hint: choose another name for this output
)");
}

TEST(UnknownFunction, OffersTheNearestOne) {
  expect_messages(R"(let a = vle(P)
)",
                  R"(m.vin:7:9: error: unknown function `vle` [unknown-function]
  7 | let a = vle(P)
    |         ^^^
  hint: did you mean `vel`?
)");
}

TEST(UnknownFunction, IsAQuantityThatIsCalled) {
  expect_messages(R"(let a = x(3)
)",
                  R"(m.vin:7:9: error: `x` is a coordinate, no function [unknown-function]
  7 | let a = x(3)
    |         ^
  hint: a product is written with `*`
)");
}

TEST(WrongArgumentCount, ShowsTheSignature) {
  expect_messages(R"(let a = dot(N.x)
)",
                  R"(m.vin:7:9: error: `dot` takes 2 arguments, found 1 [wrong-argument-count]
  7 | let a = dot(N.x)
    |         ^^^^^^^^
  hint: write `dot(a, b)`
)");
}

}  // namespace
}  // namespace vinculum::elaborate
