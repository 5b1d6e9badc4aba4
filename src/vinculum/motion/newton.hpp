#pragma once

#include <limits>
#include <optional>
#include <utility>

#include "vinculum/base/outcome.hpp"

namespace vinculum::sim {

/// Conditions under which Newton's iteration ends, for equations that may depend on each other. Violations are relative
/// to the size of the terms of the equation.
struct NewtonRule {
  int most;          ///< largest number of iterations
  double met;        ///< a violation up to this counts as zero
  double rounding;   ///< applies if a step did not halve the violation: a violation up to this is rounding error, a
                     ///< larger one means that the equations contradict each other
  int patience = 0;  ///< `stalled` is not called in the first `patience` + 1 iterations
};

/// Runs Newton's iteration. All projections use it: onto positions, speeds, hidden equations of constraints of higher
/// order, and start values of invariants.
/// \param measure  () → Outcome<double>: the largest violation at the current iterate.
/// \param stalled  (double violation) → std::optional<Outcome<void>>: called if a step did not halve the violation.
/// Success: the remaining violation is rounding error. Failure: ends the iteration. Nothing: the iteration continues.
/// \param correct  (double violation) → Outcome<bool>: one step; true if the violation that remains after the step is
/// known to be rounding error.
/// \returns whether the equations are satisfied; false after `most` steps.
template <class Measure, class Stalled, class Correct>
[[nodiscard]] Outcome<bool> iterate_newton(const NewtonRule& rule, Measure&& measure, Stalled&& stalled,
                                           Correct&& correct) {
  double previous = std::numeric_limits<double>::infinity();
  for (int iteration = 0; iteration < rule.most; ++iteration) {
    const Outcome<double> violation = measure();
    if (!violation) return fail(violation.error());
    if (*violation <= rule.met) return true;
    if (*violation > 0.5 * previous) {
      if (*violation <= rule.rounding) return true;
      if (iteration > rule.patience) {
        if (std::optional<Outcome<void>> end = stalled(*violation))
          return *end ? Outcome<bool>(true) : fail(std::move(end->error()));
      }
    }
    previous = *violation;
    const Outcome<bool> is_met = correct(*violation);
    if (!is_met || *is_met) return is_met;
  }
  return false;
}

}  // namespace vinculum::sim
