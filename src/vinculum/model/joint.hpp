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
  kContact,  ///< unilateral; it is not in `joint_table`
};

enum class SurfaceKind : std::uint8_t {
  kPlane,
  kSphere,
  kDisk,
  kTorus,
  kEllipsoid,
  kHollowSphere,
  kCapsule,
  kCylinder,
  kBox,
  kPolygon,
  kPoint,
  kGround,
};

/// A surface fixed in a body and placed relative to its point Q.
/// * A plane contains Q and is normal to the axis. The other surfaces have their center at Q.
/// * A disk is only its rim: a circle of radius R normal to the axis.
/// * A torus is the set of points at distance r from such a circle.
/// * An ellipsoid has the semi-axes a, b, c along x, y, z of the body frame.
/// * A hollow sphere is touched from inside.
/// * A capsule is the set of points at distance R from a segment of length L along the axis, of which Q is the middle.
/// * A cylinder has the radius R and the height h along the axis.
/// * A box has the edges a, b, c along x, y, z of the body frame.
/// * A polygon is convex; its corners are given as vectors from Q, fixed in the body, in their order around it.
/// * A point is Q itself.
/// * A ground has a given height along the axis, as an expression of the place (ground.hpp).
struct SurfaceInfo {
  SurfaceKind kind;
  std::string_view name;       ///< word of the language, "torus"
  std::string_view signature;  ///< the surface with its lengths, "torus(R, r)"
  int lengths;        ///< number of lengths in the signature; all are > 0, except a height. −1: any number of vectors
  bool holds_points;  ///< whether `point_on_surface` allows this surface
  bool rolls;         ///< whether `rolling` allows this surface
  bool has_axis;      ///< whether a `contact` takes an axis for this surface
};
[[nodiscard]] std::span<const SurfaceInfo> surface_table();
[[nodiscard]] const SurfaceInfo& surface_info(SurfaceKind kind);
[[nodiscard]] const SurfaceInfo* find_surface(std::string_view name);

/// Arguments of a joint statement in addition to its two points and bodies; bits of `needs`, `one_of` and `takes`.
enum JointPart : std::uint16_t {
  kJointAxis = 1,
  kJointAxis2 = 2,
  kJointRatio = 4,
  kJointPitch = 8,
  kJointLength = 16,
  kJointRadius = 32,
  kJointSurface = 64,
  kJointPrescribed = 128,
  kJointSurface2 = 256,
};

/// Things that a joint may connect in addition to bodies and the ground; bits of `JointInfo::sides`.
enum JointSides : std::uint8_t {
  kFirstParticle = 1,   ///< A may be a particle
  kSecondParticle = 2,  ///< B may be a particle
  kBareFrames = 4,      ///< A and B may be frames without a body
};

struct JointInfo {
  JointKind kind;
  std::string_view name;  ///< word of the language: "revolute", "point_on_surface"
  int rows;
  std::uint16_t needs;           ///< JointPart bits of the required arguments
  std::uint16_t one_of;          ///< JointPart bits of arguments of which at least one is also required; 0: none
  std::uint16_t takes;           ///< JointPart bits of all allowed arguments, including `needs` and `one_of`
  std::string_view signature;    ///< the statement: "revolute between P of A and Q of B axis VEC [axis2 VEC]"
  std::string_view meaning;      ///< meaning of the rows, in order; for a, e1, e2 see `add_joint`
  std::string_view multipliers;  ///< the physical quantities that the multipliers measure, in the order of the rows
  std::uint8_t sides = 0;        ///< what the joint may connect: JointSides bits
};
/// The table of joints; rows, checks, messages, docs and half of the tests are derived from it.
[[nodiscard]] std::span<const JointInfo> joint_table();
[[nodiscard]] const JointInfo& joint_info(JointKind kind);
[[nodiscard]] const JointInfo* find_joint(std::string_view name);
/// The joint `contact`: unilateral, with one row per place at which the surfaces can touch.
[[nodiscard]] const JointInfo& contact_joint();

/// SI dimension of one argument (a single bit). Axes have no dimension; they may have any nonzero length.
[[nodiscard]] Dimension joint_part_dimension(JointKind kind, JointPart part);
/// SI dimension of each row of this kind of joint.
[[nodiscard]] std::vector<Dimension> joint_row_dimensions(JointKind kind);

/// Arguments of `add_joint`: two points, the frames that they are fixed in, and the arguments that `joint_table`
/// requires. Each frame may be that of a body or a frame without a body. For a point of the ground and for a particle,
/// it is the newtonian frame.
struct JointSpec {
  JointKind kind{};
  PointId first_point, second_point;  ///< the points P of A and Q of B
  FrameId first_body, second_body;
  /// A's axis: constant in A, nonzero. Without `axis2`, B's axis is the vector of B with the same measure numbers
  Term axis;
  Term axis2;  ///< B's axis if it is stated: constant in B, nonzero; invalid: B's axis follows from `axis`
  Term ratio, pitch, length,
      /// ratio: number of teeth of B divided by that of A, negative if one gear is internal, never −1. pitch: advance
      /// per turn. radius: of A's sphere, negative if B rolls on its inside
      radius;
  Term prescribed;  ///< vector; for an orientation: the angle times the unit vector of the rotation axis
  /// The surface: fixed in B for kPointOnSurface; for kRolling the surface of B that rolls on A's plane or sphere; for
  /// kContact the surface of A
  SurfaceKind surface{};
  std::vector<Term> surface_lengths;  ///< of a polygon its corners, of a ground its height (ground.hpp)
  SurfaceKind surface2{};             ///< for kContact the surface of B
  std::vector<Term> surface2_lengths;
};

/// Adds the rows of a joint as one constraint. If its forces act at points other than P and Q, these points are added
/// too (for a contact: `NAME.P` on A and `NAME.Q` on B).
///
/// a is the unit vector of the axis in A, and (a, e1, e2) is a right-handed triad fixed in A. If the axis is a basis
/// vector of A, the triad consists of A's basis vectors: axis A.z has e1 = A.x, e2 = A.y. b is the unit vector of the
/// axis in B. Rows are scaled so that the multipliers are measure numbers of the torque on B and the force on B. For a
/// blade and for a point on a surface, they are measure numbers of the force on A.
/// \pre all required arguments are valid and of the right type, and the surface is allowed for the joint.
/// Source: theory.md §5.7.   Test: tests/agreement/joints_test.cpp.
ConstraintId add_joint(ModelBuilder& builder, std::string name, const JointSpec& spec, SourceRange range = {},
                       std::string text = {});

/// A place at which the two surfaces of a joint `contact` can touch.
struct ContactPlace {
  std::string name;            ///< of the constraint
  Term gap;                    ///< distance of the surfaces
  Term rate;                   ///< derivative of the gap, as in `Constraint::row_rates`
  PointId P, Q;                ///< material points of A and of B at the contact, `name.P` and `name.Q`
  Term slip;                   ///< velocity of Q relative to P, in the newtonian frame
  std::vector<FrameId> sides;  ///< as in `Constraint::sides`
};
/// Adds the contact points of a joint `contact` to the model.
/// \pre the surfaces may touch (`may_touch`), and their lengths are valid
/// \param names  of the constraints, one for each place (`contact_count`)
[[nodiscard]] std::vector<ContactPlace> add_contact_places(ModelBuilder& builder, const std::vector<std::string>& names,
                                                           const JointSpec& spec);

/// Position of B relative to A in a joint with one degree of freedom: the advance of Q from P along a, or the angle by
/// which B is turned about a. The angle is 0 where the vectors e1 of the two axes are parallel; if B's axis follows
/// from A's axis, these are the parallel attitudes of A and B. The values are exact where the joint is satisfied.
struct JointPosition {
  /// The advance; or the angle as a sum of the angles of frames, if these turn about the axis only. Invalid for other
  /// angles, which are known up to whole turns.
  Term value;
  Term rate;          ///< the angular velocity along a; invalid for an advance
  Term sine, cosine;  ///< of the angle; invalid if `value` is valid
};
/// Dimension of the position of the joint; nothing if the joint does not have one degree of freedom.
[[nodiscard]] std::optional<Dimension> joint_position_dimension(JointKind kind);
/// \pre the joint has one degree of freedom, and its required arguments are valid
[[nodiscard]] JointPosition joint_position(ModelBuilder& builder, const JointSpec& spec);

}  // namespace vinculum::model
