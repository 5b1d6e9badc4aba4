#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vinculum {

/// Reasons why a motion ends or cannot start. Each has a row in `failure_table()`.
enum class FailureKind {
  kNotUnique,           ///< the motion from here on is not unique, for example because a constraint gradient vanishes
  kInconsistent,        ///< constraints contradict each other
  kUndetermined,        ///< the matrix [M; A] lacks rank, so some acceleration is undetermined
  kAssembly,            ///< no start state satisfies the constraints together with the values fixed by `start … =`
  kStepTooSmall,        ///< the step size fell below the resolution of the time
  kSingularKinematics,  ///< the definitions of the speeds cannot be solved for q'
  kRankDrop,            ///< the constraints lose rank, and the motion cannot be continued through that state
  kSingularByMultipliers,  ///< ZᵀMZ (the mass matrix along the virtual displacements Z) is singular: multipliers μ
                           ///< leave an acceleration undetermined
  kNonFinite,              ///< an expression is not finite (square root of a negative number, …)
  kFrictionNoSolution,     ///< a force depends on a reaction, and no value of that reaction is consistent with it
                           ///< (Painlevé), or slip cannot continue
  /// Several reactions are consistent with a force that depends on them, or the reaction in the definition of a force
  /// is not unique
  kFrictionManySolutions,
  kNotConserved,         ///< a quantity listed in `conserve` is not an invariant of the motion
  kRegionContradiction,  ///< the end of a step is outside the region of the conditions in which the step was computed
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
/// Whether a run with this failure ended as the model states, by an event with `stop` or by `terminate when`.
[[nodiscard]] inline bool is_stated_end(FailureKind kind) {
  return kind == FailureKind::kEvent || kind == FailureKind::kTerminated;
}

/// A statement of the model that is not a constraint, by its index among the statements of its kind.
struct StatementId {
  enum class Kind { kStart, kOutput, kExpectation, kSpeed, kConserved, kNonlinearSpeed, kLoad, kState, kEvent } kind{};
  int index = 0;
};

/// Reason why the motion cannot start or continue. Each module fills in the members it knows.
struct Failure {
  FailureKind kind{};
  std::string message;    ///< one sentence with the numbers, without the time and the place in the model
  double t = 0.0;         ///< [s] time of the failure
  std::vector<int> rows;  ///< constraint rows involved, as indices into the System's rows; the largest violation first
  /// Constraints of the model that are involved but have no rows in the System; the largest violation first
  std::vector<int> constraints = {};
  std::vector<int> coordinates;         ///< indices of coordinates or speeds involved; `message` says which of the two
  std::vector<StatementId> statements;  ///< other statements involved, the most important first; reported before rows
  double size = 0.0;        ///< size of the violation, in the unit of the first row; 0 if the failure has no violation
  std::string advice = {};  ///< specific advice; empty: the advice of the kind applies
};

/// Advice for the user: the failure's own advice or, if that is empty, the advice for its kind.
[[nodiscard]] std::string_view advice_of(const Failure& failure);

}  // namespace vinculum
