#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "vinculum/base/rounded.hpp"
#include "vinculum/equations/system.hpp"
#include "vinculum/motion/dynamics.hpp"
#include "vinculum/numeric/null_space.hpp"
#include "vinculum/report/tree.hpp"
#include "vinculum/verify/invariants/invariants.hpp"

namespace vinculum::report {

/// Evaluates terms and expressions at a state with its accelerations and reactions. Adds nodes to the System's graph.
class Reported {
 public:
  Reported(equations::System& system, std::span<const double> parameters, const sim::Sample& sample);
  [[nodiscard]] std::vector<double> of(std::span<const expr::Expr> values) const;
  [[nodiscard]] std::vector<double> of(model::Term term) const;
  /// Returns the values of expressions, with bounds of their rounding errors.
  [[nodiscard]] std::vector<Rounded> rounded(std::span<const expr::Expr> values) const;
  /// Does the same as `rounded`, but with these speeds u [nu] instead of the speeds of the state.
  [[nodiscard]] std::vector<Rounded> with_speeds(std::span<const expr::Expr> values, std::span<const Rounded> u) const;
  [[nodiscard]] double scalar(model::Term term) const { return of(term)[0]; }
  [[nodiscard]] std::array<double, 3> vector(model::Term term) const;

 private:
  equations::System& system_;
  std::vector<expr::Expr> symbols_;
  std::vector<double> values_;
};

/// Properties of a row that are found numerically, at states on the constraints. Other properties follow from the form
/// of the row (theory.md §2).
struct RowFindings {
  /// For rows at velocity level: whether the row is homogeneous in the velocities of points and bodies, that is, Σ v·W
  /// + Σ ω·τ = 0 at all states that satisfy the row, with W and τ the directions of its forces and torques. Empty if no
  /// state on the constraints was found.
  std::optional<bool> is_direction_only;
  /// `is_internal`: the forces of the row on points add up to zero at all states that satisfy the row. `is_balanced`:
  /// their moments, including the torques, add up to zero as well.
  bool is_internal = false, is_balanced = false;
  /// The row is an integral of the motion under all other forces. It needs no force: λ = 0 at every state.
  bool is_integral = false;
};

/// Finds these properties for all rows.
/// \param states        samples at random states on the constraints, with accelerations and reactions.
/// \param displacement  [nu] > 0, typical displacements. Forces along different speeds are compared by their work on
/// these displacements.
/// \returns [rows of System]
[[nodiscard]] std::vector<RowFindings> find_of_rows(equations::System& system, std::span<const double> parameters,
                                                    const std::vector<sim::Sample>& states, const Vector& displacement);

/// Input of `explain`: newly derived equations, the assembled start, and random states on the constraints.
struct Explained {
  std::shared_ptr<const sim::Binding> bound;
  std::shared_ptr<equations::System>
      system;         ///< a System of its own: describing it adds nodes to its graph, and the compiled System is shared
  int mass_rank = 0;  ///< rank of M at the start; at a random state if there is no start
  int rank = 0;       ///< rank of A at the same state
  /// [constraints] Rank of each constraint's own rows, without the other constraints, at the same state; empty without
  /// a start.
  std::vector<int> constraint_rank;
  std::optional<sim::Sample> start;             ///< full report at the assembled start
  std::vector<std::string> by_chance;           ///< sentences on arbitrary choices in the start
  std::optional<Reported> at_start;             ///< values of terms at the start
  std::optional<Failure> no_start;              ///< reason why there is no start
  std::optional<sim::Matrices> pieces;          ///< M, A and other terms at the start
  std::optional<sim::MotionGeometry> geometry;  ///< geometry at the start; set if requested and possible
  std::optional<Failure> no_geometry;           ///< reason why there is no geometry
  sim::Invariants invariants;
  std::vector<sim::Sample> others;
  std::vector<RowFindings> findings;  ///< [rows of System] properties of each row
  Vector reach;         ///< [nq] plausible range of each coordinate, which determines the scale of displacements
  Vector displacement;  ///< [nu] typical displacement along each speed, from `reach`

  [[nodiscard]] const model::Model& model() const { return *bound->compiled->model; }
};

/// Reports all constraints: rows, reactions as formulas, reactions at the start, power.
[[nodiscard]] Node constraints_of(const Explained& explained);

/// Reports the events with their conditions or times and their actions. Events that only sample a state are left out.
[[nodiscard]] Node events_of(const Explained& explained);
/// Reports the sampled states with their periods.
[[nodiscard]] Node samples_of(const Explained& explained);
/// Puts a model with `when` clauses into the mode of a state: the conditions at this state decide which constraints
/// act.
void take_sides(sim::Dynamics& dynamics, double t, const Vector& y);

/// Returns a basis of the virtual displacements at the start; null without a start or with constraints of higher order.
[[nodiscard]] Node displacements_of(const Explained& explained);
/// Returns the reciprocal of the size of a displacement along each speed [nu]: √M_rr for speed r. For a massless speed
/// it follows from the largest of the other reciprocals and from the typical displacement of the massless speed.
[[nodiscard]] Vector displacement_weight(ConstMatrix M, const Vector& displacement);
/// Returns the displacements that `displacements_of` reports.   \pre `pieces` is set
[[nodiscard]] numeric::EchelonBasis displacement_basis(const Explained& explained);
/// Returns the integrable combinations of the rows at velocity level; null if there are no such rows.
[[nodiscard]] Node integrability_of(const Explained& explained);
/// Returns M, A, B, T, N and the scaled vectors of theory.md §4.4 at the start; null if they are not available.
[[nodiscard]] Node geometry_of(const Explained& explained);

/// Force of a constraint at a point, or its action on a body, at the start. Measure numbers are in the newtonian frame.
struct Load {
  struct Part {
    std::array<double, 3> value{};  ///< [N] for a force, [N m] for a torque
    std::array<char, 3> unique{1, 1, 1};
  };
  std::string on;  ///< name of the point or body
  /// For a body, `force` and `moment` are the resultants about its mass center. All are empty without a start.
  std::optional<Part> force, torque, moment;
};
struct Loads {
  std::vector<Load> points, bodies;
};
[[nodiscard]] Loads loads_of(const Explained& explained, model::ConstraintId constraint);

/// Tests whether the variations of the motion include d'Alembert's virtual displacements: {"rows", "rank",
/// "rank_at_start"} of the matrix (F_q − (F_q')˙)ᵀZ over the rows F = 0 at velocity level, with Z a basis of the
/// virtual displacements. They are included if the rank is 0. Null if there are no such rows. Source: [S] 3.14–3.17;
/// theory.md §11.
[[nodiscard]] Node variations_of(const Explained& explained);

/// Integrates variations along the motion that start as the displacements of `displacements_of`. Reports the component
/// of each variation that violates the rows, and the rank defined in `variations_of` at each instant. If this is not
/// possible, reports only {"not_followed"}, a sentence.
/// \param duration  [s] from the start   Source: [S] 3.15–3.17; theory.md §11.
[[nodiscard]] Node variations_along(const Explained& explained, double duration);

/// Reports the power of all forces of a constraint: {"at_start"; "does_work": at the start or at some random state;
/// "dynamically_dead"}. A constraint is dynamically dead if it does no work although not all of its rows are
/// direction-only, [S] after 3.35. Null without a start, or if its reaction has no point of action (theory.md §5.6) in
/// a moving frame.
[[nodiscard]] Node power_of(const Explained& explained, model::ConstraintId constraint);

}  // namespace vinculum::report
