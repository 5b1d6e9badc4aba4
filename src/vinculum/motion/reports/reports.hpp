#pragma once

#include <span>
#include <string>

#include "vinculum/motion/projection/state_conditions.hpp"
#include "vinculum/motion/reports/system_vectors.hpp"
#include "vinculum/motion/reports/unique_quantities.hpp"

namespace vinculum::sim {

/// Everything that is reported about a state. Independent rows under the ideal law, or none, are reported by generated
/// code; else the pivoted solver reports.
class Reports {
 public:
  /// \param forces, highest, conditions  null where the model has none
  Reports(StateKernels& at, EquationPieces& pieces, Routes& routes, DependentForces* forces,
          HighestDerivatives* highest, StateConditions* conditions, LinearProblem& problem);

  /// As `Dynamics::report`.
  [[nodiscard]] Outcome<void> report(double t, const double* y, Sample& sample);
  /// Reactions and accelerations alone, as `EquationsOf::react`.
  [[nodiscard]] Outcome<void> react(double t, const double* y, Sample& sample);
  /// Outputs and expectations at the forces of a sample.
  [[nodiscard]] Outcome<void> fill_results_at(double t, const double* y, Sample& sample);

  ReportedForces reactions;
  SystemVectors vectors;

 private:
  /// \returns false where there is more to it, or the generated code is not trusted.
  [[nodiscard]] bool is_generated(double t, const double* y, Sample& sample);
  [[nodiscard]] Outcome<void> report_by_pivots(double t, const double* y, Sample& sample);
  [[nodiscard]] Outcome<void> report_of_higher(double t, const double* y, Sample& sample);
  /// Which rows act in the mode.
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
