#pragma once

#include <cmath>
#include <vector>

#include "vinculum/motion/equation_pieces.hpp"
#include "vinculum/motion/higher_order.hpp"
#include "vinculum/motion/sample.hpp"
#include "vinculum/numeric/full_pivot_lu.hpp"

namespace vinculum::sim {

/// Returns the factor by which a row or column is multiplied so that its largest entry becomes 1.
/// \param largest  largest |entry|; if it is 0 or not finite, the factor is 1
[[nodiscard]] inline double equilibration(double largest) {
  return largest > 0.0 && std::isfinite(largest) ? 1.0 / largest : 1.0;
}

/// Computes the accelerations of models with constraints of higher order (theory.md §6.5). Solves J x = r for the
/// highest derivatives x. (All other models solve M u' = f + Aᵀλ, A u' = b.)
class HighestDerivatives {
 public:
  HighestDerivatives(StateKernels& at, EquationPieces& pieces);

  /// See `Dynamics::derivative`.
  [[nodiscard]] Outcome<void> derivative(double t, const double* y, double* y_dot);
  /// Fills `sample` with u', λ and the generalized forces Aᵀλ, from the highest derivatives.
  [[nodiscard]] Outcome<void> report(double t, const double* y, Sample& sample);
  /// Returns the sign and pivot of J at a state.
  [[nodiscard]] Regularity regularity(double t, const double* y);
  /// [n] largest |entry| of each row of J at the state of the last evaluation, with unknowns in units of their typical
  /// sizes.
  [[nodiscard]] Vector row_sizes() const { return row_scale_.cwiseInverse(); }

  /// Returns the failure that J is singular at the state of the last evaluation: kSingularByMultipliers, or kRankDrop
  /// if rows are redundant.
  [[nodiscard]] Failure singular(double t) const;
  [[nodiscard]] Failure non_finite(double t, const double* y) const;
  [[nodiscard]] const equations::HigherOrder& structure() const { return structure_; }
  [[nodiscard]] std::vector<int> constraints() const;  ///< indices of the constraints of higher order

 private:
  /// Evaluates J and r, and stores J in the matrix of `lu_`, with rows and columns scaled.
  void read(double t, const double* y);
  [[nodiscard]] Outcome<void> solve(double t, const double* y);

  StateKernels& at_;
  EquationPieces& pieces_;
  const equations::HigherOrder& structure_;
  const int n_;  ///< number of unknowns
  numeric::FullPivotLu lu_;
  Matrix J_;
  Vector r_, x_, correction_;  ///< [n] right-hand side, solution, correction of the solution
  Vector unknown_size_;        ///< [n] typical size of each unknown
  Vector row_scale_, column_scale_;
};

}  // namespace vinculum::sim
