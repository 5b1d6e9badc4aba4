// Lowers the motion of frames and points: rotations, angular velocities, and positions, velocities and accelerations of
// points.
#include <algorithm>

#include "vinculum/equations/lowering.hpp"
#include "vinculum/expr/derivative.hpp"
#include "vinculum/model/calculus.hpp"

namespace vinculum::equations {
namespace {

using expr::Expr;
using model::FrameId;
using model::Model;
using model::PointId;
using model::Term;
using model::TermKind;

/// Number of frames. If a path is longer, its upper frames are processed one by one instead of by recursion.
constexpr std::size_t kDeepRecursion = 200;

/// A sum of vectors that are given in frames of one tree. The sum is kept in the nearest common ancestor of these
/// frames.
class Gathering {
 public:
  explicit Gathering(Lowering& lowering) : lowering_(lowering), sum_(zero_vector(lowering.graph())) {}
  void add(const ExprVector& v, FrameId frame) {
    if (is_zero(v)) return;
    if (!at_.is_valid()) {
      at_ = frame;
      sum_ = v;
      return;
    }
    const FrameId common = lowering_.tree().common_parent(at_, frame);
    sum_ = equations::add(lowering_.express(sum_, at_, common), lowering_.express(v, frame, common));
    at_ = common;
  }
  [[nodiscard]] ExprVector in(FrameId frame) { return at_.is_valid() ? lowering_.express(sum_, at_, frame) : sum_; }

 private:
  Lowering& lowering_;
  FrameId at_;
  ExprVector sum_;
};

}  // namespace

ExprVector Lowering::rates_of(const ExprVector& v) const {
  const std::vector<Expr> rate = rates(v);
  return {rate[0], rate[1], rate[2]};
}

// ---- rotations

const ExprRotation& Lowering::rotation_in_parent(FrameId frame) {
  if (const auto found = rotations_in_parent_.find(frame); found != rotations_in_parent_.end()) return found->second;
  const model::Frame& f = model_.frame(frame);
  ExprRotation R = identity_rotation(graph_);
  if (f.quaternion) {
    std::array<Expr, 4> e;
    for (std::size_t i = 0; i < 4; ++i) e[i] = symbols_.q[f.quaternion->e[i].index()];
    R = quaternion_rotation(e);
  }
  for (const model::SimpleRotation& simple : f.rotations) {
    const Expr angle = scalar(simple.angle);
    R = multiply(R, simple.axis >= 0 ? simple_rotation(simple.axis, angle)
                                     : rotation_about(vector(simple.direction, f.parent), angle));
  }
  return rotations_in_parent_[frame] = R;
}

/// R v (or Rᵀ v if `is_back`) for a rotation about one axis. If two measure numbers result from a rotation, the
/// opposite rotation returns the original ones from a cache. So no sin² + cos² appears.
ExprVector Lowering::turned_about(int axis, Expr angle, bool is_back, const ExprVector& v) {
  const auto j = static_cast<std::size_t>((axis + 1) % 3), k = static_cast<std::size_t>((axis + 2) % 3);
  ExprVector result = v;
  if (const auto known = turned_.find({angle.node(), is_back, v[j].node(), v[k].node()}); known != turned_.end()) {
    result[j] = known->second[0];
    result[k] = known->second[1];
    return result;
  }
  const SineCosine by = sine_cosine(angle);
  result = is_back ? turned_back(axis, by, v) : turned(axis, by, v);
  turned_.try_emplace({angle.node(), !is_back, result[j].node(), result[k].node()}, std::array{v[j], v[k]});
  return result;
}

/// Applies one of the rotations of a frame. For an oblique direction, too, the opposite rotation returns the original
/// measure numbers from a cache.
ExprVector Lowering::turned_by(const model::Frame& frame, const model::SimpleRotation& turn, bool is_back,
                               const ExprVector& v) {
  const Expr angle = scalar(turn.angle);
  if (turn.axis >= 0) return turned_about(turn.axis, angle, is_back, v);
  const auto key = [&](bool back, const ExprVector& of) {
    return std::tuple{frame.parent, turn.direction.id(), angle.node(), back,
                      std::array{of[0].node(), of[1].node(), of[2].node()}};
  };
  if (const auto known = turned_obliquely_.find(key(is_back, v)); known != turned_obliquely_.end())
    return known->second;
  const ExprRotation R = rotation_about(vector(turn.direction, frame.parent), angle);
  const ExprVector result = rotate(is_back ? transpose(R) : R, v);
  turned_obliquely_.try_emplace(key(!is_back, result), v);
  return result;
}

ExprVector Lowering::to_parent(FrameId frame, const ExprVector& v) {
  if (is_zero(v)) return v;
  const model::Frame& f = model_.frame(frame);
  if (f.quaternion) return rotate(rotation_in_parent(frame), v);
  ExprVector result = v;
  for (auto it = f.rotations.rbegin(); it != f.rotations.rend(); ++it) result = turned_by(f, *it, false, result);
  return result;
}

ExprVector Lowering::from_parent(FrameId frame, const ExprVector& v) {
  if (is_zero(v)) return v;
  const model::Frame& f = model_.frame(frame);
  if (f.quaternion) return rotate(transpose(rotation_in_parent(frame)), v);
  ExprVector result = v;
  for (const model::SimpleRotation& simple : f.rotations) result = turned_by(f, simple, true, result);
  return result;
}

ExprVector Lowering::express(const ExprVector& v, FrameId from, FrameId to) {
  if (from == to || is_zero(v)) return v;
  const FrameId common = tree_.common_parent(from, to);
  ExprVector result = v;
  for (FrameId f = from; f != common; f = model_.frame(f).parent) result = to_parent(f, result);
  for (const FrameId f : tree_.path_down(common, to)) result = from_parent(f, result);
  return result;
}

/// R_ancestor,frame as the product of the rotations along the tree.
const ExprRotation& Lowering::rotation_down(FrameId ancestor, FrameId frame) {
  // not recursive, because recursion from the end of a long chain would be too deep
  std::vector<std::pair<FrameId, const ExprRotation*>> open;
  FrameId top = frame;
  for (; top != ancestor && !rotations_down_.contains({ancestor, top}); top = model_.frame(top).parent)
    open.emplace_back(top, &rotation_in_parent(top));
  const ExprRotation* above = &rotations_down_.try_emplace({ancestor, top}, identity_rotation(graph_)).first->second;
  for (; !open.empty(); open.pop_back())
    above = &(rotations_down_[{ancestor, open.back().first}] = multiply(*above, *open.back().second));
  return *above;
}

const ExprRotation& Lowering::rotation(FrameId from, FrameId to) {
  if (const auto found = rotations_.find({from, to}); found != rotations_.end()) return found->second;
  const FrameId common = tree_.common_parent(from, to);
  ExprRotation R = common == from ? rotation_down(common, to)
                   : common == to ? transpose(rotation_down(common, from))
                                  : multiply(transpose(rotation_down(common, from)), rotation_down(common, to));
  return rotations_[{from, to}] = R;
}

// ---- angular velocities

std::vector<FrameId> Lowering::not_known_above(FrameId frame, FrameId ancestor, const Motions& known) const {
  std::vector<FrameId> path;
  if (frame == ancestor || stated_rotations_.contains({frame, ancestor})) return path;
  for (FrameId f = model_.frame(frame).parent; f != ancestor && !known.contains({f, ancestor});
       f = model_.frame(f).parent) {
    path.push_back(f);
    if (stated_rotations_.contains({f, ancestor})) break;
  }
  if (path.size() < kDeepRecursion) return {};
  std::ranges::reverse(path);
  return path;
}

/// Angular velocity of a frame relative to its parent, measure numbers in the frame: Σ angle' · axis over its
/// rotations.
ExprVector Lowering::velocity_in_parent(FrameId frame) {
  const model::Frame& f = model_.frame(frame);
  if (f.quaternion) return symbols_.quaternion_rates.at(frame);
  ExprVector omega = zero_vector(graph_);
  for (const model::SimpleRotation& simple : f.rotations) {
    const Expr angle = scalar(simple.angle), rate = scalar(model::time_derivative(model_, simple.angle));
    if (simple.axis >= 0) {
      omega = turned_back(simple.axis, sine_cosine(angle), omega);
      omega[static_cast<std::size_t>(simple.axis)] += rate;
    } else {
      const ExprVector axis = vector(simple.direction, f.parent);
      omega = add(rotate(transpose(rotation_about(axis, angle)), omega), scale(rate, axis));
    }
  }
  return omega;
}

ExprVector Lowering::stated_value(const StatedVector& stated, int order, FrameId seen_in) {
  const auto& symbols = order == 0 ? symbols_.u : symbols_.u_dot;
  ExprVector value{symbols[stated.speeds[0]], symbols[stated.speeds[1]], symbols[stated.speeds[2]]};
  if (order == 0 || seen_in == stated.components) return value;
  return add(value,
             cross(angular_velocity(stated.components, seen_in, stated.components), stated_value(stated, 0, seen_in)));
}

const ExprVector& Lowering::angular_velocity(FrameId frame, FrameId ancestor) {
  if (const auto found = angular_velocities_.find({frame, ancestor}); found != angular_velocities_.end())
    return found->second;
  for (const FrameId f : not_known_above(frame, ancestor, angular_velocities_))
    static_cast<void>(angular_velocity(f, ancestor));
  ExprVector omega = zero_vector(graph_);
  if (const auto stated = stated_rotations_.find({frame, ancestor}); stated != stated_rotations_.end()) {
    omega = express(stated_value(stated->second, 0, ancestor), stated->second.components, frame);
  } else if (frame != ancestor) {
    const FrameId parent = model_.frame(frame).parent;
    omega = parent == ancestor
                ? velocity_in_parent(frame)
                : add(from_parent(frame, angular_velocity(parent, ancestor)), angular_velocity(frame, parent));
  }
  return angular_velocities_[{frame, ancestor}] = omega;
}

const ExprVector& Lowering::angular_acceleration(FrameId frame, FrameId ancestor) {
  if (const auto found = angular_accelerations_.find({frame, ancestor}); found != angular_accelerations_.end())
    return found->second;
  for (const FrameId f : not_known_above(frame, ancestor, angular_accelerations_))
    static_cast<void>(angular_acceleration(f, ancestor));
  ExprVector alpha = zero_vector(graph_);
  if (const auto stated = stated_rotations_.find({frame, ancestor}); stated != stated_rotations_.end()) {
    const FrameId components = stated->second.components;
    // the derivative as seen in the frame equals the derivative as seen in the ancestor
    alpha = express(stated_value(stated->second, 1, components == frame ? frame : ancestor), components, frame);
  } else if (frame != ancestor) {
    const FrameId parent = model_.frame(frame).parent;
    if (parent == ancestor) {
      alpha = rates_of(velocity_in_parent(frame));
    } else {
      const ExprVector carried = from_parent(frame, angular_velocity(parent, ancestor));
      alpha = add(add(from_parent(frame, angular_acceleration(parent, ancestor)),
                      cross(carried, angular_velocity(frame, parent))),
                  angular_acceleration(frame, parent));
    }
  }
  return angular_accelerations_[{frame, ancestor}] = alpha;
}

ExprVector Lowering::angular_velocity(FrameId frame, FrameId observer, FrameId components) {
  if (tree_.of_rotation(frame, observer).is_none()) return zero_vector(graph_);
  if (const auto stated = stated_rotations_.find({frame, observer}); stated != stated_rotations_.end()) {
    return express(stated_value(stated->second, 0, observer), stated->second.components, components);
  }
  const FrameId common = tree_.common_parent(frame, observer);
  return subtract(express(angular_velocity(frame, common), frame, components),
                  express(angular_velocity(observer, common), observer, components));
}

ExprVector Lowering::angular_acceleration(FrameId frame, FrameId observer, FrameId components) {
  if (tree_.of_rotation(frame, observer).is_none()) return zero_vector(graph_);
  if (const auto found = stated_rotations_.find({frame, observer}); found != stated_rotations_.end()) {
    const StatedVector& stated = found->second;
    return express(stated_value(stated, 1, stated.components == frame ? frame : observer), stated.components,
                   components);
  }
  if (components != frame && components != observer && tree_.common_parent(frame, components) == components &&
      // `components` descends from the observer, and the frame from `components`
      tree_.common_parent(components, observer) == observer) {
    return add(add(express(angular_acceleration(frame, components), frame, components),
                   cross(angular_velocity(components, observer),
                         express(angular_velocity(frame, components), frame, components))),
               angular_acceleration(components, observer));
  }
  const FrameId common = tree_.common_parent(frame, observer);
  const ExprVector alpha = subtract(express(angular_acceleration(frame, common), frame, components),
                                    express(angular_acceleration(observer, common), observer, components));
  if (common == observer || common == frame) return alpha;
  return subtract(alpha, cross(express(angular_velocity(observer, common), observer, components),
                               express(angular_velocity(frame, common), frame, components)));
}

// ---- positions and motions of points

bool Lowering::is_constant_in_time(const ExprVector& v) const {
  return std::ranges::none_of(v, [this](Expr part) {
    return !part.is_constant() && (expr::depends_on(part, symbols_.q) || expr::depends_on(part, {&symbols_.t, 1}));
  });
}

void Lowering::read_offset(Term term, Expr factor, std::vector<OffsetPart>& parts, Term& rest) {
  switch (term.kind()) {
    case TermKind::kZeroVector: return;
    case TermKind::kVectorAdd:
    case TermKind::kVectorSubtract:
      read_offset(term.operand(0), factor, parts, rest);
      read_offset(term.operand(1), term.kind() == TermKind::kVectorAdd ? factor : -factor, parts, rest);
      return;
    case TermKind::kVectorNegate: read_offset(term.operand(0), -factor, parts, rest); return;
    case TermKind::kScale:
      if (rest.is_valid()) break;
      read_offset(term.operand(1), factor * scalar(term.operand(0)), parts, rest);
      return;
    case TermKind::kBasisVector: {
      const FrameId frame(std::size_t{term.index()});
      auto part = std::ranges::find(parts, frame, &OffsetPart::frame);
      if (part == parts.end()) part = parts.insert(parts.end(), {frame, zero_vector(graph_)});
      part->r[term.second()] += factor;
      return;
    }
    default: break;
  }
  rest = term;
}

const std::vector<OffsetPart>& Lowering::offset_parts(PointId point) {
  if (const auto found = offsets_.find(point); found != offsets_.end()) return found->second;
  const model::Point& p = model_.point(point);
  std::vector<OffsetPart> parts;
  if (p.base.is_valid()) {
    Term rest;
    read_offset(p.offset, graph_.constant(1.0), parts, rest);
    // The offset is not a sum of basis vectors. It is stored as one vector, in the frame in which its expression is
    // shortest.
    if (rest.is_valid()) {
      const FrameId frame = natural_frame(p.offset, FrameId());
      parts.assign(1, {frame, vector(p.offset, frame)});
    }
    std::erase_if(parts, [](const OffsetPart& part) { return is_zero(part.r); });
  }
  return offsets_[point] = std::move(parts);
}

ExprVector Lowering::offset_motion(const OffsetPart& part, int order, FrameId seen_in) {
  if (order == 0) return part.r;
  const bool is_fixed = is_constant_in_time(part.r);
  const ExprVector omega = angular_velocity(part.frame, seen_in, part.frame);
  const ExprVector r_rate = is_fixed ? zero_vector(graph_) : rates_of(part.r);
  if (order == 1) return add(r_rate, cross(omega, part.r));
  // The acceleration is S r with S = [α]× + [ω]×². The products of ω are shared by all vectors fixed in the frame.
  const ExprVector alpha = angular_acceleration(part.frame, seen_in, part.frame);
  const Expr xx = omega[0] * omega[0], yy = omega[1] * omega[1], zz = omega[2] * omega[2];
  const Expr xy = omega[0] * omega[1], yz = omega[1] * omega[2], zx = omega[2] * omega[0];
  const ExprRotation S{{{-(yy + zz), xy - alpha[2], zx + alpha[1]},
                        {xy + alpha[2], -(xx + zz), yz - alpha[0]},
                        {zx - alpha[1], yz + alpha[0], -(xx + yy)}}};
  ExprVector a = rotate(S, part.r);
  if (!is_fixed) a = add(add(rates_of(r_rate), scale(graph_.constant(2.0), cross(omega, r_rate))), a);
  return a;
}

const Lowering::StatedVector* Lowering::stated_velocity(PointId point) const {
  const auto found = stated_velocities_.find(point);
  return found == stated_velocities_.end() ? nullptr : &found->second;
}

ExprVector Lowering::motion_from_base(PointId point, PointId base, int order, FrameId seen_in, FrameId components) {
  Gathering sum(*this);
  std::vector<OffsetPart> parts;
  const StatedVector* stated = nullptr;
  for (PointId p = point; p != base && model_.point(p).base.is_valid(); p = model_.point(p).base) {
    stated = order > 0 && !base.is_valid() && seen_in == Model::newtonian() && !model_.point(p).on.is_valid()
                 ? stated_velocity(p)
                 : nullptr;
    if (stated != nullptr) break;
    parts.insert(parts.end(), offset_parts(p).begin(), offset_parts(p).end());
  }
  for (const OffsetPart& part : without_rounding(std::move(parts)))
    sum.add(offset_motion(part, order, seen_in), part.frame);
  if (stated != nullptr) sum.add(stated_value(*stated, order - 1, seen_in), stated->components);
  return sum.in(components);
}

FrameId Lowering::frame_of_way(PointId to, PointId from) {
  const PointId common = from.is_valid() ? tree_.common_base(to, from) : PointId();
  FrameId frame;
  for (const PointId end : {to, from}) {
    for (PointId p = end; p.is_valid() && p != common && model_.point(p).base.is_valid(); p = model_.point(p).base) {
      for (const OffsetPart& part : offset_parts(p))
        frame = frame.is_valid() ? tree_.common_parent(frame, part.frame) : part.frame;
    }
  }
  return frame;
}

/// Vector between two points. Constant vectors in the same frame that occur on the paths from the common base to both
/// points are subtracted from each other first. For two pivots at i l and (i − 1) l, far from the origin, the result is
/// l without the rounding errors of i l.
ExprVector Lowering::position_between(PointId to, PointId from, FrameId components) {
  const PointId common = tree_.common_base(to, from);
  const auto way = [&](PointId end) {
    std::vector<OffsetPart> parts;
    for (PointId p = end; p != common && model_.point(p).base.is_valid(); p = model_.point(p).base)
      parts.insert(parts.end(), offset_parts(p).begin(), offset_parts(p).end());
    return without_rounding(std::move(parts));
  };
  std::vector<OffsetPart> of_to = way(to), of_from = way(from);
  for (OffsetPart& part : of_to) {
    if (of_from.empty() || !is_constant_in_time(part.r)) continue;
    const auto other = std::ranges::find_if(
        of_from, [&](const OffsetPart& one) { return one.frame == part.frame && is_constant_in_time(one.r); });
    if (other == of_from.end()) continue;
    const std::vector<OffsetPart> both = without_rounding({part, {other->frame, negate(other->r)}});
    part.r = both.size() == 1 ? both.front().r : subtract(part.r, other->r);
    of_from.erase(other);
  }
  const auto sum_of = [&](const std::vector<OffsetPart>& parts) {
    Gathering sum(*this);
    for (const OffsetPart& part : parts) sum.add(part.r, part.frame);
    return sum.in(components);
  };
  return subtract(sum_of(of_to), sum_of(of_from));
}

ExprVector Lowering::point_motion(PointId point, int order, FrameId observer, FrameId components) {
  const auto anchor_of = [this](FrameId frame) { return tree_.anchor_of(frame).value_or(PointId()); };
  const FrameId on = model_.point(point).on;
  if (on.is_valid()) {
    // the point of the body that coincides with `point` at present
    if (on == observer) return zero_vector(graph_);
    const PointId anchor = anchor_of(on);
    // The product ω × lever is evaluated in the common frame of the lever's offsets. For example, the contact point of
    // a wheel is defined in a frame that does not spin with the wheel.
    const FrameId way = frame_of_way(point, anchor), at = way.is_valid() ? way : on;
    const ExprVector lever =
        anchor.is_valid() ? position_between(point, anchor, at) : motion_from_base(point, PointId(), 0, on, at);
    const ExprVector omega = angular_velocity(on, observer, at);
    ExprVector turning = cross(omega, lever);
    if (order == 2) turning = add(cross(angular_acceleration(on, observer, at), lever), cross(omega, turning));
    ExprVector of_anchor = zero_vector(graph_);
    if (anchor.is_valid()) {
      of_anchor = point_motion(anchor, order, observer, components);
    } else if (const PointId here = anchor_of(observer); here.is_valid()) {
      of_anchor = negate(motion_from_base(here, PointId(), order, observer, components));
    }
    return add(of_anchor, express(turning, at, components));
  }
  if (observer == Model::newtonian()) return motion_from_base(point, PointId(), order, observer, components);
  const PointId anchor = anchor_of(observer);
  if (!anchor.is_valid()) return motion_from_base(point, PointId(), order, observer, components);
  const PointId common = tree_.common_base(point, anchor);
  return subtract(motion_from_base(point, common, order, observer, components),
                  motion_from_base(anchor, common, order, observer, components));
}

}  // namespace vinculum::equations
