#pragma once

#include <memory>

#include "vinculum/motion/friction/dependent_forces.hpp"
#include "vinculum/motion/higher_order/hidden_equations.hpp"
#include "vinculum/motion/projection/dependent_speeds.hpp"
#include "vinculum/motion/projection/row_projection.hpp"
#include "vinculum/motion/projection/state_conditions.hpp"

namespace vinculum::sim {

/// A state brought onto its constraints: positions, speeds, and v = 0 of what sticks. Norms of quaternions are left as
/// they are: stages of a step that had other norms would be taken for more exact than they are.
class ConstraintProjection {
 public:
  /// \param forces, highest  null where the model has none
  ConstraintProjection(StateKernels& at, EquationPieces& pieces, Routes& routes, SparseSolver& sparse,
                       DependentForces* forces, HighestDerivatives* highest);

  /// \returns as `Dynamics::project`.
  [[nodiscard]] Outcome<double> project(double t, double* y);
  /// The pivoted solver of the speeds, with the factor of its last correction.
  [[nodiscard]] PivotedSolve& solver_of_speeds() { return speeds_.solver(); }
  /// Null where no relation holds states.
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
