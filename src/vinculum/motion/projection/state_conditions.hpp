#pragma once

#include "vinculum/motion/equation_pieces.hpp"
#include "vinculum/motion/pivoted_solve.hpp"
#include "vinculum/motion/sample.hpp"

namespace vinculum::sim {

/// Projects states of models whose constraints contain extra states z (theory.md §6.10). One time derivative of such a
/// relation is a row of velocity level. The relation and its lower derivatives are conditions on the state
/// (Row::conditions). After each step they are enforced by the least change of q and z. The unknowns are w and δz: q
/// changes by G w, z by δz.
class StateConditions {
 public:
  StateConditions(StateKernels& at, EquationPieces& pieces);

  /// \returns the largest correction in units of tolerance × typical size (`Dynamics::set_scale`); kInconsistent if the
  /// conditions cannot be satisfied.
  [[nodiscard]] Outcome<double> project(double t, double* y);
  /// Writes the values of the conditions at a sample to the first entries of `StateKernels::result`.
  void read(const Sample& sample);

 private:
  /// \returns the largest relative residual. Each residual is divided by Σ_j |gradient j| × typical change j.
  [[nodiscard]] Outcome<double> measure(double t, const double* y);
  [[nodiscard]] Failure missed(double t, double worst) const;

  StateKernels& at_;
  EquationPieces& pieces_;
  const int count_, places_;  ///< number of conditions; number of position rows
  PivotedSolve solver_;       ///< unknowns (w, δz); rows: position rows, conditions
  Matrix metric_, A_;  ///< [(nu + nz)²], [(places + count) × (nu + nz)] metric and gradient of the unknowns (w, δz)
  Vector certainty_, missed_;  ///< [places + count] row weights; violations of the rows
  Vector size_;                ///< [nu + nz] typical changes
  Vector force_, change_q_;
  solve::Solution solution_;
};

}  // namespace vinculum::sim
