#pragma once

#include <memory>

#include "vinculum/motion/friction/dependent_forces.hpp"
#include "vinculum/motion/higher_order/hidden_equations.hpp"
#include "vinculum/motion/projection/dependent_speeds.hpp"
#include "vinculum/motion/projection/row_projection.hpp"
#include "vinculum/motion/projection/state_conditions.hpp"

namespace vinculum::sim {

/// Projects a state onto its constraints: φ = 0, ψ = 0, and sliding velocity 0 of sticking contacts. Norms of
/// quaternions do not change; if they were normalized at the stages of a step, the error estimate would be too small.
class ConstraintProjection {
 public:
  /// \param forces  null if no force depends on reactions   \param highest  null if no constraint is of higher order
  ConstraintProjection(StateKernels& at, EquationPieces& pieces, Routes& routes, SparseSolver& sparse,
                       DependentForces* forces, HighestDerivatives* highest);

  /// \returns the result of `Dynamics::project`.
  [[nodiscard]] Outcome<double> project(double t, double* y);
  /// Returns the pivoted solver that corrects the speeds, with the factor of its last correction.
  [[nodiscard]] PivotedSolve& solver_of_speeds() { return speeds_.solver(); }
  /// Conditions of constraints that contain extra states; null if no constraint does.
  [[nodiscard]] StateConditions* conditions() { return conditions_.get(); }

 private:
  StateKernels& at_;
  EquationPieces& pieces_;
  Routes& routes_;
  DependentForces* const forces_;
  RowProjection positions_, speeds_;
  DependentSpeeds dependent_;
  std::unique_ptr<StateConditions> conditions_;
  std::unique_ptr<HiddenEquations> hidden_;
};

}  // namespace vinculum::sim
