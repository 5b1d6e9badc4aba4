#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "vinculum/equations/articulated_factor.hpp"
#include "vinculum/equations/system.hpp"

namespace vinculum::equations {

/// u' of a tree of masses as expressions, and what tells whether they may be trusted.
struct ArticulatedMotion {
  std::vector<expr::Expr> u_dot;  ///< [nu]
  /// Largest (rounding of what a pivot may be made of) − pivot over all pivots; ≤ 0 is good, NaN is not.
  expr::Expr contraction;
  std::shared_ptr<const ArticulatedFactor> factor;  ///< of M, for further right-hand sides
  /// [nu] Force on each speed that is missing to M u' = f: what keeps a locked speed, 0 of a free one. Not valid of a
  /// speed that is never locked; empty where none may be.
  std::vector<expr::Expr> lock_force;
};

/// M u' = f by articulated bodies, with the velocity products inside the recursion: operations grow with the number of
/// masses, and so do not errors. A mass and all beyond answer a motion of the mass with the wrench I a + p about its
/// reference; from the leaves to the root, for each column s of speed u_s (force τ_s on it),
///
///   U = I s,  D = s·U,  e = (τ_s − s·p)/D,     I −= U Uᵀ/D,  p += U e,
///
/// then p += I c, and both go to the parent; from the root to the leaves a' = X a_p + c, u_s' = e − U·a'/D, a = a' + s
/// u_s'. Gravity that is the same everywhere is free fall of the root.
///
/// A pivot D is a sum of positive parts. It is compared with what it could be at most, the inertia of all beyond
/// stretched out, whose rounding is all that a loss of rank leaves: a number of masses and distances alone wherever
/// joints do not slide.
/// \pre system is derived.   \returns nothing where the masses are no tree with speeds of its own each: a speed that
/// moves several masses relative to their parents, or none; and where laws, or a Lagrangian function, change M or f.
/// Rows are left aside.
/// \param free  [nu] of speeds that may be locked: 1, or 0 where the speed is locked, u' = 0. Not valid: never locked;
/// empty: none is.
/// Source: Featherstone 1983; theory.md §1.   Second route: M and f (`kane.hpp`), articulated_bodies_test.cpp.
[[nodiscard]] std::optional<ArticulatedMotion> articulated_motion(const System& system,
                                                                  std::span<const expr::Expr> free = {});

}  // namespace vinculum::equations
