#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "vinculum/base/linear_algebra.hpp"
#include "vinculum/solve/memory.hpp"

namespace vinculum::sim {

struct Binding;

/// State of friction at one instant (theory.md §4.6): which contacts stick, and the directions of friction.
struct FrictionState {
  std::vector<char> sticks;  ///< [slides] 1 for each friction contact that sticks
  Vector direction;          ///< [ns] s of all contacts: ±v/|v|; at rest force/bound; NaN until known
  /// [slides, or empty: none] time until which a contact that starts to slide keeps the stored direction, because its
  /// velocity is still too small to have one.
  Vector held_until;
};

/// How often the generated code was not good enough.
struct SolveCounts {
  long static_solves = 0;  ///< accepted solves of generated code
  long fallbacks = 0;      ///< solves by the pivoted or sparse solver because a guard refused generated code
  int lowest_rank = -1;    ///< lowest rank of A in the fallback solves; −1 if there were none
  long choices = 0;        ///< choices of independent speeds made by the minimal formulation
};

/// Discrete state of a motion in one smooth phase, with the values that one evaluation passes on to the next. Plain
/// data: a copy of it, with t and y, continues with the same bits in any `Dynamics` of the same binding and
/// formulation. Evaluations of the motion change it; reports and searches take a const one.
struct Mode {
  /// [surfaces] side of each switching surface on which the equations are taken (Switches); empty: as the model states
  /// them.
  std::vector<double> sides;
  /// Surfaces of the sliding mode, that is, all whose side is between two others. An element of `faces` has the
  /// surfaces of the whole mode here.
  std::vector<std::size_t> along;
  /// [along + 1, or none] modes of the regions that the sliding mode combines: below all of its surfaces, then above
  /// each one alone (SurfaceMotion).
  std::vector<Mode> faces;
  bool are_faces_complete = false;  ///< whether switches that contain a surface of `along` have the right side in each
                                    ///< element of `faces`

  FrictionState friction;  ///< empty without friction contacts

  /// Quantities that the projection restores: the quantities of `conserve` to their start values, integral rows to 0
  /// (KeptLevels).
  struct Levels {
    Vector start;               ///< [levels] values to keep
    Vector largest;             ///< [levels] largest gradient so far, for typical changes of the state
    std::vector<char> is_kept;  ///< [levels] 1 if the projection keeps this quantity
    double rate;                ///< ω [1/s], weight of changes of places relative to changes of speeds
  };
  std::optional<Levels> levels;  ///< set while the projection keeps them

  bool has_short_rows = false;   ///< a row is much shorter than typical but none is nearly dependent: generated solves
                                 ///< still keep their digits
  int calls_on_constraints = 0;  ///< number of derivatives still to be taken on the constraints because rows are nearly
                                 ///< dependent
  /// [position_rows], [velocity_rows] Σ_j |∂φ/∂q_j| s_j and Σ_j |A_j| s_j where they were learned, as a rule at the
  /// start of the motion: violations of rows are divided by these sizes.
  Vector position_size, velocity_size;
  bool knows_sizes = false;  ///< whether these sizes are up to date

  solve::ReactionMemory reaction;    ///< where the search for reactions that forces depend on begins
  solve::AccelerationBranch branch;  ///< branch of accelerations, for constraints that are nonlinear in them
  std::optional<solve::IndependentSpeeds> speeds, accelerations;  ///< choices of the minimal formulation
  SolveCounts counts;

  /// Whether accelerations are taken on the constraint manifold, or a row is very short, because rows are near-singular
  /// here.
  [[nodiscard]] bool is_near_singular() const { return calls_on_constraints > 0 || has_short_rows; }
};

/// The mode in which a motion begins, before anything is known of its state: equations as stated, no contact sticks.
[[nodiscard]] Mode mode_at_start(const Binding& bound);
/// Replaces the state of friction: which contacts stick, and the directions of the others. A sliding contact has the
/// direction of the last accepted state. Sticking keeps v = 0. The search for reactions starts afresh.
/// \pre sizes as in FrictionState
void set_friction(Mode& mode, const FrictionState& state);
/// Sets the sides of the switching surfaces, wherever the state is; empty: the side on which the state is. A side
/// between two others (Switches) makes the surface part of a sliding mode, in derivatives, projections and reports.
void set_sides(Mode& mode, const Binding& bound, std::span<const double> sides);

/// Typical sizes in a run, known from its start. Evaluations do not change them.
struct Sizes {
  Vector scale, inverse_scale;  ///< [ny] typical sizes, and 1 / (tolerance × size)
  double tolerance = 0.0;       ///< of the run
  Vector displacement;          ///< [nu] distance that each speed covers
  /// [nc] Σ_j |A_ij| s_j and Σ_j |∂φ_i/∂q_j| s_j, the largest among states around the start; 0: not known.
  Vector usual_row, usual_gradient;
  Vector slide_reach;  ///< [slides] mobility of the sliding velocities near the start, without rows; empty: not known
};

}  // namespace vinculum::sim
