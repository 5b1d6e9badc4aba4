#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <vector>

#include "vinculum/elaborate/check/facts.hpp"
#include "vinculum/model/evaluate.hpp"

namespace vinculum::elaborate {

/// Result of evaluating a relation row = 0 at random states. It answers questions that no rule about the text can
/// decide.
enum class RelationVerdict : std::uint8_t {
  kRegular,
  kTrivial,        ///< 0 = 0: the row vanishes at every state
  kContradiction,  ///< the row is a nonzero constant, or a function of time alone
  kNonlinear,      ///< the row is of acceleration level and not affine in the accelerations
};
struct JudgedRelation {
  RelationVerdict verdict = RelationVerdict::kRegular;
  std::optional<double> gap = {};  ///< for a contradiction: size of the row [SI], if equal at all states
};

/// Classifies relations row = 0 by the row's values at a few random states, which are the same in every run. A row
/// counts as zero if its value at each of these states is 0 or a rounding error. There are two tests for a rounding
/// error: it jumps when the state is perturbed by 1e-6, or it is within its error bound if numbers of the text are
/// accurate to 4 ε. So points with offsets 0.1 + 0.2 and 0.3 coincide. Rows with branches (`max`, `floor`, `if` …) that
/// contain coordinates count as regular.
class RelationCheck {
 public:
  RelationCheck(const model::Model& model, TermFacts& facts) : model_(model), facts_(facts) {}

  /// \param row    left side minus right side, without multipliers.
  /// \param scale  a term with whose size the row is compared.
  /// \pre the kinematics of the model are complete.
  [[nodiscard]] JudgedRelation judge(model::Term row, model::Term scale);

 private:
  struct State {
    model::TermValues at, beside;
    std::deque<model::TermValues> stirred = {};  ///< `at` with changed last places (RoundingTrials); made on demand
  };
  /// Whether the time derivative of the row at this state is more than a rounding error.
  bool moves(State& state, model::Term row, int order);
  [[nodiscard]] model::TermValues values_of(model::Instant instant, int order) const;
  /// Classification with `order` known derivatives of the coordinates; nothing if the rate of the row needs more.
  std::optional<JudgedRelation> judge(model::Term row, model::Term scale, int order);
  /// Whether the value of the row at this state is within its error bound, and this bound is small relative to the
  /// terms of the row.
  bool is_rounding(State& state, const std::vector<model::Term>& nodes, double size);
  /// Sum of the lengths of all offsets from the origin to the point.
  double reach_of(State& state, model::PointId point);
  /// The random states, with `order` known derivatives of the coordinates; the other values do not depend on the order.
  std::deque<State>& states(int order);
  bool is_affine(model::Term row);
  bool is_affine_in_accelerations(model::Term row);

  const model::Model& model_;
  TermFacts& facts_;
  std::map<int, std::deque<State>> states_;  ///< for each number of known derivatives of the coordinates
  std::deque<std::vector<model::TermValues>> by_acceleration_;  ///< [state][q'': 0, a, b, a + b, −2a + 3b]
};

}  // namespace vinculum::elaborate
