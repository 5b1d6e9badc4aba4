#pragma once

#include "vinculum/motion/accelerations/linear_problem.hpp"
#include "vinculum/motion/accelerations/sparse_solver.hpp"
#include "vinculum/motion/higher_order/highest_derivatives.hpp"
#include "vinculum/motion/projection/constraint_projection.hpp"

namespace vinculum::sim {

/// Derivatives of the motion, by an ordered list of methods. The first method that answers decides. A method that
/// refuses leaves the answer to the next one; a method that fails ends the search. Allocates nothing after its first
/// use, except for large models.
class Accelerations {
 public:
  /// \param forces, highest  null if the model has no such forces or derivatives
  Accelerations(StateKernels& at, EquationPieces& pieces, Routes& routes, DependentForces* forces,
                HighestDerivatives* highest, SparseSolver& sparse, ConstraintProjection& constraints,
                LinearProblem& problem);

  /// As `Dynamics::derivative`.
  [[nodiscard]] Outcome<void> derivative(double t, const double* y, double* y_dot);

 private:
  enum class Answer { kAnswered, kRefused };

  /// By generated code, if its guards accept the result. Never fails.
  [[nodiscard]] Answer by_generated_code(double t, const double* y, double* y_dot);
  /// By the highest derivatives, if constraints are of higher order.
  [[nodiscard]] Outcome<Answer> by_highest_derivatives(double t, const double* y, double* y_dot);
  /// By the sparse solver, for large models.
  [[nodiscard]] Outcome<Answer> by_entries(double t, const double* y, double* y_dot);
  /// By the route of the formulation; on the constraints if rows are nearly dependent. Never refuses.
  [[nodiscard]] Outcome<Answer> by_routes(double t, const double* y, double* y_dot);

  [[nodiscard]] bool is_found_by(const BoundKernel& kernel, double t, const double* y, double* y_dot);
  /// The state at which generated code is evaluated near a singular configuration: projected onto the constraints. Null
  /// if generated code is not to be used there.
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
  Vector projected_;                ///< [ny] the state on the constraints
  bool is_on_constraints_ = false;  ///< `projected_` belongs to this call, and accelerations are to be taken there
};

}  // namespace vinculum::sim
