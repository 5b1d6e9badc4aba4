#pragma once

#include <optional>
#include <vector>

#include "vinculum/equations/articulated_bodies.hpp"
#include "vinculum/equations/system.hpp"
#include "vinculum/solve/generated/static_ldlt.hpp"

namespace vinculum::solve {

/// Response to forces along the sliding velocities of friction contacts, as straight-line expressions. J = ∂v/∂u for
/// all their components, N is the inverse of M under the rows:
///
///   K = J N Jᵀ,   push = N Jᵀ x
///
/// Any set of sticking contacts is then a Schur complement of the motion without them. Computed with the factor of the
/// generated solver, or of articulated bodies, where K takes one sweep to the root per component.
struct StickResponse {
  std::vector<expr::Expr> K;     ///< [ns (ns + 1)/2] lower triangle by rows
  std::vector<expr::Expr> x;     ///< [ns] symbols
  std::vector<expr::Expr> push;  ///< [nu]
  expr::Expr contraction;        ///< guard of the factor, accepted if ≤ 0 (solve::StaticSolution)
};

/// \param structure  of all rows.   \param tree  the masses as articulated bodies; null if they are not such a tree.
/// \returns nothing if rows depend on each other, or if M is deferred and there are rows.
/// \pre system.slides is not empty.   Source: docs/theory.md §4.6, docs/numerics.md.
/// Test: motion/friction_test.cpp (compared with the pivoted solver).
[[nodiscard]] std::optional<StickResponse> stick_response(const equations::System& system,
                                                          const solve::StaticStructure& structure,
                                                          const equations::ArticulatedMotion* tree);

}  // namespace vinculum::solve
