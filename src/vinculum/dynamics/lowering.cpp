#include "vinculum/dynamics/lowering.hpp"

#include <algorithm>

#include "vinculum/base/contract.hpp"
#include "vinculum/expr/derivative.hpp"
#include "vinculum/mechanics/calculus.hpp"
#include "vinculum/mechanics/traversal.hpp"

namespace vinculum::dynamics {
namespace {

using expr::Expr;
using expr::Op;
using mechanics::FrameId;
using mechanics::Model;
using mechanics::PointId;
using mechanics::Term;
using mechanics::TermKind;

PointId point_of(Term leaf) { return PointId(std::size_t{leaf.index()}); }
FrameId frame_of(Term leaf) { return FrameId(std::size_t{leaf.index()}); }
FrameId seen_in(Term leaf) { return FrameId(std::size_t{leaf.second()}); }

}  // namespace

Lowering::Lowering(const Model& model, expr::Graph& graph, LeafSymbols symbols)
    : model_(model), graph_(graph), symbols_(std::move(symbols)), tree_(model) {
  std::size_t row = 0;
  for (const mechanics::Constraint& constraint : model.constraints) {
    first_row_.push_back(row);
    row += constraint.rows.size();
  }
}

Expr Lowering::scalar(Term term) {
  VINCULUM_EXPECTS(term.is_scalar());
  lower_scalars_below(term);
  return scalars_.at(term.id());
}

ExprVector Lowering::vector(Term term, FrameId frame) {
  VINCULUM_EXPECTS(term.is_vector());
  lower_scalars_below(term);
  return vector_below(term, frame);
}

void Lowering::lower_scalars_below(Term root) {
  if (scalars_.contains(root.id())) return;
  for (const Term node : mechanics::in_order(root)) {
    if (node.is_scalar() && !scalars_.contains(node.id())) {
      const Expr value = scalar_node(node);
      scalars_[node.id()] = value;
    }
  }
}

const ExprVector& Lowering::vector_below(Term root, FrameId frame) {
  if (const auto found = vectors_.find({frame, root.id()}); found != vectors_.end()) return found->second;
  for (const Term node : mechanics::in_order(root)) {
    if (node.is_vector() && !vectors_.contains({frame, node.id()})) {
      ExprVector value = vector_node(node, frame);
      vectors_[{frame, node.id()}] = value;
    }
  }
  return vectors_.at({frame, root.id()});
}

Expr Lowering::scalar_node(Term node) {
  const auto operand = [&](int i) { return i < node.operand_count() ? scalars_.at(node.operand(i).id()) : Expr{}; };
  switch (node.kind()) {
    case TermKind::kNumber: return graph_.constant(node.value());
    case TermKind::kTime: return symbols_.t;
    case TermKind::kParameter: return symbols_.parameters[node.index()];
    case TermKind::kCoordinate:
      if (node.order() == 0) return symbols_.q[node.index()];
      if (node.order() == 1) return symbols_.q_dot[node.index()];
      if (q_ddot_.empty()) q_ddot_ = rates(symbols_.q_dot);
      return q_ddot_[node.index()];
    case TermKind::kSpeed: {
      if (!symbols_.u.empty()) return (node.order() == 0 ? symbols_.u : symbols_.u_dot)[node.index()];
      const Term definition = model_.speeds[node.index()].definition;
      return scalar(node.order() == 0 ? definition : mechanics::time_derivative(model_, definition));
    }
    case TermKind::kMultiplier: return symbols_.lambda[first_row_[node.index()] + node.second()];
    case TermKind::kIdealMultiplier: return symbols_.lambda_ideal[first_row_[node.index()] + node.second()];
    case TermKind::kGeneralizedForce:
      VINCULUM_EXPECTS(node.index() < generalized_forces_.size());
      return generalized_forces_[node.index()][node.second()];
    case TermKind::kFunction: return graph_.make(node.op(), operand(0), operand(1), operand(2));
    case TermKind::kTable: {
      auto table = tables_.find(node.index());
      if (table == tables_.end()) {
        table = tables_.emplace(node.index(), graph_.add_table(node.pool().spline(node.index()))).first;
      }
      return graph_.table(table->second, node.order(), operand(0));
    }
    case TermKind::kDot: {
      const FrameId frame = frame_for_dot(node.operand(0), node.operand(1));
      const ExprVector a = vector_below(node.operand(0), frame);
      return dot(a, vector_below(node.operand(1), frame));
    }
    case TermKind::kNorm: {
      const ExprVector& a = vector_below(node.operand(0), Model::newtonian());
      return expr::square_root(dot(a, a));
    }
    default: break;
  }
  contract_broken("a scalar term is lowered", __FILE__, __LINE__);
}

/// Angular velocities dotted into a turned basis are short in that basis and long in any other.
FrameId Lowering::frame_for_dot(Term a, Term b) const {
  const auto is_angular = [](Term term) {
    const auto leaves = mechanics::leaves_as_read(term);
    return std::none_of(leaves.begin(), leaves.end(), [](Term leaf) {
      return leaf.kind() == TermKind::kPosition || leaf.kind() == TermKind::kVelocity ||
             leaf.kind() == TermKind::kAcceleration;
    });
  };
  if (b.kind() == TermKind::kBasisVector && is_angular(a)) return frame_of(b);
  if (a.kind() == TermKind::kBasisVector && is_angular(b)) return frame_of(a);
  return Model::newtonian();
}

ExprVector Lowering::vector_node(Term node, FrameId frame) {
  const auto operand = [&](int i) -> const ExprVector& { return vectors_.at({frame, node.operand(i).id()}); };
  const auto factor = [&](int i) { return scalars_.at(node.operand(i).id()); };
  switch (node.kind()) {
    case TermKind::kVectorAdd: return add(operand(0), operand(1));
    case TermKind::kVectorSubtract: return subtract(operand(0), operand(1));
    case TermKind::kVectorNegate: return negate(operand(0));
    case TermKind::kScale: return scale(factor(0), operand(1));
    case TermKind::kCross: return cross(operand(0), operand(1));
    case TermKind::kUnit: {
      const Expr length = expr::square_root(dot(operand(0), operand(0)));
      const auto per_length = [&length](Expr x) { return x.is_zero() ? x : x / length; };
      return {per_length(operand(0)[0]), per_length(operand(0)[1]), per_length(operand(0)[2])};
    }
    case TermKind::kVectorSelect: {
      const ExprVector &yes = operand(1), &no = operand(2);
      const Expr condition = factor(0);
      return {expr::select(condition, yes[0], no[0]), expr::select(condition, yes[1], no[1]),
              expr::select(condition, yes[2], no[2])};
    }
    default: return vector_leaf(node, frame);
  }
}

ExprVector Lowering::vector_leaf(Term leaf, FrameId frame) {
  const auto from_newtonian = [&](const ExprVector& v) {
    return frame == Model::newtonian() ? v : rotate(rotation(frame, Model::newtonian()), v);
  };
  switch (leaf.kind()) {
    case TermKind::kZeroVector: return zero_vector(graph_);
    case TermKind::kBasisVector: return transpose(rotation(frame, frame_of(leaf)))[leaf.second()];
    case TermKind::kPosition:
      return from_newtonian(position_between(point_of(leaf), PointId(std::size_t{leaf.second()})));
    case TermKind::kVelocity:
    case TermKind::kAcceleration: return from_newtonian(point_motion(leaf));
    case TermKind::kAngularVelocity: return angular_velocity(frame_of(leaf), seen_in(leaf), frame);
    case TermKind::kAngularAcceleration: {
      const FrameId observer = seen_in(leaf);
      const ExprVector omega = angular_velocity(frame_of(leaf), observer, observer);
      const std::vector<Expr> alpha = rates(omega);
      return rotate(rotation(frame, observer), {alpha[0], alpha[1], alpha[2]});
    }
    default: break;
  }
  contract_broken("a vector term is lowered", __FILE__, __LINE__);
}

/// Difference of positions over the shortest way in the tree: what both share would not cancel by itself.
ExprVector Lowering::position_between(PointId to, PointId from) {
  const PointId common = tree_.common_base(to, from);
  if (!common.is_valid()) return subtract(position(to), position(from));
  const auto down_from_common = [&](PointId point) {
    if (!model_.point(common).base.is_valid()) return position(point);
    std::vector<PointId> path;
    for (; point != common; point = model_.point(point).base) path.push_back(point);
    ExprVector sum = zero_vector(graph_);
    for (auto it = path.rbegin(); it != path.rend(); ++it) sum = add(sum, vector(model_.point(*it).offset));
    return sum;
  };
  return subtract(down_from_common(to), down_from_common(from));
}

/// Velocity or acceleration seen in any frame: relative motion, the frame turning about the newtonian origin.
ExprVector Lowering::point_motion(Term leaf) {
  constexpr FrameId kNewtonian = Model::newtonian();
  const PointId point = point_of(leaf);
  const FrameId observer = seen_in(leaf);
  const bool is_velocity = leaf.kind() == TermKind::kVelocity;
  if (observer == kNewtonian) return is_velocity ? velocity(point) : acceleration(point);
  const ExprVector omega = angular_velocity(observer, kNewtonian, kNewtonian);
  const ExprVector omega_r = cross(omega, position(point));
  if (is_velocity) return subtract(velocity(point), omega_r);
  const std::vector<Expr> alpha = rates(omega);
  const ExprVector coriolis = scale(graph_.constant(2.0), cross(omega, subtract(velocity(point), omega_r)));
  const ExprVector frame_part = add(cross({alpha[0], alpha[1], alpha[2]}, position(point)), cross(omega, omega_r));
  return subtract(subtract(acceleration(point), frame_part), coriolis);
}

const ExprVector& Lowering::along_bases(PointVectors& known, PointId point, int derivatives) {
  std::vector<PointId> open;
  for (PointId p = point; !known.contains(p); p = model_.point(p).base) {
    open.push_back(p);
    if (!model_.point(p).base.is_valid()) break;
  }
  for (auto it = open.rbegin(); it != open.rend(); ++it) {
    const mechanics::Point& p = model_.point(*it);
    ExprVector value = zero_vector(graph_);
    if (p.base.is_valid()) {
      Term offset = p.offset;
      for (int i = 0; i < derivatives; ++i) offset = mechanics::time_derivative(model_, offset);
      VINCULUM_EXPECTS(offset.is_valid());
      value = add(known.at(p.base), vector(offset));
    }
    known[*it] = value;
  }
  return known.at(point);
}

const ExprVector& Lowering::position(PointId point) { return along_bases(positions_, point, 0); }
const ExprVector& Lowering::velocity(PointId point) { return along_bases(velocities_, point, 1); }
const ExprVector& Lowering::acceleration(PointId point) { return along_bases(accelerations_, point, 2); }

/// R_ancestor,frame along the tree.
const ExprRotation& Lowering::rotation_down(FrameId ancestor, FrameId frame) {
  if (const auto found = rotations_down_.find({ancestor, frame}); found != rotations_down_.end()) return found->second;
  ExprRotation R = identity_rotation(graph_);
  if (frame != ancestor) {
    const mechanics::Frame& f = model_.frame(frame);
    R = rotation_down(ancestor, f.parent);
    for (const mechanics::SimpleRotation& simple : f.rotations) {
      const Expr angle = scalar(simple.angle);
      R = multiply(R, simple.axis >= 0 ? simple_rotation(simple.axis, angle)
                                       : rotation_about(vector(simple.direction, f.parent), angle));
    }
  }
  return rotations_down_[{ancestor, frame}] = R;
}

const ExprRotation& Lowering::rotation(FrameId from, FrameId to) {
  if (const auto found = rotations_.find({from, to}); found != rotations_.end()) return found->second;
  const FrameId common = tree_.common_parent(from, to);
  ExprRotation R = common == from ? rotation_down(common, to)
                   : common == to ? transpose(rotation_down(common, from))
                                  : multiply(transpose(rotation_down(common, from)), rotation_down(common, to));
  return rotations_[{from, to}] = R;
}

/// ω of a frame relative to its parent, measure numbers in the parent: Σ angle' axis over its rotations.
ExprVector Lowering::velocity_in_parent(FrameId frame) {
  const mechanics::Frame& f = model_.frame(frame);
  ExprVector omega = zero_vector(graph_);
  ExprRotation R = identity_rotation(graph_);  // parent to the frame reached so far
  for (const mechanics::SimpleRotation& simple : f.rotations) {
    const Expr angle = scalar(simple.angle), rate = scalar(mechanics::time_derivative(model_, simple.angle));
    const ExprVector axis = simple.axis >= 0
                                ? identity_rotation(graph_)[static_cast<std::size_t>(simple.axis)]
                                : vector(simple.direction, f.parent);
    omega = add(omega, scale(rate, rotate(R, axis)));
    R = multiply(R, simple.axis >= 0 ? simple_rotation(simple.axis, angle) : rotation_about(axis, angle));
  }
  return omega;
}

ExprVector Lowering::angular_velocity(FrameId frame, FrameId observer, FrameId components) {
  const FrameId common = tree_.common_parent(frame, observer);
  const auto sum_down_to = [&](FrameId end) {
    ExprVector sum = zero_vector(graph_);
    for (const FrameId f : tree_.path_down(common, end)) {
      sum = add(sum, rotate(rotation(components, model_.frame(f).parent), velocity_in_parent(f)));
    }
    return sum;
  };
  return subtract(sum_down_to(frame), sum_down_to(observer));
}

std::vector<Expr> Lowering::rates(std::span<const Expr> values) const {
  std::vector<Expr> x = symbols_.q, x_dot = symbols_.q_dot;
  x.insert(x.end(), symbols_.u.begin(), symbols_.u.end());
  x_dot.insert(x_dot.end(), symbols_.u_dot.begin(), symbols_.u_dot.end());
  x.push_back(symbols_.t);
  x_dot.push_back(graph_.constant(1.0));
  return expr::directional_derivative(values, x, x_dot);
}

}  // namespace vinculum::dynamics
