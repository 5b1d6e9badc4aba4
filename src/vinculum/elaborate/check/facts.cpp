#include "vinculum/elaborate/check/facts.hpp"

#include <algorithm>
#include <cmath>

#include "vinculum/model/calculus.hpp"
#include "vinculum/model/traversal.hpp"

namespace vinculum::elaborate {

using model::FrameId;
using model::Level;
using model::Model;
using model::PointId;
using model::Term;
using model::TermKind;

namespace {

constexpr std::uint8_t kByOrder[] = {kHoldsCoordinates, kHoldsRates, kHoldsAccelerations, kHoldsThird};

std::uint8_t by_order(int order) { return kByOrder[std::min(order, 3)]; }

/// Order of the highest coordinate derivative in a leaf: from its bits, or exactly if the leaf is a coordinate or a
/// speed.
std::uint8_t order_of(Term leaf, std::uint8_t held) {
  if (leaf.kind() == TermKind::kCoordinate) return static_cast<std::uint8_t>(leaf.order());
  if (leaf.kind() == TermKind::kSpeed) return static_cast<std::uint8_t>(leaf.order() + 1);
  for (std::size_t k = std::size(kByOrder); k-- > 0;) {
    if ((held & kByOrder[k]) != 0) return static_cast<std::uint8_t>(k);
  }
  return 0;
}

std::uint8_t flags(model::Dependence dependence, std::uint8_t of_motion) {
  std::uint8_t result = kHoldsNothing;
  if (dependence.on_time) result |= kHoldsTime;
  if (dependence.on_coordinates) result |= of_motion;
  return result;
}

}  // namespace

std::optional<NotAllowed> not_allowed_of(std::uint8_t held, std::uint8_t allowed, bool has_states) {
  const auto not_allowed = static_cast<std::uint8_t>(held & ~allowed);
  if (not_allowed == 0) return std::nullopt;
  struct Row {
    Holds what;
    std::string_view text;
  };
  constexpr Row kWorstFirst[] = {
      {kHoldsThird, "contains third or higher derivatives"},
      {kHoldsMultipliers, "contains a multiplier"},
      {kHoldsInputs, "contains an input"},
      {kHoldsStates, "contains a state"},
      {kHoldsAccelerations, "is of acceleration level"},
      {kHoldsRates, "is of velocity level"},
      {kHoldsCoordinates, "changes with the coordinates"},
      {kHoldsTime, "changes with time"},
  };
  const auto [worst, found] =
      *std::ranges::find_if(kWorstFirst, [&](const Row& row) { return (not_allowed & row.what) != 0; });
  std::string may_hold = "only numbers and parameters";
  if ((allowed & kHoldsAccelerations) != 0 && worst == kHoldsThird)
    may_hold = "derivatives up to the second";
  else if ((allowed & kHoldsAccelerations) != 0)
    may_hold = worst == kHoldsStates || worst == kHoldsInputs ? "none" : "no multipliers and no forces of constraints";
  else if ((allowed & kHoldsRates) != 0)
    may_hold = (allowed & kHoldsStates) != 0 && has_states ? "only coordinates, speeds, states, parameters and `t`"
                                                           : "only coordinates, speeds, parameters and `t`";
  else if ((allowed & kHoldsCoordinates) != 0)
    may_hold = "only coordinates, parameters and `t`";
  else if ((allowed & kHoldsTime) != 0)
    may_hold = "only parameters and `t`";
  return NotAllowed{worst, found, std::move(may_hold)};
}

Level TermFacts::level(Term term) { return model::level_of_derivative(fact(term).order); }

const TermFacts::Fact& TermFacts::fact(Term root) {
  const auto entry = [&](Term term) -> Fact& {
    if (facts_.size() <= term.id().index()) facts_.resize(term.id().index() + 1);
    return facts_[term.id().index()];
  };
  if (entry(root).is_known) return entry(root);
  // Iterative depth-first traversal that stops at known terms, so that long chains of `let` cause neither deep
  // recursion nor repeated work.
  std::vector<Term> open{root};
  while (!open.empty()) {
    const Term term = open.back();
    bool is_ready = true;
    for (int i = 0; i < term.operand_count(); ++i) {
      if (entry(term.operand(i)).is_known) continue;
      open.push_back(term.operand(i));
      is_ready = false;
    }
    if (!is_ready) continue;
    open.pop_back();
    Fact result;
    result.is_known = true;
    bool is_of_numbers = term.kind() == TermKind::kFunction;
    for (int i = 0; i < term.operand_count(); ++i) {
      const Fact& operand = entry(term.operand(i));
      result.holds |= operand.holds;
      result.order = std::max(result.order, operand.order);
      result.is_finite = result.is_finite && operand.is_finite;
      result.is_observed = result.is_observed || operand.is_observed;
      result.depth = std::max(result.depth, operand.depth + 1);
      is_of_numbers = is_of_numbers && term.operand(i).is_number();
    }
    if (term.operand_count() == 0) {
      result.holds = of_leaf(term);
      result.order = order_of(term, result.holds);
      result.is_observed = is_observed(term);
    }
    if (term.kind() == TermKind::kPartial) {
      result.holds = entry(term.operand(0)).holds;
      result.order = entry(term.operand(0)).order;
    }
    if (term.kind() == TermKind::kRate) {
      if ((result.holds & (kByOrder[0] | kByOrder[1] | kByOrder[2] | kByOrder[3])) != 0)
        result.order = static_cast<std::uint8_t>(result.order + term.order());
      const std::uint8_t held = result.holds;
      for (std::size_t k = 0; k < std::size(kByOrder); ++k) {
        if ((held & kByOrder[k]) != 0)
          result.holds |= kByOrder[std::min(std::size(kByOrder) - 1, k + static_cast<std::size_t>(term.order()))];
      }
    }
    if (is_of_numbers || (term.is_number() && !std::isfinite(term.value()))) result.is_finite = false;
    if (result.is_observed) observed_.push_back(term.id());
    entry(term) = result;
  }
  return entry(root);
}

bool TermFacts::is_observed(Term leaf) const {
  if (leaf.kind() != TermKind::kVelocity && leaf.kind() != TermKind::kAcceleration) return false;
  return FrameId(std::size_t{leaf.second()}) != Model::newtonian() ||
         model_.point(PointId(std::size_t{leaf.index()})).on.is_valid();
}

void TermFacts::forget_observers() {
  for (const model::TermId id : observed_) facts_[id.index()] = {};
  observed_.clear();
}

std::uint8_t TermFacts::of_leaf(Term leaf) {
  const auto first_point = [&] { return PointId(std::size_t{leaf.index()}); };
  const auto first_frame = [&] { return FrameId(std::size_t{leaf.index()}); };
  const auto second_frame = [&] { return FrameId(std::size_t{leaf.second()}); };
  switch (leaf.kind()) {
    case TermKind::kTime: return kHoldsTime;
    case TermKind::kCoordinate: return by_order(leaf.order());
    case TermKind::kSpeed: return by_order(leaf.order() + 1);
    case TermKind::kMultiplier:
    case TermKind::kIdealMultiplier:
    case TermKind::kGeneralizedForce:
    case TermKind::kGeneralizedIdealForce:
    case TermKind::kDeparture:
    case TermKind::kSystemVector:
    case TermKind::kSlideDirection:
    case TermKind::kLawEnergy:
    case TermKind::kEffort: return kHoldsMultipliers;
    case TermKind::kState: return model_.states[leaf.index()].is_of_input ? kHoldsStates | kHoldsInputs : kHoldsStates;
    case TermKind::kBasisVector:
    case TermKind::kPosition: return flags(tree_.of_term(leaf, Model::newtonian()), kHoldsCoordinates);
    case TermKind::kVelocity: return flags(tree_.of_motion(first_point(), second_frame()), kHoldsRates);
    case TermKind::kAcceleration: return flags(tree_.of_motion(first_point(), second_frame()), kHoldsAccelerations);
    case TermKind::kAngularVelocity: return flags(tree_.of_rotation(first_frame(), second_frame()), kHoldsRates);
    case TermKind::kAngularAcceleration:
      return flags(tree_.of_rotation(first_frame(), second_frame()), kHoldsAccelerations);
    default: return kHoldsNothing;
  }
}

bool TermFacts::changes_by_jumps(model::Term term) {
  using expr::Op;
  if (holds(term) == kHoldsNothing) return true;
  if (term.kind() == model::TermKind::kState) {
    const model::Term rate = model_.states[term.index()].rate;
    return rate.is_valid() && rate.kind() == model::TermKind::kNumber && rate.value() == 0.0;
  }
  if (term.kind() != model::TermKind::kFunction) return false;
  const bool has_steps = term.op() == Op::kFloor || term.op() == Op::kSign || term.op() == Op::kLess ||
                         term.op() == Op::kLessEqual || term.op() == Op::kEqual || term.op() == Op::kNotEqual;
  if (has_steps) return true;
  for (int i = 0; i < term.operand_count(); ++i)
    if (!changes_by_jumps(term.operand(i))) return false;
  return true;
}

bool TermFacts::holds_passing_equality(model::Term condition) {
  return std::ranges::any_of(model::in_order(condition), [&](model::Term term) {
    const bool is_equality = term.kind() == model::TermKind::kFunction &&
                             (term.op() == expr::Op::kEqual || term.op() == expr::Op::kNotEqual);
    return is_equality && !(changes_by_jumps(term.operand(0)) && changes_by_jumps(term.operand(1)));
  });
}

}  // namespace vinculum::elaborate
