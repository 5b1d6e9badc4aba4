#pragma once

#include <vector>

#include "vinculum/motion/state_kernels.hpp"

namespace vinculum::sim {

/// Reaction-dependent forces and friction bounds: kernels evaluated at a state, with reactions and friction directions
/// as additional inputs.
class ReactionForces {
 public:
  explicit ReactionForces(const StateKernels& at);

  /// Later evaluations are at the state in `StateKernels::input`.
  void take_state();
  /// \param s [ns] friction directions in force
  void set_directions(const Vector& s);
  /// C, and ∂C/∂λ by the rows that it depends on, at the reactions `actual` and `ideal` [nc].
  void evaluate(const Vector& actual, const Vector& ideal, Vector& C, Matrix& C_lambda);
  /// `C_s`, `ratios` and `coefficients` at the reactions `lambda` [nc] and `lambda_ideal`.
  void evaluate_bounds(const Vector& lambda);

  Vector lambda_ideal;              ///< [nc] reactions without any friction
  Matrix C_s;                       ///< [nu × ns] ∂(C + f)/∂s
  Vector ratios, coefficients;      ///< [slides] ratios static/sliding, and stated coefficients
  bool has_varying_bounds = false;  ///< stated coefficients or bounds are functions of the state or the time

 private:
  void set_reactions(const Vector& actual, const Vector& ideal);

  const StateKernels& at_;
  std::vector<double> input_, result_, workspace_;
};

}  // namespace vinculum::sim
