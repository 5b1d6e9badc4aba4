#pragma once

#include <cmath>
#include <vector>

#include "vinculum/motion/equation_pieces.hpp"
#include "vinculum/motion/higher_order.hpp"
#include "vinculum/motion/sample.hpp"
#include "vinculum/numeric/full_pivot_lu.hpp"

namespace vinculum::sim {

/// 1 / the largest of a row or column, 1 where it is zero.
[[nodiscard]] inline double equilibration(double largest) {
  return largest > 0.0 && std::isfinite(largest) ? 1.0 / largest : 1.0;
}

/// Models with constraints of higher order (theory.md §6.5): J x = r for the highest derivatives, in the place of the
/// linear problem that others have.
class HighestDerivatives {
 public:
  HighestDerivatives(StateKernels& at, EquationPieces& pieces);

  /// As `Dynamics::derivative`.
  [[nodiscard]] Outcome<void> derivative(double t, const double* y, double* y_dot);
  /// u', λ and the forces behind them, from the highest derivatives.
  [[nodiscard]] Outcome<void> report(double t, const double* y, Sample& sample);
  [[nodiscard]] Regularity regularity(double t, const double* y);
  /// [n] largest entries of the rows of J where it was last read; unknowns in units of their sizes.
  [[nodiscard]] Vector row_sizes() const { return row_scale_.cwiseInverse(); }

  /// kSingularByMultipliers, or kRankDrop where rows restrict nothing, of J as it was last read.
  [[nodiscard]] Failure singular(double t) const;
  [[nodiscard]] Failure non_finite(double t, const double* y) const;
  [[nodiscard]] const equations::HigherOrder& structure() const { return structure_; }
  [[nodiscard]] std::vector<int> constraints() const;  ///< of higher order

 private:
  /// J and r, and their factors' matrix equilibrated.
  void read(double t, const double* y);
  [[nodiscard]] Outcome<void> solve(double t, const double* y);

  StateKernels& at_;
  EquationPieces& pieces_;
  const equations::HigherOrder& structure_;
  const int n_;  ///< unknowns
  numeric::FullPivotLu lu_;
  Matrix J_;
  Vector r_, x_, correction_;  ///< [n]
  Vector unknown_size_;        ///< [n] typical size of each
  Vector row_scale_, column_scale_;
};

}  // namespace vinculum::sim
