#pragma once

#include <map>
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
/// A point fixed in a frame is the frame's origin; frames that belong to no body turn about the newtonian origin, so all
/// such origins are one place. Remembers what it found; the model must not change meanwhile.
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

  [[nodiscard]] Dependence of_rotation(FrameId frame, FrameId seen_in);
  [[nodiscard]] Dependence of_position(PointId point, FrameId seen_in);
  /// Of a term of position level; a vector as seen in the frame.
  [[nodiscard]] Dependence of_term(Term term, FrameId seen_in = Model::newtonian());

 private:
  const Model& model_;
  std::map<std::pair<PointId, FrameId>, Dependence> positions_;
  std::map<std::pair<FrameId, FrameId>, Dependence> rotations_;
};

}  // namespace vinculum::mechanics
