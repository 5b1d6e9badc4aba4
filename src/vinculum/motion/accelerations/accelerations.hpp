#pragma once

#include "vinculum/motion/accelerations/linear_problem.hpp"
#include "vinculum/motion/accelerations/sparse_solver.hpp"
#include "vinculum/motion/higher_order/highest_derivatives.hpp"
#include "vinculum/motion/projection/constraint_projection.hpp"

namespace vinculum::sim {

/// Derivatives of the motion: an ordered list of ways to them. The first that answers decides; one that refuses leaves
/// it to the next, one that fails ends the search. Allocates nothing after its first use but for large models.
class Accelerations {
 public:
  /// \param forces, highest  null where the model has none
  Accelerations(StateKernels& at, EquationPieces& pieces, Routes& routes, DependentForces* forces,
                HighestDerivatives* highest, SparseSolver& sparse, ConstraintProjection& constraints,
                LinearProblem& problem);

  /// As `Dynamics::derivative`.
  [[nodiscard]] Outcome<void> derivative(double t, const double* y, double* y_dot);

 private:
  enum class Answer { kAnswered, kRefused };

  /// By generated code, where its guards accept it. Never fails.
  [[nodiscard]] Answer by_generated_code(double t, const double* y, double* y_dot);
  /// By the highest derivatives, where constraints are of higher order.
  [[nodiscard]] Outcome<Answer> by_highest_derivatives(double t, const double* y, double* y_dot);
  /// By the entries of large matrices.
  [[nodiscard]] Outcome<Answer> by_entries(double t, const double* y, double* y_dot);
  /// By the route that the formulation asks for; where rows are near dependent, on the constraints. Never refuses.
  [[nodiscard]] Outcome<Answer> by_routes(double t, const double* y, double* y_dot);

  [[nodiscard]] bool is_found_by(const BoundKernel& kernel, double t, const double* y, double* y_dot);
  /// The state on the constraints where generated code is to be asked near a singular pose; null where it is not.
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
  bool is_on_constraints_ = false;  ///< `projected_` is that of this call, and the motion is to be taken there
};

}  // namespace vinculum::sim
