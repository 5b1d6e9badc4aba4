#pragma once

#include <optional>
#include <vector>

#include "vinculum/equations/articulated_bodies.hpp"
#include "vinculum/equations/system.hpp"
#include "vinculum/solve/generated/static_ldlt.hpp"

namespace vinculum::solve {

/// Response to forces along the sliding velocities v of friction contacts, as straight-line expressions. With J = ∂v/∂u
/// for all components of v, and N the inverse of M under the constraint rows,
///
///   K = J N Jᵀ,   push = N Jᵀ x
///
/// K is the change of v, and push the change of u, by such forces (x). From the motion without sticking contacts and K
/// the motion with any set of sticking contacts follows (Schur complement). Computed with the factor of the generated
/// solver, or by articulated bodies, where K takes one sweep to the root per component.
struct StickResponse {
  std::vector<expr::Expr> K;     ///< [ns (ns + 1)/2] lower triangle by rows
  std::vector<expr::Expr> x;     ///< [ns] symbols of the forces
  std::vector<expr::Expr> push;  ///< [nu] change of u by the forces x
  expr::Expr contraction;        ///< guard of the factor, accepted if ≤ 0 (solve::StaticSolution)
};

/// \param structure  structure of all rows.   \param tree  the masses as articulated bodies; null if they are not such
/// a tree.
/// \returns nothing if rows depend on each other, or if M is deferred and there are rows.
/// \pre system.slides is not empty.   Source: docs/theory.md §4.6, docs/numerics.md.
/// Test: motion/friction_test.cpp (compared with the pivoted solver).
[[nodiscard]] std::optional<StickResponse> stick_response(const equations::System& system,
                                                          const solve::StaticStructure& structure,
                                                          const equations::ArticulatedMotion* tree);

}  // namespace vinculum::solve
