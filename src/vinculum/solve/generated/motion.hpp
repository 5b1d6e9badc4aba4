#pragma once

#include <optional>
#include <vector>

#include "vinculum/equations/articulated_bodies.hpp"
#include "vinculum/equations/system.hpp"
#include "vinculum/solve/generated/static_ldlt.hpp"

/// Reaction laws (theory.md §6): what a constraint's law adds to the one linear problem, symbolically for the generated
/// kernels and numerically for reports. One file a law.
namespace vinculum::solve {

/// All rows of a System.
[[nodiscard]] std::vector<int> all_rows(const equations::System& system);

/// Rows of a System that live at position level, and at position or velocity level: those whose φ and ψ a projection
/// can bring to zero.
[[nodiscard]] std::vector<int> position_rows(const equations::System& system);
[[nodiscard]] std::vector<int> velocity_rows(const equations::System& system);

/// M, or the metric, and the given rows of A, as the static solve wants them.
enum class MassMatrix { kM, kMetric };
[[nodiscard]] solve::SymbolicSystem symbolic_system(const equations::System& system, const std::vector<int>& rows,
                                                    MassMatrix mass = MassMatrix::kM);

/// `SymbolicSystem::acts` of the given rows.
[[nodiscard]] std::vector<expr::Expr> acts_of(const equations::System& system, const std::vector<int>& rows);

/// A of the given rows.
[[nodiscard]] std::vector<expr::SparseRow> gradients(const equations::System& system, const std::vector<int>& rows);

/// Given forces as the motion feels them, f + C: the law's right-hand side beside b. [nu]
/// Non-ideal constraints of [UK] are the ideal solve with f + C (theory.md §4.1; docs/numerics.md).
[[nodiscard]] std::vector<expr::Expr> impressed_force(const equations::System& system);

/// What a static solve gives besides its answer: the numbers it is accepted by (StaticLdlt::kTolResidual,
/// kTolContraction).
struct Guards {
  expr::Expr residual;
  expr::Expr contraction;
};

/// Motion of the system at (t, q, u).
struct Acceleration {
  std::vector<expr::Expr> q_dot;  ///< [nq]
  std::vector<expr::Expr> u_dot;  ///< [nu]
  /// [rows solved with] actual λ; empty where rows depend on each other, or are kept by efforts: then it takes the
  /// pivoted solver.
  std::vector<expr::Expr> lambda;
  Guards guards;
  /// Largest |A u' − b| of the rows that are left out, each relative to the size of its terms; 0 where all of them are
  /// multiples of kept rows by their form. A distance δ off the constraint manifold it may be of the order δ.
  expr::Expr disagreement;
};
/// Solves with the rows that the structure keeps: those that depend on them on the constraint manifold follow from them
/// there. Rows stated in other forms contradict them a distance away from it, so that they are compared, not solved
/// with.
/// \param structure  of all rows.
/// \param tree  the masses as articulated bodies, whose pivots hold near the start; null: they are no such tree.
/// \param refinements  most steps of iterative refinement in the generated code.
[[nodiscard]] Acceleration acceleration(const equations::System& system, const solve::StaticStructure& structure,
                                        const equations::ArticulatedMotion* tree, int refinements);

/// The same without corrections, where rows stand alone and inertias are alike as the parameters are
/// (solve::StaticLdlt::uncorrected_guard), or else by independent speeds (solve::StaticReduction), where blocks of rows
/// give the others at most poses: what its guards refuse the other may accept. \returns nothing where it takes more
/// than two thirds of the operations of `of_all_rows`.   \pre structure is of all rows, forces do not depend on
/// reactions, no row is kept by efforts
[[nodiscard]] std::optional<Acceleration> reduced_acceleration(const equations::System& system,
                                                               const solve::StaticStructure& structure,
                                                               const Acceleration& of_all_rows);

/// The same of some of the rows only.  \param structure  of those.
[[nodiscard]] Acceleration acceleration_of_rows(const equations::System& system, const std::vector<int>& rows,
                                                const solve::StaticStructure& structure,
                                                const equations::ArticulatedMotion* tree, int refinements);
/// Generated solve with the rows of `rows` that the structure keeps, and how many these are.
[[nodiscard]] solve::StaticLdlt kept_ldlt(const equations::System& system, const std::vector<int>& rows,
                                          const solve::StaticStructure& structure);
[[nodiscard]] std::size_t kept_count(const solve::StaticStructure& structure);

/// One Newton step onto the kept constraints in the metric, and by how much each constraint is violated before. Without
/// refinements: the next step takes what this one leaves.
struct Projection {
  std::vector<int> rows;               ///< rows of the System that are projected on
  std::vector<expr::Expr> correction;  ///< [nq] G du for positions, [nu] du for velocities: to be added
  std::vector<expr::Expr> violation;   ///< [rows] φ or ψ before the correction
  expr::Expr contraction;              ///< as of Guards; what rows then miss is measured by the step that follows
};
/// By all rows, and by independent speeds where that is worth it, as of `reduced_acceleration`.
struct ProjectionWays {
  std::optional<Projection> reduced;
  Projection whole;
};
/// \param structure  of the rows that are projected on.
/// dq = G du,  M du = Aᵀλ,  A du = −φ  over the rows of position level.
[[nodiscard]] ProjectionWays position_projection(const equations::System& system,
                                                 const solve::StaticStructure& structure,
                                                 const equations::ArticulatedMotion* tree);
/// M du = Aᵀλ,  A du = −ψ  over `rows` of position and velocity level.
[[nodiscard]] ProjectionWays velocity_projection(const equations::System& system, const std::vector<int>& rows,
                                                 const solve::StaticStructure& structure,
                                                 const equations::ArticulatedMotion* tree);

}  // namespace vinculum::solve
