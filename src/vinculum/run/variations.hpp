#pragma once

#include "vinculum/run/simulate.hpp"

namespace vinculum::sim {

/// A motion at an instant with variations of it: derivatives of y = (q, u, z) by what tells neighbouring motions apart.
struct Varied {
  double t = 0.0;
  Vector y;  ///< [ny]
  Matrix w;  ///< [ny × variations]
};

/// Variations at the start that begin as displacements: (G v, du, 0), du the least change of speeds, in units 1/√M_rr,
/// with which the rows hold: ψ_q G v + A du = 0.   Source: [S] 3.17; theory.md §11.
/// \param v  [nu × variations] virtual displacements: A v = 0.
[[nodiscard]] Matrix variations_from(Dynamics& dynamics, const Start& start, const Matrix& v);

/// Integrates  w' = ∂F/∂y w  beside the motion y' = F(t, y) of a model, whatever its laws: with E(t, y, x) = 0 and
/// y' = S(t, y, x) (motion_equations.hpp),  w' = S_y w + S_x x_w,  E_x x_w = −E_y w, the matrix of the motion itself.
/// \param w         [ny × variations] at the start
/// \param options   duration, tolerance, method; w is held to the tolerance as y is, in the scales of y.
/// \param count     > 0 instants beside the start, evenly spaced
/// \param stopped   why the motion ends before, or passes a pose that variations of it do not (kRankDrop): the last of
/// the instants then lies before that.
/// \returns samples; kNotUnique of motions that are not smooth in their start (MotionEquations).
/// Second route: neighbouring motions, tests/agreement/variations_test.cpp.
[[nodiscard]] Outcome<std::vector<Varied>> vary(Dynamics& dynamics, const Start& start, const Matrix& w,
                                                const SimulateOptions& options, int count,
                                                std::optional<Failure>& stopped);

}  // namespace vinculum::sim
