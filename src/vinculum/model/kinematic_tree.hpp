#pragma once

#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "vinculum/model/model.hpp"

namespace vinculum::model {

/// The variables that a quantity of position level depends on.
struct Dependence {
  bool on_coordinates = false;
  bool on_time = false;
  [[nodiscard]] bool is_none() const { return !on_coordinates && !on_time; }
};

/// The definitions of frames relative to their parents and of points relative to their bases.
///
/// A point fixed in a frame is the origin of that frame. All these origins coincide with the newtonian origin.
///
/// Frames connected by constant rotations form one *rigid frame*: their vectors belong to one solid, a body or the
/// ground. The solid of a frame is the first of these that exists:
/// * the body that owns the frame;
/// * the nearest body above it in its rigid frame;
/// * the ground, if the rigid frame contains the newtonian frame;
/// * the first body of the rigid frame.
///
/// A solid is identified by the frame that its body owns, and the ground by the newtonian frame.
///
/// The observer in a frame is at the anchor of the frame. For a body, the anchor is its mass center. For the ground it
/// is the newtonian origin. A rigid frame without a body has no mass center; its anchor is also the newtonian origin,
/// and its material rotates about that origin.
///
/// The tree caches its results. Therefore, while it is in use, the model may grow and a frame may get a body, but
/// nothing else may change.
class KinematicTree {
 public:
  explicit KinematicTree(const Model& model) : model_(model) {}

  /// The nearest common ancestor of both frames; it may be one of them.
  [[nodiscard]] FrameId common_parent(FrameId a, FrameId b) const;
  /// Frames on the path from `ancestor` (excluded) down to `frame`.
  [[nodiscard]] std::vector<FrameId> path_down(FrameId ancestor, FrameId frame) const;
  /// The nearest common base of both points; it may be one of them. Invalid if the points have different origins.
  [[nodiscard]] PointId common_base(PointId a, PointId b) const;
  /// The point `… fixed in` at the start of the chain of bases.
  [[nodiscard]] PointId origin_of(PointId point) const;
  /// pos(to, from) as the sum of the offsets between the two points.
  [[nodiscard]] Term separation(PointId to, PointId from) const;

  /// The topmost frame of the rigid frame that this frame belongs to.
  [[nodiscard]] FrameId rigid_root(FrameId frame);
  [[nodiscard]] bool are_one_rigid_frame(FrameId a, FrameId b) { return rigid_root(a) == rigid_root(b); }
  /// The solid of the frame's rigid frame; nothing if that rigid frame is not the ground's and contains no body.
  [[nodiscard]] std::optional<FrameId> solid_of(FrameId frame);
  /// Mass center of the frame's solid; nothing if the anchor is the newtonian origin.
  [[nodiscard]] std::optional<PointId> anchor_of(FrameId frame);
  /// The solid of the frame. If the frame has no solid, it is the solid of the nearest ancestor that has one, which may
  /// be the ground.
  [[nodiscard]] FrameId carrying_frame(FrameId frame);
  /// The solid that the point is fixed in. A point belongs to a body if one of these holds:
  /// * it is declared `on` the body, or is its mass center;
  /// * it is offset from a point of the body by a vector constant in the body's rigid frame;
  /// * it is offset, by vectors of that rigid frame, from a point that is at rest relative to this frame, such as the
  ///   pin at the far end of a link.
  ///
  /// A point that is fixed in two bodies, such as the center of a joint, belongs to the body whose vectors define its
  /// offset. A point belongs to the ground if it is `on` it or fixed in the newtonian frame, unless its base makes it
  /// belong to a body. A particle is not a point of a solid.
  [[nodiscard]] std::optional<FrameId> solid_of(PointId point);
  /// The body that the point is fixed in; nothing if `solid_of(point)` is the ground or nothing.
  [[nodiscard]] std::optional<BodyId> carrier_of(PointId point);
  /// Whether the position of the point is constant for the observer in the frame.
  [[nodiscard]] bool is_fixed_in(PointId point, FrameId frame);

  /// Whether the point is declared `on` a body B but moves through B, as a contact point does. It then coincides with
  /// different material points of B, so its velocity is not the rate of its position.
  [[nodiscard]] bool wanders(PointId point);

  [[nodiscard]] Dependence of_rotation(FrameId frame, FrameId seen_in);
  /// Whether the basis vector `axis` of the frame is also a basis vector of the other frame, because all rotations
  /// between the two frames are about it.
  [[nodiscard]] bool shares_axis(FrameId frame, int axis, FrameId other);
  /// The variables on which the vector between the two points depends, as seen in the frame.
  [[nodiscard]] Dependence of_separation(PointId to, PointId from, FrameId seen_in);
  /// The variables on which the position of the point depends, for the observer in the frame.
  [[nodiscard]] Dependence of_position(PointId point, FrameId seen_in);
  /// The variables on which the motion of the material point depends, as seen in the frame. For `point P on B` this is
  /// the point of B that coincides with P.
  [[nodiscard]] Dependence of_motion(PointId point, FrameId seen_in);
  /// The variables on which a term of position level depends; for a vector as seen in the frame.
  [[nodiscard]] Dependence of_term(Term term, FrameId seen_in = Model::newtonian());

 private:
  std::optional<FrameId> solid_by_offset(PointId point);
  /// Frames owned by bodies whose rigid frame has this root, in the order of the bodies.
  const std::vector<FrameId>& solids_below(FrameId root);
  Dependence of_rotation_down(FrameId ancestor, FrameId frame);
  /// Goes up from the frame while all rotations are about the given axis vector, and returns the frame at which this
  /// ends. The axis vector is the same vector in all frames on this path.
  FrameId root_of_axis(FrameId frame, int axis);
  Dependence of_offset(PointId point, FrameId seen_in);
  Dependence of_place(PointId point, FrameId seen_in);
  /// Dependence of the sum of the offsets from `base` to the point; an invalid `base` means the origin.
  Dependence of_offsets(PointId point, PointId base, FrameId seen_in);

  const Model& model_;
  /// by root of the rigid frame; contains the first `bodies_seen_` bodies
  std::map<FrameId, std::vector<FrameId>> solids_;
  std::size_t bodies_seen_ = 0;
  std::map<std::pair<PointId, FrameId>, Dependence> offsets_;              ///< offset of the point from its base
  std::map<std::tuple<PointId, FrameId, PointId>, Dependence> positions_;  ///< position relative to the frame's anchor
  std::map<std::pair<PointId, FrameId>, Dependence> places_;               ///< all offsets from the origin to the point
  std::map<std::pair<FrameId, FrameId>, Dependence> rotations_;  ///< rotation of a frame relative to an ancestor
  std::map<std::pair<FrameId, int>, FrameId> roots_of_axes_;
};

}  // namespace vinculum::model
