#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "vinculum/mechanics/builder.hpp"

namespace vinculum::mechanics {

enum class JointKind : std::uint8_t {
  kRevolute, kPrismatic, kCylindrical, kUniversal, kSpherical, kPlanar, kFixed, kScrew, kGear, kDistance, kPointOnSurface, kBlade,
  kRolling, kPrescribedPosition, kPrescribedOrientation, kPrescribedVelocity,
};

enum class SurfaceKind : std::uint8_t { kPlane, kSphere, kDisk, kTorus, kEllipsoid };

struct SurfaceInfo {
  SurfaceKind kind;
  std::string_view name;         ///< "torus"
  std::string_view signature;    ///< "torus(R, r)"
  int lengths;                   ///< how many
};
[[nodiscard]] std::span<const SurfaceInfo> surface_table();

/// What a joint statement may say beside its two points and bodies; bits of `needs` and `takes`.
enum JointPart : std::uint16_t {
  kJointAxis = 1, kJointAxis2 = 2, kJointRatio = 4, kJointPitch = 8, kJointLength = 16, kJointRadius = 32, kJointSurface = 64,
  kJointPrescribed = 128,
};

struct JointInfo {
  JointKind kind;
  std::string_view name;         ///< as in the language: "revolute", "point_on_surface"
  int rows;
  std::uint16_t needs;           ///< JointPart bits that must be stated
  std::uint16_t takes;           ///< that may be stated, `needs` included
  std::string_view signature;    ///< "revolute between P of A and Q of B axis VEC"
  std::string_view meaning;      ///< one line: what its rows say, in their order
};
/// The one table of joints; rows, checks, messages, docs and half of the tests follow from it.
[[nodiscard]] std::span<const JointInfo> joint_table();
[[nodiscard]] const JointInfo* find_joint(std::string_view name);

/// Two points and the frames (of bodies, or newtonian) they are fixed in, and what the table's row needs.
struct JointSpec {
  JointKind kind{};
  PointId first_point, second_point;   ///< P of A, Q of B
  FrameId first_body, second_body;
  Term axis;                           ///< constant in A, of any length but zero; in B the vector of the same measure numbers,
  Term axis2;                          ///< unless axis2 states it (constant in B)
  Term ratio, pitch, length, radius;   ///< pitch: advance a turn
  Term prescribed;                     ///< vector
  SurfaceKind surface{};               ///< for kPointOnSurface fixed in B, for kRolling that of B on A's plane or sphere
  std::vector<Term> surface_lengths;
};

/// Adds the joint's rows as one constraint, and the points its forces act at where those are not P and Q (a contact: points
/// `NAME.P` on A and `NAME.Q` on B).   Source: theory.md §5.7.
ConstraintId add_joint(ModelBuilder& builder, std::string name, const JointSpec& spec, SourceRange range = {}, std::string text = {});

}  // namespace vinculum::mechanics
