#pragma once

#include "vinculum/motion/equation_pieces.hpp"
#include "vinculum/motion/pivoted_solve.hpp"
#include "vinculum/motion/projection/constraint_projection.hpp"

namespace vinculum::sim {

/// Invariants kept by projection at their levels of the start: after the constraints, (q, u) moves onto them by the
/// least change.
class KeptLevels {
 public:
  KeptLevels(StateKernels& at, EquationPieces& pieces, ConstraintProjection& constraints);

  /// Levels from a state on. Allocates.
  [[nodiscard]] Mode::Levels start_at(double t, const Vector& y, bool with_conserved);
  /// \pre y on the constraints; a mode with levels. \returns the largest correction relative to `Dynamics::set_scale`.
  [[nodiscard]] Outcome<double> project(double t, double* y);

 private:
  void read(double t, const double* y);
  void measure();
  [[nodiscard]] double find_missed(int& worst_level);
  /// One step back onto the levels, and onto the constraints after it.
  [[nodiscard]] Outcome<double> step(double t, double* y);
  [[nodiscard]] Failure missed(double t, int level) const;

  StateKernels& at_;
  EquationPieces& pieces_;
  ConstraintProjection& constraints_;
  const int count_;
  PivotedSolve solver_;         ///< of (w, δu), over position rows, rows with ψ, invariants
  Vector now_, missed_;         ///< [count]
  Matrix metric_;               ///< [2nu × 2nu]
  Matrix A_;                    ///< [rows × 2nu]
  Vector certainty_;            ///< [rows] 1
  Matrix by_place_, by_speed_;  ///< [count × nu]
  Matrix psi_by_place_;         ///< [rows with ψ × nu]
  Vector defect_, force_, change_q_;
  solve::Solution solution_;
};

}  // namespace vinculum::sim
