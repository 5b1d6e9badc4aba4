#pragma once

#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "vinculum/mechanics/model.hpp"

namespace vinculum::mechanics {

/// What something at position level changes with.
struct Dependence {
  bool on_coordinates = false;
  bool on_time = false;
  [[nodiscard]] bool is_none() const { return !on_coordinates && !on_time; }
};

/// Who is defined relative to whom: frames turned from their parents, points set off from their bases.
///
/// A point fixed in a frame is the frame's origin. All origins are one place, the newtonian origin. Who observes from a
/// frame stands at its anchor: the mass centre of the body that owns the frame; the newtonian origin where none does,
/// so that the frame turns about it. Remembers what it found; the model may grow meanwhile and a frame come to own a
/// body, but nothing else may change.
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

  /// Mass centre of the body that owns the frame; nothing where the anchor is the newtonian origin.
  [[nodiscard]] std::optional<PointId> anchor_of(FrameId frame) const;
  /// Nearest frame at or above this one that a body owns, or the newtonian one.
  [[nodiscard]] FrameId carrying_frame(FrameId frame) const;
  /// The body that the point is fixed in: by `on`, as its mass centre, set off from such a point by a vector constant
  /// in the body's frame, or set off by vectors of the body's frame from another place that keeps still in it (a pin at
  /// the far end of a link that hangs from a joint). A joint's point that is fixed in two bodies belongs to the one it
  /// is set off in. A particle is no point of a body, nor is a place that keeps still in the newtonian frame unless
  /// `on` says so.
  [[nodiscard]] std::optional<BodyId> carrier_of(PointId point);
  /// Whether the place keeps still for the observer in the frame.
  [[nodiscard]] bool is_fixed_in(PointId point, FrameId frame);

  /// Whether the point is one of matter that changes: a `point P on B` whose place moves through B, as a contact does.
  /// Its velocity is not the rate of its place.
  [[nodiscard]] bool wanders(PointId point);

  [[nodiscard]] Dependence of_rotation(FrameId frame, FrameId seen_in);
  /// Of the vector between two places.
  [[nodiscard]] Dependence of_separation(PointId to, PointId from, FrameId seen_in);
  /// Of the place, from where the observer in the frame stands.
  [[nodiscard]] Dependence of_position(PointId point, FrameId seen_in);
  /// Of the point as matter: of a `point P on B` that is the place in the frame of the point of B.
  [[nodiscard]] Dependence of_motion(PointId point, FrameId seen_in);
  /// Of a term of position level; a vector as seen in the frame.
  [[nodiscard]] Dependence of_term(Term term, FrameId seen_in = Model::newtonian());

 private:
  std::optional<BodyId> carrier_by_offset(PointId point);
  Dependence of_rotation_down(FrameId ancestor, FrameId frame);
  Dependence of_offset(PointId point, FrameId seen_in);
  Dependence of_place(PointId point, FrameId seen_in);
  /// Of the offsets from `base` (excluded; not valid: from the origin) to the point.
  Dependence of_offsets(PointId point, PointId base, FrameId seen_in);

  const Model& model_;
  std::map<std::pair<PointId, FrameId>, Dependence> offsets_;              ///< of the point from its base
  std::map<std::tuple<PointId, FrameId, PointId>, Dependence> positions_;  ///< from the frame's anchor
  std::map<std::pair<PointId, FrameId>, Dependence> places_;               ///< all offsets from the origin to the point
  std::map<std::pair<FrameId, FrameId>, Dependence> rotations_;            ///< from an ancestor
};

}  // namespace vinculum::mechanics
