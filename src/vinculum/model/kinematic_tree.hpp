#pragma once

#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "vinculum/model/model.hpp"

namespace vinculum::model {

/// What something at position level changes with.
struct Dependence {
  bool on_coordinates = false;
  bool on_time = false;
  [[nodiscard]] bool is_none() const { return !on_coordinates && !on_time; }
};

/// Who is defined relative to whom: frames turned from their parents, points set off from their bases.
///
/// A point fixed in a frame is the frame's origin. All origins are one place, the newtonian origin.
///
/// Frames that are fixed in one another, through any number of constant turns, are one *rigid frame*: their vectors
/// belong to one solid, a body or the ground. The solid of a frame is the body that owns it or, without one, the
/// nearest body above it in its rigid frame; then the ground, if the rigid frame holds the newtonian frame; then the
/// first body of the rigid frame. Solids are named by the frame that the body owns; the newtonian frame names the
/// ground.
///
/// An observer in a frame is at its anchor: the mass center of the frame's solid; the newtonian origin for the ground
/// and for a rigid frame without body, which turns about it. The tree remembers what it found; meanwhile the model may
/// grow and a frame may come to own a body, but nothing else may change.
class KinematicTree {
 public:
  explicit KinematicTree(const Model& model) : model_(model) {}

  /// The last frame that both are turned from, one of the two included.
  [[nodiscard]] FrameId common_parent(FrameId a, FrameId b) const;
  /// Frames on the way from `ancestor` (excluded) down to `frame`.
  [[nodiscard]] std::vector<FrameId> path_down(FrameId ancestor, FrameId frame) const;
  /// The last point that both are set off from, themselves included; not valid when they stand on different origins.
  [[nodiscard]] PointId common_base(PointId a, PointId b) const;
  /// The `point … fixed in` that the point is set off from in the end, through all bases.
  [[nodiscard]] PointId origin_of(PointId point) const;
  /// pos(to, from) as the sum of the offsets between them.
  [[nodiscard]] Term separation(PointId to, PointId from) const;

  /// The topmost frame of the rigid frame that this frame belongs to.
  [[nodiscard]] FrameId rigid_root(FrameId frame);
  [[nodiscard]] bool are_one_rigid_frame(FrameId a, FrameId b) { return rigid_root(a) == rigid_root(b); }
  /// The solid of the frame's rigid frame; nothing if that is neither the ground nor holds a body.
  [[nodiscard]] std::optional<FrameId> solid_of(FrameId frame);
  /// Mass center of the frame's solid; nothing if the anchor is the newtonian origin.
  [[nodiscard]] std::optional<PointId> anchor_of(FrameId frame);
  /// The solid of the frame, or of the nearest rigid frame above it that has one. The ground is above all.
  [[nodiscard]] FrameId carrying_frame(FrameId frame);
  /// The solid that the point is fixed in. A body: by `on`, as its mass center, set off from such a point by a vector
  /// constant in the body's rigid frame, or set off by vectors of that frame from another place that is at rest in it
  /// (a pin at the far end of a link that hangs from a joint). A point of a joint that is fixed in two bodies belongs
  /// to the one in whose vectors it is set off. The ground: by `on`, or fixed in the newtonian frame, unless the point
  /// belongs to a body by its base. A particle is not a point of a solid.
  [[nodiscard]] std::optional<FrameId> solid_of(PointId point);
  /// The same if it is a body.
  [[nodiscard]] std::optional<BodyId> carrier_of(PointId point);
  /// Whether the place keeps still for the observer in the frame.
  [[nodiscard]] bool is_fixed_in(PointId point, FrameId frame);

  /// Whether the point is one of matter that changes: a `point P on B` whose place moves through B, as a contact does.
  /// Its velocity is not the rate of its place.
  [[nodiscard]] bool wanders(PointId point);

  [[nodiscard]] Dependence of_rotation(FrameId frame, FrameId seen_in);
  /// Whether a basis vector of the frame is the same one of the other frame: all turns between them are about it.
  [[nodiscard]] bool shares_axis(FrameId frame, int axis, FrameId other);
  /// Of the vector between two places.
  [[nodiscard]] Dependence of_separation(PointId to, PointId from, FrameId seen_in);
  /// Of the place, from where the observer in the frame stands.
  [[nodiscard]] Dependence of_position(PointId point, FrameId seen_in);
  /// Of the point as matter: of a `point P on B` that is the place in the frame of the point of B.
  [[nodiscard]] Dependence of_motion(PointId point, FrameId seen_in);
  /// Of a term of position level; a vector as seen in the frame.
  [[nodiscard]] Dependence of_term(Term term, FrameId seen_in = Model::newtonian());

 private:
  std::optional<FrameId> solid_by_offset(PointId point);
  /// Frames that bodies own, in the order of the bodies, by the root of their rigid frame.
  const std::vector<FrameId>& solids_below(FrameId root);
  Dependence of_rotation_down(FrameId ancestor, FrameId frame);
  /// The first frame above that turns about other axes too: up to it the axis is one vector.
  FrameId root_of_axis(FrameId frame, int axis);
  Dependence of_offset(PointId point, FrameId seen_in);
  Dependence of_place(PointId point, FrameId seen_in);
  /// Of the offsets from `base` (excluded; not valid: from the origin) to the point.
  Dependence of_offsets(PointId point, PointId base, FrameId seen_in);

  const Model& model_;
  std::map<FrameId, std::vector<FrameId>> solids_;  ///< by root, of the first `bodies_seen_` bodies
  std::size_t bodies_seen_ = 0;
  std::map<std::pair<PointId, FrameId>, Dependence> offsets_;              ///< of the point from its base
  std::map<std::tuple<PointId, FrameId, PointId>, Dependence> positions_;  ///< from the frame's anchor
  std::map<std::pair<PointId, FrameId>, Dependence> places_;               ///< all offsets from the origin to the point
  std::map<std::pair<FrameId, FrameId>, Dependence> rotations_;            ///< from an ancestor
  std::map<std::pair<FrameId, int>, FrameId> roots_of_axes_;
};

}  // namespace vinculum::model
