#pragma once

#include <vector>

#include "vinculum/motion/state_kernels.hpp"

namespace vinculum::sim {

/// Evaluates forces and friction bounds that depend on reactions, at a state and for given reactions and friction
/// directions.
class ReactionForces {
 public:
  explicit ReactionForces(const StateKernels& at);

  /// Copies the state in `StateKernels::input`; later evaluations are at this state.
  void take_state();
  /// \param s [ns] friction directions in force
  void set_directions(const Vector& s);
  /// Evaluates C, and ∂C/∂λ for the rows on which C depends, at the multipliers `actual` and `ideal` [nc].
  void evaluate(const Vector& actual, const Vector& ideal, Vector& C, Matrix& C_lambda);
  /// Evaluates `C_s`, `ratios` and `coefficients` at the multipliers `lambda` [nc] and `lambda_ideal`.
  void evaluate_bounds(const Vector& lambda);

  Vector lambda_ideal;              ///< [nc] multipliers without any friction
  Matrix C_s;                       ///< [nu × ns] ∂(C + f)/∂s, s the friction directions
  Vector ratios, coefficients;      ///< [slides] static divided by sliding coefficient; stated coefficients or bounds
  bool has_varying_bounds = false;  ///< whether stated coefficients or bounds depend on the state or the time

 private:
  void set_reactions(const Vector& actual, const Vector& ideal);

  const StateKernels& at_;
  std::vector<double> input_, result_, workspace_;
};

}  // namespace vinculum::sim
