#pragma once

#include <vector>

#include "vinculum/motion/accelerations/routes.hpp"
#include "vinculum/motion/equation_pieces.hpp"
#include "vinculum/motion/friction/dependent_forces.hpp"
#include "vinculum/solve/pivoted/reaction.hpp"

namespace vinculum::sim {

/// Sets up and solves the linear problem for accelerations at a state, with the solver of the formulation
/// (`Routes::asked`). Forces that depend on reactions are found first.
class LinearProblem {
 public:
  /// \param forces  null if no force depends on reactions
  /// \param solver_of_speeds  solver of the last velocity projection; its factor is reused if it belongs to the same
  /// matrices
  LinearProblem(StateKernels& at, EquationPieces& pieces, Routes& routes, DependentForces* forces,
                PivotedSolve& solver_of_speeds);

  /// Evaluates M, A, b at the state and factors them.
  /// \returns the defect of the state: its largest relative constraint violation.
  [[nodiscard]] Outcome<double> factor_at(double t, const double* y);
  /// Finds C if it depends on reactions, then u', and λ if rates of extra states depend on λ.
  /// \returns failures such as kInconsistent, with indices of rows but without names.
  [[nodiscard]] Outcome<void> solve(double defect);
  /// Finds the forces C that depend on reactions.
  /// \pre `Routes::explicit_route` has factored the present matrices
  [[nodiscard]] Outcome<void> settle_forces() { return forces_ != nullptr ? forces_->settle() : Outcome<void>(); }
  /// Computes accelerations and reactions, and also the ideal reaction, that is, the reaction without the force C.
  /// \pre `Routes::truth` has factored the present matrices.
  [[nodiscard]] Outcome<void> react(double defect, solve::Reaction& reaction);
  /// Writes q', u', z' of the last solution. `y` is the state at which it was found.
  void write_rates(double t, const double* y, double* y_dot);
  /// Writes z' at a state, for the multipliers `lambda` [nc].
  void write_state_rates(double t, const double* y, const Vector& lambda, double* z_dot);

  [[nodiscard]] const SolvedMotion& solved() const { return solved_; }

 private:
  StateKernels& at_;
  EquationPieces& pieces_;
  Routes& routes_;
  DependentForces* const forces_;
  PivotedSolve& solver_of_speeds_;
  SolvedMotion solved_;
  Vector force_;                     ///< [nu] f + C
  Vector lambda_;                    ///< [nc] actual λ, set if rates of extra states depend on λ
  Vector directions_;                ///< [ns] friction directions
  std::vector<double> state_input_;  ///< input of `Kernels::state_rates`: t, q, u, z, λ, s
};

}  // namespace vinculum::sim
