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

/// Numbers of terms and expressions at a state with its accelerations and reactions. Grows the System's graph.
class Reported {
 public:
  Reported(equations::System& system, std::span<const double> parameters, const sim::Sample& sample);
  [[nodiscard]] std::vector<double> of(std::span<const expr::Expr> values) const;
  [[nodiscard]] std::vector<double> of(model::Term term) const;
  /// The same with what rounding does to them.
  [[nodiscard]] std::vector<Rounded> rounded(std::span<const expr::Expr> values) const;
  /// The same at other speeds. [nu]
  [[nodiscard]] std::vector<Rounded> with_speeds(std::span<const expr::Expr> values, std::span<const Rounded> u) const;
  [[nodiscard]] double scalar(model::Term term) const { return of(term)[0]; }
  [[nodiscard]] std::array<double, 3> vector(model::Term term) const;

 private:
  equations::System& system_;
  std::vector<expr::Expr> symbols_;
  std::vector<double> values_;
};

/// What numbers at states on the constraints say of a row, beyond its form (theory.md §2).
struct RowFindings {
  std::optional<bool>
      is_direction_only;  ///< of velocity level: homogeneous in the velocities of points and bodies, Σ v·W + Σ ω·τ = 0
                          ///< wherever the row holds; nothing where no state on the constraints was found
  /// The forces that it puts on points add up to nothing wherever it holds; so do their moments with the torques.
  bool is_internal = false, is_balanced = false;
  bool is_integral = false;  ///< the motion under all else keeps it: it needs no force, λ = 0 at every state
};

/// \param states  samples at random states on the constraints: with their accelerations and reactions.
/// \param displacement  [nu] > 0: forces along unlike speeds are compared by their work over it.
/// \returns [rows of System]
[[nodiscard]] std::vector<RowFindings> find_of_rows(equations::System& system, std::span<const double> parameters,
                                                    const std::vector<sim::Sample>& states, const Vector& displacement);

/// What `explain` looks at: the equations once more, the assembled start, random states on the constraints.
struct Explained {
  std::shared_ptr<const sim::Binding> bound;
  std::shared_ptr<equations::System>
      system;                           ///< of its own: describing grows its graph, and the compiled one is shared
  int mass_rank = 0;                    ///< of M at the start (at a random state where there is no start)
  int rank = 0;                         ///< of A there
  std::vector<int> constraint_rank;     ///< [constraints] of each one's own rows there; empty without a start
  std::optional<sim::Sample> start;     ///< everything about the assembled start
  std::vector<std::string> by_chance;   ///< sentences on what of it nothing states
  std::optional<Reported> at_start;     ///< numbers of terms there
  std::optional<Failure> no_start;      ///< why there is none
  std::optional<sim::Matrices> pieces;  ///< M, A and the like at the start
  std::optional<sim::MotionGeometry> geometry;  ///< where it is asked for and there is one
  std::optional<Failure> no_geometry;           ///< why there is none
  sim::Invariants invariants;
  std::vector<sim::Sample> others;
  std::vector<RowFindings> findings;  ///< [rows of System]
  Vector reach;                       ///< [nq] how far each coordinate may plausibly be: displacements are judged by it
  Vector displacement;                ///< [nu] what each speed goes through, of that size

  [[nodiscard]] const model::Model& model() const { return *bound->compiled->model; }
};

/// Each constraint: its rows, what they exert as formulas, what it exerts at the start, its power.
[[nodiscard]] Node constraints_of(const Explained& explained);

/// A basis of the virtual displacements at the start; null without a start and with constraints of higher order.
[[nodiscard]] Node displacements_of(const Explained& explained);
/// 1 over the size of a displacement along each speed [nu]: √M_rr; without mass as that of the largest of the others
/// over what the speed goes through.
[[nodiscard]] Vector displacement_weight(ConstMatrix M, const Vector& displacement);
/// The displacements that it lists.   \pre `pieces`
[[nodiscard]] numeric::EchelonBasis displacement_basis(const Explained& explained);
/// Integrable combinations of the rows of velocity level; null where there are no such rows.
[[nodiscard]] Node integrability_of(const Explained& explained);
/// M, A, B, T, N and the scaled vectors of theory.md §4.4 at the start; null where there are none.
[[nodiscard]] Node geometry_of(const Explained& explained);

/// The force of a constraint at a point, or what it puts on a body, at the start; measure numbers in the newtonian
/// frame.
struct Load {
  struct Part {
    std::array<double, 3> value{};  ///< [N], [N m]
    std::array<char, 3> unique{1, 1, 1};
  };
  std::string on;                             ///< point or body
  std::optional<Part> force, torque, moment;  ///< of a body: resultants about its mass centre; none without a start
};
struct Loads {
  std::vector<Load> points, bodies;
};
[[nodiscard]] Loads loads_of(const Explained& explained, model::ConstraintId constraint);

/// Whether d'Alembert's virtual displacements are variations of the motion: {"rows", "rank", "rank_at_start"} of
/// (F_q − (F_q')˙)ᵀZ over the rows of velocity level, Z a basis of the virtual displacements; null where there are
/// none. Source: [S] 3.14–3.17; theory.md §11.
[[nodiscard]] Node variations_of(const Explained& explained);

/// Variations that begin as those displacements, integrated along the motion: how much of each comes to lie across the
/// rows, and the rank above at each instant; {"not_followed"} alone, a sentence, where there are none.
/// \param duration  [s] from the start   Source: [S] 3.15–3.17; theory.md §11.
[[nodiscard]] Node variations_along(const Explained& explained, double duration);

/// Power of all that a constraint exerts {"at_start", "does_work": there or at a random state, "dynamically_dead":
/// it does none although its rows hold more than directions of velocities, [S] after 3.35}; null without a start and
/// where its reaction has no place (theory.md §5.6) in a moving frame.
[[nodiscard]] Node power_of(const Explained& explained, model::ConstraintId constraint);

}  // namespace vinculum::report
