#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "vinculum/model/builder.hpp"

namespace vinculum::model {

enum class JointKind : std::uint8_t {
  kRevolute,
  kPrismatic,
  kCylindrical,
  kUniversal,
  kSpherical,
  kPlanar,
  kFixed,
  kScrew,
  kGear,
  kDistance,
  kPointOnSurface,
  kBlade,
  kRolling,
  kPrescribedPosition,
  kPrescribedOrientation,
  kPrescribedVelocity,
};

enum class SurfaceKind : std::uint8_t { kPlane, kSphere, kDisk, kTorus, kEllipsoid };

/// A surface of a body about a point Q of it: a plane through Q across its axis, the others with their centre at Q. A
/// disk is its rim, a circle of radius R across the axis; a torus the surface of radius r about such a circle of radius
/// R; an ellipsoid has its semi-axes a, b, c along the x, y, z of the body's frame.
struct SurfaceInfo {
  SurfaceKind kind;
  std::string_view name;       ///< "torus"
  std::string_view signature;  ///< "torus(R, r)"
  int lengths;                 ///< how many, all > 0
  bool holds_points;           ///< may stand in `point_on_surface`
  bool rolls;                  ///< may stand in `rolling`
};
[[nodiscard]] std::span<const SurfaceInfo> surface_table();
[[nodiscard]] const SurfaceInfo& surface_info(SurfaceKind kind);
[[nodiscard]] const SurfaceInfo* find_surface(std::string_view name);

/// What a joint statement may say beside its two points and bodies; bits of `needs`, `one_of` and `takes`.
enum JointPart : std::uint16_t {
  kJointAxis = 1,
  kJointAxis2 = 2,
  kJointRatio = 4,
  kJointPitch = 8,
  kJointLength = 16,
  kJointRadius = 32,
  kJointSurface = 64,
  kJointPrescribed = 128,
};

/// What may stand beside bodies and the ground on the sides of a joint; bits of `sides`.
enum JointSides : std::uint8_t {
  kFirstParticle = 1,   ///< A may be a particle
  kSecondParticle = 2,  ///< B may be
  kBareFrames = 4,      ///< frames that no body is fixed in may be A and B
};

struct JointInfo {
  JointKind kind;
  std::string_view name;  ///< as in the language: "revolute", "point_on_surface"
  int rows;
  std::uint16_t needs;           ///< JointPart bits that must be stated
  std::uint16_t one_of;          ///< beside them at least one of these, where not 0
  std::uint16_t takes;           ///< that may be stated, `needs` and `one_of` included
  std::string_view signature;    ///< "revolute between P of A and Q of B axis VEC [axis2 VEC]"
  std::string_view meaning;      ///< what its rows say, in their order; a, e1, e2 as in `add_joint`
  std::string_view multipliers;  ///< what the multipliers measure, in the order of the rows
  std::uint8_t sides = 0;        ///< JointSides bits
};
/// The one table of joints; rows, checks, messages, docs and half of the tests follow from it.
[[nodiscard]] std::span<const JointInfo> joint_table();
[[nodiscard]] const JointInfo& joint_info(JointKind kind);
[[nodiscard]] const JointInfo* find_joint(std::string_view name);

/// SI dimension of a stated part, of one bit; axes have none and are of any length but zero.
[[nodiscard]] Dimension joint_part_dimension(JointKind kind, JointPart part);
/// Of each row.
[[nodiscard]] std::vector<Dimension> joint_row_dimensions(JointKind kind);

/// Two points and the frames they are fixed in (of bodies or of nothing; newtonian of the ground and of particles), and
/// what the table's row needs.
struct JointSpec {
  JointKind kind{};
  PointId first_point, second_point;  ///< P of A, Q of B
  FrameId first_body, second_body;
  Term axis;   ///< constant in A, of any length but zero; in B the vector of the same measure numbers,
  Term axis2;  ///< unless axis2 states it (constant in B)
  Term ratio, pitch, length,
      radius;             ///< ratio: teeth of B over teeth of A, negative where one gear is internal, never −1;
                          ///< pitch: advance a turn; radius: of A's sphere, negative where B rolls inside
  Term prescribed;        ///< vector; of an orientation: the angle times the unit vector of the rotation's axis
  SurfaceKind surface{};  ///< for kPointOnSurface fixed in B, for kRolling that of B on A's plane or sphere
  std::vector<Term> surface_lengths;
};

/// Adds the joint's rows as one constraint, and the points its forces act at where those are not P and Q (a contact:
/// points `NAME.P` on A and `NAME.Q` on B).
///
/// a is the unit vector of the axis in A and (a, e1, e2) a right-handed triad fixed in A, that of A's own vectors where
/// the axis is one of them: axis A.z has e1 = A.x, e2 = A.y. b is the unit vector of the axis in B. Rows are scaled so
/// that multipliers are measure numbers of the force on B (blade, point on a surface: on A) and of the torque on B.
/// \pre the parts that the table needs are valid, of their types, and the surface serves the joint.
/// Source: theory.md §5.7.   Law: tests/agreement/joints_test.cpp.
ConstraintId add_joint(ModelBuilder& builder, std::string name, const JointSpec& spec, SourceRange range = {},
                       std::string text = {});

}  // namespace vinculum::model
