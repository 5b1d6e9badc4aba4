#pragma once

#include <vector>

#include "vinculum/motion/accelerations/routes.hpp"
#include "vinculum/motion/equation_pieces.hpp"
#include "vinculum/motion/friction/dependent_forces.hpp"
#include "vinculum/solve/pivoted/reaction.hpp"

namespace vinculum::sim {

/// The linear problem for accelerations at a state, solved by the route of the formulation. Forces that depend on
/// reactions are found first.
class LinearProblem {
 public:
  /// \param forces  null if no force depends on reactions
  /// \param solver_of_speeds  solver of the last velocity projection; its factor is reused if it belongs to the same
  /// matrices
  LinearProblem(StateKernels& at, EquationPieces& pieces, Routes& routes, DependentForces* forces,
                PivotedSolve& solver_of_speeds);

  /// Reads M, A, b at the state and factors them.
  /// \returns the relative defect of the state.
  [[nodiscard]] Outcome<double> factor_at(double t, const double* y);
  /// Finds u', C and linearized rows, and λ if rates of extra states depend on it.
  /// \returns kInconsistent and similar failures with rows but without names.
  [[nodiscard]] Outcome<void> solve(double defect);
  /// Finds the forces C that depend on reactions.
  /// \pre a factor of the explicit route
  [[nodiscard]] Outcome<void> settle_forces() { return forces_ != nullptr ? forces_->settle() : Outcome<void>(); }
  /// Accelerations and reactions, with and without C.
  /// \pre `Routes::truth` has the factor of the pieces.
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
  Vector lambda_;                    ///< [nc] actual λ, set if rates of extra states depend on it
  Vector directions_;                ///< [ns] of friction
  std::vector<double> state_input_;  ///< t, q, u, z, λ, s
};

}  // namespace vinculum::sim
