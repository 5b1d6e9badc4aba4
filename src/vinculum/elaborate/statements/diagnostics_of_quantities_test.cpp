#include <gtest/gtest.h>

#include "support/elaborate/elaborated.hpp"

// Messages about dimensions and numbers, as the command shows them. The texts begin on line 7, after the statements of
// a plane, a particle P and the coordinates x, y, phi.
namespace vinculum::elaborate {
namespace {

using testing::expect_messages;

TEST(UnknownUnit, HintsAtAProductAndAtOtherLetters) {
  const auto hint = [](const std::string& unit) {
    const auto result = testing::in_plane("let a = 3 [" + unit + "]\n");
    return result.diagnostics.size() == 1 ? result.diagnostics[0].hint : result.messages;
  };
  EXPECT_EQ(hint("Nm"), "multiply units with `*`: `N*m`");
  EXPECT_EQ(hint("kNm"), "multiply units with `*`: `kN*m`");
  EXPECT_EQ(hint("KG"), "did you mean `kg`?");
}

TEST(UnknownName, IsNearTheEnergies) {
  EXPECT_EQ(testing::in_plane("output e = energi\n").diagnostics[0].hint, "did you mean `energy`?");
}

TEST(UnknownUnit, IsShownByItself) {
  expect_messages(R"(let a = 3 [m/kgg^2]
)",
                  R"(m.vin:7:14: error: unknown unit `kgg` [unknown-unit]
  7 | let a = 3 [m/kgg^2]
    |              ^^^^^
  hint: did you mean `kg`?
)");
}

TEST(Scale, IsAPositiveNumberOfTheCoordinatesUnit) {
  expect_messages(R"(coord r [m] scale 2 [s], s [m] scale -1 [mm], u [m] scale x
)",
                  R"(m.vin:7:19: error: the scale of a coordinate must be in m, found s [dimension-mismatch]
  7 | coord r [m] scale 2 [s], s [m] scale -1 [mm], u [m] scale x
    |                   ^^^^^ time, s
  hint: write the number in this unit: `2 [m]`

m.vin:7:38: error: the scale of a coordinate must be positive [bad-value]
  7 | coord r [m] scale 2 [s], s [m] scale -1 [mm], u [m] scale x
    |                                      ^^^^^^^
  hint: it is a typical size of the coordinate, by which errors are measured

m.vin:7:59: error: `x` changes with the coordinates, but the scale of a coordinate may contain only numbers and parameters [not-allowed-here]
  7 | coord r [m] scale 2 [s], s [m] scale -1 [mm], u [m] scale x
    |                                                           ^
)");
}

TEST(DimensionMismatch, ShowsBothSidesOfAConstraint) {
  expect_messages(R"(let a0 = 3 [m/s^2]
constraint steer: dot(vel(P), N.x) = a0
)",
                  R"(m.vin:8:19: error: two sides of constraint `steer` differ in dimension [dimension-mismatch]
  8 | constraint steer: dot(vel(P), N.x) = a0
    |                   ^^^^^^^^^^^^^^^^ velocity, m/s
    |                                      ^^ acceleration, m/s^2, declared at m.vin:7
  hint: give the right side in m/s
)");
}

TEST(DimensionMismatch, OffersTheUnitOfABareFactor) {
  expect_messages(R"(gravity -9.81*N.y
)",
                  R"(m.vin:7:9: error: gravity must be in m/s^2, found dimensionless [dimension-mismatch]
  7 | gravity -9.81*N.y
    |         ^^^^^^^^^ dimensionless
  hint: give the number its unit: `9.81 [m/s^2]`
)");
}

TEST(DimensionMismatch, OffersTheUnitOfABareNumber) {
  expect_messages(R"(let a = x + 3
)",
                  R"(m.vin:7:9: error: the two sides of `+` differ in dimension [dimension-mismatch]
  7 | let a = x + 3
    |         ^ length, m, declared at m.vin:5
    |             ^ dimensionless
  hint: give the number its unit: `3 [m]`
)");
}

TEST(DimensionMismatch, IsAnArgumentThatShouldBeANumber) {
  expect_messages(R"(let a = sin(x)
)",
                  R"(m.vin:7:13: error: the argument of `sin` must be dimensionless, found m [dimension-mismatch]
  7 | let a = sin(x)
    |             ^ length, m, declared at m.vin:5
)");
}

TEST(DimensionMismatch, IsAnArgumentUnlikeTheFirst) {
  expect_messages(R"(let a = max(x, phi)
)",
                  R"(m.vin:7:13: error: arguments of `max` differ in dimension [dimension-mismatch]
  7 | let a = max(x, phi)
    |             ^ length, m, declared at m.vin:5
    |                ^^^ dimensionless, declared at m.vin:5
)");
}

TEST(DimensionMismatch, IsALoadThatIsNoForce) {
  expect_messages(R"(force on P = 3*N.x
)",
                  R"(m.vin:7:14: error: a force must be in N, found dimensionless [dimension-mismatch]
  7 | force on P = 3*N.x
    |              ^^^^^ dimensionless
  hint: give the number its unit: `3 [N]`
)");
}

TEST(DimensionMismatch, IsAVaryingExponentOfALength) {
  expect_messages(R"(let a = x^phi
)",
                  R"(m.vin:7:9: error: the base of a power with a varying exponent is dimensionless [dimension-mismatch]
  7 | let a = x^phi
    |         ^ length, m
    |           ^^^ not a constant number
)");
}

TEST(DimensionMismatch, IsADeclarationUnlikeItsValue) {
  expect_messages(R"(param a = 2*L [kg]
)",
                  R"(m.vin:7:11: error: parameter `a` must be in kg, found m [dimension-mismatch]
  7 | param a = 2*L [kg]
    |           ^^^ length, m
)");
}

TEST(DerivativeOrder, StopsAtTheEighth) {
  expect_messages(
      R"(let a = dt(x'''''''')
let b = x'''''''''
)",
      R"(m.vin:7:9: error: this derivative would contain derivatives of coordinates above the eighth [derivative-order]
  7 | let a = dt(x'''''''')
    |         ^^^^^^^^^^^^^

m.vin:8:9: error: time derivatives of a coordinate go up to the eighth [derivative-order]
  8 | let b = x'''''''''
    |         ^^^^^^^^^^
)");
}

TEST(DerivativeOrder, OfTheThirdIsForRelationsUnderTheVakonomicLaw) {
  expect_messages(
      R"(constraint c: x''' = 0
output j = dt(acc(P))
force on P = x'''*N.x*(1 [kg*s])
)",
      R"(m.vin:7:15: error: third derivatives are for constraints under `law vakonomic`, and constraint `c` is not [derivative-order]
  7 | constraint c: x''' = 0
    |               ^^^^^^^^
  hint: other laws keep constraints of positions, velocities and accelerations

m.vin:8:12: error: third derivatives can be used only if a constraint under `law vakonomic` contains them [derivative-order]
  8 | output j = dt(acc(P))
    |            ^^^^^^^^^^

m.vin:9:14: error: `x'''` contains third or higher derivatives, but a force may contain only coordinates, speeds, parameters and `t` [not-allowed-here]
  9 | force on P = x'''*N.x*(1 [kg*s])
    |              ^^^^
)");
}

TEST(BadStart, IsAStartOfWhatHasNone) {
  expect_messages(R"(start x'' = 3, L = 2
)",
                  R"(m.vin:7:7: error: `x''` has no start value [bad-start]
  7 | start x'' = 3, L = 2
    |       ^^^
  hint: coordinates, their first derivatives, speeds and states have one

m.vin:7:16: error: `L` has no start value [bad-start]
  7 | start x'' = 3, L = 2
    |                ^
  hint: coordinates, their first derivatives, speeds and states have one
)");
}

TEST(BadStart, IsASecondStart) {
  expect_messages(R"(start x = 3, y = 2, x ~ 4
)",
                  R"(m.vin:7:21: error: `x` has two start values [bad-start]
  7 | start x = 3, y = 2, x ~ 4
    |                     ^
    |       ^ the first one
  hint: leave one of the two out
)");
}

TEST(BadValue, IsANegativeMass) {
  expect_messages(R"(particle Q mass -1 [kg] at O + x*N.x
)",
                  R"(m.vin:7:17: error: the mass of `Q` is negative [bad-value]
  7 | particle Q mass -1 [kg] at O + x*N.x
    |                 ^^^^^^^
)");
}

TEST(BadValue, IsARunThatDoesNotRun) {
  expect_messages(R"(run -1 [s] tolerance 2 step -1 max step 0
)",
                  R"(m.vin:7:5: error: the length of a run is 0 or more [bad-value]
  7 | run -1 [s] tolerance 2 step -1 max step 0
    |     ^^^^^^

m.vin:7:22: error: the tolerance is between 1e-15 and 0.1 [bad-value]
  7 | run -1 [s] tolerance 2 step -1 max step 0
    |                      ^

m.vin:7:29: error: the output step must be positive [bad-value]
  7 | run -1 [s] tolerance 2 step -1 max step 0
    |                             ^^

m.vin:7:41: error: the longest step must be positive [bad-value]
  7 | run -1 [s] tolerance 2 step -1 max step 0
    |                                         ^
)");
}

TEST(BadValue, IsNoFiniteNumber) {
  expect_messages(R"(let a = 1e308*1e308
let b = log(0)
let c = 1/0
)",
                  R"(m.vin:7:9: error: this is not a finite number [bad-value]
  7 | let a = 1e308*1e308
    |         ^^^^^^^^^^^

m.vin:8:9: error: this is not a finite number [bad-value]
  8 | let b = log(0)
    |         ^^^^^^

m.vin:9:11: error: this is zero, which nothing can be divided by [bad-value]
  9 | let c = 1/0
    |           ^
)");
}

TEST(BadValue, IsAnIndexBehindTheLastRow) {
  expect_messages(R"(constraint c: vel(P) = 0 along N.x, N.y
output a = multiplier(c)[3]
)",
                  R"(m.vin:8:26: error: this index is a whole number from 1 to 2 [bad-value]
  8 | output a = multiplier(c)[3]
    |                          ^
)");
}

TEST(BadValue, IsAnExpectationBehindTheEndOfTheRun) {
  expect_messages(R"(run 3 [s]
expect at 4: x = 3 +- 1
)",
                  R"(m.vin:8:11: error: the run ends before this time, so nothing would be tested [bad-value]
  8 | expect at 4: x = 3 +- 1
    |           ^
  hint: make the run longer, or test `at end`
)");
}

}  // namespace
}  // namespace vinculum::elaborate
