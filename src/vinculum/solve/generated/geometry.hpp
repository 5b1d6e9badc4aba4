#pragma once

#include "vinculum/base/linear_algebra.hpp"
#include "vinculum/base/outcome.hpp"
#include "vinculum/base/tolerance.hpp"

namespace vinculum::solve {

/// Motion without constraints: M a = f.
struct FreeMotion {
  Vector a;  ///< [nu] unconstrained acceleration
  /// Whether M is singular within rounding errors, or indefinite. Then a = H⁻¹h with H = M + AᵀWA, h = f + AᵀWb
  /// (theory.md §3.3) and weights W large enough for H to be positive definite. In this case a, e and Gauss' function
  /// depend on W; Qi, Qni and the motion do not.
  bool is_mass_singular = false;
};

/// \param M [nu×nu] symmetric, positive definite on ker A.  \param f [nu]  \param A [nc×nu]  \param b [nc]
/// \returns kUndetermined if M is not positive definite on ker A, with the `coordinates` that have neither mass nor
/// constraint.
[[nodiscard]] Outcome<FreeMotion> free_motion(ConstMatrix M, ConstVector f, ConstMatrix A, ConstVector b);

/// Geometry of constrained motion at one state, as far as it follows from M, f, A and b alone, for every reaction law.
///
///   M = L Lᵀ (H if M is singular),   B = A L⁻ᵀ,   T = B⁺B,   N = I − T,
///   a_s = Lᵀ a,   u'_s = Lᵀ u',   c_s = L⁻¹ C,   e = b − A a,   Qi = L B⁺e,
///   u'_s = N (a_s + c_s) + B⁺b,   u'_s − a_s = B⁺e + N c_s,   B⁺b = B⁺e + T a_s
///
/// Here a is the unconstrained acceleration, Qi the ideal constraint force, and C the non-ideal force. The root of M is
/// Cholesky's L; [UK] use the symmetric root. The two differ by one rotation of all scaled vectors, so lengths and
/// angles are the same. With L the entries of T and N do not depend on the units of unlike coordinates.
/// Source: [UK] 43–46; theory.md §4.4.   Test: geometry_test.cpp (compared with the symmetric root).
struct Geometry {
  FreeMotion free;
  Matrix L;         ///< [nu×nu] lower triangular
  Matrix B;         ///< [nc×nu] scaled rows A L⁻ᵀ
  int rank = 0;     ///< rank of B
  Matrix T, N;      ///< [nu×nu] orthogonal projectors on range Bᵀ and on ker B
  Vector e;         ///< [nc] residual b − A a of the constraints for the unconstrained acceleration
  Vector a_s;       ///< [nu] Lᵀ a
  Vector B_e, B_b;  ///< [nu] B⁺e, B⁺b
  Vector Q_ideal;   ///< [nu] Qi

  [[nodiscard]] Vector scaled_acceleration(ConstVector u_dot) const;  ///< Lᵀ u'
  [[nodiscard]] Vector scaled_force(ConstVector C) const;             ///< L⁻¹ C
};

/// \pre A u' = b has a solution.  \returns the failures of `free_motion`.  \cost O(nu³ + nu² nc); allocates.
[[nodiscard]] Outcome<Geometry> geometry(ConstMatrix M, ConstVector f, ConstMatrix A, ConstVector b,
                                         double tol_rank = tolerance::kRank);

}  // namespace vinculum::solve
