#include "vinculum/elaborate/check/checker.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "support/elaborate/elaborated.hpp"

namespace vinculum::elaborate {
namespace {

using testing::Elaborated;
using testing::in_plane;
using testing::value_of;

double value(const std::string& expression) { return value_of(in_plane("output out = " + expression + "\n"), "out"); }

std::string dimension(const std::string& expression) {
  const Elaborated result = in_plane("output out = " + expression + "\n");
  return result.model ? describe(result.model->outputs[0].dimension) : result.messages;
}

TEST(Expressions, FollowTheRulesOfArithmetic) {
  EXPECT_DOUBLE_EQ(value("-phi^2"), -0.16);
  EXPECT_DOUBLE_EQ(value("2^3^2"), 512.0);
  EXPECT_DOUBLE_EQ(value("|y|/x"), 0.7 / 0.3);
  EXPECT_DOUBLE_EQ(value("1 - 2 - 3"), -4.0);
  EXPECT_DOUBLE_EQ(value("2*(phi + 1)/4"), 0.7);
  EXPECT_DOUBLE_EQ(value("x if phi > 1 else y"), -0.7);
  EXPECT_DOUBLE_EQ(value("1 if not (phi >= 1) and x != y or 1 == 2 else 0"), 1.0);
  EXPECT_DOUBLE_EQ(value("2 if phi < 0.4 else 3 if phi <= 0.4 else 4"), 3.0);
}

TEST(Expressions, KnowTheElementaryFunctions) {
  const double phi = 0.4;
  EXPECT_DOUBLE_EQ(value("sin(phi) + cos(phi) + tan(phi)"), std::sin(phi) + std::cos(phi) + std::tan(phi));
  EXPECT_DOUBLE_EQ(value("asin(phi) + acos(phi) + atan(phi)"), std::asin(phi) + std::acos(phi) + std::atan(phi));
  EXPECT_DOUBLE_EQ(value("sinh(phi) + cosh(phi) + tanh(phi)"), std::sinh(phi) + std::cosh(phi) + std::tanh(phi));
  EXPECT_DOUBLE_EQ(value("exp(phi) + log(phi) + sqrt(phi)"), std::exp(phi) + std::log(phi) + std::sqrt(phi));
  EXPECT_DOUBLE_EQ(value("atan2(y, x)"), std::atan2(-0.7, 0.3));
  EXPECT_DOUBLE_EQ(value("abs(y)/x + sign(y) + floor(-phi)"), 0.7 / 0.3 - 2.0);
  EXPECT_DOUBLE_EQ(value("min(x, y, 0)/x + max(0, phi, 0.2)"), -0.7 / 0.3 + 0.4);
  EXPECT_DOUBLE_EQ(value("pi"), std::numbers::pi);
  EXPECT_DOUBLE_EQ(value("t"), 0.9);
}

TEST(Smoothstep, RisesFromZeroToOneWithTwoContinuousDerivatives) {
  const auto ramp = [](double s) { return s * s * s * (10.0 + s * (6.0 * s - 15.0)); };
  EXPECT_DOUBLE_EQ(value("smoothstep(phi)"), ramp(0.4));
  EXPECT_DOUBLE_EQ(value("smoothstep(-phi)"), 0.0);
  EXPECT_DOUBLE_EQ(value("smoothstep(phi + 1)"), 1.0);
  EXPECT_DOUBLE_EQ(value("smoothstep(t, 500 [ms], 1.5 [s])"), ramp(0.4));
  EXPECT_DOUBLE_EQ(value("smoothstep(x, 1 [m], -1 [m])"), ramp(0.35));
  EXPECT_DOUBLE_EQ(value("dt(smoothstep(phi))"), 30.0 * 0.16 * 0.36 * 0.6);
  EXPECT_NEAR(value("dt(dt(smoothstep(phi + 0.6)))"), 0.0, 1e-13);  // the two terms, of size 60, cancel
}

TEST(Expressions, MeasureMotionInVectors) {
  EXPECT_DOUBLE_EQ(value("dot(pos(P, O), N.y)"), -0.7);
  EXPECT_DOUBLE_EQ(value("dot(vel(P), N.x)"), 1.1);
  EXPECT_DOUBLE_EQ(value("dot(acc(P), N.y)"), 1.3);
  EXPECT_DOUBLE_EQ(value("x' + 2*y'"), 0.7);
  EXPECT_DOUBLE_EQ(value("x''"), 0.8);
  EXPECT_DOUBLE_EQ(value("dt(x*y)"), 1.1 * -0.7 + 0.3 * -0.2);
  EXPECT_DOUBLE_EQ(value("norm(cross(N.x, N.y)) + dot(unit(2*N.z), N.z)"), 2.0);
  EXPECT_DOUBLE_EQ(value("dot(dt(pos(P, O)) - vel(P), N.x)"), 0.0);
  EXPECT_DOUBLE_EQ(value("norm(vel(O))"), 0.0);
}

TEST(Expressions, MeasureMotionInTurningFrames) {
  const auto in_turning = [](const std::string& expression) {
    return value_of(in_plane("frame B = N rotated phi about z\noutput out = " + expression + "\n"), "out");
  };
  EXPECT_DOUBLE_EQ(in_turning("dot(omega(B), N.z)"), 0.6);
  EXPECT_DOUBLE_EQ(in_turning("dot(alpha(B), N.z)"), -0.5);
  EXPECT_DOUBLE_EQ(in_turning("dot(omega(N, B), B.z)"), -0.6);
  EXPECT_DOUBLE_EQ(in_turning("dot(B.x, N.x)"), std::cos(0.4));
  // vel(P, B) = v − ω × r, as seen in the rotating frame B.
  EXPECT_NEAR(in_turning("dot(vel(P, B), N.x)"), 1.1 + 0.6 * -0.7, 1e-15);
  EXPECT_NEAR(in_turning("dot(dt(x*B.x, B), B.x)"), 1.1, 1e-15);
  EXPECT_NEAR(in_turning("dot(dt(x*B.x), B.y)"), 0.3 * 0.6, 1e-15);
}

TEST(Dimensions, FollowFromTheParts) {
  EXPECT_EQ(dimension("x*phi"), "length, m");
  EXPECT_EQ(dimension("vel(P)"), "velocity, m/s");
  EXPECT_EQ(dimension("dt(vel(P), N)"), "acceleration, m/s^2");
  EXPECT_EQ(dimension("phi'"), "angular velocity or frequency, rad/s");
  EXPECT_EQ(dimension("sqrt(x*y)"), "length, m");
  EXPECT_EQ(dimension("(x^2)^0.5"), "length, m");
  EXPECT_EQ(dimension("(x^3)^(1/3)"), "length, m");
  EXPECT_EQ(dimension("x^-1"), "curvature, 1/m");
  EXPECT_EQ(dimension("phi^n"), "dimensionless");
  EXPECT_EQ(dimension("dot(vel(P), vel(P))"), "squared velocity, m^2/s^2");
  EXPECT_EQ(dimension("cross(pos(P, O), momentum(P))"), "angular momentum, kg*m^2/s");
  EXPECT_EQ(dimension("energy"), "energy or torque, J");
  EXPECT_EQ(dimension("atan2(x, y)"), "dimensionless");
  EXPECT_EQ(dimension("max(0, x)"), "length, m");
  EXPECT_EQ(dimension("x if phi > 0 else 0"), "length, m");
  EXPECT_EQ(dimension("0*N.x + vel(P)"), "velocity, m/s");
  EXPECT_EQ(dimension("unit(vel(P))"), "dimensionless");
  EXPECT_EQ(dimension("2 [kN] + 1 [lbf]"), "force, N");
}

TEST(Dimensions, OfMultipliersAreWorkPerRow) {
  const auto of_level = [](const std::string& relation) {
    const Elaborated result = in_plane("constraint c: " + relation + "\noutput out = multiplier(c)\n");
    return result.model ? si_unit(result.model->outputs[0].dimension) : result.messages;
  };
  EXPECT_EQ(of_level("x - y = 0"), "N");                     // multiplier times row is an energy: J/m
  EXPECT_EQ(of_level("x' - y' = 0"), "N");                   // multiplier times row is a power: W/(m/s)
  EXPECT_EQ(of_level("x'' - y'' = 0"), "N");                 // a rate of power: (W/s)/(m/s^2)
  EXPECT_EQ(of_level("dot(vel(P), vel(P)) = g*L"), "kg/s");  // a power: W/(m^2/s^2)
}

TEST(Dimensions, AreNotAskedForInAModelWithoutUnits) {
  const Elaborated result = testing::elaborated(
      "model m\nframe N newtonian\npoint O fixed in N\nparam g = 9.81\ncoord x, y\n"
      "particle P mass 2 at O + x*N.x + y*N.y\ngravity -g*N.y\nconstraint c: x + x' + sin(x) + t = 3*y\n"
      "output out = multiplier(c)\nrun 2\n");
  ASSERT_TRUE(result.model) << result.messages;
  EXPECT_FALSE(result.model->has_units);
  EXPECT_TRUE(result.model->outputs[0].dimension.is_dimensionless());
  EXPECT_TRUE(result.model->constraints[0].dimension.is_dimensionless());
}

TEST(Functions, EachHasARowAndANameThatMayBeDeclared) {
  for (const FunctionInfo& info : function_table()) {
    EXPECT_EQ(find_function(info.name), &info);
    EXPECT_TRUE(info.signature.starts_with(info.name)) << info.name;
    EXPECT_FALSE(info.meaning.empty()) << info.name;
    const std::string name(info.name);
    const Elaborated result = in_plane("param " + name + " = 1\noutput a = 2*" + name + "\n");
    ASSERT_TRUE(result.model) << result.messages;
  }
}

}  // namespace
}  // namespace vinculum::elaborate
