#pragma once

#include "vinculum/motion/accelerations/minimal.hpp"
#include "vinculum/motion/equation_pieces.hpp"

namespace vinculum::sim {

/// Solves ψ = 0 for the dependent speeds of the minimal formulation. Independent speeds do not change.
class DependentSpeeds {
 public:
  DependentSpeeds(StateKernels& at, EquationPieces& pieces) : at_(at), pieces_(pieces) {}

  /// \param minimal  its choice of independent speeds is checked and may be replaced
  /// \returns the largest correction in units of tolerance × typical size (`Dynamics::set_scale`); kInconsistent if no
  /// dependent speeds satisfy ψ = 0.
  [[nodiscard]] Outcome<double> project(Minimal& minimal, double t, double* y);

 private:
  [[nodiscard]] Outcome<void> settle(Minimal& minimal, double t, double* y);

  StateKernels& at_;
  EquationPieces& pieces_;
  Vector before_;
};

}  // namespace vinculum::sim
