#include "vinculum/imports/urdf.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "vinculum/diag/render.hpp"
#include "vinculum/imports/tree.hpp"

namespace vinculum::imports {
namespace {

Robot read(const std::string& elements) {
  const diag::SourceText source("r.urdf", "<robot name=\"r\">" + elements + "</robot>");
  diag::Diagnostics said;
  auto robot = read_urdf(source, said);
  EXPECT_TRUE(robot) << diag::render_text(source, said.all());
  return robot ? *std::move(robot) : Robot{};
}

constexpr const char* kTwoLinks = "<link name='a'/><link name='b'/>";

std::string joint_of_type(const std::string& name, const std::string& type, const std::string& more = "",
                          const std::string& ends = "<parent link='a'/><child link='b'/>") {
  return "<joint name='" + name + "' type='" + type + "'>" + ends + more + "</joint>";
}

TEST(Urdf, HasTheDefaultsOfTheFormat) {
  const Robot robot = read(kTwoLinks + joint_of_type("j", "revolute"));
  ASSERT_EQ(robot.links.size(), 2U);
  EXPECT_TRUE(robot.links[0].is_massless());
  const Joint& one = robot.joints.at(0);
  EXPECT_EQ(one.axis, Vector3::UnitX());
  EXPECT_EQ(one.pose.xyz, Vector3::Zero());
  EXPECT_FALSE(one.lower || one.upper || one.effort || one.mimic);
}

TEST(Urdf, ReadsAJointWithAllItsParts) {
  const Robot robot =
      read(kTwoLinks + joint_of_type("k", "continuous") +
           joint_of_type("j", "prismatic",
                         "<origin xyz='1 -2 3e-1' rpy='.1 +0.2 -0.3'/><axis xyz='0 3 4'/>"
                         "<limit lower='-1' upper='2' effort='5' velocity='6'/>"
                         "<dynamics damping='7' friction='8'/><mimic joint='k' multiplier='-2' offset='0.5'/>"
                         "<calibration rising='0'/><safety_controller/>"));
  const Joint& one = robot.joints.at(1);
  EXPECT_EQ(one.kind, JointKind::kPrismatic);
  EXPECT_EQ(one.pose.xyz, Vector3(1.0, -2.0, 0.3));
  EXPECT_EQ(one.pose.rpy, Vector3(0.1, 0.2, -0.3));
  EXPECT_EQ(one.axis, Vector3(0.0, 0.6, 0.8));
  EXPECT_EQ(one.lower, -1.0);
  EXPECT_EQ(one.upper, 2.0);
  EXPECT_EQ(one.effort, 5.0);
  EXPECT_EQ(one.velocity, 6.0);
  EXPECT_EQ(one.damping, 7.0);
  EXPECT_EQ(one.friction, 8.0);
  ASSERT_TRUE(one.mimic);
  EXPECT_EQ(one.mimic->joint, "k");
  EXPECT_EQ(one.mimic->multiplier, -2.0);
  EXPECT_EQ(one.mimic->offset, 0.5);
  EXPECT_EQ(robot.left_out.at("calibration").count, 1);
  EXPECT_EQ(robot.left_out.at("safety_controller").count, 1);
}

TEST(Urdf, ReadsMassesAndShapesOfALink) {
  const Robot robot = read(
      "<material name='blue'><color rgba='0 0 1 1'/></material>"
      "<link name='a'><inertial><origin xyz='1 2 3' rpy='0 0 1'/><mass value='4'/>"
      "<inertia ixx='1' iyy='2' izz='3' ixy='4' iyz='5' ixz='6'/></inertial>"
      "<visual><geometry><capsule radius='1' length='2'/></geometry><material name='blue'/></visual>"
      "<visual><geometry><mesh filename='m.stl'/></geometry></visual><collision/><collision/></link>");
  const Link& link = robot.links.at(0);
  EXPECT_EQ(link.inertial.mass, 4.0);
  EXPECT_EQ(link.inertial.pose.xyz, Vector3(1.0, 2.0, 3.0));
  EXPECT_EQ(link.inertial.moments, (std::array<double, 6>{1.0, 2.0, 3.0, 4.0, 5.0, 6.0}));
  ASSERT_EQ(link.shapes.size(), 1U);
  EXPECT_EQ(link.shapes[0].kind, ShapeKind::kCapsule);
  EXPECT_EQ(link.shapes[0].sizes, (std::vector{1.0, 2.0}));
  ASSERT_TRUE(link.shapes[0].color);
  EXPECT_EQ((*link.shapes[0].color)[2], 1.0);
  EXPECT_EQ(link.meshes, std::vector<std::string>{"m.stl"});
  EXPECT_EQ(robot.left_out.at("collision").count, 2);
}

TEST(Urdf, CountsElementsThatItDoesNotKnowByName) {
  const Robot robot = read(std::string(kTwoLinks) + joint_of_type("j", "fixed") + "<gazebo/><gazebo/><my_tool/>");
  EXPECT_EQ(robot.left_out.at("gazebo").count, 2);
  EXPECT_EQ(robot.left_out.at("my_tool").meaning, "elements that URDF does not define");
}

TEST(Urdf, OpensNoEntities) {
  const diag::SourceText source(
      "r.urdf",
      "<!DOCTYPE robot [<!ENTITY e SYSTEM 'file:///etc/hostname'>]><robot name='&e;'><link name='a'/></robot>");
  diag::Diagnostics said;
  const auto robot = read_urdf(source, said);
  ASSERT_TRUE(robot);
  EXPECT_EQ(robot->name, "&e;");
}

TEST(Urdf, ReadsATextWithAByteOrderMarkAndPlacesErrorsAfterIt) {
  const diag::SourceText source("r.urdf", "\xEF\xBB\xBF<robot name='r'>\n<link name='a'/><link name='a'/></robot>");
  diag::Diagnostics said;
  EXPECT_FALSE(read_urdf(source, said));
  ASSERT_EQ(said.all().size(), 1U);
  EXPECT_EQ(source.slice(said.all()[0].range), "a");
  EXPECT_EQ(source.position(said.all()[0].range.begin).column, 29);
}

TEST(Tree, OrdersLinksByDepthAndMimicsAfterTheirSources) {
  const auto between = [](const char* parent, const char* child) {
    return "<parent link='" + std::string(parent) + "'/><child link='" + child + "'/>";
  };
  const Robot robot = read("<link name='c'/><link name='b'/><link name='a'/><link name='d'/>" +
                           joint_of_type("one", "revolute", "<mimic joint='two'/>", between("a", "b")) +
                           joint_of_type("two", "revolute", "<mimic joint='three'/>", between("b", "c")) +
                           joint_of_type("three", "revolute", "", between("a", "d")));
  diag::Diagnostics said;
  const auto tree = tree_of(robot, said);
  ASSERT_TRUE(tree);
  EXPECT_EQ(tree->links, (std::vector<int>{2, 1, 0, 3}));
  EXPECT_EQ(tree->joints, (std::vector<int>{2, 1, 0}));
  EXPECT_EQ(tree->joint_of, (std::vector<int>{1, 0, -1, 2}));
  EXPECT_EQ(tree->moves_mass, std::vector<bool>(3, false));
}

TEST(Tree, TakesALongChain) {
  Robot robot;
  constexpr int kLinks = 20000;
  for (int i = 0; i < kLinks; ++i) {
    robot.links.emplace_back().name = std::to_string(i);
    if (i == 0) continue;
    Joint joint;
    joint.name = joint.child = std::to_string(i);
    joint.parent = std::to_string(i - 1);
    robot.joints.push_back(joint);
  }
  diag::Diagnostics said;
  const auto tree = tree_of(robot, said);
  ASSERT_TRUE(tree);
  EXPECT_EQ(tree->links.back(), kLinks - 1);
}

}  // namespace
}  // namespace vinculum::imports
