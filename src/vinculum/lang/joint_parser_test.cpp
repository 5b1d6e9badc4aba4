#include <gtest/gtest.h>

#include <string>

#include "support/lang/parsed.hpp"
#include "vinculum/lang/format.hpp"
#include "vinculum/lang/keywords.hpp"

namespace vinculum::lang {
namespace {

TEST(Body, HasThreeMomentsOrSixValues) {
  const auto wheel = only<BodyStatement>("body W frame D mass m inertia (m*r^2/4, 2, 3) [kg*m^2]\n    at O + x*N.x\n");
  EXPECT_EQ(wheel.frame.text, "D");
  EXPECT_EQ(wheel.inertia.size(), 3U);
  EXPECT_EQ(wheel.inertia_unit->factors.size(), 2U);
  EXPECT_EQ(format(*wheel.position), "O + x*N.x");
  EXPECT_FALSE(wheel.about);
  EXPECT_EQ(only<BodyStatement>("body W frame D mass m inertia (1,2,3,4,5,6) at O").inertia.size(), 6U);
  EXPECT_EQ(diagnosed("body W frame D mass m inertia (1, 2) at O\n"),
            "m.vin:1:31: error: `inertia` takes 3 or 6 values, 2 given [wrong-argument-count]\n"
            "  1 | body W frame D mass m inertia (1, 2) at O\n"
            "    |                               ^^^^^^\n"
            "  hint: Ixx, Iyy, Izz and, where they are not 0, Ixy, Iyz, Izx\n");
}

TEST(Body, TakesThePointOfItsInertiaBeforeOrBehindItsPlace) {
  EXPECT_EQ(only<BodyStatement>("body W frame D mass m inertia (1,2,3) at O about P").about->text, "P");
  EXPECT_EQ(only<BodyStatement>("body W frame D mass m inertia (1,2,3) about P at O").about->text, "P");
  EXPECT_EQ(diagnosed("body W frame D mass 1 inertia (1, 2, 3) about P at O about Q\n"),
            "m.vin:1:54: error: `about` is given twice [unexpected-token]\n"
            "  1 | body W frame D mass 1 inertia (1, 2, 3) about P at O about Q\n"
            "    |                                                      ^^^^^\n");
}

TEST(Body, MayBeASolidWithAMassOrADensity) {
  const auto rod = only<BodyStatement>("body b frame B mass m inertia rod(l, axis B.x + B.y) at O");
  EXPECT_EQ(rod.solid->text, "rod");
  EXPECT_EQ(rod.inertia.size(), 1U);
  EXPECT_EQ(format(*rod.solid_axis), "B.x + B.y");
  EXPECT_EQ(rod.density, nullptr);
  const auto disk = only<BodyStatement>("body b frame B density rho inertia cylinder(r, h) axis x at O");
  EXPECT_EQ(disk.mass, nullptr);
  EXPECT_EQ(format(*disk.density), "rho");
  EXPECT_EQ(format(*disk.solid_axis), "x");
  EXPECT_FALSE(only<BodyStatement>("body b frame B mass m inertia plane (J + K) at O").solid);
  EXPECT_EQ(diagnosed("body b frame B density rho inertia (1, 2, 3) at O\n"),
            "m.vin:1:36: error: expected a solid, found `(` [unexpected-token]\n"
            "  1 | body b frame B density rho inertia (1, 2, 3) at O\n"
            "    |                                    ^\n"
            "  hint: a density needs a volume: `inertia box(a, b, c)`, `cylinder(r, h)` or `sphere(r)`; a body whose "
            "moments of inertia are given has a `mass`\n");
  EXPECT_EQ(diagnosed("body b frame B mass m inertia sphere(r) at O about P\n"),
            "m.vin:1:46: error: expected `at` or the end of the statement, found `about` [unexpected-token]\n"
            "  1 | body b frame B mass m inertia sphere(r) at O about P\n"
            "    |                                              ^^^^^\n"
            "  hint: the inertia of a solid is about its mass centre, which `at` places: leave `about` out\n");
}

TEST(Force, MayActAtAPlaceOfABody) {
  const auto force = only<ForceStatement>("force on B = 2*N.x at O + x*N.x from A");
  EXPECT_EQ(format(*force.at), "O + x*N.x");
  EXPECT_EQ(force.from->text, "A");
  EXPECT_EQ(format(*only<ForceStatement>("force on B = 2*N.x from A at P").at), "P");
  EXPECT_EQ(only<ForceStatement>("force on B = at*N.x").at, nullptr);
  EXPECT_EQ(diagnosed("force on B = N.x at P at Q\n"),
            "m.vin:1:23: error: `at` is given twice [unexpected-token]\n"
            "  1 | force on B = N.x at P at Q\n"
            "    |                       ^^\n");
}

TEST(Damper, ActsBetweenTwoPoints) {
  const auto damper = only<DamperStatement>("damper x.P Q[2] damping 3 [N*s/m]");
  EXPECT_EQ(damper.first.text, "x.P");
  EXPECT_EQ(damper.second.indices.size(), 1U);
  EXPECT_EQ(format(*damper.damping), "3 [N*s/m]");
  EXPECT_EQ(diagnosed("damper between P and Q damping c\ndamper P Q c\ndamper P Q damping c stiffness k\n"),
            "m.vin:1:8: error: expected a point or a particle, found `between` [unexpected-token]\n"
            "  1 | damper between P and Q damping c\n"
            "    |        ^^^^^^^\n"
            "  hint: a damper acts between two points: `damper P Q damping c`\n"
            "\n"
            "m.vin:2:12: error: expected `damping`, found `c` [unexpected-token]\n"
            "  2 | damper P Q c\n"
            "    |            ^\n"
            "  hint: a damper acts between two points: `damper P Q damping c`\n"
            "\n"
            "m.vin:3:22: error: expected the end of the statement, found `stiffness` [unexpected-token]\n"
            "  3 | damper P Q damping c stiffness k\n"
            "    |                      ^^^^^^^^^\n"
            "  hint: a spring with a damper is one statement: `spring P Q stiffness k length l damping c`\n");
}

TEST(Function, IsALetWithArguments) {
  const auto function = only<LetStatement>("let f(x, y) = x^2 + y");
  ASSERT_EQ(function.parameters.size(), 2U);
  EXPECT_EQ(function.parameters[1].text, "y");
  EXPECT_TRUE(only<LetStatement>("let f = (x)").parameters.empty());
  EXPECT_EQ(diagnosed("let f() = 1\nlet f(x y) = 1\n"),
            "m.vin:1:6: error: a function has one argument or more [wrong-argument-count]\n"
            "  1 | let f() = 1\n"
            "    |      ^^\n"
            "  hint: without arguments it is a name for an expression: `let f = …`\n"
            "\n"
            "m.vin:2:9: error: expected an operator or `)`, found `y` [unexpected-token]\n"
            "  2 | let f(x y) = 1\n"
            "    |         ^\n"
            "    |      ^ `(` is open since here\n");
  EXPECT_EQ(diagnosed("let f(x [m]) = 1\n"),
            "m.vin:1:9: error: an argument of a function has no unit [unexpected-token]\n"
            "  1 | let f(x [m]) = 1\n"
            "    |         ^\n"
            "  hint: units are checked where the function is used: `let f(x) = …`\n");
}

TEST(Torque, MayHaveAnOpposite) {
  const auto torque = only<TorqueStatement>("torque on B[1] = 2*N.z from x.A");
  EXPECT_EQ(torque.body.indices.size(), 1U);
  EXPECT_EQ(torque.from->text, "x.A");
  EXPECT_FALSE(only<TorqueStatement>("torque on B = 2*N.z").from);
}

TEST(Joint, TakesItsOptionsInAnyOrderAndOnFurtherLines) {
  const auto joint = only<JointStatement>(
      "joint g: gear between P of A and x.Q of B[2] ratio 2*n\n"
      "    length 1 [m] axis2 N.x pitch p radius r\n"
      "    axis N.z surface torus(1, r) prescribed sin(t)\n"
      "    law ideal\n");
  EXPECT_EQ(joint.kind.text, "gear");
  EXPECT_EQ(joint.first_point.name.text + joint.first_body.text, "PA");
  EXPECT_EQ(joint.second_point.name.text + joint.second_body.text, "x.QB");
  EXPECT_EQ(format(*joint.axis) + format(*joint.axis2), "N.zN.x");
  EXPECT_EQ(format(*joint.ratio), "2*n");
  EXPECT_EQ(format(*joint.length), "1 [m]");
  EXPECT_EQ(format(*joint.pitch) + format(*joint.radius), "pr");
  EXPECT_EQ(format(*joint.prescribed), "sin(t)");
  EXPECT_EQ(joint.surface->kind.text, "torus");
  EXPECT_EQ(joint.surface->arguments.size(), 2U);
  EXPECT_EQ(joint.clauses.size(), 1U);
  EXPECT_EQ(only<JointStatement>("joint j: ball between P of A and Q of B").axis, nullptr);
}

TEST(Joint, LeavesItsWordsFreeAsNames) {
  for (const char* word : {"axis", "axis2", "ratio", "pitch", "length", "radius", "surface", "prescribed", "between",
                           "of", "scale", "inertia", "as", "quaternion", "directed"}) {
    EXPECT_FALSE(is_reserved(word)) << word;
    const std::string w = word;
    EXPECT_EQ(diagnosed("param " + w + " = 1 [m]\nlet b = " + w + "*2\nspring " + w + " " + w + " stiffness " + w +
                        " length " + w + "\nforce on " + w + " = " + w + "*N.x from " + w + "\n"),
              "");
  }
  const auto joint = only<JointStatement>("joint axis: axis between of of axis and and of of axis axis length ratio");
  EXPECT_EQ(joint.second_point.name.text, "and");
  EXPECT_EQ(format(*joint.axis), "axis");
  EXPECT_EQ(format(*joint.length), "ratio");
}

TEST(Joint, ShowsWhatItLacks) {
  EXPECT_EQ(diagnosed("joint j: revolute between P and Q of B\n"),
            "m.vin:1:29: error: expected `of`, found `and` [unexpected-token]\n"
            "  1 | joint j: revolute between P and Q of B\n"
            "    |                             ^^^\n"
            "  hint: a joint connects a point of one body to a point of another: `between P of A and Q of B`\n");
  EXPECT_EQ(diagnosed("joint j: gear between P of A and Q of B ratio 2 ratio 3\n"),
            "m.vin:1:49: error: `ratio` is given twice [unexpected-token]\n"
            "  1 | joint j: gear between P of A and Q of B ratio 2 ratio 3\n"
            "    |                                                 ^^^^^\n");
  EXPECT_EQ(
      diagnosed("joint j: revolute between P of A and Q of B axsi N.z\n"),
      "m.vin:1:45: error: expected `axis`, `axis2`, `ratio`, `pitch`, `length`, `radius`, `surface`, "
      "`surface2`, `prescribed`, `law`, `nonideal`, `friction`, `via`, `when`, `limits`, `restitution`, `compliance` "
      "or the end of the statement, found `axsi` "
      "[unexpected-token]\n"
      "  1 | joint j: revolute between P of A and Q of B axsi N.z\n"
      "    |                                             ^^^^\n"
      "  hint: did you mean `axis`?\n");
}

TEST(Joint, ContactHasASurfaceOfEachBody) {
  const auto joint = only<JointStatement>(
      "joint j: contact between P of A and Q of B axis2 B.x surface2 box(a, b, c)\n"
      "    axis N.z surface plane\n"
      "    friction mu = 0.3 static 0.4\n"
      "    compliance 2\n");
  EXPECT_EQ(joint.surface->kind.text, "plane");
  EXPECT_EQ(joint.surface2->kind.text, "box");
  EXPECT_EQ(joint.surface2->arguments.size(), 3U);
  EXPECT_EQ(format(*joint.axis) + format(*joint.axis2), "N.zB.x");
  ASSERT_EQ(joint.clauses.size(), 2U);
  EXPECT_EQ(std::get<FrictionClause>(joint.clauses[0].what).target.text, "");
  EXPECT_EQ(format(*std::get<FrictionClause>(joint.clauses[0].what).static_mu), "0.4");
  EXPECT_EQ(format(*std::get<ComplianceClause>(joint.clauses[1].what).value), "2");
}

TEST(Reveal, NamesAForceOrATorqueAlongDirections) {
  const auto force = only<RevealStatement>("reveal R:\n    force on P along N.x, N.y");
  EXPECT_FALSE(force.is_torque);
  EXPECT_EQ(force.along.size(), 2U);
  EXPECT_TRUE(only<RevealStatement>("reveal R[2]: torque on x.B along N.z").is_torque);
  EXPECT_EQ(diagnosed("reveal R: P along N.x\n"),
            "m.vin:1:11: error: expected `force` or `torque`, found `P` [unexpected-token]\n"
            "  1 | reveal R: P along N.x\n"
            "    |           ^\n"
            "  hint: the form is `reveal NAME: force|torque on P|B along VEC, ...`\n");
  EXPECT_EQ(diagnosed("reveal R: force on center(b) along N.x\n"),
            "m.vin:1:26: error: expected `along`, found `(` [unexpected-token]\n"
            "  1 | reveal R: force on center(b) along N.x\n"
            "    |                          ^\n"
            "  hint: a name is needed here; the name of a body means its mass centre\n");
}

TEST(Via, NamesActuatorsOnOneOrMoreLines) {
  const auto constraint = only<ConstraintStatement>(
      "constraint c: x = 0\n"
      "    via force on P along N.x from Q scale 2,\n"
      "        torque on B from A along N.z\n"
      "    via torque on C along N.y\n");
  ASSERT_EQ(constraint.clauses.size(), 2U);
  const auto& items = std::get<ViaClause>(constraint.clauses[0].what).items;
  ASSERT_EQ(items.size(), 2U);
  EXPECT_FALSE(items[0].is_torque);
  EXPECT_EQ(items[0].from->text, "Q");
  EXPECT_EQ(format(*items[0].scale), "2");
  EXPECT_TRUE(items[1].is_torque);
  EXPECT_EQ(items[1].from->text, "A");
  EXPECT_EQ(items[1].scale, nullptr);
}

TEST(Via, TakesOneDirectionEach) {
  EXPECT_EQ(diagnosed("constraint c: x = 0\n    via force on P along N.x, N.y\n"),
            "m.vin:2:31: error: expected `force` or `torque`, found `N` [unexpected-token]\n"
            "  2 |     via force on P along N.x, N.y\n"
            "    |                               ^\n"
            "  hint: an actuator acts along one direction: `via force on P along N.x, force on P along N.y`\n");
  EXPECT_EQ(
      diagnosed("constraint c: x = 0\n    via torque on B from A\n"),
      "m.vin:2:27: error: expected `along`, found the end of the statement [unexpected-token]\n"
      "  2 |     via torque on B from A\n"
      "    |                           ^\n"
      "  hint: the form is `via force on P along VEC [from Q] [scale EXPR], torque on B [from A] along VEC, ...`\n");
}

TEST(Law, IsOneAndMayBeDirected) {
  const auto constraint = only<ConstraintStatement>("constraint c: x = 0\n    law directed along N.x, cross(N.y, n)\n");
  EXPECT_EQ(std::get<LawClause>(constraint.clauses[0].what).arguments.at(0).values.size(), 2U);
  EXPECT_EQ(diagnosed("constraint c: x = 0\n    law ideal\n    law directed along N.x\n"),
            "m.vin:3:5: error: a constraint has one `law` [unexpected-token]\n"
            "  3 |     law directed along N.x\n"
            "    |     ^^^\n");
}

TEST(List, IsReadByRowsAndHasElements) {
  const auto let = only<LetStatement>("let a = [1, 2; 3, 4] [1, 2]*transpose([x])[1]");
  EXPECT_EQ(format(*let.value), "[1, 2; 3, 4][1, 2]*transpose([x])[1]");
  const auto param = only<ParamStatement>("param m[1..3] = [1, 2, 3] [kg], k = a[2]\n");
  EXPECT_TRUE(param.items[0].unit.has_value());
  EXPECT_EQ(std::get<List>(param.items[0].value->node).rows[0].size(), 3U);
  EXPECT_TRUE(std::holds_alternative<Index>(param.items[1].value->node));
}

}  // namespace
}  // namespace vinculum::lang
