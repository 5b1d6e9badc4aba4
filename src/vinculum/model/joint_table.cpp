#include <algorithm>
#include <array>

#include "vinculum/base/contract.hpp"
#include "vinculum/model/joint.hpp"

namespace vinculum::model {
namespace {

constexpr std::array<SurfaceInfo, 12> kSurfaces = {{
    {SurfaceKind::kPlane, "plane", "plane", 0, true, false, true},
    {SurfaceKind::kSphere, "sphere", "sphere(R)", 1, true, true, false},
    {SurfaceKind::kDisk, "disk", "disk(R)", 1, false, true, true},
    {SurfaceKind::kTorus, "torus", "torus(R, r)", 2, true, true, true},
    {SurfaceKind::kEllipsoid, "ellipsoid", "ellipsoid(a, b, c)", 3, true, true, false},
    {SurfaceKind::kHollowSphere, "hollow_sphere", "hollow_sphere(R)", 1, false, false, false},
    {SurfaceKind::kCapsule, "capsule", "capsule(R, L)", 2, false, false, true},
    {SurfaceKind::kCylinder, "cylinder", "cylinder(R, h)", 2, false, false, true},
    {SurfaceKind::kBox, "box", "box(a, b, c)", 3, false, false, false},
    {SurfaceKind::kPolygon, "polygon", "polygon(VEC, VEC, VEC, ...)", -1, false, false, false},
    {SurfaceKind::kPoint, "point", "point", 0, false, false, false},
    {SurfaceKind::kGround, "ground", "ground(HEIGHT)", 1, false, false, true},
}};

constexpr std::uint16_t kAxes = kJointAxis | kJointAxis2;

constexpr std::uint8_t kAnySide = kFirstParticle | kSecondParticle | kBareFrames;

constexpr std::array<JointInfo, 16> kJoints = {{
    {JointKind::kRevolute, "revolute", 5, kJointAxis, 0, kAxes,
     "revolute between P of A and Q of B axis VEC [axis2 VEC]",
     "Q stays at P, along a, e1, e2; b stays along a: no turn about e1, e2",
     "force on B along a, e1, e2; torque on B along e1, e2", kBareFrames},
    {JointKind::kPrismatic, "prismatic", 5, kJointAxis, 0, kJointAxis, "prismatic between P of A and Q of B axis VEC",
     "Q stays on the line through P along a: no shift along e1, e2; B keeps A's attitude: no turn about a, e1, e2",
     "force on B along e1, e2; torque on B along a, e1, e2", kBareFrames},
    {JointKind::kCylindrical, "cylindrical", 4, kJointAxis, 0, kAxes,
     "cylindrical between P of A and Q of B axis VEC [axis2 VEC]",
     "Q stays on the line through P along a: no shift along e1, e2; b stays along a: no turn about e1, e2",
     "force on B along e1, e2; torque on B along e1, e2", kBareFrames},
    {JointKind::kUniversal, "universal", 4, kAxes, 0, kAxes, "universal between P of A and Q of B axis VEC axis2 VEC",
     "Q stays at P, along A's x, y, z; the two arms of the cross, a in A and b in B, stay perpendicular",
     "force on B along A's x, y, z; torque on B along cross(b, a)", kBareFrames},
    {JointKind::kSpherical, "spherical", 3, 0, 0, 0, "spherical between P of A and Q of B",
     "Q stays at P, along A's x, y, z", "force on B along A's x, y, z", kAnySide},
    {JointKind::kPlanar, "planar", 3, kJointAxis, 0, kAxes, "planar between P of A and Q of B axis VEC [axis2 VEC]",
     "Q stays in the plane through P across a; b stays along a: no turn about e1, e2",
     "force on B along a; torque on B along e1, e2", kBareFrames},
    {JointKind::kFixed, "fixed", 6, 0, 0, 0, "fixed between P of A and Q of B",
     "Q stays at P, along A's x, y, z; B keeps A's attitude: no turn about A's x, y, z",
     "force on B along A's x, y, z; torque on B along A's x, y, z", kBareFrames},
    {JointKind::kScrew, "screw", 5, kJointAxis | kJointPitch, 0, kAxes | kJointPitch,
     "screw between P of A and Q of B axis VEC pitch EXPR [axis2 VEC]",
     "Q stays on the line through P along a: no shift along e1, e2; b stays along a: no turn about e1, e2; Q advances "
     "along a by "
     "`pitch` a turn of B in A (in velocities)",
     "force on B along e1, e2; torque on B along e1, e2; force on B along a, with the torque -pitch/(2 pi) of it",
     kBareFrames},
    {JointKind::kGear, "gear", 1, kJointAxis | kJointRatio, 0, kJointAxis | kJointRatio,
     "gear between P of A and Q of B axis VEC ratio EXPR",
     "at the pitch point, which divides PQ as the radii, the teeth of A and of B have one velocity along the tangent "
     "t = unit(cross(axis, pos(Q, P)))",
     "force on B's teeth along t, at the pitch point"},
    {JointKind::kDistance, "distance", 1, kJointLength, 0, kJointLength,
     "distance between P of A and Q of B length EXPR", "the distance of Q from P is `length`",
     "force on B along the line from P to Q: a strut's thrust", kAnySide},
    {JointKind::kPointOnSurface, "point_on_surface", 1, kJointSurface, 0, kJointSurface | kJointAxis2,
     "point_on_surface between P of A and Q of B surface SURFACE [axis2 VEC]",
     "P stays on the surface, fixed in B about Q; the normal of a plane and the axis of a torus are axis2, B's z "
     "without it",
     "force on A along the outward normal, at P", kFirstParticle},
    {JointKind::kBlade, "blade", 1, kJointAxis, 0, kJointAxis, "blade between P of A and Q of B axis VEC",
     "P, where A's blade touches B, has in B no velocity along a, across the blade", "force on A along a, at P"},
    {JointKind::kRolling, "rolling", 3, kJointSurface, kJointAxis | kJointRadius, kJointSurface | kAxes | kJointRadius,
     "rolling between P of A and Q of B surface SURFACE axis VEC|radius EXPR [axis VEC] [axis2 VEC]",
     "B's surface about Q touches A's plane through P across a, or A's sphere about P: the gap along the normal n is "
     "zero. No slip at the contact, along two tangents: e1, e2 of the plane; on a sphere e1, e2 turned with a (A's z "
     "unless stated) until a is n, which fails only at n = -a. The axis of a disk or torus is b, B's z if no axis is "
     "stated",
     "force on B along n; along the two tangents, all at the contact"},
    {JointKind::kPrescribedPosition, "prescribed_position", 3, kJointPrescribed, 0, kJointPrescribed,
     "prescribed_position between P of A and Q of B prescribed VEC",
     "pos(Q, P) is the vector prescribed, along A's x, y, z", "force on B along A's x, y, z", kAnySide},
    {JointKind::kPrescribedOrientation, "prescribed_orientation", 3, kJointPrescribed, 0, kJointPrescribed,
     "prescribed_orientation between P of A and Q of B prescribed VEC",
     "B is A turned about the vector prescribed by the angle that is its length: no other turn about B's x, y, z",
     "torque on B along B's x, y, z", kBareFrames},
    {JointKind::kPrescribedVelocity, "prescribed_velocity", 3, kJointPrescribed, 0, kJointPrescribed,
     "prescribed_velocity between P of A and Q of B prescribed VEC",
     "the velocity of Q seen in A is the vector prescribed, along A's x, y, z", "force on B along A's x, y, z, at Q",
     kSecondParticle},
}};

constexpr JointInfo kContactJoint = {
    JointKind::kContact,
    "contact",
    0,
    kJointSurface | kJointSurface2,
    0,
    kJointSurface | kJointSurface2 | kAxes,
    "contact between P of A and Q of B surface SURFACE [axis VEC] surface2 SURFACE [axis2 VEC]",
    "A's surface about P and B's surface about Q do not penetrate each other: the gap of each place at which they can "
    "touch is not negative",
    "force on B along the normal, which is directed from A to B, at the contact"};

const Dimension kLength = make_dimension(0, 1, 0);
const Dimension kSpeed = make_dimension(0, 1, -1);

}  // namespace

std::span<const SurfaceInfo> surface_table() { return kSurfaces; }
const SurfaceInfo& surface_info(SurfaceKind kind) { return *std::ranges::find(kSurfaces, kind, &SurfaceInfo::kind); }
const SurfaceInfo* find_surface(std::string_view name) {
  const auto found = std::ranges::find(kSurfaces, name, &SurfaceInfo::name);
  return found == kSurfaces.end() ? nullptr : &*found;
}

std::span<const JointInfo> joint_table() { return kJoints; }
const JointInfo& joint_info(JointKind kind) { return *std::ranges::find(kJoints, kind, &JointInfo::kind); }
const JointInfo* find_joint(std::string_view name) {
  const auto found = std::ranges::find(kJoints, name, &JointInfo::name);
  return found == kJoints.end() ? nullptr : &*found;
}

const JointInfo& contact_joint() { return kContactJoint; }

Dimension joint_part_dimension(JointKind kind, JointPart part) {
  switch (part) {
    case kJointPitch:
    case kJointLength:
    case kJointRadius:
    case kJointSurface:
    case kJointSurface2: return kLength;
    case kJointPrescribed:
      return kind == JointKind::kPrescribedPosition   ? kLength
             : kind == JointKind::kPrescribedVelocity ? kSpeed
                                                      : Dimension{};
    default: return {};
  }
}

std::optional<Dimension> joint_position_dimension(JointKind kind) {
  if (kind == JointKind::kRevolute) return Dimension{};
  return kind == JointKind::kPrismatic || kind == JointKind::kScrew ? std::optional(kLength) : std::nullopt;
}

std::vector<Dimension> joint_row_dimensions(JointKind kind) {
  const Dimension l = kLength, v = kSpeed, one = {};
  switch (kind) {
    case JointKind::kRevolute: return {l, l, l, one, one};
    case JointKind::kPrismatic: return {l, l, one, one, one};
    case JointKind::kCylindrical: return {l, l, one, one};
    case JointKind::kUniversal: return {l, l, l, one};
    case JointKind::kSpherical: return {l, l, l};
    case JointKind::kPlanar: return {l, one, one};
    case JointKind::kFixed: return {l, l, l, one, one, one};
    case JointKind::kScrew: return {l, l, one, one, v};
    case JointKind::kGear: return {v};
    case JointKind::kDistance: return {l};
    case JointKind::kPointOnSurface: return {l};
    case JointKind::kBlade: return {v};
    case JointKind::kRolling: return {l, v, v};
    case JointKind::kPrescribedPosition: return {l, l, l};
    case JointKind::kPrescribedOrientation: return {one, one, one};
    case JointKind::kPrescribedVelocity: return {v, v, v};
    case JointKind::kContact: break;
  }
  VINCULUM_EXPECTS(false);
  return {};
}

}  // namespace vinculum::model
