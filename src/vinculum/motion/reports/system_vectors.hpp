#pragma once

#include <utility>

#include "vinculum/motion/equation_pieces.hpp"
#include "vinculum/motion/higher_order/highest_derivatives.hpp"
#include "vinculum/motion/reports/reported_forces.hpp"

namespace vinculum::sim {

/// Computes the vectors of the whole model that belong to no single constraint: the unconstrained acceleration a, the
/// ideal force Qi and the constraint force Qc (theory.md §3.1, 4.4).
class SystemVectors {
 public:
  /// \param highest  null if no constraint is of higher order
  SystemVectors(StateKernels& at, EquationPieces& pieces, ReportedForces& forces, const HighestDerivatives* highest)
      : at_(at), pieces_(pieces), forces_(forces), highest_(highest) {}

  /// Fills `Sample::vectors` if an expression of the model uses them.
  /// \pre `EquationPieces` was evaluated at the state, and the sample contains the reaction
  [[nodiscard]] Outcome<void> fill(Sample& sample);
  /// See `EquationsOf::geometry`.
  [[nodiscard]] Outcome<MotionGeometry> geometry(double t, const double* y);

 private:
  /// Returns the ideal force Qi of theory.md §3.1 at the state last evaluated, with M and f from `given`.
  [[nodiscard]] Outcome<Vector> ideal_force(const Matrix& M, const Vector& f, const solve::Reaction& reaction);
  /// Returns M and f without the contributions of the reaction laws of rows.
  /// \pre `EquationPieces` was evaluated at the state in `StateKernels::input`
  [[nodiscard]] std::pair<Matrix, Vector> given();
  [[nodiscard]] bool is_directed() const { return !at_.compiled->system->directed.empty(); }

  StateKernels& at_;
  EquationPieces& pieces_;
  ReportedForces& forces_;
  const HighestDerivatives* const highest_;
};

/// Transforms the geometry `over` at a state to the speeds that the model text uses (model::shown_speeds).
[[nodiscard]] Outcome<MotionGeometry> shown_geometry(const Binding& bound, double t, const double* y,
                                                     MotionGeometry over);

}  // namespace vinculum::sim
