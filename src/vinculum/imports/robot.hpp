#pragma once

#include <Eigen/Dense>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "vinculum/diag/source.hpp"

/// Robots in the formats of other programs: a reader fills a `Robot`, and `model_text` writes it as a model.
namespace vinculum::imports {

using Vector3 = Eigen::Vector3d;
using Matrix3 = Eigen::Matrix3d;
using diag::SourceRange;

/// Place and orientation of a frame in another one: rotation by roll about x, pitch about y and yaw about z of the
/// other frame, in this order.
struct Pose {
  Vector3 xyz = Vector3::Zero();  ///< [m]
  Vector3 rpy = Vector3::Zero();  ///< [rad]
};

/// The masses of a link.
struct Inertial {
  double mass = 0.0;                   ///< [kg] ≥ 0
  Pose pose;                           ///< frame at the mass centre, in which the moments are stated
  std::array<double, 6> moments = {};  ///< [kg m²] xx, yy, zz, xy, yz, zx
  SourceRange range;                   ///< of the moments
};

enum class ShapeKind { kBox, kSphere, kCylinder, kCapsule };
struct Shape {
  ShapeKind kind{};
  Pose pose;
  std::vector<double> sizes;  ///< [m] box: edges; sphere: radius; cylinder and capsule: radius, length along z
  std::optional<std::array<double, 3>> color;  ///< red, green, blue in 0..1
};

struct Link {
  std::string name;
  SourceRange range;  ///< of the name
  Inertial inertial;
  std::vector<Shape> shapes;
  std::vector<std::string> meshes;  ///< files that are named, and never opened

  /// Whether it has neither mass nor moments of inertia.
  [[nodiscard]] bool is_massless() const {
    return inertial.mass == 0.0 && inertial.moments == decltype(inertial.moments){};
  }
};

enum class JointKind { kFixed, kRevolute, kContinuous, kPrismatic, kPlanar, kFloating };

/// The coordinate of a joint as a function of the coordinate of another one: multiplier·q + offset.
struct Mimic {
  std::string joint;
  SourceRange range;  ///< of the other joint's name
  double multiplier = 1.0, offset = 0.0;
};

struct Joint {
  std::string name;
  SourceRange range;  ///< of the name
  JointKind kind{};
  std::string parent, child;
  SourceRange parent_range, child_range;
  Pose pose;                               ///< of the joint's frame in the frame of the parent
  Vector3 axis = Vector3::UnitX();         ///< unit vector in the joint's frame
  std::optional<double> lower, upper;      ///< [rad] or [m]
  std::optional<double> effort, velocity;  ///< largest ones of its motor
  double damping = 0.0, friction = 0.0;    ///< [N m s], [N m] or [N s/m], [N]; ≥ 0
  double stiffness = 0.0, rest = 0.0;      ///< of a spring: [N m/rad], [rad] or [N/m], [m]; stiffness ≥ 0
  std::optional<Mimic> mimic;

  /// Whether the joint has one coordinate, which is an angle.
  [[nodiscard]] bool turns() const { return kind == JointKind::kRevolute || kind == JointKind::kContinuous; }
  /// Whether the joint has one coordinate.
  [[nodiscard]] bool has_coordinate() const { return turns() || kind == JointKind::kPrismatic; }
};

/// Something of the file that the model does not contain, or contains in another form.
struct Remark {
  int count = 0;
  std::string meaning;
};
using Remarks = std::map<std::string, Remark>;

struct Robot {
  std::string name;
  std::vector<Link> links;
  std::vector<Joint> joints;
  Remarks left_out;       ///< by the names of elements
  SourceRange on_ground;  ///< where a joint is fixed to the world, if one is; else empty
};

/// The matrix of a rotation by roll, pitch and yaw: columns are the unit vectors of the turned frame.
[[nodiscard]] Matrix3 rotation_of(const Vector3& rpy);

}  // namespace vinculum::imports
