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
  std::vector<expr::Expr> u_dot;  ///< [nu]
  /// Guard: the largest, over all pivots, of (smallest acceptable pivot) − (pivot). A value ≤ 0 means that u_dot may be
  /// used; a positive value or NaN means that it may not.
  expr::Expr contraction;
  std::shared_ptr<const ArticulatedFactor> factor;  ///< factorization of M, for further right-hand sides
  /// [nu] Force on each speed that is missing in M u' = f: for a locked speed the force that keeps it locked, for a
  /// free one 0. An entry is not valid for a speed that is never locked; the list is empty if no speed can be locked.
  std::vector<expr::Expr> lock_force;
};

/// Solves M u' = f by the articulated-body recursion. The velocity products are formed inside the recursion, so the
/// operation count is proportional to the number of masses and rounding errors do not grow with the conditioning of M.
///
/// A mass together with everything beyond it responds to an acceleration a of the mass with the wrench I a + p about
/// its reference point. From the leaves to the root, for each column s of a speed u_s with the force τ_s,
///
///   U = I s,  D = s·U,  e = (τ_s − s·p)/D,     I −= U Uᵀ/D,  p += U e,
///
/// then p += I c, and both are added to the parent. From the root to the leaves a' = X a_p + c, u_s' = e − U·a'/D, a =
/// a' + s u_s'. Uniform gravity is applied as free fall of the root.
///
/// Each pivot D is a sum of positive terms. It is compared with an upper bound, the inertia of everything beyond at
/// full stretch, times the rank tolerance: below that only rounding errors are left of a pivot. If no joint slides, the
/// bound depends on masses and lengths alone.
/// \pre system is derived.
/// \param free  [nu] for a speed that can be locked: 1 while it is free, 0 while it is locked (u' = 0). Not valid: the
///   speed is never locked. Empty: no speed is ever locked.
/// \returns nothing if some speed does not move exactly one mass relative to its parent, or if non-ideal clauses,
/// reaction laws, a Lagrangian function or constraints of higher order change M or f. Constraint rows are ignored.
/// Source: Featherstone 1983; theory.md §1.   Independent route: M and f (`kane.hpp`), articulated_bodies_test.cpp.
[[nodiscard]] std::optional<ArticulatedMotion> articulated_motion(const System& system,
                                                                  std::span<const expr::Expr> free = {});

}  // namespace vinculum::equations
