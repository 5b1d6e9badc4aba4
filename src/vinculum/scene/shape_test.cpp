#include "vinculum/scene/shape.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <numbers>

namespace vinculum::report {
namespace {

std::string kind_of(const Node& shape) { return std::get<std::string>(shape.at("kind").value); }
double length_of(const Node& shape, std::string_view name) { return std::get<double>(shape.at(name).value); }
Eigen::Matrix3d moments(double x, double y, double z) { return Eigen::Vector3d(x, y, z).asDiagonal(); }

/// Returns the direction of the shape's z axis in the body frame.
Eigen::Vector3d axis_of(const Node& shape) {
  const Node& turn = shape.at("turn");
  const auto part = [&](std::size_t k) { return std::get<double>(turn.at(k).value); };
  return Eigen::Quaterniond(part(0), part(1), part(2), part(3)) * Eigen::Vector3d::UnitZ();
}

TEST(Shape, OfADiskARodABallAndABrick) {
  const double m = 2.0, r = 0.5, h = 1.5;
  const Node disk = shape_of(m, moments(m * r * r / 4, m * r * r / 2, m * r * r / 4));
  EXPECT_EQ(kind_of(disk), "cylinder");
  EXPECT_NEAR(length_of(disk, "radius"), r, 1e-15);
  EXPECT_NEAR(length_of(disk, "length"), 0.0, 1e-7);
  EXPECT_NEAR(std::abs(axis_of(disk).y()), 1.0, 1e-15);
  const Node rod = shape_of(m, moments(0.0, m * h * h / 12, m * h * h / 12));
  EXPECT_NEAR(length_of(rod, "length"), h, 1e-15);
  EXPECT_NEAR(std::abs(axis_of(rod).x()), 1.0, 1e-15);
  const Node ball = shape_of(m, moments(0.4 * m * r * r, 0.4 * m * r * r, 0.4 * m * r * r));
  EXPECT_EQ(kind_of(ball), "sphere");
  EXPECT_NEAR(length_of(ball, "radius"), r, 1e-15);
  const double a = 3.0, b = 2.0, c = 1.0;
  const Node egg = shape_of(m, moments(m * (b * b + c * c) / 5, m * (a * a + c * c) / 5, m * (a * a + b * b) / 5));
  EXPECT_EQ(kind_of(egg), "ellipsoid");
  EXPECT_NEAR(std::get<double>(egg.at("axes").at(0).value), a, 1e-14);
  EXPECT_NEAR(std::get<double>(egg.at("axes").at(2).value), c, 1e-14);
}

TEST(Shape, TurnsWithItsPrincipalAxes) {
  const Eigen::Matrix3d R = Eigen::AngleAxisd(0.7, Eigen::Vector3d(1, 2, 3).normalized()).toRotationMatrix();
  const Node disk = shape_of(1.0, R * moments(0.25, 0.25, 0.5) * R.transpose());
  EXPECT_EQ(kind_of(disk), "cylinder");
  EXPECT_NEAR(std::abs(axis_of(disk).dot(R.col(2))), 1.0, 1e-7);
  EXPECT_NEAR(length_of(disk, "radius"), 1.0, 1e-9);
}

TEST(Shape, WithoutMassOrInertiaOrOfNoBodyIsADot) {
  EXPECT_EQ(kind_of(shape_of(0.0, moments(1, 1, 1))), "dot");
  EXPECT_EQ(kind_of(shape_of(1.0, moments(0, 0, 0))), "dot");
  EXPECT_EQ(kind_of(shape_of(1.0, moments(0.0, 0.0, 1.0))), "dot");  // Iz > Ix + Iy
}

TEST(Quaternion, IsOfTheRotation) {
  for (const double angle : {0.0, 0.3, 3.0, std::numbers::pi}) {
    const Eigen::Vector3d axis = Eigen::Vector3d(0.2, -0.5, 0.9).normalized();
    const Eigen::Matrix3d R = Eigen::AngleAxisd(angle, axis).toRotationMatrix();
    const Eigen::Vector4d q = quaternion_of(R);
    EXPECT_GE(q[0], 0.0);
    EXPECT_LE((Eigen::Quaterniond(q[0], q[1], q[2], q[3]).toRotationMatrix() - R).norm(), 1e-14);
  }
}

TEST(StatedShape, HasItsSizesAndStandsAlongItsAxis) {
  using model::ShapeKind;
  const Eigen::Vector3d axis(0.0, 3.0, 4.0);
  for (const model::ShapeInfo& info : model::shape_table()) {
    const std::vector<double> sizes = {0.5, 2.0, 3.0};
    const Node shape = stated_shape(info.kind, std::span(sizes).first(info.sizes), axis);
    if (info.has_axis) {
      EXPECT_NEAR((axis_of(shape) - axis / 5.0).norm(), 0.0, 1e-15) << info.name;
    }
  }
  const std::vector<double> sizes = {0.5, 2.0};
  EXPECT_EQ(length_of(stated_shape(ShapeKind::kCylinder, sizes, axis), "radius"), 0.5);
  EXPECT_EQ(length_of(stated_shape(ShapeKind::kCylinder, sizes, axis), "length"), 2.0);
  EXPECT_EQ(length_of(stated_shape(ShapeKind::kRing, sizes, axis), "tube"), 2.0);
  const Node down = stated_shape(ShapeKind::kCone, sizes, -Eigen::Vector3d::UnitZ());
  EXPECT_NEAR(axis_of(down).z(), -1.0, 1e-15);
}

}  // namespace
}  // namespace vinculum::report
