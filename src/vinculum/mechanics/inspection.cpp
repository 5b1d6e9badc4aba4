#include "vinculum/mechanics/inspection.hpp"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <utility>

#include "vinculum/base/contract.hpp"
#include "vinculum/mechanics/calculus.hpp"
#include "vinculum/mechanics/expansion.hpp"
#include "vinculum/mechanics/kinematic_tree.hpp"
#include "vinculum/mechanics/scalar_rules.hpp"
#include "vinculum/mechanics/traversal.hpp"

namespace vinculum::mechanics {
namespace {

using expr::Op;

/// ∂scalar/∂node for every node below a scalar, by one pass from the root down.
class Adjoints {
 public:
  explicit Adjoints(Term root) : pool_(root.pool()) {
    VINCULUM_EXPECTS(root.is_scalar());
    adjoints_[root.id()] = pool_.number(1.0);
    const std::vector<Term> nodes = in_order(root);
    for (auto it = nodes.rbegin(); it != nodes.rend(); ++it) {
      const auto found = adjoints_.find(it->id());
      if (found == adjoints_.end() || found->second.is_zero()) continue;
      const Term adjoint = found->second;
      if (it->is_scalar()) {
        pass_down_scalar(*it, adjoint);
      } else {
        pass_down_vector(*it, adjoint);
      }
    }
  }

  /// Zero, scalar or vector as the node is, where the scalar does not depend on it.
  [[nodiscard]] Term of(Term node) const {
    const auto found = adjoints_.find(node.id());
    if (found != adjoints_.end()) return found->second;
    return node.is_scalar() ? pool_.number(0.0) : pool_.zero_vector();
  }

 private:
  void add(Term node, Term contribution) {
    const auto [it, is_new] = adjoints_.try_emplace(node.id(), contribution);
    if (!is_new) it->second = contribution + it->second;  // nodes come last to first: back to reading order
  }

  void pass_down_scalar(Term node, Term c) {
    switch (node.kind()) {
      case TermKind::kDot:
        add(node.operand(0), c * node.operand(1));
        add(node.operand(1), c * node.operand(0));
        break;
      case TermKind::kNorm: add(node.operand(0), c * pool_.unit(node.operand(0))); break;
      case TermKind::kFunction:
      case TermKind::kTable: {
        if (const auto branch = branch_of(node)) {
          const Term none = pool_.number(0.0);
          add(branch->if_true, pool_.function(Op::kSelect, branch->condition, c, none));
          add(branch->if_false, pool_.function(Op::kSelect, branch->condition, none, c));
          break;
        }
        const std::array<Term, 3> partials = partial_derivatives(node);
        for (int i = 0; i < node.operand_count(); ++i) {
          add(node.operand(i), c * partials[static_cast<std::size_t>(i)]);
        }
        break;
      }
      default: break;
    }
  }

  void pass_down_vector(Term node, Term w) {
    switch (node.kind()) {
      case TermKind::kVectorAdd:
        add(node.operand(0), w);
        add(node.operand(1), w);
        break;
      case TermKind::kVectorSubtract:
        add(node.operand(0), w);
        add(node.operand(1), -w);
        break;
      case TermKind::kVectorNegate: add(node.operand(0), -w); break;
      case TermKind::kScale:
        add(node.operand(0), pool_.dot(w, node.operand(1)));
        add(node.operand(1), node.operand(0) * w);
        break;
      case TermKind::kCross:
        add(node.operand(0), pool_.cross(node.operand(1), w));
        add(node.operand(1), pool_.cross(w, node.operand(0)));
        break;
      case TermKind::kUnit:
        add(node.operand(0), (w - pool_.dot(w, node) * node) / pool_.norm(node.operand(0)));
        break;
      case TermKind::kVectorSelect: {
        const Term none = pool_.zero_vector();
        add(node.operand(1), pool_.vector_select(node.operand(0), w, none));
        add(node.operand(2), pool_.vector_select(node.operand(0), none, w));
        break;
      }
      default: break;
    }
  }

  TermPool& pool_;
  std::unordered_map<TermId, Term> adjoints_;
};

/// Whether a leaf is a coordinate, speed or frame of the row's own level: what no force at a point can act on.
bool is_bare(KinematicTree& tree, Term leaf, Level level) {
  const auto turns = [&](FrameId seen_in) {
    return tree.of_rotation(FrameId(std::size_t{leaf.index()}), seen_in).on_coordinates;
  };
  switch (leaf.kind()) {
    case TermKind::kCoordinate: return leaf.order() == static_cast<int>(level);
    case TermKind::kSpeed: return leaf.order() + 1 == static_cast<int>(level);
    case TermKind::kBasisVector: return level == Level::kPosition && turns(Model::newtonian());
    case TermKind::kAngularVelocity: return level == Level::kVelocity && turns(FrameId(std::size_t{leaf.second()}));
    case TermKind::kAngularAcceleration:
      return level == Level::kAcceleration && turns(FrameId(std::size_t{leaf.second()}));
    default: return false;
  }
}

Term stated_force(const Model& model, const Constraint& constraint, PointId point) {
  Term sum = model.terms->zero_vector();
  for (const Nonideal& nonideal : constraint.nonideal) {
    if (const auto* force = std::get_if<ForceOn>(&nonideal.what)) {
      if (force->point == point) sum = sum + force->force;
      if (force->from == point) sum = sum - force->force;
    }
  }
  return sum;
}

Term multiplied(const Model& model, ConstraintId id, PointId point, Share share) {
  TermPool& pool = *model.terms;
  const Constraint& constraint = model.constraint(id);
  Term sum = pool.zero_vector();
  for (std::size_t row = 0; row < constraint.rows.size(); ++row) {
    const Term lambda = pool.multiplier(id, static_cast<int>(row));
    const Term lambda_ideal = pool.ideal_multiplier(id, static_cast<int>(row));
    const Term factor = share == Share::kReaction ? lambda : share == Share::kIdeal ? lambda_ideal : lambda - lambda_ideal;
    const RowInspection inspection = inspect_row(model, id, row);
    for (const PointReaction& reaction : inspection.forces) {
      if (reaction.point == point) sum = sum + factor * reaction.W;
    }
  }
  return sum;
}

}  // namespace

Term vector_gradient(const Model&, Term scalar, Term leaf) {
  VINCULUM_EXPECTS(leaf.is_vector());
  return Adjoints(scalar).of(leaf);
}

RowInspection inspect_row(const Model& model, Term row, Level level) {
  TermPool& pool = *model.terms;
  const Term newtonian = seen_in_newtonian(model, expand_massless(model, row));
  const Term expanded = expand_massless(model, newtonian);
  const Adjoints adjoints(expanded);
  KinematicTree tree(model);

  RowInspection inspection;
  const auto act_on = [&](PointId point, Term W) {
    if (W.is_zero() || !model.point(point).particle) return;
    const auto found = std::find_if(inspection.forces.begin(), inspection.forces.end(),
                                    [point](const PointReaction& reaction) { return reaction.point == point; });
    if (found == inspection.forces.end()) {
      inspection.forces.push_back({point, W});
    } else {
      found->W = found->W + W;
    }
  };
  const TermKind kind = level == Level::kPosition   ? TermKind::kPosition
                        : level == Level::kVelocity ? TermKind::kVelocity
                                                    : TermKind::kAcceleration;
  for (const Term leaf : leaves_as_read(expanded)) {
    const Term adjoint = adjoints.of(leaf);
    if (adjoint.is_zero()) continue;
    if (leaf.kind() == kind) {
      act_on(PointId(std::size_t{leaf.index()}), adjoint);
      if (kind == TermKind::kPosition) act_on(PointId(std::size_t{leaf.second()}), pool.vector_negate(adjoint));
    } else if (is_bare(tree, leaf, level)) {
      inspection.has_bare_part = true;
    }
  }
  std::erase_if(inspection.forces, [](const PointReaction& reaction) { return reaction.W.is_zero(); });
  return inspection;
}

RowInspection inspect_row(const Model& model, ConstraintId constraint, std::size_t row) {
  const Constraint& stated = model.constraint(constraint);
  const Term rate = row < stated.row_rates.size() ? stated.row_rates[row] : Term{};
  if (rate.is_valid()) return inspect_row(model, rate, Level::kVelocity);
  return inspect_row(model, stated.rows[row], level_of(model, stated.rows[row]));
}

Term total_force(const Model& model, ConstraintId constraint, PointId point) {
  return reaction(model, constraint, point) + stated_force(model, model.constraint(constraint), point);
}
Term ideal_force(const Model& model, ConstraintId constraint, PointId point) {
  return multiplied(model, constraint, point, Share::kIdeal);
}
Term nonideal_force(const Model& model, ConstraintId constraint, PointId point) {
  // Without a stated C both multipliers are the same number.
  if (model.constraint(constraint).nonideal.empty() &&
      std::all_of(model.constraints.begin(), model.constraints.end(),
                  [](const Constraint& other) { return other.nonideal.empty(); })) {
    return model.terms->zero_vector();
  }
  return multiplied(model, constraint, point, Share::kNonideal) +
         stated_force(model, model.constraint(constraint), point);
}
Term reaction(const Model& model, ConstraintId constraint, PointId point) {
  return multiplied(model, constraint, point, Share::kReaction);
}

std::vector<PointId> points_of(const Model& model, ConstraintId constraint) {
  std::vector<PointId> points;
  const auto name = [&points](PointId point) {
    if (std::find(points.begin(), points.end(), point) == points.end()) points.push_back(point);
  };
  const Constraint& stated = model.constraint(constraint);
  for (std::size_t row = 0; row < stated.rows.size(); ++row) {
    for (const PointReaction& reaction : inspect_row(model, constraint, row).forces) name(reaction.point);
  }
  for (const Nonideal& nonideal : stated.nonideal) {
    if (const auto* force = std::get_if<ForceOn>(&nonideal.what)) {
      name(force->point);
      if (force->from) name(*force->from);
    }
  }
  return points;
}

bool names_point(const Constraint& constraint, PointId point) {
  const auto is_of_point = [point](Term leaf) {
    const TermKind kind = leaf.kind();
    if (kind != TermKind::kPosition && kind != TermKind::kVelocity && kind != TermKind::kAcceleration) return false;
    return leaf.index() == point.value || (kind == TermKind::kPosition && leaf.second() == point.value);
  };
  return std::ranges::any_of(constraint.rows, [&](Term row) { return std::ranges::any_of(leaves_as_read(row), is_of_point); });
}

namespace {

bool holds_time(Term term) {
  return term.is_valid() && std::ranges::any_of(in_order(term), [](Term part) { return part.kind() == TermKind::kTime; });
}

// Points, frames or speeds that move with the time itself: then q' = G u + g with g, v = Σ v_r u_r + v_t.
bool has_rheonomic_kinematics(const Model& model) {
  return std::ranges::any_of(model.points, [](const Point& point) { return holds_time(point.offset); }) ||
         std::ranges::any_of(model.speeds, [](const Speed& speed) { return holds_time(speed.definition); }) ||
         std::ranges::any_of(model.frames, [](const Frame& frame) {
           return std::ranges::any_of(frame.rotations, [](const SimpleRotation& turn) { return holds_time(turn.angle); });
         });
}

// Whether the constraint acts on coordinates beside its forces at points.
bool acts_on_coordinates(const Model& model, const Constraint& constraint) {
  return std::ranges::any_of(constraint.rows,
                             [&](Term row) { return inspect_row(model, row, constraint.level).has_bare_part; }) ||
         std::ranges::any_of(constraint.nonideal, [](const Nonideal& nonideal) {
           return std::holds_alternative<GeneralizedForceOn>(nonideal.what);
         });
}

}  // namespace

Term power_of_constraint(const Model& model, ConstraintId constraint) {
  TermPool& pool = *model.terms;
  Term power = pool.number(0.0);
  if (acts_on_coordinates(model, model.constraint(constraint))) {
    if (has_rheonomic_kinematics(model)) return {};
    for (std::size_t k = 0; k < model.speeds.size(); ++k) {
      const SpeedId speed(k);
      power = power + pool.generalized_force(constraint, speed) * pool.speed(speed);
    }
    return power;
  }
  for (const PointId point : points_of(model, constraint)) {
    power = power + pool.dot(total_force(model, constraint, point), pool.velocity(point, Model::newtonian()));
  }
  return power;
}

}  // namespace vinculum::mechanics
