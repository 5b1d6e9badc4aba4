#pragma once

#include <vector>

#include "vinculum/motion/accelerations/routes.hpp"
#include "vinculum/motion/equation_pieces.hpp"
#include "vinculum/motion/friction/dependent_forces.hpp"
#include "vinculum/solve/pivoted/reaction.hpp"

namespace vinculum::sim {

/// The linear problem for accelerations at a state, by the route that the formulation asks for: forces that depend on
/// reactions are settled first.
class LinearProblem {
 public:
  /// \param forces  null where none depends on reactions   \param solver_of_speeds  with a factor that may be that of
  /// the rows, as positions are what they were when speeds were corrected
  LinearProblem(StateKernels& at, EquationPieces& pieces, Routes& routes, DependentForces* forces,
                PivotedSolve& solver_of_speeds);

  /// M, A, b at the state and their factor. \returns the relative defect of the state.
  [[nodiscard]] Outcome<double> factor_at(double t, const double* y);
  /// u', C and rows settled, and λ where rates of states hold it. \returns kInconsistent and the like with rows, not
  /// yet named.
  [[nodiscard]] Outcome<void> solve(double defect);
  /// C by its reactions.   \pre a factor of the explicit route
  [[nodiscard]] Outcome<void> settle_forces() { return forces_ != nullptr ? forces_->settle() : Outcome<void>(); }
  /// Motion and reactions with and without C.   \pre `Routes::truth` holds the factor of the pieces.
  [[nodiscard]] Outcome<void> react(double defect, solve::Reaction& reaction);
  /// q', u', z' at the state of the answer last found.
  void write_rates(double t, const double* y, double* y_dot);
  /// z' at a state with the multipliers `lambda` [nc].
  void write_state_rates(double t, const double* y, const Vector& lambda, double* z_dot);

  [[nodiscard]] const SolvedMotion& solved() const { return solved_; }

 private:
  StateKernels& at_;
  EquationPieces& pieces_;
  Routes& routes_;
  DependentForces* const forces_;
  PivotedSolve& solver_of_speeds_;
  SolvedMotion solved_;
  Vector force_;                     ///< f + C
  Vector lambda_;                    ///< [nc] actual λ that goes with u', where states move by it
  Vector directions_;                ///< [ns] of friction
  std::vector<double> state_input_;  ///< t, q, u, z, λ, s
};

}  // namespace vinculum::sim
