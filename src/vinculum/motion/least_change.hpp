#pragma once

#include <functional>

#include "vinculum/base/linear_algebra.hpp"

namespace vinculum::sim {

/// Equations r(x) = 0 with fewer rows than unknowns as a rule, possibly redundant, and the metric in which steps are
/// short.
struct Equations {
  /// Fills r and J = ∂r/∂x. \returns false where they are not finite.
  std::function<bool(const Vector& x, Vector& r, Matrix& J)> evaluate;
  /// [n × n] positive semidefinite; with J it must determine a step. Asked for once, and only where one is taken.
  std::function<Matrix()> metric;
  Vector scale;   ///< [n] typical size > 0 of each unknown
  Vector of_row;  ///< [equations, or empty] what one without a gradient is measured by: it has to be zero all the same
};

struct LeastChange {
  enum class Outcome { kSolved, kStationary, kNotFinite } outcome = Outcome::kNotFinite;
  Vector x;
  Vector r;         ///< residuals there
  Vector relative;  ///< |r_i| / Σ_j |J_ij| s_j
  Matrix J;
  int iterations = 0;
};

/// Gauss–Newton with steps of minimum length in the metric, from x0; Armijo on the equilibrated residual, Levenberg–
/// Marquardt where J is nearly singular or a step is long. Converges quadratically on redundant consistent sets too.
/// kStationary: no step lowers the residual any more, though it is not zero (Jᵀr ≈ 0): `r` is the left null vector of
/// the conflict.   Source: Nocedal & Wright ch. 10; docs/numerics.md.
[[nodiscard]] LeastChange solve_by_least_change(const Equations& equations, const Vector& x0);

}  // namespace vinculum::sim
