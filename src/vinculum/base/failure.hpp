#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vinculum {

/// Why a motion cannot start or continue. One row each in `failure_table()`.
enum class FailureKind {
  kNotUnique,              ///< the motion from here on is not unique (a constraint gradient vanishes)
  kInconsistent,           ///< constraints contradict each other
  kUndetermined,           ///< [M; A] lacks rank: some acceleration is left undetermined
  kAssembly,               ///< no start satisfies the constraints and the held values
  kStepTooSmall,           ///< the step size fell below the resolution of the time
  kSingularKinematics,     ///< the definitions of the speeds cannot be solved for q'
  kRankDrop,               ///< the constraints lose rank and the motion cannot be carried across
  kSingularByMultipliers,  ///< ZᵀMZ is singular: multipliers μ leave an acceleration undetermined
  kNonFinite,              ///< an expression is not finite (square root of a negative number, …)
  kFrictionNoSolution,     ///< no reaction agrees with a force that depends on it (Painlevé), or slipping cannot go on
  /// Several reactions agree with such a force, or the reaction in its definition is not unique
  kFrictionManySolutions,
  kNotConserved,         ///< a quantity listed in `conserve` is not an invariant of the motion
  kRegionContradiction,  ///< the end of a step lies outside the region of the switches that the step was computed in
  kNegativeFriction,     ///< a coefficient or bound of friction is negative
  kEvent,                ///< an `event` with the action `stop` ended the run: a success
  kTerminated,           ///< the condition of `terminate when` became true: a success
  kEventLoop,            ///< events at one instant cause each other without end
};

struct FailureInfo {
  FailureKind kind;
  std::string_view name;     ///< as in `expect stop: NAME` and in `"stopped": {"kind": NAME}`
  std::string_view meaning;  ///< one line for docs and help
  std::string_view advice;   ///< what to try
};

/// The table of all failure kinds; docs, help and tests are generated from it.
[[nodiscard]] std::span<const FailureInfo> failure_table();
[[nodiscard]] const FailureInfo& failure_info(FailureKind kind);
/// Whether a run that ends so ends where the model says that it shall.
[[nodiscard]] inline bool is_stated_end(FailureKind kind) {
  return kind == FailureKind::kEvent || kind == FailureKind::kTerminated;
}

/// A statement of the model that is not a constraint, by its index among the statements of its kind.
struct StatementId {
  enum class Kind { kStart, kOutput, kExpectation, kSpeed, kConserved, kNonlinearSpeed, kLoad, kState, kEvent } kind{};
  int index = 0;
};

/// Reason why the motion cannot continue, as a value. Each module fills in the members it knows.
struct Failure {
  FailureKind kind{};
  std::string message;    ///< one sentence with the numbers, without time and place
  double t = 0.0;         ///< [s] time of the failure
  std::vector<int> rows;  ///< constraint rows concerned, indices into the System's rows, most concerned first
  /// Constraints of the model concerned that have no rows in the System, most concerned first
  std::vector<int> constraints = {};
  std::vector<int> coordinates;         ///< coordinates or speeds concerned, indices; see `message` for which
  std::vector<StatementId> statements;  ///< other statements concerned, most concerned first; reported before rows
  double size = 0.0;        ///< size of the violation in the units of the first row; 0 if the failure has none
  std::string advice = {};  ///< specific advice; empty: the advice of the kind applies
};

/// Advice for the user: the failure's own advice or, if that is empty, the advice for its kind.
[[nodiscard]] std::string_view advice_of(const Failure& failure);

}  // namespace vinculum
