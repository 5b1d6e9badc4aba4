#pragma once

#include <optional>
#include <vector>

#include "vinculum/equations/articulated_bodies.hpp"
#include "vinculum/equations/system.hpp"
#include "vinculum/solve/generated/static_ldlt.hpp"

namespace vinculum::solve {

/// What forces along the velocities of friction contacts do, as straight-line expressions: with J = ∂v/∂u of all their
/// components and N the inverse of M where the rows hold,
///
///   K = J N Jᵀ,   push = N Jᵀ x
///
/// so that contacts that stick are a Schur complement over the motion without them, whichever they are. By the factor
/// of the static solve, or of articulated bodies, where K takes one sweep to the root a component.
struct StickResponse {
  std::vector<expr::Expr> K;     ///< [ns (ns + 1)/2] lower triangle, row by row
  std::vector<expr::Expr> x;     ///< [ns] symbols
  std::vector<expr::Expr> push;  ///< [nu]
  expr::Expr contraction;        ///< ≤ 0 where the factor may be trusted (solve::StaticSolution)
};

/// \param structure  of all rows.   \param tree  the masses as articulated bodies; null: they are none.
/// \returns nothing where rows depend on each other, or where M is deferred and rows are there.   \pre system.slides
/// Source: docs/theory.md §4.6, docs/numerics.md.   Test: motion/friction_test.cpp (against the pivoted solver).
[[nodiscard]] std::optional<StickResponse> stick_response(const equations::System& system,
                                                          const solve::StaticStructure& structure,
                                                          const equations::ArticulatedMotion* tree);

}  // namespace vinculum::solve
