#pragma once

#include <optional>
#include <span>
#include <vector>

#include "vinculum/equations/articulated_bodies.hpp"
#include "vinculum/solve/generated/static_ldlt.hpp"

namespace vinculum::solve {

/// The one linear problem of a tree of masses with a few rows, as straight-line expressions: with M⁻¹ by articulated
/// bodies,
///
///   S = A M⁻¹ Aᵀ = Σ_s w_s e_sᵀ,   S λ = b − A a,   u = a + M⁻¹ Aᵀ λ      w = L⁻¹ Aᵀ, e = D⁻¹ w, M = L D Lᵀ
///
/// so that a row costs two sweeps over the masses that it loads, and M, which grows with their square, is not written.
/// S is a sum of positive parts; it is eliminated in the order of the rows, its pivots are guarded and A u = b is
/// corrected once and judged as by StaticLdlt, whose answer it is otherwise.   Source: theory.md §1.
/// \param tree  of the masses.   \param A [rows][nu], independent of each other   \param b [rows]
/// \param acts  as of SymbolicSystem.
/// \param a [nu]  the answer without rows: u' of `tree`, or zeros where no force acts.   \param refinements  as of
/// StaticLdlt::solve.
[[nodiscard]] solve::StaticSolution tree_solution(const equations::ArticulatedMotion& tree,
                                                  std::span<const expr::SparseRow> A, std::span<const expr::Expr> b,
                                                  const std::vector<expr::Expr>& a, int refinements,
                                                  std::span<const expr::Expr> acts = {});

/// The masses as articulated bodies where that may take fewer operations than to eliminate M: always without rows, and
/// where M is deferred as long as pairs of rows are no more than speeds.   \pre system is derived.   \returns nothing
/// where they are no tree, or M is quickly eliminated.
[[nodiscard]] std::optional<equations::ArticulatedMotion> bodies_for_solution(const equations::System& system);

}  // namespace vinculum::solve
