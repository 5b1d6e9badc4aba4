#pragma once

#include "vinculum/base/linear_algebra.hpp"
#include "vinculum/solve/generated/geometry.hpp"

namespace vinculum::sim {

/// The pieces of the equations of motion at one state, in the letters of theory.md §0. [shapes of `System`]
struct Matrices {
  Vector q_dot;
  Matrix G, M;
  Matrix metric;  ///< [nu×nu] M without what need not be positive (System::metric)
  Vector f, C;
  Matrix A;
  Vector certainty;  ///< [nc] what rows count for beside others of unit length (ConstrainedSolve)
  Vector b;
  Vector doubt;     ///< [nc] by how much b is off with the numbers of the state: rounding, and what violates the rows
  Vector phi, psi;  ///< [nc] 0 where the row's level does not have them
  Matrix phi_q;     ///< [nc × nq]
  Matrix Gamma;     ///< [efforts × nu]
};

/// The geometry of constrained motion at a state (theory.md §4.4): M and f without what laws of constraints with rows
/// add to them, so that M u' = f + Q_constraint whatever the laws are.
struct MotionGeometry : solve::Geometry {
  Matrix M, A;
  Vector f, b;
  Vector u_dot;         ///< [nu] the actual accelerations
  Vector Q_constraint;  ///< [nu] Qc; Qni = Qc − Qi
  /// [nu] vᵀC = vᵀQc for every virtual displacement v: what `nonideal` clauses state, and where a law is none of [UK]
  /// Qc − Qi.
  Vector C;

  [[nodiscard]] Vector Q_nonideal() const { return Q_constraint - Q_ideal; }
  /// (u' − a)ᵀ M (u' − a), H in the place of M where that is singular.
  [[nodiscard]] double gauss() const { return Q_constraint.dot(u_dot - free.a); }
};

}  // namespace vinculum::sim
