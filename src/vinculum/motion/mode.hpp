#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "vinculum/base/linear_algebra.hpp"
#include "vinculum/solve/memory.hpp"

namespace vinculum::sim {

struct Binding;

/// What friction does at one instant (theory.md §4.6): which sliding velocities it holds at zero, and the directions it
/// takes.
struct FrictionState {
  std::vector<char> sticks;  ///< [slides]
  Vector direction;          ///< [ns] s of all slides: ±v/|v|, at rest force/bound; NaN until known
  /// [slides, or empty: none] until when a slide that sets off from rest keeps that direction: its velocity tells none
  /// yet.
  Vector held_until;
};

/// How often the generated code was not good enough.
struct SolveCounts {
  long static_solves = 0;  ///< accepted solves of generated code
  long fallbacks = 0;      ///< solves with pivots because a guard refused generated code
  int lowest_rank = -1;    ///< of A in solves with pivots; −1 when there was none
  long choices = 0;        ///< of independent speeds made by the minimal formulation
};

/// Discrete state of a motion in one smooth phase, with the values that one evaluation leaves to the next: plain data.
/// A copy of it with t and y goes on with the same bits, in any `Dynamics` of the same binding and formulation.
/// Evaluations of the motion change it; reports and searches take a const one.
struct Mode {
  /// [surfaces] of the switching surfaces, on which equations are taken (Switches); empty: as the model states them.
  std::vector<double> sides;
  /// Surfaces that the motion goes along, as it is between their sides. In a face: those of the whole.
  std::vector<std::size_t> along;
  /// [along + 1, or none] modes below all of these and above each (SurfaceMotion).
  std::vector<Mode> faces;
  bool are_faces_complete = false;  ///< switches that hold a surface of `along` are on each face's own side

  FrictionState friction;  ///< empty without slides

  /// Quantities kept by projection: those of `conserve` at their start values, integral rows at 0 (KeptLevels).
  struct Levels {
    Vector start;               ///< [levels]
    Vector largest;             ///< [levels] longest gradient so far, in typical changes
    std::vector<char> is_kept;  ///< [levels]
    double rate;                ///< ω [1/s]
  };
  std::optional<Levels> levels;  ///< while they are kept

  bool has_short_rows = false;   ///< and nothing else is near singular: the generated solves keep their digits
  int calls_on_constraints = 0;  ///< derivatives still to be taken on the constraints, as rows are near dependent
  /// [position_rows], [velocity_rows] Σ_j |∂φ/∂q_j| s_j or Σ_j |A_j| s_j at the start: what a relative violation is
  /// relative to.
  Vector position_size, velocity_size;
  bool knows_sizes = false;  ///< of these

  solve::ReactionMemory reaction;    ///< from which the reactions that forces depend on are sought
  solve::AccelerationBranch branch;  ///< of accelerations in which constraints are not linear
  std::optional<solve::IndependentSpeeds> speeds, accelerations;  ///< choices of the minimal formulation
  SolveCounts counts;

  /// Whether accelerations are being taken on the constraint manifold because rows are close to dependent here.
  [[nodiscard]] bool is_near_singular() const { return calls_on_constraints > 0 || has_short_rows; }
};

/// The mode in which a motion begins, before anything is known of its state: equations as stated, nothing sticks.
[[nodiscard]] Mode mode_at_start(const Binding& bound);
/// The mode with another state of friction: which slides stick from here on, and the directions that those at rest go
/// on in; where one slides, its direction at the last accepted state. Friction that sticks holds v = 0. Reactions are
/// sought afresh.   \pre sizes as in FrictionState
void set_friction(Mode& mode, const FrictionState& state);
/// The mode with equations of these sides, wherever the state is; empty: of the side on which the state is. Between two
/// sides (Switches) the motion goes along the surface, and so do derivatives, projections and reports.
void set_sides(Mode& mode, const Binding& bound, std::span<const double> sides);

/// Typical sizes in a run, known from its start: no evaluation changes them.
struct Sizes {
  Vector scale, inverse_scale;  ///< [ny] typical sizes, and 1 / (tolerance × size)
  double tolerance = 0.0;       ///< of the run
  Vector displacement;          ///< [nu] distance that each speed covers
  /// [nc] Σ_j |A_ij| s_j and Σ_j |∂φ_i/∂q_j| s_j where states around the start make them largest; 0: not known.
  Vector usual_row, usual_gradient;
  Vector slide_reach;  ///< [slides] mobility of their velocities near the start, without rows; empty: not known
};

}  // namespace vinculum::sim
