#include "vinculum/imports/model_text.hpp"

#include <gtest/gtest.h>

#include "vinculum/diag/render.hpp"
#include "vinculum/imports/import.hpp"
#include "vinculum/lang/format.hpp"
#include "vinculum/lang/parser.hpp"

namespace vinculum::imports {
namespace {

TextOptions of_file(const std::string& file) {
  TextOptions options;
  options.file = file;
  return options;
}

TextOptions floating_base() {
  TextOptions options = of_file("r.urdf");
  options.base = Base::kFloating;
  return options;
}

Import model_from(const std::string& elements, const TextOptions& options = of_file("r.urdf")) {
  const diag::SourceText source("r.urdf", "<robot name=\"r\">" + elements + "</robot>");
  diag::Diagnostics said;
  auto result = import_robot(source, options, said);
  EXPECT_TRUE(result) << diag::render_text(source, said.all());
  return result ? *std::move(result) : Import{};
}

bool has(const Import& import, const std::string& line) { return import.model.text.find(line) != std::string::npos; }

const std::string kMass =
    "<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' iyz='0' ixz='0'/></inertial>";
const std::string kTwo = "<link name='a'>" + kMass + "</link><link name='b'>" + kMass + "</link>";

std::string joint_with(const std::string& more, const std::string& type = "revolute", const std::string& name = "j") {
  return "<joint name='" + name + "' type='" + type + "'><parent link='a'/><child link='b'/>" + more + "</joint>";
}

TEST(ModelText, IsAFixedPointOfTheLayout) {
  const Import import = model_from(kTwo + joint_with("<origin xyz='0.1 0 -0.2' rpy='1 2 3'/><dynamics damping='1'/>"));
  const diag::SourceText source("r.vin", import.model.text);
  diag::Diagnostics said;
  EXPECT_EQ(lang::format(lang::parse(source, {}, said)), import.model.text);
  EXPECT_TRUE(said.all().empty());
}

TEST(ModelText, LeavesPosesOfZeroShort) {
  const Import import = model_from(kTwo + joint_with("<axis xyz='0 0 1'/>"));
  EXPECT_TRUE(has(import,
                  "frame b_frame = a_frame rotated j about z\npoint b_origin = a_origin\nbody b frame b_frame "
                  "mass 1 [kg] inertia (1, 1, 1) [kg*m^2] at b_origin\n"))
      << import.model.text;
}

TEST(ModelText, WritesAnOppositeAxisAsASign) {
  EXPECT_TRUE(
      has(model_from(kTwo + joint_with("<axis xyz='0 -2 0'/>")), "frame b_frame = a_frame rotated -j about y\n"));
  EXPECT_TRUE(has(model_from(kTwo + joint_with("<axis xyz='-1 0 0'/>", "prismatic")),
                  "point b_origin = a_origin - j*b_frame.x\n"));
}

TEST(ModelText, WritesRightAnglesByPi) {
  const Import import = model_from(kTwo + joint_with("<origin rpy='1.5707963267948966 0 -3.141592653589793'/>"));
  EXPECT_TRUE(has(import, "frame j_frame = a_frame space123(pi/2, 0, -pi)\n")) << import.model.text;
}

TEST(ModelText, StatesDampingByATorqueBetweenLinks) {
  EXPECT_TRUE(has(model_from(kTwo + joint_with("<axis xyz='0 0 1'/><dynamics damping='2'/>")),
                  "torque on b = -2 [N*m*s] * j'*b_frame.z from a\n"));
  const Import slide = model_from(kTwo + joint_with("<axis xyz='0 0 -1'/><dynamics damping='2'/>", "prismatic"));
  EXPECT_TRUE(has(slide, "force on b_origin = 2 [N*s/m] * j'*b_frame.z from j_origin\n")) << slide.model.text;
  // A link without mass has no body on which a torque could act.
  const std::string massless = "<link name='a'>" + kMass + "</link><link name='b'/><link name='c'>" + kMass +
                               "</link>" + "<joint name='m' type='fixed'><parent link='b'/><child link='c'/></joint>";
  EXPECT_TRUE(
      has(model_from(massless + joint_with("<dynamics damping='2'/>")), "generalized force on j = -2 [N*m*s] * j'\n"));
}

TEST(ModelText, StatesFrictionOnTheCoordinate) {
  EXPECT_TRUE(has(model_from(kTwo + joint_with("<dynamics damping='2' friction='3'/>")),
                  "friction on j = 3 [N*m] viscous 2 [N*m*s]\n"));
  EXPECT_TRUE(has(model_from(kTwo + joint_with("<dynamics friction='3'/>", "prismatic")), "friction on j = 3 [N]\n"));
}

TEST(ModelText, HasLimitsAsAsked) {
  const std::string text = kTwo + joint_with("<limit lower='1' upper='2' effort='3' velocity='4'/>");
  TextOptions options = of_file("r.urdf");
  EXPECT_TRUE(has(model_from(text, options), "\n# limits of j = 1 .. 2 [rad]\n"));
  options.limits = Limits::kContact;
  EXPECT_TRUE(has(model_from(text, options), "\nlimits of j = 1 .. 2 [rad]\nstart j = 1.5 [rad]\n"));
  options.limits = Limits::kSpring;
  EXPECT_TRUE(has(model_from(text, options),
                  "generalized force on j = limit_stiffness*(max(1 [rad] - j, 0) - max(j - 2 [rad], 0))\n"))
      << model_from(text, options).model.text;
  options.limits = Limits::kContact;
  EXPECT_TRUE(
      has(model_from(kTwo + joint_with("<limit lower='1' upper='1'/>"), options), "constraint j_stop: j = 1 [rad]\n"));
}

TEST(ModelText, GivesTheNameToTheJointIfALinkHasItToo) {
  const Import import = model_from(kTwo + joint_with("", "revolute", "b"));
  EXPECT_TRUE(has(import, "coord b [rad]")) << import.model.text;
  EXPECT_TRUE(has(import, "body b_link frame b_link_frame"));
  EXPECT_EQ(import.model.changes, std::vector<std::string>{"link `b` is called `b_link`"});
}

TEST(ModelText, HoldsAJointThatMovesNoMass) {
  const Import import = model_from(kTwo + joint_with("") +
                                   "<link name='c'/><joint name='k' type='prismatic'><parent link='b'/>"
                                   "<child link='c'/></joint>");
  EXPECT_TRUE(has(import, "param k = 0 [m]"));
  EXPECT_EQ(import.model.degrees_of_freedom, 1);
  EXPECT_EQ(import.model.changes, std::vector<std::string>{"joint `k` moves no mass, and is held at 0"});
}

TEST(ModelText, DrawsShapesInTheNearestColor) {
  const Import import =
      model_from("<link name='a'/><link name='b'>" + kMass +
                 "<visual><origin xyz='0 0 1' rpy='0 1 0'/><geometry><capsule radius='1' length='2'/></geometry>"
                 "<material name=''><color rgba='0.9 0.1 0.2 1'/></material></visual></link>" +
                 joint_with(""));
  EXPECT_TRUE(has(import,
                  "point b_shape = b_origin + 1 [m] * b_frame.z\nframe b_shape_frame = b_frame rotated 1 about y\n"
                  "point b_shape_link = b_shape - 1 [m] * b_shape_frame.z\n"
                  "point b_shape_link_2 = b_shape + 1 [m] * b_shape_frame.z\n"))
      << import.model.text;
  EXPECT_TRUE(has(import,
                  "    shape b_shape_frame = cylinder(1 [m], 2 [m]) at b_shape color red\n"
                  "    shape b_shape_frame = sphere(1 [m]) at b_shape_link color red\n"));
}

TEST(ModelText, StatesAFloatingBaseByAQuaternion) {
  const Import import = model_from(kTwo + joint_with(""), floating_base());
  EXPECT_TRUE(has(import,
                  "coord a_x, a_y, a_z [m], a_e0, a_e1, a_e2, a_e3 [1]\n"
                  "frame a_frame = N quaternion(a_e0, a_e1, a_e2, a_e3)\n"));
  EXPECT_EQ(import.model.degrees_of_freedom, 7);
}

TEST(ModelText, TakesNamesOutOfStrings) {
  const diag::SourceText source("r.urdf", "<robot name='a \"b&#10;c'>" + kTwo + joint_with("") + "</robot>");
  diag::Diagnostics said;
  const auto import = import_robot(source, of_file("x\"\n.urdf"), said);
  ASSERT_TRUE(import);
  EXPECT_TRUE(import->model.text.starts_with("model a__b_c  \"Robot a 'b c of x' .urdf\"\n")) << import->model.text;
}

}  // namespace
}  // namespace vinculum::imports
