#pragma once

#include <optional>
#include <vector>

#include "vinculum/base/linear_algebra.hpp"
#include "vinculum/solve/generated/reduced_solve.hpp"
#include "vinculum/solve/pivoted/friction.hpp"
#include "vinculum/solve/pivoted/gauss.hpp"

namespace vinculum::sim {

/// What friction does at one instant (theory.md §4.6): which sliding velocities it holds at zero, and the directions it
/// takes.
struct FrictionState {
  std::vector<char> sticks;  ///< [slides]
  Vector direction;  ///< [ns] s of all slides: ±v/|v|, at rest what friction takes of its bound; NaN before it is known
  /// [slides, or empty: none] until when a slide that sets off from rest keeps that direction: its velocity tells none
  /// yet.
  Vector held_until;
};

/// How often the fast path was not good enough.
struct SolveCounts {
  long static_solves = 0;  ///< accepted solves of tier S
  long fallbacks = 0;      ///< solves of tier Q because a guard refused tier S
  int lowest_rank = -1;    ///< of A in tier Q solves; −1 when there was none
  long choices = 0;        ///< of independent speeds made by the minimal formulation
};

/// What changes during a run beside (t, y): plain data. A copy of it and the state go on with the same bits. Looking
/// (reports, readings, matrices) changes none of it.
struct Workspace {
  FrictionState friction;  ///< the discrete state; empty without slides
  Vector slide_reach;      ///< [slides] mobility of their velocities near the start, without rows; empty: not known
  Vector scale, inverse_scale;  ///< [ny] typical sizes, and 1 / (tolerance × size)
  double tolerance = 0.0;       ///< of the run
  Vector displacement;          ///< [nu] what each speed goes through
  /// [nc] Σ_j |A_ij| s_j and Σ_j |∂φ_i/∂q_j| s_j where states around the start make them largest; 0: not known.
  Vector usual_row, usual_gradient;
  /// [position_rows], [velocity_rows] Σ_j |∂φ/∂q_j| s_j or Σ_j |A_j| s_j at the start: what a relative violation is
  /// relative to.
  Vector position_size, velocity_size;
  bool knows_sizes = false;     ///< of these
  bool has_short_rows = false;  ///< and nothing else is near singular: the generated solves keep their digits
  int near_singular_calls = 0;  ///< derivatives still to be taken on the constraint manifold
  SolveCounts counts;

  /// Quantities kept by projection: those of `conserve` at their start values, integral rows at 0 (conserve.cpp).
  struct Levels {
    Vector start;               ///< [levels]
    Vector largest;             ///< [levels] longest gradient so far, in typical changes
    std::vector<char> is_kept;  ///< [levels]
    double rate;                ///< ω [1/s]
  };
  std::optional<Levels> levels;  ///< while they are kept

  solve::FrictionSolve::Memory reaction;  ///< from which the reactions that forces depend on are sought
  solve::GaussSolve::Branch branch;       ///< of accelerations in which constraints are not linear
  std::optional<solve::IndependentSpeeds> speeds, accelerations;  ///< choices of the minimal formulation
};

}  // namespace vinculum::sim
