#pragma once

#include <vector>

#include "vinculum/base/linear_algebra.hpp"
#include "vinculum/integrate/problem.hpp"

namespace vinculum::integrate {

/// A component and the ratio of its error to its tolerance.
struct WorstComponent {
  int index = -1;
  double ratio = 0.0;
};

/// Norm of errors in units of the tolerance. All components of a group g share one tolerance,
///
///   tolerance · (scale_g + max_{i in g} max(|y_i|, |y_new,i|)),
///
/// so that neither a coordinate that passes through 0 nor the choice of units changes the accuracy asked for; where the
/// scale is stated, tolerance · scale_g.
/// Source: Hairer, Nørsett & Wanner I, eqs. II.4.10–11, with the maximum taken over a group.
class ErrorNorm {
 public:
  /// \param padded  length of the vectors handed in, ≥ problem.size; entries behind the size are 0.
  ErrorNorm(const Problem& problem, double tolerance, int padded);

  /// Sets the tolerances for a step from y to y_new; not finite entries count as 0.
  void set_scale(const double* y, const double* y_new);
  /// Mean of the squares of v_i / tolerance_i; 0 where there are no components.
  [[nodiscard]] double mean_square(const double* v) const;
  [[nodiscard]] WorstComponent worst(const double* v) const;

 private:
  int size_;
  double tolerance_;
  std::vector<int> group_;
  std::vector<double> scale_;
  std::vector<char> is_stated_;
  std::vector<double> group_inverse_;  // magnitude, then 1/tolerance, of each group
  Vector inverse_;                     // [padded] 1/tolerance of each component
};

}  // namespace vinculum::integrate
