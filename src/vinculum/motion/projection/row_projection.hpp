#pragma once

#include <optional>
#include <vector>

#include "vinculum/motion/accelerations/sparse_solver.hpp"
#include "vinculum/motion/equation_pieces.hpp"
#include "vinculum/motion/pivoted_solve.hpp"

namespace vinculum::sim {

/// Runs Newton's iteration for rows of one level: changes q until φ = 0, or u until ψ = 0, by the least change in the
/// metric of M.
class RowProjection {
 public:
  enum class Of { kPositions, kSpeeds };
  RowProjection(Of of, StateKernels& at, EquationPieces& pieces, SparseSolver& sparse);

  /// \returns the largest correction in units of tolerance × typical size (`Dynamics::set_scale`); kInconsistent if the
  /// rows cannot be made zero.
  [[nodiscard]] Outcome<double> project(double t, double* y);
  [[nodiscard]] bool has_rows() const { return !rows_.empty(); }
  /// Returns the pivoted solver, with the factor of its last correction.
  [[nodiscard]] PivotedSolve& solver() { return solver_; }

 private:
  /// Sizes by which the violations of the rows are divided.
  [[nodiscard]] const Vector& size() const {
    return is_of_positions_ ? at_.mode->position_size : at_.mode->velocity_size;
  }
  [[nodiscard]] const double* violation() const { return at_.result.data() + count_; }
  /// \returns the largest relative violation. Afterwards `StateKernels::result` contains all violations and the
  /// correction computed by generated code.
  [[nodiscard]] Outcome<double> measure(double t, const double* y);
  /// Whether the correction by generated code is accepted. If the correction of the reduced kernel is not, the full
  /// kernel is tried.
  /// \param worst  result of `measure`
  [[nodiscard]] bool is_generated(double worst);
  [[nodiscard]] bool is_trusted(double worst) const;
  [[nodiscard]] bool goes_far(const double* change, double worst) const;
  [[nodiscard]] bool is_rounding_of_terms() const;
  /// Returns the failure that rows cannot be made zero. It names the row with the largest relative violation, and all
  /// rows with at least a tenth of this violation.
  [[nodiscard]] Failure contradiction(double t) const;
  [[nodiscard]] Outcome<void> correct_by_pivots(double t, const double* y, double worst);

  StateKernels& at_;
  EquationPieces& pieces_;
  SparseSolver& sparse_;
  const bool is_of_positions_;
  const int count_;  ///< nq or nu
  const std::vector<int>& rows_;
  PivotedSolve solver_;
  Matrix A_;        ///< filled when the pivoted solver is used
  Vector lengths_;  ///< [rows] Σ_j |A_ij| × typical speed j; filled together with A_
  Vector certainty_;
  Vector defect_;  ///< [rows] −φ or −ψ
  Vector no_force_;
  Vector correction_;  ///< [nq or nu] correction of one step
  solve::Solution solution_;
};

}  // namespace vinculum::sim
