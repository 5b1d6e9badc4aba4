#include "vinculum/motion/accelerations/near_singular.hpp"

#include <algorithm>

namespace vinculum::sim {
namespace {

constexpr int kCallsUntilTold = 1'000'000'000;  // more derivatives than a run evaluates between two calls

}  // namespace

void set_near_singular(Mode& mode, Near what, equations::Formulation formulation) {
  // The minimal formulation changes its choice of speeds instead.
  if (formulation == equations::Formulation::kMinimal) return;
  const bool has_short_rows = what == Near::kShortRows;
  int calls = mode.calls_on_constraints;  // in other formulations `Accelerations` sets the counter
  if (formulation == equations::Formulation::kExplicit)
    calls = what != Near::kNothing ? kCallsUntilTold : std::min(calls, kCallsNearSingular);
  mode.calls_on_constraints = calls;
  mode.has_short_rows = has_short_rows;
}

}  // namespace vinculum::sim
