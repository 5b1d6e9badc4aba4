#pragma once

#include "vinculum/base/linear_algebra.hpp"
#include "vinculum/base/outcome.hpp"

namespace vinculum::numeric {

/// Acceleration and reaction under ideal constraints.
struct IdealReaction {
  Vector u_dot;    ///< [nu] unique
  Vector Q_ideal;  ///< [nu] = Aᵀ lambda = M u' − f, unique
  Vector lambda;   ///< [nc] of minimum norm in row-equilibrated units: unique only where no redundancy touches the row
  int rank = 0;    ///< rank of A in the metric of M
};
using IdealReactionResult = Outcome<IdealReaction>;

/// Acceleration and reaction of `M u' = f + Q` under ideal constraints `A u' = b`.
///
///   u' = a + L⁻ᵀ B⁺ (b − A a),   a = M⁻¹ f,   M = L Lᵀ,   B = A L⁻ᵀ
///
/// Rows of A may depend on each other: u' and Q stay unique, lambda does not. If M is only semidefinite, H = M + AᵀWA
/// replaces it. This is the reference for tests of the fast solvers: written for readability, with a complete
/// orthogonal decomposition.
/// \param M    [nu×nu] mass matrix, symmetric positive semidefinite; only the lower triangle is read.
/// \param f    [nu]    given forces minus inertia bias.
/// \param A    [nc×nu] constraint Jacobian; nc = 0 is allowed.
/// \param b    [nc]    right-hand side.
/// \param tol  [-]     relative tolerance of consistency, > 0; rank is decided as in `rank_threshold`.
/// \returns    IdealReaction, or kNonFinite, kUndetermined (coordinates), kInconsistent (rows by residual of A u' = b,
///             size of the largest).   \cost O(nu³ + nu² nc); allocates.
/// Source: [UK] eqs. 24, 32; [UP]; theory.md §3.1–3.3.   Law: tests/property/ideal_reaction_test.cpp.
[[nodiscard]] IdealReactionResult ideal_reaction(ConstMatrix M, ConstVector f, ConstMatrix A, ConstVector b,
                                                 double tol);

/// Acceleration and both parts of the constraint force under non-ideal constraints.
struct NonidealReaction {
  Vector u_dot;         ///< [nu] unique
  Vector Q_ideal;       ///< [nu] reaction that the constraints would have under the ideal law
  Vector Q_nonideal;    ///< [nu] C − Aᵀ(A M⁻¹ Aᵀ)⁺ A M⁻¹ C: the rest of Qc = Q_ideal + Q_nonideal
  Vector lambda_ideal;  ///< [nc] Q_ideal = Aᵀ lambda_ideal
  Vector lambda;        ///< [nc] the actual multipliers: Qc = Aᵀ lambda + C
  int rank = 0;
};
using NonidealReactionResult = Outcome<NonidealReaction>;

/// Acceleration and reaction when virtual displacements do work W = vᵀC on the constraints.
///
///   M u' = f + Qi + Qni,   Qni = C − Aᵀ (A M⁻¹ Aᵀ)⁺ A M⁻¹ C
///
/// This is the ideal problem with f + C instead of f: one factorization, two right-hand sides.
/// \param C [nu] the vector that prescribes the virtual work; the others as for `ideal_reaction`.
/// \returns NonidealReaction, or a failure of `ideal_reaction`.   \cost as `ideal_reaction`; allocates.
/// Source: [UK] eqs. 37–39, Result 6; theory.md §4.1–4.2.   Law: tests/property/nonideal_reaction_test.cpp.
[[nodiscard]] NonidealReactionResult nonideal_reaction(ConstMatrix M, ConstVector f, ConstMatrix A, ConstVector b,
                                                       ConstVector C, double tol);

}  // namespace vinculum::numeric
