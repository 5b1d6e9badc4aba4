#include "vinculum/model/kinematic_tree.hpp"

#include <algorithm>

#include "vinculum/model/traversal.hpp"

namespace vinculum::model {
namespace {

void join(Dependence& all, Dependence one) {
  all.on_coordinates |= one.on_coordinates;
  all.on_time |= one.on_time;
}

}  // namespace

// A parent or base has a smaller index than everything defined from it. So a frame with a larger index is never an
// ancestor of one with a smaller index.
FrameId KinematicTree::common_parent(FrameId a, FrameId b) const {
  if (a == Model::newtonian() || b == Model::newtonian()) return Model::newtonian();
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

Term KinematicTree::separation(PointId to, PointId from) const {
  const PointId common = common_base(to, from);
  // The sum starts at the common base, so that the offsets are in the order in which the points were written.
  const auto offset = [&](PointId point) {
    std::vector<Term> offsets;
    for (; point != common && model_.point(point).base.is_valid(); point = model_.point(point).base) {
      offsets.push_back(model_.point(point).offset);
    }
    Term sum = model_.terms->zero_vector();
    for (auto it = offsets.rbegin(); it != offsets.rend(); ++it) sum = sum + *it;
    return sum;
  };
  return offset(to) - offset(from);
}

FrameId KinematicTree::rigid_root(FrameId frame) {
  while (frame != Model::newtonian() && of_rotation(frame, model_.frame(frame).parent).is_none())
    frame = model_.frame(frame).parent;
  return frame;
}

const std::vector<FrameId>& KinematicTree::solids_below(FrameId root) {
  for (; bodies_seen_ < model_.bodies.size(); ++bodies_seen_) {
    const FrameId own = model_.bodies[bodies_seen_].frame;
    solids_[rigid_root(own)].push_back(own);
  }
  return solids_[root];
}

std::optional<FrameId> KinematicTree::solid_of(FrameId frame) {
  const FrameId root = rigid_root(frame);
  for (FrameId above = frame;; above = model_.frame(above).parent) {
    if (above == Model::newtonian() || model_.frame(above).body) return above;
    if (above == root) break;
  }
  const std::vector<FrameId>& solids = solids_below(root);
  return solids.empty() ? std::nullopt : std::optional(solids.front());
}

std::optional<PointId> KinematicTree::anchor_of(FrameId frame) {
  const std::optional<FrameId> solid = solid_of(frame);
  if (!solid || *solid == Model::newtonian()) return std::nullopt;
  return model_.body(*model_.frame(*solid).body).center;
}

FrameId KinematicTree::carrying_frame(FrameId frame) {
  while (true) {
    if (const auto solid = solid_of(frame)) return *solid;
    frame = model_.frame(rigid_root(frame)).parent;
  }
}

std::optional<FrameId> KinematicTree::solid_of(PointId point) {
  // Go up to the first base that determines its own solid (mass center, point `on` a frame), is a particle, or is an
  // origin.
  PointId base = point;
  while (!model_.point(base).center_of && !model_.point(base).on.is_valid() && !model_.point(base).particle &&
         model_.point(base).base.is_valid()) {
    base = model_.point(base).base;
  }
  const Point& first = model_.point(base);
  const std::optional<FrameId> solid = first.center_of       ? std::optional(model_.body(*first.center_of).frame)
                                       : first.on.is_valid() ? solid_of(first.on)
                                                             : std::nullopt;
  if (solid && (base == point || is_fixed_in(point, *solid))) return solid;
  if (model_.point(point).particle) return std::nullopt;
  if (is_fixed_in(point, Model::newtonian())) return Model::newtonian();
  return solid_by_offset(point);
}

std::optional<BodyId> KinematicTree::carrier_of(PointId point) {
  const std::optional<FrameId> solid = solid_of(point);
  return solid ? model_.frame(*solid).body : std::nullopt;
}

std::optional<FrameId> KinematicTree::solid_by_offset(PointId point) {
  PointId last = point;
  while (model_.point(last).base.is_valid() && model_.point(last).offset.is_zero()) last = model_.point(last).base;
  if (!model_.point(last).base.is_valid()) return std::nullopt;
  std::optional<FrameId> found;
  for (const Term leaf : leaves_as_read(model_.point(last).offset)) {
    if (leaf.kind() != TermKind::kBasisVector) continue;
    const FrameId root = rigid_root(carrying_frame(FrameId(std::size_t{leaf.index()})));
    for (const FrameId solid : solids_below(root)) {
      if (solid == found || !is_fixed_in(point, solid)) continue;
      if (found) return std::nullopt;
      found = solid;
    }
  }
  return found;
}

bool KinematicTree::is_fixed_in(PointId point, FrameId frame) { return of_position(point, frame).is_none(); }
bool KinematicTree::wanders(PointId point) {
  const FrameId on = model_.point(point).on;
  return on.is_valid() && !is_fixed_in(point, on);
}

Dependence KinematicTree::of_rotation(FrameId frame, FrameId seen_in) {
  const FrameId common = common_parent(frame, seen_in);
  Dependence all = of_rotation_down(common, frame);
  join(all, of_rotation_down(common, seen_in));
  return all;
}

bool KinematicTree::shares_axis(FrameId frame, int axis, FrameId other) {
  return frame == other || root_of_axis(frame, axis) == root_of_axis(other, axis);
}

FrameId KinematicTree::root_of_axis(FrameId frame, int axis) {
  std::vector<FrameId> open;
  FrameId root = frame;
  for (;;) {
    if (const auto found = roots_of_axes_.find({root, axis}); found != roots_of_axes_.end()) {
      root = found->second;
      break;
    }
    open.push_back(root);
    const Frame& its = model_.frame(root);
    const auto is_about_it = [&](const SimpleRotation& rotation) {
      if (rotation.axis >= 0) return rotation.axis == axis;
      Term direction = rotation.direction;
      if (direction.kind() == TermKind::kVectorNegate) direction = direction.operand(0);
      return direction.kind() == TermKind::kBasisVector && direction.index() == its.parent.index() &&
             static_cast<int>(direction.second()) == axis;
    };
    const bool turns_about_it = std::ranges::all_of(its.rotations, is_about_it);
    if (!its.parent.is_valid() || its.quaternion || !turns_about_it) break;
    root = its.parent;
  }
  for (const FrameId one : open) roots_of_axes_[{one, axis}] = root;
  return root;
}

Dependence KinematicTree::of_rotation_down(FrameId ancestor, FrameId frame) {
  std::vector<FrameId> open;
  Dependence all;
  for (FrameId f = frame; f != ancestor; f = model_.frame(f).parent) {
    if (const auto found = rotations_.find({f, ancestor}); found != rotations_.end()) {
      all = found->second;
      break;
    }
    open.push_back(f);
  }
  for (auto f = open.rbegin(); f != open.rend(); ++f) {
    if (model_.frame(*f).quaternion) all.on_coordinates = true;
    for (const SimpleRotation& rotation : model_.frame(*f).rotations) join(all, of_term(rotation.angle));
    rotations_[{*f, ancestor}] = all;
  }
  return all;
}

Dependence KinematicTree::of_offset(PointId point, FrameId seen_in) {
  const auto found = offsets_.find({point, seen_in});
  if (found != offsets_.end()) return found->second;
  const Dependence one = of_term(model_.point(point).offset, seen_in);
  return offsets_[{point, seen_in}] = one;
}

Dependence KinematicTree::of_offsets(PointId point, PointId base, FrameId seen_in) {
  Dependence all;
  if (!base.is_valid()) return of_place(point, seen_in);
  for (; point != base && model_.point(point).base.is_valid(); point = model_.point(point).base) {
    join(all, of_offset(point, seen_in));
    if (all.on_coordinates && all.on_time) break;  // further offsets cannot add a dependence
  }
  return all;
}

Dependence KinematicTree::of_place(PointId point, FrameId seen_in) {
  std::vector<PointId> open;
  Dependence all;
  for (; model_.point(point).base.is_valid(); point = model_.point(point).base) {
    if (const auto found = places_.find({point, seen_in}); found != places_.end()) {
      all = found->second;
      break;
    }
    open.push_back(point);
  }
  for (auto p = open.rbegin(); p != open.rend(); ++p) {
    join(all, of_offset(*p, seen_in));
    places_[{*p, seen_in}] = all;
  }
  return all;
}

Dependence KinematicTree::of_separation(PointId to, PointId from, FrameId seen_in) {
  const PointId common = common_base(to, from);
  Dependence all = of_offsets(to, common, seen_in);
  join(all, of_offsets(from, common, seen_in));
  return all;
}

Dependence KinematicTree::of_position(PointId point, FrameId seen_in) {
  const PointId anchor = anchor_of(seen_in).value_or(PointId{});
  const auto [it, is_new] = positions_.try_emplace({point, seen_in, anchor});
  if (!is_new) return it->second;
  const Dependence all = anchor.is_valid() ? of_separation(point, anchor, seen_in) : of_offsets(point, anchor, seen_in);
  return positions_[{point, seen_in, anchor}] = all;
}

Dependence KinematicTree::of_motion(PointId point, FrameId seen_in) {
  const FrameId on = model_.point(point).on;
  if (!on.is_valid()) return of_position(point, seen_in);
  Dependence all = of_rotation(on, seen_in);
  if (const auto anchor = anchor_of(on)) {
    join(all, of_position(*anchor, seen_in));
  } else if (const auto observer = anchor_of(seen_in)) {
    join(all, of_offsets(*observer, PointId{}, seen_in));
  }
  return all;
}

Dependence KinematicTree::of_term(Term term, FrameId seen_in) {
  Dependence all;
  for (const Term node : leaves_as_read(term)) {
    switch (node.kind()) {
      case TermKind::kTime: all.on_time = true; break;
      case TermKind::kCoordinate: all.on_coordinates = true; break;
      case TermKind::kBasisVector: {
        const FrameId frame(std::size_t{node.index()});
        const Dependence one = of_rotation(frame, seen_in);
        if (!one.is_none() && !shares_axis(frame, static_cast<int>(node.second()), seen_in)) join(all, one);
        break;
      }
      case TermKind::kPosition:
        join(all, of_separation(PointId(std::size_t{node.index()}), PointId(std::size_t{node.second()}), seen_in));
        break;
      case TermKind::kSpeed:
      case TermKind::kState:
      case TermKind::kMultiplier:
      case TermKind::kIdealMultiplier:
      case TermKind::kGeneralizedForce:
      case TermKind::kGeneralizedIdealForce:
      case TermKind::kDeparture:
      case TermKind::kSystemVector:
      case TermKind::kLawEnergy:
      case TermKind::kEffort:
      case TermKind::kSlideDirection:
      case TermKind::kVelocity:
      case TermKind::kAcceleration:
      case TermKind::kAngularVelocity:
      // of velocity level or above, so not constant
      case TermKind::kAngularAcceleration: all.on_coordinates = true; break;
      default: break;
    }
  }
  return all;
}

}  // namespace vinculum::model
