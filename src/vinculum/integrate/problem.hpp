#pragma once

#include <functional>
#include <vector>

#include "vinculum/base/linear_algebra.hpp"
#include "vinculum/base/outcome.hpp"

namespace vinculum::integrate {

/// y' = F(t, y) with, where there are invariants to keep, a projection onto them.
/// The functions own their scratch; they neither allocate nor throw on the hot path.
struct Problem {
  int size = 0;
  /// F(t, y) → y_dot. A failure, or a value that is not finite, rejects the step; when the step can shrink no more it
  /// ends the run.
  std::function<Outcome<void>(double t, const double* y, double* y_dot)> derivative;
  /// Projects y onto the invariants at time t, after every step whose error is accepted; returns the largest correction
  /// relative to the tolerance's scale (0: y untouched). May be empty. A failure rejects the step.
  /// The last call of `derivative` before it had the same t and y, so that a factor made there serves here.
  std::function<Outcome<double>(double t, double* y)> project;
  /// Components that are measured together in the error norm (all lengths, all angles, all speeds of one dimension).
  /// [size] group of each component.
  std::vector<int> group;
  /// [groups] size > 0 that a component of the group typically has; absolute tolerance = tolerance × scale.
  std::vector<double> group_scale;
  /// [groups] whether the absolute tolerance is tolerance × scale whatever the components come to be; may be empty:
  /// none.
  std::vector<char> is_scale_stated;
};

}  // namespace vinculum::integrate
