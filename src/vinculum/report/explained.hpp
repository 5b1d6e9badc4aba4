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

/// Values of terms and expressions at a state with its accelerations and reactions. Adds nodes to the System's graph.
class Reported {
 public:
  Reported(equations::System& system, std::span<const double> parameters, const sim::Sample& sample);
  [[nodiscard]] std::vector<double> of(std::span<const expr::Expr> values) const;
  [[nodiscard]] std::vector<double> of(model::Term term) const;
  /// The same, with bounds of the rounding errors.
  [[nodiscard]] std::vector<Rounded> rounded(std::span<const expr::Expr> values) const;
  /// The same at other speeds u. [nu]
  [[nodiscard]] std::vector<Rounded> with_speeds(std::span<const expr::Expr> values, std::span<const Rounded> u) const;
  [[nodiscard]] double scalar(model::Term term) const { return of(term)[0]; }
  [[nodiscard]] std::array<double, 3> vector(model::Term term) const;

 private:
  equations::System& system_;
  std::vector<expr::Expr> symbols_;
  std::vector<double> values_;
};

/// Properties of a row that are found numerically, at states on the constraints. The form of the row has further
/// properties (theory.md §2).
struct RowFindings {
  /// For rows at velocity level: homogeneous in the velocities of points and bodies, Σ v·W + Σ ω·τ = 0 wherever the row
  /// holds. Empty if no state on the constraints was found.
  std::optional<bool> is_direction_only;
  /// The forces on points add up to zero wherever the row holds; so do their moments including the torques.
  bool is_internal = false, is_balanced = false;
  /// an integral of the motion under all other forces: it needs no force, λ = 0 at every state
  bool is_integral = false;
};

/// \param states        samples at random states on the constraints, with accelerations and reactions.
/// \param displacement  [nu] > 0, typical displacements: forces along different speeds are compared by their work on
/// them.
/// \returns [rows of System]
[[nodiscard]] std::vector<RowFindings> find_of_rows(equations::System& system, std::span<const double> parameters,
                                                    const std::vector<sim::Sample>& states, const Vector& displacement);

/// Input of `explain`: newly derived equations, the assembled start, random states on the constraints.
struct Explained {
  std::shared_ptr<const sim::Binding> bound;
  std::shared_ptr<equations::System>
      system;         ///< separate, because describing adds nodes to its graph and the compiled one is shared
  int mass_rank = 0;  ///< rank of M at the start; at a random state if there is no start
  int rank = 0;       ///< rank of A at the same state
  /// [constraints] rank of the constraint's own rows at the same state; empty without a start
  std::vector<int> constraint_rank;
  std::optional<sim::Sample> start;             ///< full report at the assembled start
  std::vector<std::string> by_chance;           ///< sentences on choices of the start that the model does not determine
  std::optional<Reported> at_start;             ///< values of terms at the start
  std::optional<Failure> no_start;              ///< why there is no start
  std::optional<sim::Matrices> pieces;          ///< M, A and other terms at the start
  std::optional<sim::MotionGeometry> geometry;  ///< if requested and possible
  std::optional<Failure> no_geometry;           ///< why there is no geometry
  sim::Invariants invariants;
  std::vector<sim::Sample> others;
  std::vector<RowFindings> findings;  ///< [rows of System]
  Vector reach;                       ///< [nq] plausible range of each coordinate, the scale of displacements
  Vector displacement;                ///< [nu] typical displacement along each speed, from `reach`

  [[nodiscard]] const model::Model& model() const { return *bound->compiled->model; }
};

/// All constraints: rows, reactions as formulas, reactions at the start, power.
[[nodiscard]] Node constraints_of(const Explained& explained);

/// Events with their conditions or times and their actions; without the samples of states.
[[nodiscard]] Node events_of(const Explained& explained);
/// Sampled states with their periods.
[[nodiscard]] Node samples_of(const Explained& explained);
/// Puts a model with `when` clauses into the mode of a state: which constraints act follows from the conditions there.
void take_sides(sim::Dynamics& dynamics, double t, const Vector& y);

/// A basis of the virtual displacements at the start; null without a start or with constraints of higher order.
[[nodiscard]] Node displacements_of(const Explained& explained);
/// Reciprocal size of a displacement along each speed [nu]: √M_rr; for a massless speed from the largest of the
/// others and its typical displacement.
[[nodiscard]] Vector displacement_weight(ConstMatrix M, const Vector& displacement);
/// The displacements listed by `displacements_of`.   \pre `pieces`
[[nodiscard]] numeric::EchelonBasis displacement_basis(const Explained& explained);
/// Integrable combinations of the rows at velocity level; null if there are no such rows.
[[nodiscard]] Node integrability_of(const Explained& explained);
/// M, A, B, T, N and the scaled vectors of theory.md §4.4 at the start; null if they are not available.
[[nodiscard]] Node geometry_of(const Explained& explained);

/// Force of a constraint at a point, or its action on a body, at the start. Measure numbers in the newtonian frame.
struct Load {
  struct Part {
    std::array<double, 3> value{};  ///< [N], [N m]
    std::array<char, 3> unique{1, 1, 1};
  };
  std::string on;  ///< point or body
  /// for a body, `force` and `moment` are the resultants about its mass center; empty without a start
  std::optional<Part> force, torque, moment;
};
struct Loads {
  std::vector<Load> points, bodies;
};
[[nodiscard]] Loads loads_of(const Explained& explained, model::ConstraintId constraint);

/// Whether d'Alembert's virtual displacements are variations of the motion: {"rows", "rank", "rank_at_start"} of (F_q
/// − (F_q')˙)ᵀZ over the rows at velocity level, with Z a basis of the virtual displacements; null if there are no
/// such rows. Source: [S] 3.14–3.17; theory.md §11.
[[nodiscard]] Node variations_of(const Explained& explained);

/// Integrates variations along the motion that start as these displacements. Reports the component of each that
/// violates the rows, and the rank above at each instant; only {"not_followed"}, a sentence, if this is not possible.
/// \param duration  [s] from the start   Source: [S] 3.15–3.17; theory.md §11.
[[nodiscard]] Node variations_along(const Explained& explained, double duration);

/// Power of all forces of a constraint: {"at_start", "does_work": at the start or at a random state,
/// "dynamically_dead"}. A constraint is dynamically dead if it does no work although its rows are more than
/// direction-only, [S] after 3.35. Null without a start, and if its reaction has no point of action (theory.md §5.6)
/// in a moving frame.
[[nodiscard]] Node power_of(const Explained& explained, model::ConstraintId constraint);

}  // namespace vinculum::report
