#pragma once

#include "vinculum/run/simulate.hpp"

namespace vinculum::sim {

/// A motion at an instant, with its variations: the derivatives of y = (q, u, z) with respect to parameters of a family
/// of neighboring motions.
struct Varied {
  double t = 0.0;
  Vector y;  ///< [ny] state
  Matrix w;  ///< [ny × variations] derivatives of y
};

/// Computes variations at the start that begin as virtual displacements v: w = (G v, δu, 0). δu is the least change of
/// speeds, in units 1/√M_rr for speed r, after which the constraint rows remain satisfied: ψ_q G v + A δu = 0.
/// \param v  [nu × variations] virtual displacements: A v = 0
/// Source: [S] 3.17; theory.md §11.
[[nodiscard]] Matrix variations_from(Dynamics& dynamics, const Start& start, const Matrix& v);

/// Integrates the variations w' = ∂F/∂y w together with the motion y' = F(t, y) of a model, for all reaction laws. The
/// motion is given by E(t, y, x) = 0 and y' = S(t, y, x) with unknowns x (motion_equations.hpp). So w' = S_y w + S_x
/// x_w, where E_x x_w = −E_y w; subscripts denote derivatives. The matrix E_x is the one that also determines the
/// motion.
/// \param w  [ny × variations] at the start
/// \param options  duration, tolerance, method; w has the same tolerance as y, in the scales of y
/// \param count  > 0 instants after the start, evenly spaced
/// \param stopped  reason why the motion ends early, or why its variations end (kRankDrop: at a configuration where the
/// motion continues but its variations do not); the last instant then lies before that
/// \param motion  if not null, receives the motion without samples, with its events: variations do not follow jumps
/// \returns one sample per instant; kNotUnique for motions that do not depend smoothly on their start
/// (MotionEquations).
/// Test: tests/agreement/variations_test.cpp, against neighboring motions.
[[nodiscard]] Outcome<std::vector<Varied>> vary(Dynamics& dynamics, const Start& start, const Matrix& w,
                                                const SimulateOptions& options, int count,
                                                std::optional<Failure>& stopped, Trajectory* motion = nullptr);

}  // namespace vinculum::sim
