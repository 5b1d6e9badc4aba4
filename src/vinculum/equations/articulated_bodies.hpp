#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "vinculum/equations/articulated_factor.hpp"
#include "vinculum/equations/system.hpp"

namespace vinculum::equations {

/// Accelerations u' of a tree of masses as expressions, with the guard that tells when they are numerically valid.
struct ArticulatedMotion {
  std::vector<expr::Expr> u_dot;  ///< [nu] accelerations u'
  /// Guard of u_dot: the largest value of (smallest acceptable pivot) − (pivot) over all pivots. u_dot is valid if the
  /// guard is ≤ 0, and invalid if it is positive or NaN.
  expr::Expr contraction;
  /// factorization of M, with which further right-hand sides are solved
  std::shared_ptr<const ArticulatedFactor> factor;
  /// [nu] Force that is missing in M u' = f for each speed: for a locked speed the force that keeps it locked, for a
  /// free speed 0. An entry is invalid for a speed that is never locked; the list is empty if no speed can be locked.
  std::vector<expr::Expr> lock_force;
};

/// Solves M u' = f by the articulated-body recursion. Velocity products are formed inside the recursion. So the
/// operation count is proportional to the number of masses, and rounding errors do not grow with the conditioning of M.
///
/// A mass with all masses outboard of it responds to an acceleration a of the mass with the wrench I a + p about its
/// reference point. From the leaves to the root, for each speed u_s with the twist s and the force τ_s,
///
///   U = I s,  D = s·U,  e = (τ_s − s·p)/D,     I −= U Uᵀ/D,  p += U e,
///
/// then p += I c with the velocity products c, and I and p are added to those of the parent. From the root to the
/// leaves, with the transformation X from the parent, a' = X a_p + c, u_s' = e − U·a'/D, a = a' + s u_s'. Uniform
/// gravity is applied as free fall of the root.
///
/// Each pivot D is the inertia that a speed moves, a sum of positive terms. D must exceed an upper bound of that
/// inertia, with the outboard masses at full stretch, times the rank tolerance. A smaller D consists of rounding
/// errors. If no joint slides, the bound depends only on masses and lengths.
/// \pre system is derived.
/// \param free  [nu] for a speed that can be locked: 1 while it is free, 0 while it is locked (u' = 0). Invalid: the
///   speed is never locked. Empty: no speed is ever locked.
/// \returns nothing if some speed does not move exactly one mass relative to its parent, or if non-ideal clauses,
///   reaction laws, a Lagrangian function or constraints of higher order change M or f. Constraint rows are ignored.
/// Source: Featherstone 1983; theory.md §1.   Independent route: M and f (`kane.hpp`), articulated_bodies_test.cpp.
[[nodiscard]] std::optional<ArticulatedMotion> articulated_motion(const System& system,
                                                                  std::span<const expr::Expr> free = {});

}  // namespace vinculum::equations
