#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "vinculum/base/linear_algebra.hpp"
#include "vinculum/base/outcome.hpp"

namespace vinculum::integrate {

class ImplicitProblem;

/// y' = F(t, y) with, where there are invariants to keep, a projection onto them.
/// The functions own their scratch; they neither allocate nor throw on the hot path.
struct Problem {
  int size = 0;
  /// F(t, y) → y_dot. A failure, or a value that is not finite, rejects the step; when the step can shrink no more it
  /// ends the run.
  std::function<Outcome<void>(double t, const double* y, double* y_dot)> derivative;
  /// The same where a step is only looked into: what `derivative` remembers from call to call stays as it is. May be
  /// empty: `derivative` remembers nothing.
  std::function<Outcome<void>(double t, const double* y, double* y_dot)> look;
  /// Projects y onto the invariants at time t, after every step whose error is accepted; returns the largest correction
  /// relative to the tolerance's scale (0: y untouched). May be empty. A failure rejects the step.
  /// The last call of `derivative` before it had the same t and y, so that a factor made there serves here.
  std::function<Outcome<double>(double t, double* y)> project;
  /// What an implicit method needs beside: asked for once a stepper. May be empty, or return null: it goes by
  /// differences of `look`.
  std::function<std::shared_ptr<ImplicitProblem>()> implicit;
  /// [size, or empty: zeros] the largest magnitude that each component has had before: the tolerance of a step is
  /// relative to it, and grows with what is reached from here on. 0 where a motion begins at 0: nothing is assumed.
  Vector reached;
  /// [size, or empty: none] where > 0 the size that the tolerance of a component is relative to, whatever it reaches.
  Vector stated;
  /// [size, or empty: none] where > 0 the size that what a component is the rate of is measured by: an error of the
  /// rate counts by what it does to that over a step.
  Vector stated_of_integral;
  /// [size, or empty: zeros] size of what each component is solved with: rounding of a projection is measured by it.
  Vector beside;
  /// [size, or empty: all are of different kinds] components of one kind have one number, 0, 1, …: rounding of what is
  /// solved with them is that of the largest that any of them has reached.
  std::vector<int> kind;
};

}  // namespace vinculum::integrate
