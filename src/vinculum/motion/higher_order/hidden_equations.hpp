#pragma once

#include "vinculum/motion/higher_order/highest_derivatives.hpp"
#include "vinculum/motion/state_kernels.hpp"
#include "vinculum/numeric/full_pivot_lu.hpp"

namespace vinculum::sim {

/// What a state satisfies where constraints are of higher order: relations below their highest derivatives.
class HiddenEquations {
 public:
  HiddenEquations(StateKernels& at, const HighestDerivatives& highest);

  /// By least change. \returns the largest correction relative to `Dynamics::set_scale`; kInconsistent where they
  /// cannot be met.
  [[nodiscard]] Outcome<double> project(double t, double* y);

 private:
  [[nodiscard]] Outcome<double> measure(double t, const double* y, int& worst_row);
  [[nodiscard]] Failure missed(double t, int row, double worst) const;

  StateKernels& at_;
  const HighestDerivatives& highest_;
  const int count_, columns_;  ///< equations; nu + nu + nz
  numeric::FullPivotLu normal_;
  Matrix H_;                    ///< [count × columns]
  Vector violation_, weights_;  ///< [count]
  Vector step_, size_;          ///< [columns]
  Vector change_q_;
};

}  // namespace vinculum::sim
