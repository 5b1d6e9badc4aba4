#pragma once

#include "vinculum/motion/equation_pieces.hpp"
#include "vinculum/motion/pivoted_solve.hpp"
#include "vinculum/motion/projection/constraint_projection.hpp"

namespace vinculum::sim {

/// Restores the start values of invariants (levels) by the least change of (q, u), after the projection onto the
/// constraints (theory.md §9).
class KeptLevels {
 public:
  KeptLevels(StateKernels& at, EquationPieces& pieces, ConstraintProjection& constraints);

  /// Computes start values and settings of the levels, from a state. Allocates.
  /// \param with_conserved  whether the quantities of `conserve` are restored too, not only rows that are integrals
  [[nodiscard]] Mode::Levels start_at(double t, const Vector& y, bool with_conserved);
  /// \pre y is on the constraints, and the mode has levels.
  /// \returns the largest correction in units of tolerance × typical size (`Dynamics::set_scale`).
  [[nodiscard]] Outcome<double> project(double t, double* y);

 private:
  void read(double t, const double* y);
  void measure();
  [[nodiscard]] double find_missed(int& worst_level);
  /// Takes one Newton step towards the start values, and then projects onto the constraints.
  [[nodiscard]] Outcome<double> step(double t, double* y);
  [[nodiscard]] Failure missed(double t, int level) const;

  StateKernels& at_;
  EquationPieces& pieces_;
  ConstraintProjection& constraints_;
  const int count_;             ///< number of invariants
  PivotedSolve solver_;         ///< unknowns (w, δu); rows: position rows, rows with a ψ, invariants
  Vector now_, missed_;         ///< [count] values of the invariants; deviations from the start values
  Matrix metric_;               ///< [2nu × 2nu] metric of (w, δu)
  Matrix A_;                    ///< [rows × 2nu] coefficients of (w, δu) in all rows
  Vector certainty_;            ///< [rows] all 1
  Matrix by_place_, by_speed_;  ///< [count × nu] derivatives of the invariants by w (q changes by G w) and by u
  Matrix psi_by_place_;         ///< [rows with a ψ × nu] derivative of ψ by w
  Vector defect_, force_, change_q_;
  solve::Solution solution_;
};

}  // namespace vinculum::sim
