#pragma once

#include <optional>
#include <vector>

#include "vinculum/equations/articulated_bodies.hpp"
#include "vinculum/equations/system.hpp"
#include "vinculum/solve/generated/static_ldlt.hpp"

/// Accelerations and projections of a System as generated code.
namespace vinculum::solve {

/// Indices of all rows of a System.
[[nodiscard]] std::vector<int> all_rows(const equations::System& system);

/// Indices of the rows at position level, and of the rows at position or velocity level. Projections reduce φ of the
/// former and ψ of the latter to zero.
[[nodiscard]] std::vector<int> position_rows(const equations::System& system);
[[nodiscard]] std::vector<int> velocity_rows(const equations::System& system);

/// The input of the generated solver: M (or the metric) and the given rows of A.
enum class MassMatrix { kM, kMetric };
[[nodiscard]] solve::SymbolicSystem symbolic_system(const equations::System& system, const std::vector<int>& rows,
                                                    MassMatrix mass = MassMatrix::kM);

/// The value of `SymbolicSystem::acts` for the given rows.
[[nodiscard]] std::vector<expr::Expr> acts_of(const equations::System& system, const std::vector<int>& rows);

/// The given rows of A.
[[nodiscard]] std::vector<expr::SparseRow> gradients(const equations::System& system, const std::vector<int>& rows);

/// [nu] Given forces f + C. Non-ideal constraints of [UK] are the ideal problem with f + C (theory.md §4.1;
/// docs/numerics.md).
[[nodiscard]] std::vector<expr::Expr> impressed_force(const equations::System& system);

/// Guards of a generated solution: it is accepted if they are at most StaticLdlt::kTolResidual and kTolContraction.
struct Guards {
  expr::Expr residual;
  expr::Expr contraction;
};

/// Rates and multipliers of the system as expressions.
struct Acceleration {
  std::vector<expr::Expr> q_dot;  ///< [nq] q'
  std::vector<expr::Expr> u_dot;  ///< [nu] u'
  /// [rows] Actual λ. Empty if rows depend on each other or belong to servo constraints; λ then follows only from the
  /// pivoted solver.
  std::vector<expr::Expr> lambda;
  Guards guards;
  /// Largest |A u' − b| of the rows that were left out, each relative to the size of its terms; 0 if all of them are
  /// multiples of kept rows by structure. At a state that violates the constraints by δ it may be of order δ.
  expr::Expr disagreement;
};
/// Solves with the rows that the structure keeps. At states that satisfy the constraints the other rows follow from the
/// kept rows. At other states they contradict the kept rows slightly, so only their disagreement is computed.
/// \param structure  structure of all rows.
/// \param tree  the masses as articulated bodies with acceptable pivots near the start; null if the masses are not such
///   a tree.
/// \param refinements  largest number of iterative refinements in the generated code.
[[nodiscard]] Acceleration acceleration(const equations::System& system, const solve::StaticStructure& structure,
                                        const equations::ArticulatedMotion* tree, int refinements);

/// A cheaper alternative to `of_all_rows` with stricter guards. If no rows share a speed and the inertias are similar
/// for these parameters (solve::StaticLdlt::uncorrected_guard), it is the same solution without corrections. Otherwise,
/// if blocks of rows determine the other speeds in most configurations, it is the solution by independent speeds
/// (solve::StaticReduction). If its guards refuse a state, `of_all_rows` may still accept it.
/// \returns nothing if the alternative takes more than two thirds of the operations of `of_all_rows`.
/// \pre `structure` describes all rows; forces do not depend on reactions; there are no servo constraints.
[[nodiscard]] std::optional<Acceleration> reduced_acceleration(const equations::System& system,
                                                               const solve::StaticStructure& structure,
                                                               const Acceleration& of_all_rows);

/// Accelerations with only some of the rows (`acceleration` takes all).  \param structure  structure of these rows.
[[nodiscard]] Acceleration acceleration_of_rows(const equations::System& system, const std::vector<int>& rows,
                                                const solve::StaticStructure& structure,
                                                const equations::ArticulatedMotion* tree, int refinements);
/// Generated solver for the rows of `rows` that the structure keeps, and the number of these rows.
[[nodiscard]] solve::StaticLdlt kept_ldlt(const equations::System& system, const std::vector<int>& rows,
                                          const solve::StaticStructure& structure);
[[nodiscard]] std::size_t kept_count(const solve::StaticStructure& structure);

/// One Newton step of a projection: the least change in the metric after which the linearized kept rows are zero. Also
/// the violation of each row before the step. There are no refinements, because the next step corrects the remaining
/// error.
struct Projection {
  std::vector<int> rows;               ///< rows of the System onto which the state is projected
  std::vector<expr::Expr> correction;  ///< change to be added: [nq] G du for positions, [nu] du for velocities
  std::vector<expr::Expr> violation;   ///< [rows] φ or ψ before the correction
  expr::Expr contraction;              ///< guard, see Guards; the next step measures the residual of the rows
};
/// A projection step computed in two ways: by all rows (`whole`), and by independent speeds if that is cheaper
/// (`reduced`, compare `reduced_acceleration`).
struct ProjectionWays {
  std::optional<Projection> reduced;
  Projection whole;
};
/// Projection step of the coordinates onto the position-level rows: dq = G du, M du = Aᵀλ, A du = −φ.
/// \param structure  structure of these rows.
[[nodiscard]] ProjectionWays position_projection(const equations::System& system,
                                                 const solve::StaticStructure& structure,
                                                 const equations::ArticulatedMotion* tree);
/// Projection step of the speeds onto `rows`, which are of position and velocity level: M du = Aᵀλ, A du = −ψ.
[[nodiscard]] ProjectionWays velocity_projection(const equations::System& system, const std::vector<int>& rows,
                                                 const solve::StaticStructure& structure,
                                                 const equations::ArticulatedMotion* tree);

}  // namespace vinculum::solve
