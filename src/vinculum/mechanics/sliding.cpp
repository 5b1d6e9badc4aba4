#include "vinculum/mechanics/sliding.hpp"

#include <algorithm>
#include <unordered_map>

#include "vinculum/mechanics/calculus.hpp"
#include "vinculum/mechanics/traversal.hpp"

namespace vinculum::mechanics {
namespace {

using expr::Op;

constexpr int kNotLinear = 2;

bool is_op(Term term, Op op) { return term.kind() == TermKind::kFunction && term.op() == op; }

Term& force_in(Nonideal::What& what) {
  if (auto* force = std::get_if<ForceOn>(&what)) return force->force;
  if (auto* torque = std::get_if<TorqueOn>(&what)) return torque->torque;
  return std::get<GeneralizedForceOn>(what).force;
}

/// Puts held directions in the place of unit(v) and its like.
class Holder {
 public:
  Holder(Model& model, ConstraintId constraint, Term static_ratio)
      : model_(model),
        pool_(*model.terms),
        constraint_(constraint),
        static_ratio_(static_ratio),
        slides_(model.slides) {}

  Term hold(Term root) {
    for (const Term node : in_order(root)) held_[node.id()] = held(node);
    return held_.at(root.id());
  }
  [[nodiscard]] std::vector<Slide>& slides() { return slides_; }

 private:
  Term held(Term node) {
    if (node.kind() == TermKind::kUnit && is_sliding_velocity(model_, node.operand(0)))
      return direction(node.operand(0));
    if (is_op(node, Op::kSign) && is_sliding_velocity(model_, node.operand(0))) return direction(node.operand(0));
    if (is_op(node, Op::kDivide) || is_op(node, Op::kMultiply)) {
      if (const Term scaled = over_its_size(node); scaled.is_valid()) return scaled;
    }
    if (node.kind() == TermKind::kScale) {
      if (const Term scaled = over_its_norm(node); scaled.is_valid()) return scaled;
    }
    if (node.operand_count() == 0 || node.kind() == TermKind::kPartial || node.kind() == TermKind::kRate) return node;
    std::vector<Term> operands;
    for (int i = 0; i < node.operand_count(); ++i) operands.push_back(held_.at(node.operand(i).id()));
    return with_operands(node, operands);
  }

  /// a v / (b |v|) of a scalar v, in whatever order it is written: a/b times its sign.
  Term over_its_size(Term node) {
    std::vector<Term> above, below;
    collect(node, above, below);
    for (const Term size : below) {
      if (!is_op(size, Op::kAbsolute)) continue;
      const Term velocity = size.operand(0);
      const auto found = std::ranges::find(above, velocity);
      if (found == above.end() || !is_sliding_velocity(model_, velocity)) continue;
      above.erase(found);
      below.erase(std::ranges::find(below, size));
      return product_of(above, below) * direction(velocity);
    }
    return {};
  }

  /// a v / (b norm(v)), in whatever order it is written: a/b times the direction.
  Term over_its_norm(Term node) {
    std::vector<Term> above, below;
    Term vector = node;
    while (vector.kind() == TermKind::kScale || vector.kind() == TermKind::kVectorNegate) {
      if (vector.kind() == TermKind::kScale)
        collect(vector.operand(0), above, below);
      else
        collect(pool_.number(-1.0), above, below);
      vector = vector.operand(vector.operand_count() - 1);
    }
    const auto norm = std::ranges::find(below, pool_.norm(vector));
    if (norm == below.end() || !is_sliding_velocity(model_, vector)) return {};
    below.erase(norm);
    return product_of(above, below) * direction(vector);
  }

  Term product_of(const std::vector<Term>& above, const std::vector<Term>& below) {
    Term factor = pool_.number(1.0);
    for (const Term part : above) factor = factor * held_.at(part.id());
    for (const Term part : below) factor = factor / held_.at(part.id());
    return factor;
  }

  void collect(Term product, std::vector<Term>& above, std::vector<Term>& below) {
    if (is_op(product, Op::kMultiply)) {
      collect(product.operand(0), above, below);
      collect(product.operand(1), above, below);
    } else if (is_op(product, Op::kDivide)) {
      collect(product.operand(0), above, below);
      collect(product.operand(1), below, above);
    } else if (is_op(product, Op::kNegate)) {
      collect(pool_.number(-1.0), above, below);
      collect(product.operand(0), above, below);
    } else {
      held_.try_emplace(product.id(), product);  // all but a sign are nodes met before
      above.push_back(product);
    }
  }

  Term direction(Term velocity) {
    auto slide = std::ranges::find_if(slides_, [&](const Slide& one) {
      const bool has_one_ratio = one.static_ratio.is_valid() == static_ratio_.is_valid() &&
                                 (!static_ratio_.is_valid() || one.static_ratio == static_ratio_);
      return one.velocity == velocity && has_one_ratio;
    });
    if (slide == slides_.end()) slide = slides_.insert(slides_.end(), {constraint_, velocity, static_ratio_});
    const SlideId id(static_cast<std::size_t>(slide - slides_.begin()));
    if (velocity.is_scalar()) return pool_.slide_direction(id, 0);
    Term sum = pool_.zero_vector();
    for (int axis = 0; axis < 3; ++axis) {
      sum = sum + pool_.slide_direction(id, axis) * pool_.basis_vector(Model::newtonian(), axis);
    }
    return sum;
  }

  Model& model_;
  TermPool& pool_;
  ConstraintId constraint_;
  Term static_ratio_;
  std::vector<Slide> slides_;
  std::unordered_map<TermId, Term> held_;
};

/// Degree of a term in the directions held, kNotLinear for anything but 0 and 1.
int degree_of(Term root) {
  std::unordered_map<TermId, int> degrees;
  for (const Term node : in_order(root)) {
    const auto at = [&](int i) { return degrees.at(node.operand(i).id()); };
    int largest = 0, sum = 0;
    for (int i = 0; i < node.operand_count(); ++i) {
      largest = std::max(largest, at(i));
      sum += at(i);
    }
    const auto is_sum = [&] {
      switch (node.kind()) {
        case TermKind::kVectorAdd:
        case TermKind::kVectorSubtract:
        case TermKind::kVectorNegate: return true;
        default: return is_op(node, Op::kAdd) || is_op(node, Op::kSubtract) || is_op(node, Op::kNegate);
      }
    };
    const auto is_product = [&] {
      return node.kind() == TermKind::kScale || node.kind() == TermKind::kDot || node.kind() == TermKind::kCross ||
             is_op(node, Op::kMultiply) || (is_op(node, Op::kDivide) && at(1) == 0);
    };
    int degree = node.kind() == TermKind::kSlideDirection ? 1 : largest == 0 ? 0 : kNotLinear;
    if (largest > 0 && is_sum()) degree = largest;
    if (largest > 0 && is_product()) degree = std::min(sum, kNotLinear);
    degrees[node.id()] = degree;
  }
  return degrees.at(root.id());
}

}  // namespace

Term direction_taken(Term node) {
  if (node.kind() == TermKind::kUnit) return node.operand(0);
  if (node.kind() != TermKind::kFunction) return {};
  if (node.op() == Op::kSign) return node.operand(0);
  if (node.op() != Op::kDivide) return {};
  const Term divisor = node.operand(1);
  const bool is_size = divisor.kind() == TermKind::kNorm || is_op(divisor, Op::kAbsolute);
  return is_size ? divisor.operand(0) : Term();
}

bool is_sliding_velocity(const Model& model, Term term) {
  for (const Term leaf : leaves_as_read(term)) {
    switch (leaf.kind()) {
      case TermKind::kMultiplier:
      case TermKind::kIdealMultiplier:
      case TermKind::kGeneralizedForce:
      case TermKind::kGeneralizedIdealForce:
      case TermKind::kDeparture:
      case TermKind::kSystemVector:
      case TermKind::kEffort:
      case TermKind::kState:
      case TermKind::kSlideDirection: return false;
      default: break;
    }
  }
  return level_of(model, term) == Level::kVelocity;
}

void hold_directions(Model& model, ConstraintId constraint, Nonideal& nonideal) {
  Holder holder(model, constraint, nonideal.static_ratio);
  Term& force = force_in(nonideal.what);
  const Term held = holder.hold(force);
  if (held == force || degree_of(held) > 1) return;
  force = held;
  model.slides = std::move(holder.slides());
}

}  // namespace vinculum::mechanics
