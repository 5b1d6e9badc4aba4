#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "vinculum/base/linear_algebra.hpp"
#include "vinculum/base/outcome.hpp"

namespace vinculum::integrate {

class ImplicitProblem;

/// The equations y' = F(t, y), and a projection onto invariants if there are any. The functions own their scratch
/// memory. Calls during a run neither allocate nor throw.
struct Problem {
  int size = 0;
  /// F(t, y) → y_dot. A failure, or a value that is not finite, rejects the step; it ends the run when the step cannot
  /// shrink further.
  std::function<Outcome<void>(double t, const double* y, double* y_dot)> derivative;
  /// F(t, y) as by `derivative`, but without side effects, for states inside a step: data that `derivative` keeps from
  /// call to call do not change. May be empty if `derivative` keeps no data.
  std::function<Outcome<void>(double t, const double* y, double* y_dot)> look;
  /// Bounds of the rounding errors of F at a state, for example of forces that cancel in static equilibrium. Costly:
  /// called only after a rejected step whose error may be a rounding error. May be empty.
  /// \param errors  [size] ≥ 0
  std::function<void(double t, const double* y, Vector& errors)> rounding;
  /// Projects y onto the invariants at time t. Called after every step whose error is accepted. Returns the largest
  /// correction relative to the tolerances; 0: y is unchanged. May be empty. A failure rejects the step. The last call
  /// of `derivative` before this call had the same t and y, so a factor computed there can be reused.
  std::function<Outcome<double>(double t, double* y)> project;
  /// Additional functions for implicit methods, requested once per stepper. May be empty or return null: finite
  /// differences of `look` are then used.
  std::function<std::shared_ptr<ImplicitProblem>()> implicit;
  /// [size; empty: zeros] Largest magnitude of each component before the start. The tolerance of a step is relative to
  /// the largest magnitude so far, so it grows when larger values are reached. 0 means that no magnitude is known, as
  /// for a motion that begins at 0.
  Vector reached;
  /// [size; empty: none] If > 0, the magnitude to which the tolerance of the component is relative, whatever values the
  /// component reaches.
  Vector stated;
  /// [size; empty: none] If > 0, the component is a rate, and this is the magnitude of its integral. An error of the
  /// rate then counts by its effect on the integral over a step.
  Vector stated_of_integral;
  /// [size; empty: zeros] Magnitude of the quantities that are solved together with each component. Rounding errors of
  /// a projection are relative to this magnitude.
  Vector beside;
  /// [size; empty: all kinds differ] kind of each component, 0, 1, …. Rounding errors of a component are relative to
  /// the largest magnitude that any component of its kind has reached.
  std::vector<int> kind;
};

}  // namespace vinculum::integrate
