#pragma once

#include <vector>

#include "vinculum/motion/state_kernels.hpp"

namespace vinculum::sim {

/// Forces that depend on reactions, and bounds of friction: report kernels at a state, with reactions and directions of
/// friction as their arguments.
class ReactionForces {
 public:
  explicit ReactionForces(const StateKernels& at);

  /// What follows is at the state in `StateKernels::input`.
  void take_state();
  /// \param s [ns] directions of friction in force
  void set_directions(const Vector& s);
  /// C and ∂C/∂λ of the rows that it depends on, at the reactions `actual` and `ideal` [nc].
  void evaluate(const Vector& actual, const Vector& ideal, Vector& C, Matrix& C_lambda);
  /// `C_s`, `ratios` and `coefficients` at the reactions `lambda` [nc] and `lambda_ideal`.
  void evaluate_bounds(const Vector& lambda);

  Vector lambda_ideal;              ///< [nc] reactions without any friction
  Matrix C_s;                       ///< [nu × ns] ∂(C + f)/∂s
  Vector ratios, coefficients;      ///< [slides] static ratios, and coefficients that are stated
  bool has_varying_bounds = false;  ///< what is stated of friction is a function of the state or the time

 private:
  void set_reactions(const Vector& actual, const Vector& ideal);

  const StateKernels& at_;
  std::vector<double> input_, result_, workspace_;
};

}  // namespace vinculum::sim
