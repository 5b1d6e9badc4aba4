#pragma once

#include <limits>
#include <optional>
#include <utility>

#include "vinculum/base/outcome.hpp"

namespace vinculum::sim {

/// When Newton's iteration onto equations that may depend on each other ends. Violations are relative to the size of
/// their terms.
struct NewtonRule {
  int most;          ///< iterations
  double met;        ///< a violation up to here is zero
  double rounding;   ///< one that a step no longer halves is rounding up to here, a contradiction above
  int patience = 0;  ///< steps before a contradiction is believed
};

/// The one iteration behind all projections: of positions, speeds, hidden equations of constraints of higher order, and
/// levels of invariants.
/// \param measure  () → Outcome<double>: the largest violation where the iterate stands.
/// \param stalled  (double violation) → std::optional<Outcome<void>>: a step no longer lowers it; success where what is
/// left is rounding all the same, nothing where another kind of step is to be tried.
/// \param correct  (double violation) → Outcome<bool>: one step; true where what it leaves is known to be rounding.
/// \returns whether the equations are met; false after `most` steps.
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
