#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "support/elaborate/elaborated.hpp"

// Declarations with errors in their text, and names that are words of the language.
namespace vinculum::elaborate {
namespace {

using testing::elaborated;
using testing::heads_in_plane;
using testing::in_plane;

constexpr const char* kLater =
    "force on Q = 2 [m]*N.x\n"
    "let a = vel(Q) + pos(Q, O)\n"
    "output b = nothing\n";
constexpr const char* kLaterHeads =
    "a force must be in N, found m\n"
    "the two sides of `+` differ in dimension\n"
    "unknown name `nothing`\n";

TEST(FaultyDeclaration, OfAParticleHidesNoLaterMistake) {
  const std::string later = kLater, heads_of_later = kLaterHeads;
  EXPECT_EQ(heads_in_plane("particle Q mass 1 [s] at P\n" + later), "a mass must be in kg, found s\n" + heads_of_later);
  EXPECT_EQ(heads_in_plane("particle Q mass 1 [kg] at P + 2 [s]*N.x\n" + later),
            "an offset from a point must be in m, found s\n" + heads_of_later);
  EXPECT_EQ(heads_in_plane("particle Q mass nil at nowhere\n" + later),
            "unknown name `nil`\nunknown name `nowhere`\n" + heads_of_later);
  EXPECT_EQ(heads_in_plane("point Q = P + 2\n" + later), "`+` needs a point and a vector\n" + heads_of_later);
  EXPECT_EQ(heads_in_plane("point Q fixed in M\n" + later), "unknown name `M`\n" + heads_of_later);
}

TEST(FaultyDeclaration, OfACoordinateOrParameterHidesNoLaterMistake) {
  EXPECT_EQ(
      heads_in_plane("coord q [mm/kgg]\ngeneralized force on q = -q\nlet a = q*q'' + 3 [s]\nlet b = cross(q, N.x)\n"
                     "start q = 1 [m], q' = N.x\n"),
      "unknown unit `kgg`\n"
      "`cross` needs a vector here, found a scalar\n"
      "the start of `q'` is a scalar, found a vector\n");
  EXPECT_EQ(
      heads_in_plane("param m = 1 [s] + 1 [kg], k = 2*m [kg]\nlet a = m + k\nlet b = dot(k, N.x)\nlet c = k + 1 [s]\n"),
      "the two sides of `+` differ in dimension\n"
      "`dot` needs a vector here, found a scalar\n"
      "the two sides of `+` differ in dimension\n");
  EXPECT_EQ(heads_in_plane("param l = x [mm]\nparam k = l/2\nlet a = k + 1 [s]\nrun l tolerance k\n"),
            "`x` changes with the coordinates, but parameter `l` may contain only numbers and parameters\n"
            "the two sides of `+` differ in dimension\n"
            "the length of a run must be in s, found m\n"
            "the tolerance must be dimensionless, found m\n");
}

TEST(FaultyDeclaration, OfAFrameOrABodyHidesNoLaterMistake) {
  EXPECT_EQ(heads_in_plane("frame B = N rotated x about z\nlet a = omega(B) + B.x\nlet b = B.w\n"),
            "an angle must be dimensionless, found m\n"
            "the two sides of `+` differ in dimension\n"
            "a frame has the vectors `x`, `y` and `z`, found `w`\n");
  EXPECT_EQ(heads_in_plane("frame B = N rotated phi about z\n"
                           "body b frame B mass 1 [m] inertia (1, 1, 3) [kg*m^2] at P\n"
                           "torque on b = 2 [N]*N.z\noutput e = kinetic_energy + 1 [s]\n"),
            "a mass must be in kg, found m\n"
            "no body has this inertia: a principal moment about the mass centre exceeds the sum of the other two\n"
            "a torque must be in N*m, found N\n"
            "the two sides of `+` differ in dimension\n");
}

TEST(FaultyDeclaration, OfAnotherKindIsNothing) {
  EXPECT_EQ(heads_in_plane("param v = 2*N.x, A = [1, 2]\nlet a = dot(v, N.x) + A[1]\n"),
            "parameter `v` is a scalar, found a vector\nparameter `A` is a scalar, found a list\n");
}

TEST(FaultyDeclaration, IsJudgedNoFurther) {
  // Consequences of the mistake are not reported, for example that no coordinate moves the point, or that the point of
  // a joint is not fixed in its body.
  EXPECT_EQ(heads_in_plane("point A = P + 1 [s]*N.x\nforce on A = 1 [N]*N.x\nconstraint c: pos(A, O) = 0 along N.x\n"
                           "output f = force(c, A)\nspring A O stiffness 1 [N/m] length 0\n"),
            "an offset from a point must be in m, found s\n");
  EXPECT_EQ(heads_in_plane("speed u = x' + y\nspeed v = y'\nconstraint c: u = v\n"),
            "the two sides of `+` differ in dimension\n");
  EXPECT_EQ(heads_in_plane("param k = 1/0, m = k [kg]\nparticle Q mass m at P\nlet A = solve([k, k; k, k], [1, 1])\n"),
            "this is zero, which nothing can be divided by\n");
}

TEST(Names, OfFunctionsAndKeywordsMeanWhatIsDeclared) {
  const auto result = elaborated(
      "model law\nframe N newtonian\npoint table fixed in N\n"
      "param alpha = 2, from = 3 [N], cross = 4 [kg], energy = 5 [J], floor[1..2] = [6, 7]\n"
      "coord speed, body [m], along [rad]\nframe force = N rotated along about z\n"
      "particle point mass cross at table + speed*N.x + body*N.y\n"
      "force on point = alpha*from*N.x + cross*acc(point)*0\n"
      "let gravity = floor(2.5)*floor[2] + dot(alpha(force), N.z)*1 [s^2]\n"
      "constraint state: speed = alpha*body\n    nonideal on point = -from*N.y from table\n"
      "constraint spring: along = 3*t/1 [s] + 3\noutput start = energy + kinetic_energy\noutput run = gravity\nstart "
      "speed = 1, body' ~ 2, along = 3\n"
      "run 0\nexpect at start: run = 14 ± 1e-12\n");
  ASSERT_TRUE(result.model) << result.messages;
  EXPECT_EQ(result.model->coordinates[0].name, "speed");
  EXPECT_EQ(result.model->outputs[0].value.op(), expr::Op::kAdd);
}

TEST(Names, ThatAreDeclaredLaterAreUsedBeforeTheirDeclaration) {
  EXPECT_EQ(heads_in_plane("output a = energy\nlet energy = 2\n"), "`energy` is used before it is declared\n");
  EXPECT_EQ(heads_in_plane("let a = cross\n"), "`cross` is a function and needs its arguments\n");
  EXPECT_EQ(heads_in_plane("param cross = 2\nlet a = cross(2, 3)\n"),
            "`cross` needs a vector here, found a scalar\n`cross` needs a vector here, found a scalar\n");
}

TEST(Names, OfTheModelAreNotSeenInComponents) {
  EXPECT_EQ(heads_in_plane("param floor = 2\ncomponent c() {\n  let a = floor + floor(2)\n}\nuse c() as u\n"),
            "unknown name `floor` in component `c`\n");
}

TEST(ParameterUnits, AreThoseOfTheNextOneWhereTheirUsesAskForIt) {
  const auto result = in_plane(
      "param m1 = 1, m2 = 2*3, e = 0.5, m3 = -4 [g], mu = 0.2, a = 9 [m/s^2]\n"
      "particle A mass m1 at P\nparticle B mass m2 at P\nforce on P = e*m1*a*N.x\nlet c = sin(mu)\n",
      {{"m1", "7"}});
  ASSERT_TRUE(result.model) << result.messages;
  const auto value = [&](const std::string& name) {
    return std::ranges::find(result.model->parameters, name, &model::Parameter::name)->value;
  };
  EXPECT_EQ(value("m1"), 0.007);
  EXPECT_EQ(value("m2"), 0.006);
  EXPECT_EQ(value("e"), 0.5);
  EXPECT_EQ(value("mu"), 0.2);
}

TEST(ParameterUnits, AreNoneWhereTheNextOneServesNotAllUses) {
  EXPECT_EQ(heads_in_plane("param m = 1, k = 2 [kg]\nparticle A mass m at P\nlet a = sin(m)\n"),
            "parameter `m` is declared without a unit\n");
  EXPECT_EQ(heads_in_plane("param m = 1, k = 2 [N]\nparticle A mass m at P\n"),
            "parameter `m` is declared without a unit\n");
}

// An ambiguous use of a parameter gives a warning or an error; a unit is never chosen silently.
TEST(ParameterUnits, OfAngleBesideNumberAreWarnedOf) {
  const auto result = in_plane("param a = 10, b = 20 [deg], c = 0, d = 5 [deg]\nlet e = sin(a) + sin(b) + c + d\n");
  ASSERT_TRUE(result.model) << result.messages;
  EXPECT_EQ(result.messages,
            R"(m.vin:7:11: warning: `a` has no unit: it is 10, not 10 deg [bare-angle]
  7 | param a = 10, b = 20 [deg], c = 0, d = 5 [deg]
    |           ^^
  hint: write `a = 10 [deg]`, or put the numbers into a separate `param`
)");
  EXPECT_EQ(std::ranges::find(result.model->parameters, "a", &model::Parameter::name)->value, 10.0);
}

TEST(StartUnits, OfArithmeticOfNumbersForAnAngleAreWarnedOf) {
  const std::string angles =
      "coord a, b, c, d, e [deg]\nparticle A mass 1 [kg] at O + 1 [m]*cos(a + b + c + d + e)*N.x\n";
  const auto warned = in_plane(angles + "start a = 2*30\n");
  ASSERT_TRUE(warned.model) << warned.messages;
  EXPECT_EQ(warned.messages,
            R"(m.vin:9:11: warning: `2*30` is in rad: only a number alone takes the declared unit [bare-angle]
  9 | start a = 2*30
    |           ^^^^
  hint: write the start of `a` as one number, or with a unit after it: `2*30 [deg]`, `2*30 [rad]`
)");
  EXPECT_EQ(in_plane(angles + "start a = 60, b = pi/2, c = acos(0.5), d = 2*30 [deg], e = 2*0.3 [rad]\n").messages, "");
}

TEST(ParameterUnits, AreNotTakenWhereTwoReadingsFit) {
  // Either j or k could be in m, and nothing decides which: neither takes the unit.
  EXPECT_NE(heads_in_plane("param j = 2, k = 3, l = 1 [m]\npoint Q = O + j*k*N.x\n"), "");
  // The ratio would be dimensionless if j were in m, and any unit is allowed. So j stays a plain number, and the ratio
  // is in 1/m.
  const auto ratio = in_plane("param j = 2, k = 3 [m]\noutput r = j/k\n");
  ASSERT_TRUE(ratio.model) << ratio.messages;
  EXPECT_EQ(ratio.model->outputs.back().dimension, make_dimension(0, -1, 0));
  // j takes the unit of the next item with its scale; l does not take the unit of the item before it.
  const auto scaled = in_plane("param j = 2, k = 3 [mm], l = 4\npoint Q = O + (j + k)*N.x\nlet c = sin(l)\n");
  ASSERT_TRUE(scaled.model) << scaled.messages;
  EXPECT_EQ(std::ranges::find(scaled.model->parameters, "j", &model::Parameter::name)->value, 0.002);
  EXPECT_EQ(std::ranges::find(scaled.model->parameters, "l", &model::Parameter::name)->value, 4.0);
}

TEST(Gravity, StandsOnce) {
  EXPECT_EQ(in_plane("gravity -g*N.y\ngravity -g*N.y\n").messages,
            R"(m.vin:8:1: error: a model has one `gravity` [misplaced-statement]
  8 | gravity -g*N.y
    | ^^^^^^^^^^^^^^
  7 | gravity -g*N.y
    | ^^^^^^^^^^^^^^ the first one
  hint: both would act on all masses: write their sum, `gravity a + b`
)");
}

TEST(Reactions, InALoadBelongIntoAClause) {
  const auto hint = [](const std::string& text) {
    const auto result = in_plane("constraint c: dot(pos(P, O), N.y) = 0\n" + text);
    return result.diagnostics.size() == 1 ? result.diagnostics[0].hint : result.messages;
  };
  const std::string to_nonideal =
      "a force that depends on a reaction is part of the reaction: under its constraint write `nonideal on P = VEC`, "
      "or "
      "`friction on P mu = EXPR`";
  EXPECT_EQ(hint("force on P = -multiplier(c)*N.x\n"), to_nonideal);
  EXPECT_EQ(hint("let f = reaction(c, P)\nforce on P = f\n"), to_nonideal);
  EXPECT_EQ(
      hint("output a = multiplier(c) in N\n"),
      "leave `in N` out: measure numbers, as those along the directions of a `reveal`, are the same in every frame");
}

TEST(Run, MayTakeNoTime) {
  ASSERT_TRUE(in_plane("run 0\n").model);
  EXPECT_EQ(in_plane("run 0\n").model->run->duration, 0.0);
  EXPECT_EQ(heads_in_plane("run -1 [s]\n"), "the length of a run is 0 or more\n");
}

}  // namespace
}  // namespace vinculum::elaborate
