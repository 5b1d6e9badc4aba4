#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <vector>

#include "vinculum/elaborate/check/facts.hpp"
#include "vinculum/model/evaluate.hpp"

namespace vinculum::elaborate {

/// What a relation row = 0 comes to at random states, where no rule on its text can tell.
enum class RelationVerdict : std::uint8_t {
  kRegular,
  kTrivial,        ///< 0 = 0: the row vanishes at every state
  kContradiction,  ///< a constant other than zero, or a function of time alone
  kNonlinear,      ///< of acceleration level, and not affine in the accelerations
};
struct JudgedRelation {
  RelationVerdict verdict = RelationVerdict::kRegular;
  std::optional<double> gap = {};  ///< of a contradiction that is the same at all states: its size, in SI units
};

/// Decides by values at a few random states, which are the same in every run. What vanishes at all of them but for
/// rounding vanishes: values that jump when the state moves by 1e-6, or that are within their own bound of error, with
/// numbers of the text known to 4 ε. So points that are set off by 0.1 + 0.2 and by 0.3 coincide. Rows with branches
/// (`max`, `floor`, `if` …) that hold coordinates count as regular.
class RelationCheck {
 public:
  RelationCheck(const model::Model& model, TermFacts& facts) : model_(model), facts_(facts) {}

  /// \param row  left side minus right side, without multipliers.  \param scale  a term whose size the row's is
  /// compared to. The kinematics of the model must be complete.
  [[nodiscard]] JudgedRelation judge(model::Term row, model::Term scale);

 private:
  struct State {
    model::TermValues at, beside;
    std::deque<model::TermValues> stirred = {};  ///< off by last places (RoundingTrials); made when asked for
  };
  /// Whether the row's rate there is more than rounding.
  bool moves(State& state, model::Term row, int order);
  [[nodiscard]] model::TermValues values_of(model::Instant instant, int order) const;
  /// With so many derivatives of the coordinates; nothing where the row's rate asks for more.
  std::optional<JudgedRelation> judge(model::Term row, model::Term scale, int order);
  /// Whether the row's value there is within its own bound of error, and that is small beside what it is made of.
  bool is_rounding(State& state, const std::vector<model::Term>& nodes, double size);
  /// Sum of the sizes of all offsets on the way to the point.
  double reach_of(State& state, model::PointId point);
  /// The same states whatever the order.
  std::deque<State>& states(int order);
  bool is_affine(model::Term row);
  bool is_affine_in_accelerations(model::Term row);

  const model::Model& model_;
  TermFacts& facts_;
  std::map<int, std::deque<State>> states_;                     ///< by derivatives of the coordinates that are known
  std::deque<std::vector<model::TermValues>> by_acceleration_;  ///< [state][q'': 0, a, b, a + b]
};

}  // namespace vinculum::elaborate
