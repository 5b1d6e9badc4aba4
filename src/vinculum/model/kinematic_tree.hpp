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
/// A point fixed in a frame is the origin of that frame. All such origins are the same place, the newtonian origin.
///
/// Frames connected by constant rotations form one *rigid frame*: their vectors belong to one solid, a body or the
/// ground. The solid of a frame is the body that owns the frame or, if there is none, the nearest body above it in its
/// rigid frame; otherwise the ground, if the rigid frame contains the newtonian frame; otherwise the first body of the
/// rigid frame. Solids are identified by the frame that the body owns; the newtonian frame identifies the ground.
///
/// The observer in a frame is at its anchor: the mass center of the frame's solid, or the newtonian origin for the
/// ground and for a rigid frame without body, which turns about it. The tree caches its results. Therefore,
/// while it is in use, the model may grow and a frame may get a body, but nothing else may change.
class KinematicTree {
 public:
  explicit KinematicTree(const Model& model) : model_(model) {}

  /// The last common ancestor of both frames, possibly one of them.
  [[nodiscard]] FrameId common_parent(FrameId a, FrameId b) const;
  /// Frames on the path from `ancestor` (excluded) down to `frame`.
  [[nodiscard]] std::vector<FrameId> path_down(FrameId ancestor, FrameId frame) const;
  /// The last common base of both points, possibly one of them; invalid if they have different origins.
  [[nodiscard]] PointId common_base(PointId a, PointId b) const;
  /// The point `… fixed in` at the end of the chain of bases.
  [[nodiscard]] PointId origin_of(PointId point) const;
  /// pos(to, from) as the sum of the offsets between them.
  [[nodiscard]] Term separation(PointId to, PointId from) const;

  /// The topmost frame of the rigid frame that this frame belongs to.
  [[nodiscard]] FrameId rigid_root(FrameId frame);
  [[nodiscard]] bool are_one_rigid_frame(FrameId a, FrameId b) { return rigid_root(a) == rigid_root(b); }
  /// The solid of the frame's rigid frame; nothing if that is neither the ground nor contains a body.
  [[nodiscard]] std::optional<FrameId> solid_of(FrameId frame);
  /// Mass center of the frame's solid; nothing if the anchor is the newtonian origin.
  [[nodiscard]] std::optional<PointId> anchor_of(FrameId frame);
  /// The solid of the frame, or of the nearest rigid frame above it that has one; finally the ground.
  [[nodiscard]] FrameId carrying_frame(FrameId frame);
  /// The solid that the point is fixed in. A point belongs to a body if it is declared `on` it, is its mass center, is
  /// offset from such a point by a vector constant in the body's rigid frame, or is offset by vectors of that frame
  /// from another place at rest in it (a pin at the far end of a link that hangs from a joint). A joint point that is
  /// fixed in two bodies belongs to the body whose vectors define its offset. A point belongs to the ground if it is
  /// `on` it or fixed in the newtonian frame, unless its base makes it belong to a body. A particle is not a point of a
  /// solid.
  [[nodiscard]] std::optional<FrameId> solid_of(PointId point);
  /// As above, if the solid is a body.
  [[nodiscard]] std::optional<BodyId> carrier_of(PointId point);
  /// Whether the place is at rest for the observer in the frame.
  [[nodiscard]] bool is_fixed_in(PointId point, FrameId frame);

  /// Whether the point is `on` a body B but its place moves through B, as a contact point does, so that it coincides
  /// with different material points. Its velocity is not the rate of its position.
  [[nodiscard]] bool wanders(PointId point);

  [[nodiscard]] Dependence of_rotation(FrameId frame, FrameId seen_in);
  /// Whether a basis vector of the frame is also a basis vector of the other frame: all rotations between them are
  /// about it.
  [[nodiscard]] bool shares_axis(FrameId frame, int axis, FrameId other);
  /// Dependence of the vector between two places.
  [[nodiscard]] Dependence of_separation(PointId to, PointId from, FrameId seen_in);
  /// Dependence of the position relative to the observer in the frame.
  [[nodiscard]] Dependence of_position(PointId point, FrameId seen_in);
  /// Dependence of the material point: for `point P on B` the motion, in the frame, of the point of B.
  [[nodiscard]] Dependence of_motion(PointId point, FrameId seen_in);
  /// Dependence of a term of position level; for a vector as seen in the frame.
  [[nodiscard]] Dependence of_term(Term term, FrameId seen_in = Model::newtonian());

 private:
  std::optional<FrameId> solid_by_offset(PointId point);
  /// Frames owned by bodies, in the order of the bodies, whose rigid frame has this root.
  const std::vector<FrameId>& solids_below(FrameId root);
  Dependence of_rotation_down(FrameId ancestor, FrameId frame);
  /// The first frame above that also rotates about other axes: up to it the axis vector is the same.
  FrameId root_of_axis(FrameId frame, int axis);
  Dependence of_offset(PointId point, FrameId seen_in);
  Dependence of_place(PointId point, FrameId seen_in);
  /// Dependence of the offsets from `base` (excluded; invalid: from the origin) to the point.
  Dependence of_offsets(PointId point, PointId base, FrameId seen_in);

  const Model& model_;
  std::map<FrameId, std::vector<FrameId>> solids_;  ///< by root; contains the first `bodies_seen_` bodies
  std::size_t bodies_seen_ = 0;
  std::map<std::pair<PointId, FrameId>, Dependence> offsets_;              ///< offset of the point from its base
  std::map<std::tuple<PointId, FrameId, PointId>, Dependence> positions_;  ///< position relative to the frame's anchor
  std::map<std::pair<PointId, FrameId>, Dependence> places_;               ///< all offsets from the origin to the point
  std::map<std::pair<FrameId, FrameId>, Dependence> rotations_;            ///< rotation relative to an ancestor
  std::map<std::pair<FrameId, int>, FrameId> roots_of_axes_;
};

}  // namespace vinculum::model
