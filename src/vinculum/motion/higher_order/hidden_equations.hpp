#pragma once

#include "vinculum/motion/higher_order/highest_derivatives.hpp"
#include "vinculum/motion/state_kernels.hpp"
#include "vinculum/numeric/full_pivot_lu.hpp"

namespace vinculum::sim {

/// Enforces the conditions on the state of a model with constraints of higher order: equations, and their time
/// derivatives, that do not contain the highest derivatives (theory.md §6.5).
class HiddenEquations {
 public:
  HiddenEquations(StateKernels& at, const HighestDerivatives& highest);

  /// Changes a state by the least change so that it satisfies the conditions.
  /// \returns the largest correction in units of tolerance × typical size (`Dynamics::set_scale`); kInconsistent if the
  /// conditions cannot be satisfied.
  [[nodiscard]] Outcome<double> project(double t, double* y);

 private:
  [[nodiscard]] Outcome<double> measure(double t, const double* y, int& worst_row);
  [[nodiscard]] Failure missed(double t, int row, double worst) const;

  StateKernels& at_;
  const HighestDerivatives& highest_;
  const int count_, columns_;  ///< number of conditions; number of unknowns (nu displacements, nu speeds, nz states)
  numeric::FullPivotLu normal_;
  Matrix H_;                    ///< [count × columns] gradient of the conditions, with rows and columns scaled
  Vector violation_, weights_;  ///< [count] scaled violations of the conditions; their multipliers in one step
  Vector step_, size_;          ///< [columns] change of the unknowns in one step; their typical sizes
  Vector change_q_;
};

}  // namespace vinculum::sim
