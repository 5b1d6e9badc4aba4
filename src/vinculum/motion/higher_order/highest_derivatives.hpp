#pragma once

#include <cmath>
#include <vector>

#include "vinculum/motion/equation_pieces.hpp"
#include "vinculum/motion/higher_order.hpp"
#include "vinculum/motion/sample.hpp"
#include "vinculum/numeric/full_pivot_lu.hpp"

namespace vinculum::sim {

/// Factor that scales a row or column with this largest entry to 1; 1 if the entry is 0 or not finite.
[[nodiscard]] inline double equilibration(double largest) {
  return largest > 0.0 && std::isfinite(largest) ? 1.0 / largest : 1.0;
}

/// Models with constraints of higher order (theory.md §6.5): solves J x = r for the highest derivatives, instead of the
/// linear problem of other models.
class HighestDerivatives {
 public:
  HighestDerivatives(StateKernels& at, EquationPieces& pieces);

  /// As `Dynamics::derivative`.
  [[nodiscard]] Outcome<void> derivative(double t, const double* y, double* y_dot);
  /// u', λ and their generalized forces, from the highest derivatives.
  [[nodiscard]] Outcome<void> report(double t, const double* y, Sample& sample);
  [[nodiscard]] Regularity regularity(double t, const double* y);
  /// [n] largest entry of each row of J as it was last read, with unknowns in units of their sizes.
  [[nodiscard]] Vector row_sizes() const { return row_scale_.cwiseInverse(); }

  /// kSingularByMultipliers, or kRankDrop if rows are redundant, for J as it was last read.
  [[nodiscard]] Failure singular(double t) const;
  [[nodiscard]] Failure non_finite(double t, const double* y) const;
  [[nodiscard]] const equations::HigherOrder& structure() const { return structure_; }
  [[nodiscard]] std::vector<int> constraints() const;  ///< indices of those of higher order

 private:
  /// Reads J and r, and fills the equilibrated matrix to be factored.
  void read(double t, const double* y);
  [[nodiscard]] Outcome<void> solve(double t, const double* y);

  StateKernels& at_;
  EquationPieces& pieces_;
  const equations::HigherOrder& structure_;
  const int n_;  ///< number of unknowns
  numeric::FullPivotLu lu_;
  Matrix J_;
  Vector r_, x_, correction_;  ///< [n]
  Vector unknown_size_;        ///< [n] typical size of each unknown
  Vector row_scale_, column_scale_;
};

}  // namespace vinculum::sim
