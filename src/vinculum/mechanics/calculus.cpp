#include "vinculum/mechanics/calculus.hpp"

#include <algorithm>
#include <array>
#include <unordered_map>

#include "vinculum/base/contract.hpp"
#include "vinculum/mechanics/kinematic_tree.hpp"
#include "vinculum/mechanics/scalar_rules.hpp"
#include "vinculum/mechanics/traversal.hpp"

namespace vinculum::mechanics {
namespace {

using expr::Op;

PointId point_of(Term leaf) { return PointId(std::size_t{leaf.index()}); }
FrameId frame_of(Term leaf) { return FrameId(std::size_t{leaf.index()}); }
FrameId seen_in(Term leaf) { return FrameId(std::size_t{leaf.second()}); }

/// d/dt of all nodes of one term; vectors as seen in one frame.
class Differentiator {
 public:
  explicit Differentiator(const Model& model) : pool_(*model.terms), tree_(model) {}

  Term differentiate(Term root, FrameId frame) {
    const std::vector<Term> nodes = in_order(root);
    // Scalars inside are the same in every frame: their vectors are seen in the newtonian one.
    for (const Term node : nodes) rates_[node.id()] = rate(node, Model::newtonian());
    if (frame != Model::newtonian() && root.is_vector()) {
      for (const Term node : nodes) {
        if (node.is_vector()) rates_[node.id()] = rate(node, frame);
      }
    }
    return rates_.at(root.id());
  }

 private:
  Term rate_of(Term term) const { return rates_.at(term.id()); }

  Term rate(Term term, FrameId frame) {
    for (int i = 0; i < term.operand_count(); ++i) {
      if (!rate_of(term.operand(i)).is_valid()) return {};
    }
    return term.is_scalar() ? scalar_rate(term) : vector_rate(term, frame);
  }

  Term scalar_rate(Term term) {
    switch (term.kind()) {
      case TermKind::kNumber:
      case TermKind::kParameter: return pool_.number(0.0);
      case TermKind::kTime: return pool_.number(1.0);
      case TermKind::kCoordinate:
        return term.order() < 2 ? pool_.coordinate(CoordinateId(std::size_t{term.index()}), term.order() + 1) : Term{};
      case TermKind::kSpeed:
        return term.order() < 1 ? pool_.speed(SpeedId(std::size_t{term.index()}), 1) : Term{};
      case TermKind::kDot: {
        const Term a = term.operand(0), b = term.operand(1);
        if (a == b) return 2.0 * pool_.dot(a, rate_of(a));
        return pool_.dot(rate_of(a), b) + pool_.dot(a, rate_of(b));
      }
      case TermKind::kNorm: {
        const Term a = term.operand(0);
        return rate_of(a).is_zero() ? pool_.number(0.0) : pool_.dot(a, rate_of(a)) / term;
      }
      case TermKind::kFunction:
      case TermKind::kTable: {
        if (const auto branch = branch_of(term)) {
          return pool_.function(Op::kSelect, branch->condition, rate_of(branch->if_true), rate_of(branch->if_false));
        }
        const std::array<Term, 3> partials = partial_derivatives(term);
        Term sum = pool_.number(0.0);
        for (int i = 0; i < term.operand_count(); ++i) {
          const Term inner = rate_of(term.operand(i));
          if (!inner.is_zero()) sum = sum + partials[static_cast<std::size_t>(i)] * inner;
        }
        return sum;
      }
      default: return {};  // multipliers
    }
  }

  Term vector_rate(Term term, FrameId frame) {
    switch (term.kind()) {
      case TermKind::kZeroVector: return term;
      case TermKind::kBasisVector: return pool_.cross(angular_velocity(frame_of(term), frame), term);
      case TermKind::kPosition:
        return velocity(point_of(term), frame) - velocity(PointId(std::size_t{term.second()}), frame);
      case TermKind::kVelocity:
        return acceleration(point_of(term), seen_in(term)) + transport(seen_in(term), frame, term);
      case TermKind::kAngularVelocity: {
        const Term alpha = pool_.angular_acceleration(frame_of(term), seen_in(term));
        return frame == frame_of(term) ? alpha : alpha + transport(seen_in(term), frame, term);
      }
      case TermKind::kVectorAdd: return rate_of(term.operand(0)) + rate_of(term.operand(1));
      case TermKind::kVectorSubtract: return rate_of(term.operand(0)) - rate_of(term.operand(1));
      case TermKind::kVectorNegate: return -rate_of(term.operand(0));
      case TermKind::kScale: {
        const Term s = term.operand(0), v = term.operand(1);
        return rate_of(s) * v + s * rate_of(v);
      }
      case TermKind::kCross: {
        const Term a = term.operand(0), b = term.operand(1);
        return pool_.cross(rate_of(a), b) + pool_.cross(a, rate_of(b));
      }
      case TermKind::kUnit: {
        const Term v = term.operand(0), v_rate = rate_of(v);
        if (v_rate.is_zero()) return v_rate;
        return (v_rate - pool_.dot(v_rate, term) * term) / pool_.norm(v);
      }
      case TermKind::kVectorSelect:
        return pool_.vector_select(term.operand(0), rate_of(term.operand(1)), rate_of(term.operand(2)));
      default: return {};  // accelerations: their rates would need third derivatives
    }
  }

  /// What an observer in `to` sees of a vector at rest in `from`.
  Term transport(FrameId from, FrameId to, Term vector) { return pool_.cross(angular_velocity(from, to), vector); }

  Term angular_velocity(FrameId frame, FrameId in) {
    return tree_.of_rotation(frame, in).is_none() ? pool_.zero_vector() : pool_.angular_velocity(frame, in);
  }
  Term velocity(PointId point, FrameId in) {
    return tree_.of_position(point, in).is_none() ? pool_.zero_vector() : pool_.velocity(point, in);
  }
  Term acceleration(PointId point, FrameId in) {
    return tree_.of_position(point, in).is_none() ? pool_.zero_vector() : pool_.acceleration(point, in);
  }

  TermPool& pool_;
  KinematicTree tree_;
  std::unordered_map<TermId, Term> rates_;
};

/// Replaces points without mass by what they are set off from.
class Expander {
 public:
  explicit Expander(const Model& model) : model_(model), pool_(*model.terms) {}

  Term expand(Term root) {
    for (const Term node : in_order(root)) {
      if (expanded_.contains(node.id())) continue;
      Term result = node;
      if (node.operand_count() > 0) {
        std::vector<Term> operands;
        for (int i = 0; i < node.operand_count(); ++i) operands.push_back(expanded_.at(node.operand(i).id()));
        result = with_operands(node, operands);
      } else if (node.kind() == TermKind::kPosition) {
        result = position(point_of(node), PointId(std::size_t{node.second()}));
      } else if (node.kind() == TermKind::kVelocity || node.kind() == TermKind::kAcceleration) {
        result = motion(node);
      }
      expanded_[node.id()] = result;
    }
    return expanded_.at(root.id());
  }

 private:
  /// point = anchor + offset, the anchor a particle or an origin.
  struct Place {
    PointId anchor;
    Term offset;
  };

  Place place(PointId point) {
    if (const auto found = places_.find(point); found != places_.end()) return found->second;
    std::vector<PointId> massless;
    PointId anchor = point;
    while (!model_.point(anchor).particle && model_.point(anchor).base.is_valid()) {
      massless.push_back(anchor);
      anchor = model_.point(anchor).base;
    }
    Term offset = pool_.zero_vector();
    for (auto it = massless.rbegin(); it != massless.rend(); ++it) offset = offset + expand(model_.point(*it).offset);
    return places_[point] = Place{anchor, offset};
  }

  bool is_origin(PointId point) const { return !model_.point(point).base.is_valid(); }

  Term position(PointId to, PointId from) {
    const Place a = place(to), b = place(from);
    const bool same_place = a.anchor == b.anchor || (is_origin(a.anchor) && is_origin(b.anchor));
    const Term between = same_place ? pool_.zero_vector() : pool_.position(a.anchor, b.anchor);
    return between + a.offset - b.offset;
  }

  Term motion(Term leaf) {
    const Place at = place(point_of(leaf));
    const FrameId frame = seen_in(leaf);
    const bool is_velocity = leaf.kind() == TermKind::kVelocity;
    Term offset_rate = time_derivative(model_, at.offset, frame);
    if (!is_velocity && offset_rate.is_valid()) offset_rate = time_derivative(model_, offset_rate, frame);
    if (!offset_rate.is_valid()) return leaf;
    if (is_origin(at.anchor)) return expand(offset_rate);
    const Term of_anchor =
        is_velocity ? pool_.velocity(at.anchor, frame) : pool_.acceleration(at.anchor, frame);
    return of_anchor + expand(offset_rate);
  }

  const Model& model_;
  TermPool& pool_;
  std::unordered_map<TermId, Term> expanded_;
  std::unordered_map<PointId, Place> places_;
};

}  // namespace

Term time_derivative(const Model& model, Term term, FrameId frame) {
  return term.is_valid() ? Differentiator(model).differentiate(term, frame) : term;
}

Level level_of(const Model& model, Term term) {
  KinematicTree tree(model);
  Level level = Level::kPosition;
  const auto raise = [&level](Level to) { level = std::max(level, to); };
  for (const Term leaf : leaves_as_read(term)) {
    switch (leaf.kind()) {
      case TermKind::kCoordinate: raise(static_cast<Level>(leaf.order())); break;
      case TermKind::kSpeed: raise(leaf.order() == 0 ? Level::kVelocity : Level::kAcceleration); break;
      case TermKind::kMultiplier:
      case TermKind::kIdealMultiplier:
      case TermKind::kGeneralizedForce: raise(Level::kAcceleration); break;  // found together with u'
      case TermKind::kVelocity:
      case TermKind::kAcceleration:
        if (tree.of_position(point_of(leaf), seen_in(leaf)).on_coordinates) {
          raise(leaf.kind() == TermKind::kVelocity ? Level::kVelocity : Level::kAcceleration);
        }
        break;
      case TermKind::kAngularVelocity:
      case TermKind::kAngularAcceleration:
        if (tree.of_rotation(frame_of(leaf), seen_in(leaf)).on_coordinates) {
          raise(leaf.kind() == TermKind::kAngularVelocity ? Level::kVelocity : Level::kAcceleration);
        }
        break;
      default: break;
    }
  }
  return level;
}

Term expand_massless(const Model& model, Term term) { return Expander(model).expand(term); }

}  // namespace vinculum::mechanics
