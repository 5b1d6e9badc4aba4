#pragma once

#include "vinculum/motion/accelerations/linear_problem.hpp"
#include "vinculum/motion/accelerations/sparse_solver.hpp"
#include "vinculum/motion/higher_order/highest_derivatives.hpp"
#include "vinculum/motion/projection/constraint_projection.hpp"

namespace vinculum::sim {

/// Computes derivatives of the state by an ordered list of methods. A method returns the result, refuses, or fails. If
/// a method refuses, the next one is tried; if it fails, the failure is returned. Allocates nothing after its first
/// use, except for large models.
class Accelerations {
 public:
  /// \param forces  null if no force depends on reactions   \param highest  null if no constraint is of higher order
  Accelerations(StateKernels& at, EquationPieces& pieces, Routes& routes, DependentForces* forces,
                HighestDerivatives* highest, SparseSolver& sparse, ConstraintProjection& constraints,
                LinearProblem& problem);

  /// See `Dynamics::derivative`.
  [[nodiscard]] Outcome<void> derivative(double t, const double* y, double* y_dot);

 private:
  enum class Answer { kAnswered, kRefused };

  /// Tries generated code, and refuses if its guards reject the result. Never fails.
  [[nodiscard]] Answer by_generated_code(double t, const double* y, double* y_dot);
  /// Solves for the highest derivatives if constraints are of higher order (theory.md §6.5), else refuses.
  [[nodiscard]] Outcome<Answer> by_highest_derivatives(double t, const double* y, double* y_dot);
  /// Tries the sparse solver; refuses for small models.
  [[nodiscard]] Outcome<Answer> by_entries(double t, const double* y, double* y_dot);
  /// Uses the solver of the formulation (Route), at the state projected onto the constraints if rows are nearly
  /// dependent. Never refuses.
  [[nodiscard]] Outcome<Answer> by_routes(double t, const double* y, double* y_dot);

  [[nodiscard]] bool is_found_by(const BoundKernel& kernel, double t, const double* y, double* y_dot);
  /// Returns the state at which generated code is evaluated: y or, near a singular configuration, the state projected
  /// onto the constraints. Null if generated code is not to be used.
  [[nodiscard]] const double* state_for_generated_code(double t, const double* y);
  void note_rank(int rank);

  StateKernels& at_;
  EquationPieces& pieces_;
  Routes& routes_;
  DependentForces* const forces_;
  HighestDerivatives* const highest_;
  SparseSolver& sparse_;
  ConstraintProjection& constraints_;
  LinearProblem& problem_;
  Vector projected_;                ///< [ny] the state projected onto the constraints
  bool is_on_constraints_ = false;  ///< whether this call is to evaluate the accelerations at `projected_`
};

}  // namespace vinculum::sim
