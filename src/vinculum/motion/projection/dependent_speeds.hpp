#pragma once

#include "vinculum/motion/accelerations/minimal.hpp"
#include "vinculum/motion/equation_pieces.hpp"

namespace vinculum::sim {

/// Solves ψ = 0 for the dependent speeds of the minimal formulation; the independent ones stay.
class DependentSpeeds {
 public:
  DependentSpeeds(StateKernels& at, EquationPieces& pieces) : at_(at), pieces_(pieces) {}

  /// \param minimal  its choice of speeds is reviewed and stored
  /// \returns the largest correction relative to `Dynamics::set_scale`; kInconsistent if the speeds do not follow.
  [[nodiscard]] Outcome<double> project(Minimal& minimal, double t, double* y);

 private:
  [[nodiscard]] Outcome<void> settle(Minimal& minimal, double t, double* y);

  StateKernels& at_;
  EquationPieces& pieces_;
  Vector before_;
};

}  // namespace vinculum::sim
