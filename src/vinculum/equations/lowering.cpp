#include "vinculum/equations/lowering.hpp"

#include <algorithm>

#include "vinculum/base/contract.hpp"
#include "vinculum/base/rounded.hpp"
#include "vinculum/expr/derivative.hpp"
#include "vinculum/expr/traversal.hpp"
#include "vinculum/model/calculus.hpp"
#include "vinculum/model/traversal.hpp"

namespace vinculum::equations {
namespace {

using expr::Expr;
using expr::Op;
using model::FrameId;
using model::Model;
using model::PointId;
using model::Term;
using model::TermKind;

/// The speeds that define the measure numbers of a vector in one frame. The search may have found fewer than three.
struct Found {
  std::array<std::optional<std::size_t>, 3> speeds;
};

}  // namespace

Lowering::Lowering(const Model& model, expr::Graph& graph, LeafSymbols symbols)
    : model_(model), graph_(graph), symbols_(std::move(symbols)), tree_(model) {
  std::size_t row = 0, effort = 0;
  for (const model::Constraint& constraint : model.constraints) {
    first_row_.push_back(row);
    first_effort_.push_back(effort);
    row += constraint.rows.size();
    effort += constraint.law->actuators().size();
  }
  if (!symbols_.u.empty()) read_stated_vectors();
}

/// Replaces the definition of each speed by the speed's symbol, wherever it occurs. If the three measure numbers
/// dot(omega(B,A), C.x|y|z) or dot(vel(P), C.x|y|z) are all speeds, the vector is expressed by these speeds.
void Lowering::read_stated_vectors() {
  std::map<std::pair<FramePair, FrameId>, Found> rotations;
  std::map<std::pair<PointId, FrameId>, Found> velocities;
  for (std::size_t i = 0; i < model_.speeds.size(); ++i) {
    const Term definition = model_.speeds[i].definition;
    scalars_[definition.id()] = symbols_.u[i];
    if (definition.kind() != TermKind::kDot) continue;
    for (int k = 0; k < 2; ++k) {
      const Term leaf = definition.operand(k), axis = definition.operand(1 - k);
      if (axis.kind() != TermKind::kBasisVector) continue;
      if (leaf.kind() == TermKind::kAngularVelocity) {
        rotations[{{frame_of(leaf), seen_in(leaf)}, frame_of(axis)}].speeds[axis.second()] = i;
      } else if (leaf.kind() == TermKind::kVelocity && seen_in(leaf) == Model::newtonian()) {
        velocities[{point_of(leaf), frame_of(axis)}].speeds[axis.second()] = i;
      }
    }
  }
  const auto is_whole = [](const Found& found) { return found.speeds[0] && found.speeds[1] && found.speeds[2]; };
  for (const auto& [what, found] : rotations) {
    const auto& [frames, components] = what;
    // Only angular velocities relative to an ancestor are stored; the others are computed from these.
    if (!is_whole(found) || tree_.common_parent(frames.first, frames.second) != frames.second) continue;
    stated_rotations_.try_emplace(frames,
                                  StatedVector{components, {*found.speeds[0], *found.speeds[1], *found.speeds[2]}});
  }
  for (const auto& [what, found] : velocities) {
    if (!is_whole(found)) continue;
    stated_velocities_.try_emplace(what.first,
                                   StatedVector{what.second, {*found.speeds[0], *found.speeds[1], *found.speeds[2]}});
  }
}

Expr Lowering::scalar(Term term) {
  VINCULUM_EXPECTS(term.is_scalar());
  lower_scalars_below(term);
  return scalars_.at(term.id());
}

Expr Lowering::hold(Term term, Expr symbol) {
  const Expr value = scalar(term);
  scalars_[term.id()] = held_[term.id()] = symbol;
  return value;
}

Expr Lowering::held(Term term) const {
  const auto found = held_.find(term.id());
  return found != held_.end() ? found->second : Expr{};
}

ExprVector Lowering::vector(Term term, FrameId frame) {
  VINCULUM_EXPECTS(term.is_vector());
  lower_scalars_below(term);
  return vector_below(term, frame);
}

void Lowering::lower_scalars_below(Term root) {
  if (scalars_.contains(root.id())) return;
  for (const Term node : model::in_order(root, [this](Term one) { return scalars_.contains(one.id()); })) {
    if (node.is_scalar() && !scalars_.contains(node.id())) {
      const Expr value = scalar_node(node);
      scalars_[node.id()] = value;
    }
  }
}

const ExprVector& Lowering::vector_below(Term root, FrameId frame) {
  if (const auto found = vectors_.find({frame, root.id()}); found != vectors_.end()) return found->second;
  const auto is_known = [&](Term one) { return one.is_scalar() || vectors_.contains({frame, one.id()}); };
  for (const Term node : model::in_order(root, is_known)) {
    if (!vectors_.contains({frame, node.id()})) {
      ExprVector value = vector_node(node, frame);
      vectors_[{frame, node.id()}] = value;
    }
  }
  return vectors_.at({frame, root.id()});
}

Expr Lowering::scalar_node(Term node) {
  const auto operand = [&](int i) { return i < node.operand_count() ? scalars_.at(node.operand(i).id()) : Expr{}; };
  switch (node.kind()) {
    case TermKind::kNumber: return graph_.constant(node.rounded());
    case TermKind::kTime: return symbols_.t;
    case TermKind::kParameter: return symbols_.parameters[node.index()];
    case TermKind::kCoordinate:
      if (node.order() == 0) return symbols_.q[node.index()];
      if (node.order() == 1) return symbols_.q_dot[node.index()];
      if (q_rates_.empty()) q_rates_.push_back(symbols_.q_dot);
      while (static_cast<int>(q_rates_.size()) < node.order()) q_rates_.push_back(rates(q_rates_.back()));
      return q_rates_[static_cast<std::size_t>(node.order()) - 1][node.index()];
    case TermKind::kSpeed: {
      if (!symbols_.u.empty()) {
        const auto order = static_cast<std::size_t>(node.order());
        return (order == 0 ? symbols_.u : order == 1 ? symbols_.u_dot : symbols_.u_higher[order - 2])[node.index()];
      }
      const Term definition = model_.speeds[node.index()].definition;
      return scalar(node.order() == 0 ? definition : model::time_derivative(model_, definition));
    }
    case TermKind::kMultiplier: return multiplier(symbols_.lambda, node);
    case TermKind::kIdealMultiplier: return multiplier(symbols_.lambda_ideal, node);
    case TermKind::kState: return symbols_.z[node.index()];
    case TermKind::kGeneralizedForce:
      VINCULUM_EXPECTS(node.index() < generalized_forces_.size());
      return generalized_forces_[node.index()][node.second()];
    case TermKind::kGeneralizedIdealForce:
      VINCULUM_EXPECTS(node.index() < ideal_forces_.size());
      return ideal_forces_[node.index()][node.second()];
    case TermKind::kDeparture:
      VINCULUM_EXPECTS(node.index() < departures_.size());
      return departures_[node.index()][node.second()];
    case TermKind::kSystemVector: return symbols_.vectors[node.index() * model_.speeds.size() + node.second()];
    case TermKind::kSlideDirection: return symbols_.slide[node.index()][node.second()];
    case TermKind::kLawEnergy:
      VINCULUM_EXPECTS(node.index() < law_energies_.size());
      return law_energies_[node.index()];
    case TermKind::kEffort: return symbols_.effort[first_effort_[node.index()] + node.second()];
    case TermKind::kPartial: return partial(operand(0), node.operand(1));
    case TermKind::kRate: {
      Expr value = operand(0);
      for (int i = 0; i < node.order(); ++i) value = rates({&value, 1})[0];
      return value;
    }
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
      const ExprVector& a = vector_below(node.operand(0), natural_frame(node.operand(0), FrameId()));
      return expr::square_root(dot(a, a));
    }
    default: break;
  }
  contract_broken("a scalar term is lowered", __FILE__, __LINE__);
}

/// λ of a row. For a constraint with a penalty realization it is the expression that its law defines.
Expr Lowering::multiplier(const std::vector<Expr>& of_rows, Term leaf) {
  const model::Constraint& constraint = model_.constraints[leaf.index()];
  if (!model::is_realised(constraint)) return of_rows[first_row_[leaf.index()] + leaf.second()];
  return scalar(constraint.law->multiplier(model_, model::ConstraintId(std::size_t{leaf.index()}), leaf.second()));
}

/// Partial derivatives treat q, q' and t as independent. At constant q', u = u(q, q', t) changes with q and t: ∂u/∂q =
/// −∂u/∂q' ∂q'/∂q.
Expr Lowering::partial(Expr of, Term by) {
  if (by.kind() == TermKind::kSpeed) return expr::derivative(of, symbols_.u[by.index()]);
  if (by.kind() == TermKind::kState) return expr::derivative(of, symbols_.z[by.index()]);
  const bool is_rate = by.kind() == TermKind::kCoordinate && by.order() == 1;
  const bool is_speed = is_rate && symbols_.u_by_q_dot.empty();  // then u = q'
  const Expr x = by.kind() == TermKind::kTime ? symbols_.t : is_speed ? symbols_.u[by.index()] : symbols_.q[by.index()];
  if (symbols_.u_by_q_dot.empty()) return expr::derivative(of, x);
  const std::vector<Expr> by_u = expr::gradient(of, symbols_.u);
  const auto along = [&](std::size_t i) {
    Expr sum = graph_.constant(0.0);
    for (std::size_t r = 0; r < by_u.size(); ++r) sum += by_u[r] * symbols_.u_by_q_dot[r][i];
    return sum;
  };
  if (is_rate) return along(by.index());
  Expr result = expr::derivative(of, x);
  for (const expr::Entry& entry : expr::sparse_jacobian(symbols_.q_dot, {&x, 1})) {
    result -= along(static_cast<std::size_t>(entry.row)) * entry.value;
  }
  return result;
}

FrameId Lowering::frame_for_dot(Term a, Term b) {
  if (b.kind() == TermKind::kBasisVector) return frame_of(b);
  if (a.kind() == TermKind::kBasisVector) return frame_of(a);
  return natural_frame(b, natural_frame(a, FrameId()));
}

/// The nearest common ancestor of the frames of all vectors in the term, and of `known` if it is valid.
FrameId Lowering::natural_frame(Term term, FrameId known) {
  FrameId frame = known;
  const auto join = [&](FrameId other) { frame = frame.is_valid() ? tree_.common_parent(frame, other) : other; };
  const auto join_way = [&](PointId to, PointId from) {
    if (const FrameId way = frame_of_way(to, from); way.is_valid()) join(way);
  };
  for (const Term leaf : model::leaves_as_read(term)) {
    switch (leaf.kind()) {
      case TermKind::kBasisVector:
      case TermKind::kAngularVelocity:
      case TermKind::kAngularAcceleration: join(frame_of(leaf)); break;
      case TermKind::kPosition: join_way(point_of(leaf), PointId(std::size_t{leaf.second()})); break;
      case TermKind::kVelocity:
      case TermKind::kAcceleration: join_way(point_of(leaf), PointId()); break;
      default: break;
    }
  }
  return frame.is_valid() ? frame : Model::newtonian();
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
  switch (leaf.kind()) {
    case TermKind::kZeroVector: return zero_vector(graph_);
    case TermKind::kBasisVector: return transpose(rotation(frame, frame_of(leaf)))[leaf.second()];
    case TermKind::kPosition: return position_between(point_of(leaf), PointId(std::size_t{leaf.second()}), frame);
    case TermKind::kVelocity: return point_motion(point_of(leaf), 1, seen_in(leaf), frame);
    case TermKind::kAcceleration: return point_motion(point_of(leaf), 2, seen_in(leaf), frame);
    case TermKind::kAngularVelocity: return angular_velocity(frame_of(leaf), seen_in(leaf), frame);
    case TermKind::kAngularAcceleration: return angular_acceleration(frame_of(leaf), seen_in(leaf), frame);
    default: break;
  }
  contract_broken("a vector term is lowered", __FILE__, __LINE__);
}

std::vector<Expr> Lowering::rates(std::span<const Expr> values) const {
  // Derivatives are formed only with respect to symbols that occur in `values`, because the values depend on few
  // symbols.
  const expr::Subgraph held(values);
  std::vector<Expr> x, x_dot;
  const auto add = [&](Expr symbol, Expr rate) {
    if (held.position(symbol.node()) == expr::Subgraph::kOutside) return;
    x.push_back(symbol);
    x_dot.push_back(rate);
  };
  const auto add_all = [&](const std::vector<Expr>& symbols, const std::vector<Expr>& of) {
    for (std::size_t i = 0; i < symbols.size(); ++i) add(symbols[i], of[i]);
  };
  add_all(symbols_.q, symbols_.q_dot);
  add_all(symbols_.u, symbols_.u_dot);
  for (std::size_t k = 0; k < symbols_.u_higher.size(); ++k)
    add_all(k == 0 ? symbols_.u_dot : symbols_.u_higher[k - 1], symbols_.u_higher[k]);
  if (z_dot_.size() == symbols_.z.size()) {
    add_all(symbols_.z, z_dot_);
  } else {
    for (const Expr value : values) VINCULUM_EXPECTS(!expr::depends_on(value, symbols_.z));
  }
  add(symbols_.t, graph_.constant(1.0));
  return expr::directional_derivative(values, x, x_dot);
}

}  // namespace vinculum::equations
