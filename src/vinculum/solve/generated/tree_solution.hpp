#pragma once

#include <optional>
#include <span>
#include <vector>

#include "vinculum/equations/articulated_bodies.hpp"
#include "vinculum/solve/generated/static_ldlt.hpp"

namespace vinculum::solve {

/// Solves the linear problem for a tree of masses with few rows, as straight-line expressions, with M⁻¹ by articulated
/// bodies:
///
///   S = A M⁻¹ Aᵀ = Σ_s w_s e_sᵀ,   S λ = b − A a,   u = a + M⁻¹ Aᵀ λ      w = L⁻¹ Aᵀ, e = D⁻¹ w, M = L D Lᵀ
///
/// A row costs two sweeps over the masses that it loads. M, whose size grows with the square of the number of masses,
/// is not written. S is a sum of positive terms and is eliminated in the order of the rows. The guard `contraction`
/// checks its pivots. A u = b is corrected once, and its residual is checked, see StaticLdlt, which gives the same
/// solution.
/// Source: theory.md §1.
/// \param tree  the masses.   \param A [rows][nu], independent rows.   \param b [rows]
/// \param acts  see SymbolicSystem.
/// \param a [nu]  the solution without rows: u' of `tree`, or zeros if no force acts.   \param refinements  see
///   StaticLdlt::solve.
[[nodiscard]] solve::StaticSolution tree_solution(const equations::ArticulatedMotion& tree,
                                                  std::span<const expr::SparseRow> A, std::span<const expr::Expr> b,
                                                  const std::vector<expr::Expr>& a, int refinements,
                                                  std::span<const expr::Expr> acts = {});

/// Returns the masses as articulated bodies, if a solution with them may take fewer operations than the elimination of
/// M. Without constraint rows such a solution is always tried. If M is deferred, it is tried if (number of rows)² ≤
/// number of speeds.
/// \pre the equations of `system` are derived.
/// \returns nothing if the masses are not such a tree, or if the elimination of M takes few operations.
[[nodiscard]] std::optional<equations::ArticulatedMotion> bodies_for_solution(const equations::System& system);

}  // namespace vinculum::solve
