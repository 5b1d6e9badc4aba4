#pragma once

#include <span>
#include <string>

#include "vinculum/motion/projection/state_conditions.hpp"
#include "vinculum/motion/reports/system_vectors.hpp"
#include "vinculum/motion/reports/unique_quantities.hpp"

namespace vinculum::sim {

/// Computes all reported quantities of a state. Generated code computes them if all rows are independent and ideal, or
/// if there are no rows; otherwise the pivoted solver does.
class Reports {
 public:
  /// \param forces  null if no force depends on reactions   \param highest  null if no constraint is of higher order
  /// \param conditions  null if no constraint contains extra states
  Reports(StateKernels& at, EquationPieces& pieces, Routes& routes, DependentForces* forces,
          HighestDerivatives* highest, StateConditions* conditions, LinearProblem& problem);

  /// See `Dynamics::report`.
  [[nodiscard]] Outcome<void> report(double t, const double* y, Sample& sample);
  /// Computes only reactions and accelerations (see `EquationsOf::react`).
  [[nodiscard]] Outcome<void> react(double t, const double* y, Sample& sample);
  /// Computes outputs and expectations with the accelerations and forces that the sample contains.
  [[nodiscard]] Outcome<void> fill_results_at(double t, const double* y, Sample& sample);

  ReportedForces reactions;
  SystemVectors vectors;

 private:
  /// Fills the sample by generated code.
  /// \returns false if the model needs the pivoted solver, or if a guard rejects the result.
  [[nodiscard]] bool is_generated(double t, const double* y, Sample& sample);
  [[nodiscard]] Outcome<void> report_by_pivots(double t, const double* y, Sample& sample);
  [[nodiscard]] Outcome<void> report_of_higher(double t, const double* y, Sample& sample);
  /// Notes in the sample which rows act in the mode.
  void note_acting(Sample& sample) const;
  void note_residual(int row, double value, Sample& sample) const;
  void fill_residuals(Sample& sample);
  [[nodiscard]] Outcome<void> fill_results(Sample& sample);
  [[nodiscard]] Outcome<void> check_results(const Sample& sample) const;
  [[nodiscard]] Failure non_finite_result(StatementId statement, const std::string& what,
                                          std::span<const expr::Expr> values) const;

  StateKernels& at_;
  EquationPieces& pieces_;
  Routes& routes_;
  DependentForces* const forces_;
  HighestDerivatives* const highest_;
  StateConditions* const conditions_;
  LinearProblem& problem_;
  ReportInput input_;
  UniqueQuantities unique_;
};

}  // namespace vinculum::sim
