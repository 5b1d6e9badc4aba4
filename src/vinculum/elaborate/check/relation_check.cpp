#include "vinculum/elaborate/check/relation_check.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <random>
#include <utility>

#include "vinculum/base/tolerance.hpp"
#include "vinculum/model/calculus.hpp"
#include "vinculum/model/traversal.hpp"

namespace vinculum::elaborate {
namespace {

using model::Instant;
using model::Term;
using model::TermValues;

constexpr int kStates = 8, kFewestStates = 3;
constexpr std::array kExponents{0, 20, 40, 60};  // binary exponents of the typical magnitudes of accelerations

class Draw {
 public:
  explicit Draw(std::uint64_t seed) : generator_(seed) {}
  // The bits of the generator are the same on all systems, but the distributions of the standard library are not.
  double operator()(double low, double high) {
    return low + (high - low) * static_cast<double>(generator_() >> 11) * 0x1p-53;
  }
  std::vector<double> vector(std::size_t size, double bound) {
    std::vector<double> result(size);
    for (double& x : result) x = (*this)(-bound, bound);
    return result;
  }

 private:
  std::mt19937_64 generator_;
};

Instant random_instant(const model::Model& model, Draw& draw) {
  const std::size_t coordinates = model.coordinates.size();
  Instant instant;
  instant.t = draw(0.1, 1.3);
  instant.q = draw.vector(coordinates, 1.4);
  instant.q_dot = draw.vector(coordinates, 1.7);
  instant.q_ddot = draw.vector(coordinates, 1.9);
  instant.q_higher = Draw(static_cast<std::uint64_t>(instant.t * 1e9))  // leaves the sequence of `draw` unchanged
                         .vector((model::kHighestDerivative - 2) * coordinates, 1.6);
  instant.z = Draw(static_cast<std::uint64_t>(instant.t * 1e8)).vector(model.states.size(), 1.5);
  instant.numbers_are_stated = true;
  return instant;
}

/// Multiplies each number by 1 plus a random number between `least` and `most`.
Instant moved(Instant instant, Draw& draw, double least, double most) {
  const auto move = [&](double& x) { x *= 1.0 + draw(least, most); };
  move(instant.t);
  for (auto* part : {&instant.q, &instant.q_dot, &instant.q_ddot, &instant.z, &instant.q_higher}) {
    for (double& x : *part) move(x);
  }
  return instant;
}

/// Whether the operation may be constant in a part of its range, so that its values at a few states prove nothing.
bool has_branches(Term term) {
  using expr::Op;
  if (term.kind() == model::TermKind::kVectorSelect || term.kind() == model::TermKind::kTable) return true;
  if (term.kind() != model::TermKind::kFunction) return false;
  switch (term.op()) {
    case Op::kFloor:
    case Op::kSign:
    case Op::kMinimum:
    case Op::kMaximum:
    case Op::kAbsolute:
    case Op::kSelect: return true;
    default: return false;
  }
}

double size_of(TermValues& values, Term term) {
  if (term.is_scalar()) return std::fabs(values.scalar(term).value);
  double size = 0.0;
  for (const model::Jet& part : values.vector(term)) size = std::max(size, std::fabs(part.value));
  return size;
}

}  // namespace

std::deque<RelationCheck::State>& RelationCheck::states(int order) {
  std::deque<State>& states = states_[order];
  if (!states.empty()) return states;
  Draw draw(1788);
  for (int i = 0; i < kStates; ++i) {
    Instant instant = random_instant(model_, draw);
    Instant beside = moved(instant, draw, 0.3 * tolerance::kBeside, tolerance::kBeside);
    states.push_back({values_of(std::move(instant), order), values_of(std::move(beside), order)});
  }
  return states;
}

TermValues RelationCheck::values_of(Instant instant, int order) const {
  instant.q_higher.resize(static_cast<std::size_t>(order - 2) * model_.coordinates.size());
  return TermValues(model_, std::move(instant));
}

bool RelationCheck::moves(State& state, Term row, int order) {
  const Rounded rate = state.at.series(row).derivative(1);
  if (!rate.may_be_zero()) return true;  // also if the rate is unknown
  if (rate.value == 0.0 || !std::isfinite(rate.error)) return false;
  if (state.stirred.empty()) {
    Draw draw(1811);
    for (int k = 0; k < RoundingTrials::kDraws; ++k) {
      state.stirred.push_back(
          values_of(moved(state.at.instant(), draw, -tolerance::kRounding, tolerance::kRounding), order));
    }
  }
  double seen = 0.0;
  for (TermValues& values : state.stirred)
    seen = std::max(seen, std::fabs(values.series(row).derivative(1).value - rate.value));
  return std::fabs(rate.value) > RoundingTrials::kTimesSeen * seen;
}

double RelationCheck::reach_of(State& state, model::PointId point) {
  double reach = 0.0;
  for (; model_.point(point).base.is_valid(); point = model_.point(point).base)
    reach += size_of(state.at, model_.point(point).offset);
  return reach;
}

bool RelationCheck::is_rounding(State& state, const std::vector<Term>& nodes, double size) {
  const Rounded value = state.at.series(nodes.back()).value();
  if (!value.may_be_zero() || !std::isfinite(value.error)) return false;
  for (const Term node : nodes) {
    if (node.kind() != model::TermKind::kPosition) continue;
    for (const std::uint32_t end : {node.index(), node.second()})
      size = std::max(size, reach_of(state, model::PointId(std::size_t{end})));
  }
  return value.error <= tolerance::kIdentity * size;
}

JudgedRelation RelationCheck::judge(Term row, Term scale) {
  if (row.is_zero()) return {RelationVerdict::kTrivial};
  // The cost of a series grows as the square of the number of known derivatives. So the smallest number that
  // suffices for the rate of the row is tried first.
  const int few = (facts_.holds(row) & kHoldsStates) != 0
                      ? model::kHighestDerivative
                      : std::clamp(static_cast<int>(facts_.level(row)) + 1, 2, model::kHighestDerivative);
  const std::optional<JudgedRelation> judged = judge(row, scale, few);
  return judged ? *judged : *judge(row, scale, model::kHighestDerivative);
}

std::optional<JudgedRelation> RelationCheck::judge(Term row, Term scale, int order) {
  constexpr std::uint8_t kMotion = kHoldsCoordinates | kHoldsRates | kHoldsAccelerations | kHoldsThird | kHoldsStates;
  const std::vector<Term> nodes = model::in_order(row);
  const bool is_smooth = std::ranges::none_of(nodes, has_branches);
  const bool has_motion = (facts_.holds(row) & kMotion) != 0;
  const auto regular = [&] {
    return JudgedRelation{is_affine(row) ? RelationVerdict::kRegular : RelationVerdict::kNonlinear};
  };
  if (has_motion && !is_smooth) return regular();
  int finite = 0, steady = 0, vanishing = 0, moving = 0, rounding = 0;
  std::vector<double> gaps;
  // Partial derivatives are evaluated by perturbing whole terms, which is expensive, so as few states as possible are
  // used.
  const bool is_dear = std::ranges::any_of(nodes, [](Term node) { return node.kind() == model::TermKind::kPartial; });
  std::deque<State>& states = this->states(order);
  const std::size_t count = is_dear ? kFewestStates : states.size();
  for (std::size_t i = 0; i < count; ++i) {
    State& state = states[i];
    const Rounded rate = state.at.series(row).derivative(1);
    if (std::isnan(rate.value) && order < model::kHighestDerivative) return {};
    const double value = state.at.scalar(row).value;
    if (!std::isfinite(value)) continue;
    double size = std::fabs(state.at.scalar(scale).value);
    for (const Term node : nodes) size = std::max(size, size_of(state.at, node));
    gaps.push_back(std::fabs(value));
    const bool is_bounded = is_rounding(state, nodes, size);
    rounding += is_bounded;
    if (is_bounded || std::fabs(value) <= tolerance::kIdentity * size) {
      const double beside = state.beside.scalar(row).value;
      if (!std::isfinite(beside)) continue;
      ++vanishing;
      steady += std::fabs(value - beside) < tolerance::kFloor * std::fabs(value);
    }
    ++finite;
    moving += moves(state, row, order);
    // If the row neither vanishes nor is constant at a state, all verdicts that require every state are excluded. For a
    // row without motion the fewest states suffice to detect a contradiction.
    if (vanishing == finite) continue;
    if (has_motion && moving > 0) return regular();
    if (!has_motion && finite >= kFewestStates) break;
  }
  if (finite < kFewestStates) return regular();
  const bool is_jumping = !has_motion || 4 * steady < 3 * finite;
  if (rounding == finite || (vanishing == finite && is_jumping)) return JudgedRelation{RelationVerdict::kTrivial};
  if (has_motion && moving > 0) return regular();
  JudgedRelation contradiction{RelationVerdict::kContradiction};
  const auto [least, most] = std::ranges::minmax(gaps);
  if (most - least <= tolerance::kConditioned * most) contradiction.gap = most;
  return contradiction;
}

bool RelationCheck::is_affine(Term row) {
  return (facts_.holds(row) & kHoldsAccelerations) == 0 || is_affine_in_accelerations(row);
}

bool RelationCheck::is_affine_in_accelerations(Term row) {
  if (by_acceleration_.empty()) {
    Draw draw(1829);
    for (int i = 0; i < kStates / 2; ++i) {
      Instant instant = random_instant(model_, draw);
      // The units of the model are unknown, so several magnitudes are tried: a nonlinear term is visible where it is as
      // large as the other terms.
      const double size = std::exp2(kExponents[static_cast<std::size_t>(i) % kExponents.size()]);
      for (double& one : instant.q_ddot) one *= size;
      const std::vector<double> a = instant.q_ddot, b = draw.vector(a.size(), 1.9 * size);
      std::vector<TermValues> values;
      for (const auto& [of_a, of_b] : {std::pair{0.0, 0.0}, {1.0, 0.0}, {0.0, 1.0}, {1.0, 1.0}, {-2.0, 3.0}}) {
        Instant at = instant;
        for (std::size_t k = 0; k < a.size(); ++k) at.q_ddot[k] = of_a * a[k] + of_b * b[k];
        values.emplace_back(model_, std::move(at));
      }
      by_acceleration_.push_back(std::move(values));
    }
  }
  for (std::vector<TermValues>& values : by_acceleration_) {
    double at[5];
    for (std::size_t k = 0; k < 5; ++k) at[k] = values[k].scalar(row).value;
    const double along_a = at[1] - at[0], along_b = at[2] - at[0];
    const double size = std::fabs(at[0]) + std::fabs(at[1]) + std::fabs(at[2]) + std::fabs(at[3]) + std::fabs(at[4]);
    const double miss =
        std::fabs(at[3] - at[0] - along_a - along_b) + std::fabs(at[4] - at[0] + 2.0 * along_a - 3.0 * along_b);
    if (std::isfinite(miss) && miss > tolerance::kGeneric * size) return false;
  }
  return true;
}

}  // namespace vinculum::elaborate
