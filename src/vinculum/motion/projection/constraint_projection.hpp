#pragma once

#include <memory>

#include "vinculum/motion/friction/dependent_forces.hpp"
#include "vinculum/motion/higher_order/hidden_equations.hpp"
#include "vinculum/motion/projection/dependent_speeds.hpp"
#include "vinculum/motion/projection/row_projection.hpp"
#include "vinculum/motion/projection/state_conditions.hpp"

namespace vinculum::sim {

/// Brings a state onto its constraints: positions, speeds, and v = 0 of sticking contacts. Quaternions keep their
/// norms, because stages of a step with normalized quaternions would make the error estimate too small.
class ConstraintProjection {
 public:
  /// \param forces, highest  null if the model has no such forces or derivatives
  ConstraintProjection(StateKernels& at, EquationPieces& pieces, Routes& routes, SparseSolver& sparse,
                       DependentForces* forces, HighestDerivatives* highest);

  /// \returns as `Dynamics::project`.
  [[nodiscard]] Outcome<double> project(double t, double* y);
  /// The pivoted solver of the speeds, with the factor of its last correction.
  [[nodiscard]] PivotedSolve& solver_of_speeds() { return speeds_.solver(); }
  /// Null if no constraint contains extra states.
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
