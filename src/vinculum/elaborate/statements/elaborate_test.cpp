#include "vinculum/elaborate/statements/elaborate.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "support/elaborate/elaborated.hpp"
#include "vinculum/model/calculus.hpp"

namespace vinculum::elaborate {
namespace {

using model::Expectation;
using model::Level;
using model::Model;
using model::StartCondition;
using model::StartKind;
using testing::elaborated;
using testing::Elaborated;
using testing::in_plane;
using testing::value_of;

constexpr std::string_view kPucks = R"(model parallel_pucks  "Two pucks whose velocities stay parallel"
source "Roithmayr 2007, Example 3"

frame N newtonian
point O fixed in N
param m1 = 1 [kg], m2 = 2 [kg]
coord q1, q2, q3, q4 [m]

particle P1 mass m1 at O + q1*N.x + q2*N.y
particle P2 mass m2 at O + q3*N.x + q4*N.y
force on P1 = 0.3 [N] * N.x
force on P2 = 0.7 [N] * N.x

constraint parallel: dot(vel(P2), cross(N.z, vel(P1))) = 0

output lambda  = multiplier(parallel)
output C1      = force(parallel, P1) in N
output C2      = force(parallel, P2) in N

start q2 = 1, q3 = 1, q1' = 0.25, q2' = 1, q3' = 1, q4' = 4
run 4 [s] tolerance 1e-10
expect at end: q1 = 2.01445613569204 ± 1e-9      # an independent reference; +- is as good as ±
expect always: |residual(parallel)| < 1e-12
)";

TEST(Elaborate, KeepsTheScalesOfCoordinatesInSiUnits) {
  const Elaborated result = elaborated(
      "model m\nparam L = 2 [m]\ncoord s, r [m] scale 1e-2 [mm], phi [deg] scale 90, x[1..2] [m] scale L/4, y [m]\n"
      "lagrangian 1 [kg]*(s'^2 + r'^2 + L^2*phi'^2 + x[1]'^2 + x[2]'^2 + y'^2)\n");
  ASSERT_TRUE(result.model) << result.messages;
  const auto& q = result.model->coordinates;
  EXPECT_EQ(q[0].scale, 1e-5);
  EXPECT_EQ(q[1].scale, 1e-5);
  EXPECT_EQ(q[2].scale, std::numbers::pi / 2.0);
  EXPECT_EQ(q[4].scale, 0.5);
  EXPECT_EQ(q[5].scale, std::nullopt);
  EXPECT_EQ(result.model->parameters[0].fixed_by, "the scale of a coordinate");
}

TEST(Elaborate, ReadsThePucksOfTheLanguagePage) {
  const Elaborated result = elaborated(std::string(kPucks));
  ASSERT_TRUE(result.model) << result.messages;
  const Model& model = *result.model;
  EXPECT_EQ(model.name, "parallel_pucks");
  EXPECT_EQ(model.title, "Two pucks whose velocities stay parallel");
  EXPECT_EQ(model.sources, std::vector<std::string>{"Roithmayr 2007, Example 3"});
  EXPECT_TRUE(model.has_units);
  ASSERT_EQ(model.parameters.size(), 2u);
  EXPECT_EQ(model.parameters[1].value, 2.0);
  EXPECT_EQ(model.coordinates.size(), 4u);
  ASSERT_EQ(model.speeds.size(), 4u);
  EXPECT_EQ(model.speeds[3].name, "q4'");
  EXPECT_TRUE(model.speeds[3].is_default);
  ASSERT_EQ(model.particles.size(), 2u);
  EXPECT_EQ(model.point(model.particles[1].point).name, "P2");
  EXPECT_EQ(model.loads.size(), 2u);
  ASSERT_EQ(model.constraints.size(), 1u);
  const model::Constraint& parallel = model.constraints[0];
  EXPECT_EQ(parallel.level, Level::kVelocity);
  EXPECT_EQ(parallel.text, "dot(vel(P2), cross(N.z, vel(P1))) = 0");
  EXPECT_EQ(model.source_text.slice(parallel.range), parallel.text);
  EXPECT_EQ(to_text(model, model.outputs[1].value), "multiplier(parallel)*cross(vel(P2), N.z)");
  EXPECT_EQ(model.starts.size(), 6u);
  ASSERT_TRUE(model.run);
  EXPECT_EQ(model.run->duration, 4.0);
  EXPECT_EQ(model.run->tolerance, 1e-10);
  EXPECT_EQ(model.run->method, "dop853");
  ASSERT_EQ(model.expectations.size(), 2u);
  EXPECT_EQ(model.expectations[0].text, "at end: q1 = 2.01445613569204 ± 1e-9");
  EXPECT_EQ(model.expectations[0].tolerance, 1e-9);
  EXPECT_FALSE(model.expectations[1].right.is_valid());
}

TEST(Elaborate, ReadsTheNonidealConeOfTheLanguagePage) {
  const Elaborated result = elaborated(R"(model appell  "Appell's particle, non-ideal"
frame N newtonian
point O fixed in N
param a0 = 0.2 [kg/m], g = 9.81 [m/s^2]
coord x, y, z [m]
particle P mass 1 [kg] at O + x*N.x + y*N.y + z*N.z
gravity -g*N.z

let v = vel(P)
constraint cone: dot(v,N.x)^2 + dot(v,N.y)^2 - dot(v,N.z)^2 = 0
    nonideal on P = -a0*norm(v)*v
output Qi  = ideal_force(cone, P) in N
output Qni = nonideal_force(cone, P) in N
)");
  ASSERT_TRUE(result.model) << result.messages;
  ASSERT_EQ(result.model->constraints[0].nonideal.size(), 1u);
  EXPECT_TRUE(std::holds_alternative<model::ForceOn>(result.model->constraints[0].nonideal[0].what));
}

TEST(Elaborate, ReadsTheDiskOfTheLanguagePage) {
  const auto result = testing::elaborated(R"(model disk  "Disk rolling without slip on a plane"
frame N newtonian
point O fixed in N
param m = 1 [kg], r = 0.5 [m], g = 9.81 [m/s^2]
coord x, y, z [m], yaw, lean, spin [rad]

frame A = N rotated yaw about z
frame L = A rotated lean about x
frame D = L rotated spin about y
body wheel frame D mass m inertia (m*r^2/4, m*r^2/2, m*r^2/4) at O + x*N.x + y*N.y + z*N.z
speed u1 = dot(omega(D), L.x), u2 = dot(omega(D), L.y), u3 = dot(omega(D), L.z)
gravity -g*N.z

point contact on wheel = center(wheel) - r*L.z        # the material point of the wheel now at the contact
constraint roll: vel(contact) = 0 along A.x, A.y, N.z
output R = force(roll, contact) in A
output p = power(roll)
start lean = 0.3 [rad], z = r*cos(lean), u2 = 8 [rad/s], u3 = 0.4 [rad/s], x' ~ 0, y' ~ 0, z' ~ 0
run 1 [s]
expect always: |residual(roll)| < 1e-9
)");
  ASSERT_EQ(result.messages, "");
  const model::Model& model = *result.model;
  ASSERT_EQ(model.bodies.size(), 1u);
  ASSERT_EQ(model.speeds.size(), 6u);
  EXPECT_EQ(model.speeds[3].name, "x'");  // three speeds are stated; x', y', z' are added in order
  EXPECT_EQ(model.constraints[0].rows.size(), 3u);
  EXPECT_EQ(model.constraints[0].level, model::Level::kVelocity);
  EXPECT_EQ(model.points[model.points.size() - 1].on, model.bodies[0].frame);
  EXPECT_EQ(model.outputs[0].dimension, make_dimension(1, 1, -2));
}

TEST(Parameters, ConvertUnitsAndUseEarlierOnes) {
  const Elaborated result = in_plane(
      "param a = 3 [mm], b = 2*a, c = 90 [deg], d = 2*pi/3 [rad/s], e = 60 [rpm], f = -1 [km/h], k = 100 [N/cm]\n");
  ASSERT_TRUE(result.model) << result.messages;
  const auto value = [&](std::size_t i) { return result.model->parameters[3 + i].value; };
  EXPECT_DOUBLE_EQ(value(0), 0.003);
  EXPECT_DOUBLE_EQ(value(1), 0.006);
  EXPECT_DOUBLE_EQ(value(2), std::numbers::pi / 2.0);
  EXPECT_DOUBLE_EQ(value(3), 2.0 * std::numbers::pi / 3.0);
  EXPECT_DOUBLE_EQ(value(4), 2.0 * std::numbers::pi);
  EXPECT_DOUBLE_EQ(value(5), -1.0 / 3.6);
  EXPECT_DOUBLE_EQ(value(6), 1e4);
}

TEST(Overrides, TakeTheDeclaredUnitAndReachLaterParameters) {
  const Elaborated result = in_plane("param a = 2*L, b = 1 [kg]\n", {{"L", "50"}, {"b", "2 [g]"}});
  ASSERT_TRUE(result.model) << result.messages;
  EXPECT_DOUBLE_EQ(result.model->parameters[2].value, 0.05);
  EXPECT_DOUBLE_EQ(result.model->parameters[3].value, 0.1);
  EXPECT_DOUBLE_EQ(result.model->parameters[4].value, 0.002);
}

TEST(GeneralizedForce, IsAListWithAnEntryAndADimensionForEachSpeed) {
  const Elaborated result = in_plane(
      "constraint c: norm(pos(P, O)) = L\n"
      "output Q = generalized_force(c)\n"
      "output a = generalized_force(c)[1] + 1 [N]\n"
      "output b = generalized_force(c)[3] + 1 [J]\n");
  ASSERT_TRUE(result.model) << result.messages;
  EXPECT_EQ(result.model->outputs[0].components.size(), 3u);
  EXPECT_EQ(in_plane("constraint c: x = y\noutput a = generalized_force(c)[3] + 1 [N]\n").diagnostics.size(), 1u);
  EXPECT_EQ(in_plane("constraint c: x = y\noutput a = generalized_force(c)[4]\n").diagnostics.size(), 1u);
}

TEST(Outputs, KeepTheOrderInWhichTheyAreWritten) {
  const auto result = in_plane(
      "constraint c: x = y\noutput d = residual(c)\noutput b = multiplier(c)\noutput a = energy\noutput e = x'\n");
  ASSERT_TRUE(result.model) << result.messages;
  std::string names;
  for (const auto& output : result.model->outputs) names += output.name;
  EXPECT_EQ(names, "dbae");
}

// Only a single number, with or without sign, takes the unit of the variable. Arithmetic of numbers is dimensionless,
// unless a unit ends its declaration.
TEST(BareNumbers, AreLiterals) {
  const Elaborated result = elaborated(
      "model m\nframe N newtonian\npoint O fixed in N\ncoord s [mm], a, b, c [deg]\n"
      "param l = 2/3 [m]\nlagrangian 1 [kg]*(s'^2 + l^2*(a'^2 + b'^2 + c'^2))\n"
      "start a = pi/2, b = -90, c = 3*30 [deg], s = 2*5 [mm]\n");
  ASSERT_TRUE(result.model) << result.messages;
  const auto start = [&](std::size_t i) {
    return model::TermValues(*result.model, {}).scalar(result.model->starts[i].value).value;
  };
  EXPECT_DOUBLE_EQ(result.model->parameters[0].value, 2.0 / 3.0);
  EXPECT_DOUBLE_EQ(start(0), std::numbers::pi / 2.0);
  EXPECT_DOUBLE_EQ(start(1), -std::numbers::pi / 2.0);
  EXPECT_DOUBLE_EQ(start(2), std::numbers::pi / 2.0);
  EXPECT_DOUBLE_EQ(start(3), 0.01);
  const Elaborated wrong = in_plane("start x = sin(1), y = 1 + 2\nrun 1 [s]\nexpect at start: vel(P) = 2*N.x ± 0.1\n");
  ASSERT_EQ(wrong.diagnostics.size(), 3u) << wrong.messages;
  EXPECT_EQ(wrong.diagnostics[0].hint, "it has no dimension: write `1 [m]*sin(1)`");
  EXPECT_EQ(wrong.diagnostics[1].hint, "it has no dimension: write `1 [m]*(1 + 2)`");
  for (const diag::Diagnostic& one : wrong.diagnostics) EXPECT_EQ(one.kind, diag::Kind::kDimensionMismatch);
}

TEST(BareNumbers, AreTheConstantsOfASpring) {
  const Elaborated result = in_plane("spring O P stiffness 3 length 1 damping 0.1\n");
  EXPECT_TRUE(result.model) << result.messages;
}

TEST(BareNumbers, TakeTheUnitOfWhatTheyAreSetOrComparedTo) {
  const Elaborated result = elaborated(
      "model m\nframe N newtonian\npoint O fixed in N\ncoord s [mm], a [deg]\nspeed u = s' [cm/s], w = a' + s'/(1 "
      "[m])\n"
      "particle P mass 1 [kg] at O + s*cos(a)*N.x + s*sin(a)*N.y\n"
      "start s = 5, a ~ 90, u = 2, a' = 3\n"
      "run 2500 [ms] step 0.1 max step 50 [ms]\n"
      "expect at 2: s = 7 ± 0.5\n"
      "expect at end: a' = 2 [rad/s] ± 1\n"
      "expect always: |s| < 20\n"
      "expect always: 2 < norm(vel(P)) and u < 3\n"
      "expect at start: 5 = s ± 1\n"
      "expect at start: vel(P) = 2 [m/s]*N.x - 1 [m/s]*N.y ± 0.1\n");
  ASSERT_TRUE(result.model) << result.messages;
  const Model& model = *result.model;
  const auto number = [&](model::Term term) { return model::TermValues(model, {}).scalar(term).value; };
  EXPECT_DOUBLE_EQ(number(model.starts[0].value), 0.005);
  EXPECT_DOUBLE_EQ(number(model.starts[1].value), std::numbers::pi / 2.0);
  EXPECT_DOUBLE_EQ(number(model.starts[2].value), 0.02);
  EXPECT_DOUBLE_EQ(number(model.starts[3].value), 3.0 * std::numbers::pi / 180.0);
  EXPECT_EQ(model.starts[1].kind, StartKind::kGuess);
  EXPECT_EQ(model.starts[2].on, StartCondition::On::kSpeed);
  EXPECT_EQ(model.starts[3].on, StartCondition::On::kCoordinateRate);
  EXPECT_DOUBLE_EQ(model.run->duration, 2.5);
  EXPECT_DOUBLE_EQ(*model.run->step, 0.1);
  EXPECT_DOUBLE_EQ(*model.run->max_step, 0.05);
  const auto& expected = model.expectations;
  EXPECT_DOUBLE_EQ(number(expected[0].right), 0.007);
  EXPECT_DOUBLE_EQ(expected[0].tolerance, 0.0005);
  EXPECT_DOUBLE_EQ(expected[0].time, 2.0);
  EXPECT_DOUBLE_EQ(number(expected[1].right), 2.0);
  EXPECT_DOUBLE_EQ(expected[1].tolerance, std::numbers::pi / 180.0);
  EXPECT_EQ(to_text(model, expected[2].left), "abs(s) < 0.02");
  EXPECT_EQ(to_text(model, expected[3].left), "2 < norm(vel(P)) and u < 0.03");
  EXPECT_DOUBLE_EQ(number(expected[4].left), 0.005);
  EXPECT_TRUE(expected[5].right.is_vector());
  EXPECT_DOUBLE_EQ(expected[5].tolerance, 0.1);
}

TEST(Speeds, AreCompletedByCoordinatesInOrder) {
  const Elaborated result = in_plane("speed u1 = dot(vel(P), N.x) + phi'*x, u2 = u1 + y'\n");
  ASSERT_TRUE(result.model) << result.messages;
  const auto& speeds = result.model->speeds;
  ASSERT_EQ(speeds.size(), 3u);
  EXPECT_EQ(speeds[2].name, "x'");
  // If a speed is defined by another speed, its definition is expanded to that of the other speed.
  EXPECT_DOUBLE_EQ(value_of(*result.model, speeds[1].definition), 1.1 + 0.6 * 0.3 - 0.2);
  EXPECT_EQ(level_of(*result.model, speeds[1].definition), Level::kVelocity);
}

TEST(Frames, TurnByAllTwentyFourSequences) {
  // The rotation matrix is R1 R2 R3 for body axes and R3 R2 R1 for space axes, with each factor about a fixed axis.
  using Matrix = std::array<std::array<double, 3>, 3>;
  const auto about = [](int axis, double angle) {
    Matrix R{};
    const auto i = static_cast<std::size_t>(axis), j = (i + 1) % 3, k = (i + 2) % 3;
    R[i][i] = 1.0;
    R[j][j] = R[k][k] = std::cos(angle);
    R[k][j] = std::sin(angle);
    R[j][k] = -R[k][j];
    return R;
  };
  const auto times = [](const Matrix& a, const Matrix& b) {
    Matrix c{};
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j) {
        for (std::size_t k = 0; k < 3; ++k) c[i][j] += a[i][k] * b[k][j];
      }
    }
    return c;
  };
  int count = 0;
  for (const std::string kind : {"body", "space"}) {
    for (int code = 0; code < 27; ++code) {
      const int axes[] = {code / 9, code / 3 % 3, code % 3};
      if (axes[0] == axes[1] || axes[1] == axes[2]) continue;
      ++count;
      const std::string name =
          kind + std::to_string(axes[0] + 1) + std::to_string(axes[1] + 1) + std::to_string(axes[2] + 1);
      std::string text = "frame B = N " + name + "(0.3, phi, 0.5)\n";
      for (const char* row : {"x", "y", "z"}) {
        for (const char* column : {"x", "y", "z"}) {
          text += std::string("output r") + row + column + " = dot(N." + row + ", B." + column + ")\n";
        }
      }
      const Elaborated result = in_plane(text);
      ASSERT_TRUE(result.model) << result.messages;
      const double angles[] = {0.3, 0.4, 0.5};
      Matrix R = about(axes[0], angles[0]);
      for (std::size_t i = 1; i < 3; ++i) {
        const Matrix next = about(axes[i], angles[i]);
        R = kind == "body" ? times(R, next) : times(next, R);
      }
      for (std::size_t i = 0; i < 9; ++i) {
        EXPECT_NEAR(value_of(*result.model, result.model->outputs[i].value), R[i / 3][i % 3], 1e-15)
            << name << " " << i;
      }
    }
  }
  EXPECT_EQ(count, 24);
}

TEST(Frames, TurnAboutAVectorFixedInTheParent) {
  const Elaborated result = in_plane(
      "frame A = N rotated x/(1 [m]) about z\n"
      "frame B = A rotated phi about 2*A.x + cross(A.z, A.x)*n\n"
      "output axial = dot(B.x, A.x + A.y) - dot(A.x, A.x + A.y)\noutput w = dot(omega(B, A), A.x)\n");
  ASSERT_TRUE(result.model) << result.messages;
  EXPECT_NEAR(value_of(result, "axial"), 0.0, 1e-15);
  EXPECT_NEAR(value_of(result, "w"), 0.6 / std::sqrt(2.0), 1e-15);
}

TEST(Frames, TakeAxesByTheirLettersEvenWhereCoordinatesBearThem) {
  const Elaborated result = in_plane("frame A = N rotated phi about y\n");
  ASSERT_TRUE(result.model) << result.messages;
  EXPECT_EQ(result.model->frames[1].rotations[0].axis, 1);
}

TEST(Constraints, HaveTheLevelOfWhatTheyHold) {
  const Elaborated result = in_plane(
      "speed u = x' + y'\n"
      "constraint a: x = y\nconstraint b: dot(pos(P, O), N.x) = L*sin(t/(1 [s]))\n"
      "constraint c: x' = y'\nconstraint d: u = 0\nconstraint e: dot(momentum(P), N.x) = 0\nconstraint f: energy = 3 "
      "[J]\n"
      "constraint h: x'' = 0\nconstraint i: u' = 0\nconstraint j: dot(acc(P), N.y) = g\nconstraint k: dt(u) = 0\n"
      "constraint l: dot(vel(O), N.x)*1 [s] + x = L\n");
  ASSERT_TRUE(result.model) << result.messages;
  const Level expected[] = {Level::kPosition,     Level::kPosition,     Level::kVelocity,     Level::kVelocity,
                            Level::kVelocity,     Level::kVelocity,     Level::kAcceleration, Level::kAcceleration,
                            Level::kAcceleration, Level::kAcceleration, Level::kPosition};
  for (std::size_t i = 0; i < std::size(expected); ++i) {
    EXPECT_EQ(result.model->constraints[i].level, expected[i]) << result.model->constraints[i].name;
  }
}

TEST(Constraints, OfVectorsHaveARowForEachDirection) {
  const Elaborated result = in_plane(
      "frame A = N rotated phi about z\n"
      "constraint roll: vel(P) = 0 along A.x, A.y\n"
      "constraint hold: pos(P, O) = y*N.x + L*N.y + (x - y)*N.z\n"
      "output lambda = multiplier(roll)\noutput second = multiplier(roll)[2] + multiplier(roll[2])\n"
      "output worst = residual(roll)\noutput first = residual(roll[1])\n");
  ASSERT_TRUE(result.model) << result.messages;
  const Model& model = *result.model;
  ASSERT_EQ(model.constraints[0].rows.size(), 2u);
  EXPECT_EQ(to_text(model, model.constraints[0].rows[1]), "dot(vel(P), A.y)");
  EXPECT_EQ(model.constraints[0].text, "vel(P) = 0 along A.x, A.y");
  ASSERT_EQ(model.constraints[1].rows.size(), 3u);
  EXPECT_DOUBLE_EQ(value_of(model, model.constraints[1].rows[0]), 0.3 + 0.7);
  EXPECT_DOUBLE_EQ(value_of(model, model.constraints[1].rows[2]), -1.0);
  EXPECT_FALSE(model.outputs[0].value.is_valid());
  ASSERT_EQ(model.outputs[0].components.size(), 2u);
  EXPECT_EQ(to_text(model, model.outputs[1].value), "2*multiplier(roll)[2]");
  const double along_x = 1.1 * std::cos(0.4) - 0.2 * std::sin(0.4),
               along_y = -1.1 * std::sin(0.4) - 0.2 * std::cos(0.4);
  EXPECT_NEAR(value_of(result, "first"), along_x, 1e-15);
  EXPECT_NEAR(value_of(result, "worst"), std::max(std::fabs(along_x), std::fabs(along_y)), 1e-15);
}

TEST(Clauses, TakeBareNumbersInTheUnitsOfTheirPlace) {
  const Elaborated result =
      in_plane("constraint c: x = y\n    law ideal\n    nonideal on phi = -3\n    nonideal on P = -1 [N]*N.x from O\n");
  ASSERT_TRUE(result.model) << result.messages;
  const auto& nonideal = result.model->constraints[0].nonideal;
  ASSERT_EQ(nonideal.size(), 2u);
  EXPECT_DOUBLE_EQ(value_of(*result.model, std::get<model::GeneralizedForceOn>(nonideal[0].what).force), -3.0);
  EXPECT_TRUE(std::get<model::ForceOn>(nonideal[1].what).from);
  EXPECT_FALSE(in_plane("generalized force on phi = -3\n").model);
}

TEST(Loads, OfEveryKindReachTheModel) {
  const Elaborated result = in_plane(
      "point A = O + L*N.x\n"
      "force on P = -2 [kg/s]*vel(P) from A\ngravity -g*N.y\nspring A P stiffness 3 [N/m] length L damping 0.1 "
      "[N*s/m]\n"
      "potential 2 [N/m]*x^2\ngeneralized force on phi = 3 [N*m]\n");
  ASSERT_TRUE(result.model) << result.messages;
  ASSERT_EQ(result.model->loads.size(), 5u);
  // Potentials are added first, so that forces may use the energies.
  EXPECT_TRUE(std::holds_alternative<model::Gravity>(result.model->loads[0].what));
  EXPECT_TRUE(std::holds_alternative<model::ForceOn>(result.model->loads[3].what));
  EXPECT_EQ(result.model->source_text.slice(result.model->loads[0].range), "gravity -g*N.y");
}

TEST(Energies, AreThoseOfTheWholeModelWhereverTheyAreNamed) {
  const Elaborated result = in_plane(
      "let E = energy\noutput early = E\n"
      "particle Q mass 2 [kg] at O + x*N.x\ngravity -g*N.y\noutput late = kinetic_energy + potential_energy\n");
  ASSERT_TRUE(result.model) << result.messages;
  const double expected = 0.5 * (1.1 * 1.1 + 0.2 * 0.2) + 1.1 * 1.1 + 9.81 * -0.7;
  EXPECT_NEAR(value_of(result, "early"), expected, 1e-14);
  EXPECT_NEAR(value_of(result, "late"), expected, 1e-14);
}

TEST(Lets, OfADoublingChainCostNoTime) {
  std::string text = "let a0 = x\n";
  for (int i = 1; i <= 60; ++i) {
    const std::string before = "a" + std::to_string(i - 1);
    text += "let a" + std::to_string(i) + " = sin(" + before + "/(1 [m]))*" + before + " + " + before + "\n";
  }
  const Elaborated result = in_plane(text + "output out = dt(dt(a60))\n");
  EXPECT_TRUE(result.model) << result.messages;
}

}  // namespace
}  // namespace vinculum::elaborate
