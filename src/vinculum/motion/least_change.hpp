#pragma once

#include <functional>

#include "vinculum/base/linear_algebra.hpp"

namespace vinculum::sim {

/// Equations r(x) = 0 for `solve_by_least_change`, and the metric that measures the length of steps. There are usually
/// fewer equations than unknowns, and equations may be redundant.
struct Equations {
  /// Fills r and J = ∂r/∂x at x.
  /// \returns false if r or J is not finite.
  std::function<bool(const Vector& x, Vector& r, Matrix& J)> evaluate;
  /// [n × n] positive semidefinite; together with J it must determine a step. Called at most once, when the first step
  /// is taken.
  std::function<Matrix()> metric;
  Vector scale;   ///< [n] typical size > 0 of each unknown
  Vector of_row;  ///< [equations, or empty] size by which the residual of an equation is divided if its row of J is 0;
                  ///< such a residual must be zero too
};

struct LeastChange {
  enum class Outcome { kSolved, kStationary, kNotFinite } outcome = Outcome::kNotFinite;
  Vector x;
  Vector r;         ///< [equations] residuals at x
  Vector relative;  ///< [equations] |r_i| / Σ_j |J_ij| s_j, s_j = max(scale_j, |x_j|)
  Matrix J;
  int iterations = 0;
};

/// Solves r(x) = 0 by Gauss–Newton steps of least length in the metric, from x0. The line search (Armijo) reduces the
/// sum of squares of the equilibrated residuals. Levenberg–Marquardt damping is used if J is nearly singular or a step
/// is long. Converges quadratically, also for redundant consistent equations. Outcome kStationary: the residual is not
/// zero, but no step reduces it (Jᵀr ≈ 0); `r` then shows which equations contradict each other.
/// Source: Nocedal & Wright ch. 10; docs/numerics.md.
[[nodiscard]] LeastChange solve_by_least_change(const Equations& equations, const Vector& x0);

}  // namespace vinculum::sim
