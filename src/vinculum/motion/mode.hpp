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
  Vector direction;  ///< [ns] friction directions s of all contacts: ±v/|v|; at rest force/bound; NaN until known
  /// [slides, or empty] time until which a contact that starts to slip keeps the stored direction, because its velocity
  /// is still too small to have a direction. Empty: no contact does.
  Vector held_until;
};

/// How many solves used generated code, and how many fell back to another solver.
struct SolveCounts {
  long static_solves = 0;  ///< accepted solves of generated code
  long fallbacks = 0;      ///< solves by the pivoted or sparse solver because a guard refused generated code
  int lowest_rank = -1;    ///< lowest rank of A in the fallback solves; −1 if there were none
  long choices = 0;        ///< choices of independent speeds made by the minimal formulation
};

/// Discrete state of a motion in one smooth phase, with the values that one evaluation passes on to the next. A Mode is
/// plain data: from a copy, t and y the motion continues with the same bits in any `Dynamics` of the same binding and
/// formulation. Evaluations of the motion change the mode. Reports and searches take a const mode.
struct Mode {
  /// [surfaces] For each switching surface, the side on which the equations are evaluated, independently of the state:
  /// +1 or −1 by the sign of x − y, or the whole number of a floor (Switches). Empty: the conditions of the model are
  /// evaluated at the state.
  std::vector<double> sides;
  /// Indices of the surfaces of the sliding mode. Their side is between two regular sides. Each element of `faces` has
  /// the same list.
  std::vector<std::size_t> along;
  /// [along + 1, or none] modes of the regions whose vector fields the sliding mode combines (SurfaceMotion). The first
  /// region is below all surfaces of `along`; region k + 1 is above surface k of `along` and below the others.
  std::vector<Mode> faces;
  bool are_faces_complete = false;  ///< whether each element of `faces` has the right sides of nested switches, that
                                    ///< is, of switches that contain a surface of `along`

  FrictionState friction;  ///< empty without friction contacts

  /// Quantities that the projection restores (KeptLevels): the quantities of `conserve` to their start values, and ψ of
  /// rows that are integrals of the motion to 0.
  struct Levels {
    Vector start;               ///< [levels] values that the projection restores
    Vector largest;             ///< [levels] largest gradient so far, times typical changes of the state
    std::vector<char> is_kept;  ///< [levels] 1 if the projection restores this quantity
    double rate;  ///< ω [1/s], weight of changes of coordinates relative to changes of speeds (theory.md §9)
  };
  std::optional<Levels> levels;  ///< set while the projection restores these quantities

  bool has_short_rows = false;  ///< a row is much shorter than its typical length, but no row nearly depends on others;
                                ///< generated code is then still accurate
  int calls_on_constraints = 0;  ///< number of coming derivatives that are evaluated at the state projected onto the
                                 ///< constraints, because rows are nearly dependent
  /// [position_rows], [velocity_rows] sizes by which violations of rows are divided: Σ_j |∂φ/∂q_j| s_j and Σ_j |A_j|
  /// s_j with the typical sizes s_j. They are normally evaluated at the start of the motion.
  Vector position_size, velocity_size;
  bool knows_sizes = false;  ///< whether these sizes are up to date

  solve::ReactionMemory reaction;    ///< start values of the search for reactions on which forces depend
  solve::AccelerationBranch branch;  ///< branch of accelerations, for constraints that are nonlinear in u'
  std::optional<solve::IndependentSpeeds> speeds, accelerations;  ///< independent speeds of the minimal formulation
  SolveCounts counts;

  /// Whether the rows are near-singular: accelerations are then evaluated at the projected state, or a row is very
  /// short compared with its typical length.
  [[nodiscard]] bool is_near_singular() const { return calls_on_constraints > 0 || has_short_rows; }
};

/// Returns the mode in which a motion begins, before its state is known: conditions are evaluated at the state, and no
/// contact sticks.
[[nodiscard]] Mode mode_at_start(const Binding& bound);
/// Replaces the state of friction: which contacts stick, and the directions of the others. The next search for
/// reactions does not begin at the last solution.
/// \pre the vectors of `state` have the shapes that FrictionState states
void set_friction(Mode& mode, const FrictionState& state);
/// Sets the side of every switching surface, independently of the state; empty: conditions are evaluated at the state.
/// If a side is between two regular sides (Switches), its surface belongs to the sliding mode in derivatives,
/// projections and reports.
void set_sides(Mode& mode, const Binding& bound, std::span<const double> sides);

/// Typical sizes in a run, determined at its start. Evaluations do not change them.
struct Sizes {
  Vector scale, inverse_scale;  ///< [ny] typical sizes, and 1 / (tolerance × size)
  double tolerance = 0.0;       ///< tolerance of the run
  Vector displacement;          ///< [nu] typical displacement along each speed
  /// [nc] typical length of each row: Σ_j |A_ij| s_j and Σ_j |∂φ_i/∂q_j| s_j with the typical sizes s_j. It is the
  /// largest among states around the start; 0: not known.
  Vector usual_row, usual_gradient;
  Vector slide_reach;  ///< [slides] change of each sliding velocity by a unit force near the start, without
                       ///< constraints; empty: not known
};

}  // namespace vinculum::sim
