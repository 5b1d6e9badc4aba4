#include "vinculum/model/calculus.hpp"

#include <algorithm>
#include <unordered_map>

#include "vinculum/model/forward_rules.hpp"
#include "vinculum/model/inspect/inspection_memory.hpp"
#include "vinculum/model/kinematic_tree.hpp"
#include "vinculum/model/traversal.hpp"

namespace vinculum::model {

/// Time derivatives of terms and all their subterms; derivatives of vectors are those seen in one given frame.
class Differentiator {
 public:
  explicit Differentiator(const Model& model) : model_(model), pool_(*model.terms), tree_(model) {}

  Term differentiate(Term root, FrameId frame) {
    // The rate of a scalar is the same in every frame. So vectors inside scalars are differentiated in the newtonian
    // frame.
    const Term seen_newtonian = differentiate(root);
    if (frame == Model::newtonian() || root.is_scalar()) return seen_newtonian;
    for (const Term node : in_order(root)) {
      if (node.is_vector()) rates_[node.id()] = rate(node, frame);
    }
    return rates_.at(root.id());
  }

  /// Derivative as seen in the newtonian frame.
  Term differentiate(Term root) {
    for (const Term node : in_order(root, [this](Term one) { return rates_.contains(one.id()); }))
      rates_[node.id()] = rate(node, Model::newtonian());
    return rates_.at(root.id());
  }

 private:
  Term rate_of(Term term) const { return rates_.at(term.id()); }

  Term rate(Term term, FrameId frame) {
    if (term.operand_count() == 0 || term.kind() == TermKind::kPartial || term.kind() == TermKind::kRate) {
      return term.is_scalar() ? scalar_rate(term) : vector_rate(term, frame);
    }
    for (int i = 0; i < term.operand_count(); ++i) {
      if (!rate_of(term.operand(i)).is_valid()) return {};
    }
    if ((term.kind() == TermKind::kDot || term.kind() == TermKind::kNorm) && is_at_rest(term)) return pool_.number(0.0);
    return derivative_by_operands(term, [this](Term operand) { return rate_of(operand); });
  }

  /// Whether all vectors in a scalar are constant in one common frame; then any frame of these vectors serves as that
  /// frame. Frames related by constant rotations form one rigid frame. Products of its vectors are constant, although
  /// their computed values differ by rounding errors.
  bool is_at_rest(Term scalar) {
    const FrameId frame = a_frame_of(scalar);
    return frame.is_valid() && tree_.of_term(scalar, frame).is_none();
  }

  /// One of the frames of the vectors in the term; invalid if the term contains no vectors.
  FrameId a_frame_of(Term term) const {
    for (const Term leaf : leaves_as_read(term)) {
      if (leaf.kind() == TermKind::kBasisVector) return frame_of(leaf);
      if (leaf.kind() != TermKind::kPosition) continue;
      const PointId to = point_of(leaf), from(std::size_t{leaf.second()}), common = tree_.common_base(to, from);
      for (PointId end : {to, from}) {
        for (; end != common && model_.point(end).base.is_valid(); end = model_.point(end).base) {
          if (const FrameId frame = a_frame_of(model_.point(end).offset); frame.is_valid()) return frame;
        }
      }
    }
    return {};
  }

  bool may_rise(Term term) const { return level_of(model_, term) < level_of_derivative(kHighestDerivative); }

  Term scalar_rate(Term term) {
    switch (term.kind()) {
      case TermKind::kNumber:
      case TermKind::kParameter: return pool_.number(0.0);
      case TermKind::kTime: return pool_.number(1.0);
      case TermKind::kCoordinate:
        return term.order() < kHighestDerivative
                   ? pool_.coordinate(CoordinateId(std::size_t{term.index()}), term.order() + 1)
                   : Term{};
      case TermKind::kSpeed:
        return term.order() + 1 < kHighestDerivative ? pool_.speed(SpeedId(std::size_t{term.index()}), term.order() + 1)
                                                     : Term{};
      case TermKind::kState: return model_.states[term.index()].rate;  // invalid, so no rate, for a multiplier of a law
      case TermKind::kPartial: return may_rise(term) ? pool_.rate(term) : Term{};
      case TermKind::kRate: return may_rise(term) ? pool_.rate(term.operand(0), term.order() + 1) : Term{};
      default: return {};  // λ and efforts have no known time derivative
    }
  }

  Term vector_rate(Term term, FrameId frame) {
    switch (term.kind()) {
      case TermKind::kZeroVector: return term;
      case TermKind::kBasisVector: return pool_.cross(angular_velocity(frame_of(term), frame), term);
      case TermKind::kPosition:
        return place_velocity(point_of(term), frame) - place_velocity(PointId(std::size_t{term.second()}), frame);
      case TermKind::kVelocity: {
        const Term relative = velocity_rate(point_of(term), seen_in(term));
        return relative.is_valid() ? relative + transport(seen_in(term), frame, term) : relative;
      }
      case TermKind::kAngularVelocity: {
        const Term alpha = pool_.angular_acceleration(frame_of(term), seen_in(term));
        return frame == frame_of(term) ? alpha : alpha + transport(seen_in(term), frame, term);
      }
      default: return measured_rate(term, frame);
    }
  }

  /// Rate of an acceleration vector: Σ d/dt(a·e_k) e_k with the basis vectors e_k of the frame.
  Term measured_rate(Term acceleration, FrameId frame) {
    Term sum = pool_.zero_vector();
    for (int axis = 0; axis < 3; ++axis) {
      const Term e = pool_.basis_vector(frame, axis);
      sum = sum + pool_.rate(pool_.dot(acceleration, e)) * e;
    }
    return sum;
  }

  /// Rate, as seen in frame `to`, of a vector that is constant in frame `from`.
  Term transport(FrameId from, FrameId to, Term vector) { return pool_.cross(angular_velocity(from, to), vector); }

  Term angular_velocity(FrameId frame, FrameId in) {
    return tree_.of_rotation(frame, in).is_none() ? pool_.zero_vector() : pool_.angular_velocity(frame, in);
  }
  Term velocity(PointId point, FrameId in) {
    return tree_.of_motion(point, in).is_none() ? pool_.zero_vector() : pool_.velocity(point, in);
  }
  Term acceleration(PointId point, FrameId in) {
    return tree_.of_motion(point, in).is_none() ? pool_.zero_vector() : pool_.acceleration(point, in);
  }

  /// Rate of the position of a point. For a point that moves over its body this is not `vel(point)`.
  Term place_velocity(PointId point, FrameId in) {
    Term sum = pool_.zero_vector();
    for (; tree_.wanders(point); point = model_.point(point).base)
      sum = time_derivative(model_, model_.point(point).offset, in) + sum;
    return velocity(point, in) + sum;
  }

  /// d/dt vel(P, in) as seen in the same frame `in`. vel(P, in) = vel(C, in) + ω × r, where C is the anchor of the
  /// frame that P is on. r, from C to P, follows the position of P.
  Term velocity_rate(PointId point, FrameId in) {
    if (!tree_.wanders(point)) return acceleration(point, in);
    const FrameId on = model_.point(point).on;
    const PointId center = tree_.anchor_of(on).value_or(tree_.origin_of(point));
    const Term r = pool_.position(point, center);
    Term rate = acceleration(center, in);
    if (tree_.of_rotation(on, in).is_none()) return rate;
    return rate + pool_.cross(pool_.angular_acceleration(on, in), r) +
           pool_.cross(pool_.angular_velocity(on, in), place_velocity(point, in) - place_velocity(center, in));
  }

  const Model& model_;
  TermPool& pool_;
  KinematicTree tree_;
  std::unordered_map<TermId, Term> rates_;
};

bool holds_state(Term term) {
  return std::ranges::any_of(leaves_as_read(term), [](Term leaf) { return leaf.kind() == TermKind::kState; });
}

Term derivative_of(const Model& model, Term scalar, int order) {
  for (; order > 0; --order) scalar = time_derivative(model, scalar);
  return scalar;
}

std::optional<int> order_of_accelerations(const Model& model, Term relation) {
  for (int order = 0; order <= kMostOfFunctional && relation.is_valid(); ++order) {
    if (level_of(model, relation) >= Level::kAcceleration) return order;
    relation = time_derivative(model, relation);
  }
  return std::nullopt;
}

Term time_derivative(const Model& model, Term term, FrameId frame) {
  return term.is_valid() ? Differentiator(model).differentiate(term, frame) : term;
}

TimeDerivatives::TimeDerivatives(const Model& model) : differentiator_(std::make_unique<Differentiator>(model)) {}
TimeDerivatives::~TimeDerivatives() = default;

Term TimeDerivatives::of(Term term) { return term.is_valid() ? differentiator_->differentiate(term) : term; }

}  // namespace vinculum::model
