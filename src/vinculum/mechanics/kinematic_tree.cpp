#include "vinculum/mechanics/kinematic_tree.hpp"

#include <algorithm>

#include "vinculum/mechanics/traversal.hpp"

namespace vinculum::mechanics {
namespace {

void join(Dependence& all, Dependence one) {
  all.on_coordinates |= one.on_coordinates;
  all.on_time |= one.on_time;
}

}  // namespace

// Parents and bases come before what is defined by them, so the larger index is never the ancestor.
FrameId KinematicTree::common_parent(FrameId a, FrameId b) const {
  while (a != b) {
    if (a < b) std::swap(a, b);
    a = model_.frame(a).parent;
  }
  return a;
}

std::vector<FrameId> KinematicTree::path_down(FrameId ancestor, FrameId frame) const {
  std::vector<FrameId> path;
  for (; frame != ancestor; frame = model_.frame(frame).parent) path.push_back(frame);
  std::reverse(path.begin(), path.end());
  return path;
}

PointId KinematicTree::common_base(PointId a, PointId b) const {
  while (a != b) {
    if (a < b) std::swap(a, b);
    a = model_.point(a).base;
    if (!a.is_valid()) return a;
  }
  return a;
}

PointId KinematicTree::origin_of(PointId point) const {
  while (model_.point(point).base.is_valid()) point = model_.point(point).base;
  return point;
}

Dependence KinematicTree::of_rotation(FrameId frame, FrameId seen_in) {
  if (frame == seen_in) return {};
  const auto [it, is_new] = rotations_.try_emplace({frame, seen_in});
  if (!is_new) return it->second;
  Dependence all;
  const FrameId common = common_parent(frame, seen_in);
  for (const FrameId end : {frame, seen_in}) {
    for (FrameId f = end; f != common; f = model_.frame(f).parent) {
      for (const SimpleRotation& rotation : model_.frame(f).rotations) join(all, of_term(rotation.angle));
    }
  }
  return rotations_[{frame, seen_in}] = all;
}

Dependence KinematicTree::of_position(PointId point, FrameId seen_in) {
  const auto [it, is_new] = positions_.try_emplace({point, seen_in});
  if (!is_new) return it->second;
  Dependence all;
  const Point& p = model_.point(point);
  if (p.base.is_valid()) {
    join(all, of_position(p.base, seen_in));
    join(all, of_term(p.offset, seen_in));
  }
  return positions_[{point, seen_in}] = all;
}

Dependence KinematicTree::of_term(Term term, FrameId seen_in) {
  Dependence all;
  for (const Term node : leaves_as_read(term)) {
    switch (node.kind()) {
      case TermKind::kTime: all.on_time = true; break;
      case TermKind::kCoordinate: all.on_coordinates = true; break;
      case TermKind::kBasisVector: join(all, of_rotation(FrameId(std::size_t{node.index()}), seen_in)); break;
      case TermKind::kPosition:
        join(all, of_position(PointId(std::size_t{node.index()}), seen_in));
        join(all, of_position(PointId(std::size_t{node.second()}), seen_in));
        break;
      case TermKind::kSpeed:
      case TermKind::kMultiplier:
      case TermKind::kIdealMultiplier:
      case TermKind::kGeneralizedForce:
      case TermKind::kVelocity:
      case TermKind::kAcceleration:
      case TermKind::kAngularVelocity:
      case TermKind::kAngularAcceleration: all.on_coordinates = true; break;  // above position level: never constant
      default: break;
    }
  }
  return all;
}

}  // namespace vinculum::mechanics
