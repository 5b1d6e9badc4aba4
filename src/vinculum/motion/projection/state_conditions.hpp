#pragma once

#include "vinculum/motion/equation_pieces.hpp"
#include "vinculum/motion/pivoted_solve.hpp"
#include "vinculum/motion/sample.hpp"

namespace vinculum::sim {

/// Constraints that contain extra states z (theory.md §6.10). The relation and its derivatives below the one that is a
/// row (Row::conditions) are enforced along the motion like rows of position level, by the least change of q and z: q
/// changes by G w, z by δz.
class StateConditions {
 public:
  StateConditions(StateKernels& at, EquationPieces& pieces);

  /// \returns the largest correction relative to `Dynamics::set_scale`; kInconsistent if they cannot be met.
  [[nodiscard]] Outcome<double> project(double t, double* y);
  /// Writes the values of the conditions at a sample to the front of `StateKernels::result`.
  void read(const Sample& sample);

 private:
  /// \returns the largest residual, each divided by its gradient times typical changes.
  [[nodiscard]] Outcome<double> measure(double t, const double* y);
  [[nodiscard]] Failure missed(double t, double worst) const;

  StateKernels& at_;
  EquationPieces& pieces_;
  const int count_, places_;   ///< number of conditions; of position rows
  PivotedSolve solver_;        ///< over (w, δz); rows: position rows, conditions
  Matrix metric_, A_;          ///< [(nu + nz)²], [(places + count) × (nu + nz)]
  Vector certainty_, missed_;  ///< [places + count]
  Vector size_;                ///< [nu + nz] typical changes
  Vector force_, change_q_;
  solve::Solution solution_;
};

}  // namespace vinculum::sim
