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

/// Rows at position level; rows at position or velocity level. A projection can reduce φ and ψ of these to zero.
[[nodiscard]] std::vector<int> position_rows(const equations::System& system);
[[nodiscard]] std::vector<int> velocity_rows(const equations::System& system);

/// M, or the metric, and the given rows of A, in the form of the generated solver.
enum class MassMatrix { kM, kMetric };
[[nodiscard]] solve::SymbolicSystem symbolic_system(const equations::System& system, const std::vector<int>& rows,
                                                    MassMatrix mass = MassMatrix::kM);

/// `SymbolicSystem::acts` of the given rows.
[[nodiscard]] std::vector<expr::Expr> acts_of(const equations::System& system, const std::vector<int>& rows);

/// A of the given rows.
[[nodiscard]] std::vector<expr::SparseRow> gradients(const equations::System& system, const std::vector<int>& rows);

/// [nu] Given forces f + C. Non-ideal constraints of [UK] are the ideal problem with f + C (theory.md §4.1;
/// docs/numerics.md).
[[nodiscard]] std::vector<expr::Expr> impressed_force(const equations::System& system);

/// Guards of a generated solution: it is accepted if they are at most StaticLdlt::kTolResidual and kTolContraction.
struct Guards {
  expr::Expr residual;
  expr::Expr contraction;
};

/// Motion of the system at (t, q, u).
struct Acceleration {
  std::vector<expr::Expr> q_dot;  ///< [nq]
  std::vector<expr::Expr> u_dot;  ///< [nu]
  /// [rows solved with] Actual λ. Empty if rows depend on each other or belong to servo constraints: then only the
  /// pivoted solver gives λ.
  std::vector<expr::Expr> lambda;
  Guards guards;
  /// Largest |A u' − b| of the rows left out, each relative to the size of its terms; 0 if all of them are multiples of
  /// kept rows by structure. At a distance δ from the constraints it may be of order δ.
  expr::Expr disagreement;
};
/// Solves with the rows that the structure keeps. On the constraints the other rows follow from them. Away from the
/// constraints, rows of another form contradict them slightly, so they are compared instead of solved with.
/// \param structure  of all rows.
/// \param tree  the masses as articulated bodies with acceptable pivots near the start; null if they are not such a
///   tree.
/// \param refinements  largest number of iterative refinements in the generated code.
[[nodiscard]] Acceleration acceleration(const equations::System& system, const solve::StaticStructure& structure,
                                        const equations::ArticulatedMotion* tree, int refinements);

/// A cheaper alternative with stricter guards. Either the same solution without corrections, if no rows share a speed
/// and the inertias are similar for these parameters (solve::StaticLdlt::uncorrected_guard); or the solution by
/// independent speeds (solve::StaticReduction), if blocks of rows determine the other speeds in most configurations.
/// States that its guards refuse may still be accepted by `of_all_rows`.
/// \returns nothing if it takes more than two thirds of the operations of `of_all_rows`.
/// \pre structure is of all rows, forces do not depend on reactions, there are no servo constraints.
[[nodiscard]] std::optional<Acceleration> reduced_acceleration(const equations::System& system,
                                                               const solve::StaticStructure& structure,
                                                               const Acceleration& of_all_rows);

/// The same for some of the rows.  \param structure  of these rows.
[[nodiscard]] Acceleration acceleration_of_rows(const equations::System& system, const std::vector<int>& rows,
                                                const solve::StaticStructure& structure,
                                                const equations::ArticulatedMotion* tree, int refinements);
/// Generated solver for the rows of `rows` that the structure keeps, and the number of these rows.
[[nodiscard]] solve::StaticLdlt kept_ldlt(const equations::System& system, const std::vector<int>& rows,
                                          const solve::StaticStructure& structure);
[[nodiscard]] std::size_t kept_count(const solve::StaticStructure& structure);

/// One Newton step onto the kept constraints in the metric, and the violation of each constraint before it. There are
/// no refinements, since the next step corrects the remaining error.
struct Projection {
  std::vector<int> rows;               ///< rows of the System onto which the state is projected
  std::vector<expr::Expr> correction;  ///< to be added: [nq] G du for positions, [nu] du for velocities
  std::vector<expr::Expr> violation;   ///< [rows] φ or ψ before the correction
  expr::Expr contraction;              ///< as in Guards; the residual of the rows is measured by the next step
};
/// Projection by all rows, and by independent speeds if that is cheaper, as in `reduced_acceleration`.
struct ProjectionWays {
  std::optional<Projection> reduced;
  Projection whole;
};
/// dq = G du,  M du = Aᵀλ,  A du = −φ  over the position-level rows.
/// \param structure  of these rows.
[[nodiscard]] ProjectionWays position_projection(const equations::System& system,
                                                 const solve::StaticStructure& structure,
                                                 const equations::ArticulatedMotion* tree);
/// M du = Aᵀλ,  A du = −ψ  over `rows` of position and velocity level.
[[nodiscard]] ProjectionWays velocity_projection(const equations::System& system, const std::vector<int>& rows,
                                                 const solve::StaticStructure& structure,
                                                 const equations::ArticulatedMotion* tree);

}  // namespace vinculum::solve
