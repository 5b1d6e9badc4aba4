// Finds the levels of terms from the definitions of points and frames. For a term that is differentiated with respect
// to a rate q', its degree in the rates matters too.
#include <algorithm>

#include "vinculum/model/calculus.hpp"
#include "vinculum/model/inspect/inspection_memory.hpp"
#include "vinculum/model/kinematic_tree.hpp"
#include "vinculum/model/traversal.hpp"

namespace vinculum::model {
namespace {

using expr::Op;

constexpr Height kAffineInRates{Level::kVelocity, 1};
constexpr Height kHoldsAccelerations{Level::kAcceleration, 2};

/// Level of a coordinate's derivative of this order, and its degree in the rates.
constexpr Height height_of(int order) {
  return order == 0 ? Height{} : order == 1 ? kAffineInRates : Height{level_of_derivative(order), 2};
}

Height higher(Height a, Height b) { return {std::max(a.level, b.level), std::max(a.degree, b.degree)}; }
Height product(Height a, Height b) { return {std::max(a.level, b.level), std::min(2, a.degree + b.degree)}; }
Height nonlinear(Height a) { return {a.level, a.degree == 0 ? 0 : 2}; }

class Heights {
 public:
  /// \param known  results of earlier calls, for any terms
  Heights(const Model& model, std::unordered_map<TermId, Height>& known) : tree_(model), heights_(known) {}

  Level of(Term root) {
    for (const Term node : in_order(root, [this](Term one) { return heights_.contains(one.id()); })) {
      const Height found = height(node);
      heights_[node.id()] = found;
    }
    return heights_.at(root.id()).level;
  }

 private:
  Height operand(Term node, int i) const { return heights_.at(node.operand(i).id()); }

  Height height(Term node) {
    const auto first = std::size_t{node.index()};
    const FrameId seen_in(std::size_t{node.second()});
    switch (node.kind()) {
      case TermKind::kCoordinate: return height_of(node.order());
      case TermKind::kSpeed: return height_of(node.order() + 1);
      // like q, a state z belongs to the position level; its rate is another term with its own level
      case TermKind::kState: return {};
      case TermKind::kMultiplier:
      case TermKind::kIdealMultiplier:
      case TermKind::kGeneralizedForce:
      case TermKind::kGeneralizedIdealForce:
      case TermKind::kDeparture:
      case TermKind::kSystemVector:
      case TermKind::kSlideDirection:
      case TermKind::kLawEnergy:
      case TermKind::kEffort: return kHoldsAccelerations;  // unknowns that are determined together with u'
      case TermKind::kVelocity:
        return tree_.of_motion(PointId(first), seen_in).on_coordinates ? kAffineInRates : Height{};
      case TermKind::kAcceleration:
        return tree_.of_motion(PointId(first), seen_in).on_coordinates ? kHoldsAccelerations : Height{};
      case TermKind::kAngularVelocity:
        return tree_.of_rotation(FrameId(first), seen_in).on_coordinates ? kAffineInRates : Height{};
      case TermKind::kAngularAcceleration:
        return tree_.of_rotation(FrameId(first), seen_in).on_coordinates ? kHoldsAccelerations : Height{};
      case TermKind::kDot:
      case TermKind::kCross:
      case TermKind::kScale: return product(operand(node, 0), operand(node, 1));
      case TermKind::kVectorAdd:
      case TermKind::kVectorSubtract: return higher(operand(node, 0), operand(node, 1));
      case TermKind::kVectorNegate: return operand(node, 0);
      case TermKind::kVectorSelect:
        return higher(nonlinear(operand(node, 0)), higher(operand(node, 1), operand(node, 2)));
      case TermKind::kPartial: return partial(operand(node, 0), node.operand(1));
      case TermKind::kRate: return rate(node);
      case TermKind::kFunction: return function(node);
      default: return others(node);
    }
  }

  static Height partial(Height of, Term by) {
    const bool by_rate = by.kind() == TermKind::kSpeed || (by.kind() == TermKind::kCoordinate && by.order() == 1);
    return by_rate && of.level < Level::kAcceleration && of.degree <= 1 ? Height{} : of;
  }

  Height rate(Term node) {
    const Height of = operand(node, 0);
    if (of.level == Level::kPosition && !tree_.of_term(node.operand(0)).on_coordinates) return {};
    return height_of(static_cast<int>(of.level) + node.order());
  }

  Height function(Term node) const {
    switch (node.op()) {
      case Op::kAdd:
      case Op::kSubtract: return higher(operand(node, 0), operand(node, 1));
      case Op::kNegate: return operand(node, 0);
      case Op::kMultiply: return product(operand(node, 0), operand(node, 1));
      case Op::kDivide: return product(operand(node, 0), nonlinear(operand(node, 1)));
      case Op::kSelect: return higher(nonlinear(operand(node, 0)), higher(operand(node, 1), operand(node, 2)));
      default: return others(node);
    }
  }

  Height others(Term node) const {
    Height all;
    for (int i = 0; i < node.operand_count(); ++i) all = higher(all, nonlinear(operand(node, i)));
    return all;
  }

  KinematicTree tree_;
  std::unordered_map<TermId, Height>& heights_;
};

}  // namespace

Level level_of(const Model& model, Term term) {
  InspectionMemory& memory = memory_of(model);
  const std::lock_guard lock(memory.heights.mutex);
  return Heights(model, memory.heights.known).of(term);
}

}  // namespace vinculum::model
