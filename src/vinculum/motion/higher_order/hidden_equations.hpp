#pragma once

#include "vinculum/motion/higher_order/highest_derivatives.hpp"
#include "vinculum/motion/state_kernels.hpp"
#include "vinculum/numeric/full_pivot_lu.hpp"

namespace vinculum::sim {

/// Equations that a state satisfies if constraints are of higher order: relations below the highest derivatives
/// (theory.md §6.5).
class HiddenEquations {
 public:
  HiddenEquations(StateKernels& at, const HighestDerivatives& highest);

  /// Brings a state onto them by the least change.
  /// \returns the largest correction relative to `Dynamics::set_scale`; kInconsistent if they cannot be met.
  [[nodiscard]] Outcome<double> project(double t, double* y);

 private:
  [[nodiscard]] Outcome<double> measure(double t, const double* y, int& worst_row);
  [[nodiscard]] Failure missed(double t, int row, double worst) const;

  StateKernels& at_;
  const HighestDerivatives& highest_;
  const int count_, columns_;  ///< number of equations; of unknowns, nu + nu + nz
  numeric::FullPivotLu normal_;
  Matrix H_;                    ///< [count × columns] gradient, equilibrated
  Vector violation_, weights_;  ///< [count]
  Vector step_, size_;          ///< [columns]
  Vector change_q_;
};

}  // namespace vinculum::sim
