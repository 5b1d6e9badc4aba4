#pragma once

#include <utility>

#include "vinculum/motion/equation_pieces.hpp"
#include "vinculum/motion/higher_order/highest_derivatives.hpp"
#include "vinculum/motion/reports/reported_forces.hpp"

namespace vinculum::sim {

/// Vectors of the whole model that belong to no single constraint: a, Qi, Qc (theory.md §3.1, 4.4).
class SystemVectors {
 public:
  /// \param highest  null if no constraint is of higher order
  SystemVectors(StateKernels& at, EquationPieces& pieces, ReportedForces& forces, const HighestDerivatives* highest)
      : at_(at), pieces_(pieces), forces_(forces), highest_(highest) {}

  /// Fills `Sample::vectors` if the model asks for them.
  /// \pre pieces at the state, and the reaction in the sample
  [[nodiscard]] Outcome<void> fill(Sample& sample);
  /// As `EquationsOf::geometry`.
  [[nodiscard]] Outcome<MotionGeometry> geometry(double t, const double* y);

 private:
  /// Qi of theory.md §3.1 at the state of the pieces, with M and f from `given`.
  [[nodiscard]] Outcome<Vector> ideal_force(const Matrix& M, const Vector& f, const solve::Reaction& reaction);
  /// M and f without the contributions of the reaction laws of rows.
  /// \pre pieces at the state, which is in `StateKernels::input`
  [[nodiscard]] std::pair<Matrix, Vector> given();
  [[nodiscard]] bool is_directed() const { return !at_.compiled->system->directed.empty(); }

  StateKernels& at_;
  EquationPieces& pieces_;
  ReportedForces& forces_;
  const HighestDerivatives* const highest_;
};

/// The same geometry in the speeds that the model text uses (model::shown_speeds).
[[nodiscard]] Outcome<MotionGeometry> shown_geometry(const Binding& bound, double t, const double* y,
                                                     MotionGeometry over);

}  // namespace vinculum::sim
