#pragma once

#include "vinculum/motion/accelerations/minimal.hpp"
#include "vinculum/motion/equation_pieces.hpp"

namespace vinculum::sim {

/// Dependent speeds from ψ = 0, where the minimal formulation keeps its independent ones.
class DependentSpeeds {
 public:
  DependentSpeeds(StateKernels& at, EquationPieces& pieces) : at_(at), pieces_(pieces) {}

  /// \param minimal  whose choice of speeds is reviewed and kept
  /// \returns the largest correction relative to `Dynamics::set_scale`; kInconsistent where they do not follow.
  [[nodiscard]] Outcome<double> project(Minimal& minimal, double t, double* y);

 private:
  [[nodiscard]] Outcome<void> settle(Minimal& minimal, double t, double* y);

  StateKernels& at_;
  EquationPieces& pieces_;
  Vector before_;
};

}  // namespace vinculum::sim
