#pragma once

#include "vinculum/base/linear_algebra.hpp"
#include "vinculum/solve/generated/geometry.hpp"

namespace vinculum::sim {

/// The pieces of the equations of motion at one state, in the letters of theory.md §0, with the shapes of `System`.
struct Matrices {
  Vector q_dot;
  Matrix G, M;
  Matrix metric;  ///< [nu×nu] M without the parts that need not be positive (System::metric)
  Vector f, C;
  Matrix A;
  Vector certainty;  ///< [nc] row weights in (0, 1]: less than 1 if the direction of a row is inaccurate
                     ///< (ConstrainedSolve)
  Vector b;
  Vector doubt;     ///< [nc] uncertainty of b, in the units of the row: effect of rounding errors of the state and of
                    ///< violated rows
  Vector phi, psi;  ///< [nc] residuals; 0 if the level of the row has no φ or ψ
  Matrix phi_q;     ///< [nc × nq] ∂φ/∂q
  Matrix Gamma;     ///< [efforts × nu] directions of the actuator efforts
};

/// The geometry of constrained motion at a state (theory.md §4.4). M and f exclude the contributions of the reaction
/// laws of rows, so that M u' = f + Q_constraint for every law.
struct MotionGeometry : solve::Geometry {
  Matrix M, A;
  Vector f, b;
  Vector u_dot;         ///< [nu] actual accelerations
  Vector Q_constraint;  ///< [nu] Qc; Qni = Qc − Qi
  /// [nu] vᵀC = vᵀQc for every virtual displacement v: the force stated by `nonideal` clauses. With laws other than
  /// ideal and nonideal it is Qc − Qi.
  Vector C;

  [[nodiscard]] Vector Q_nonideal() const { return Q_constraint - Q_ideal; }
  /// Gauss' function (u' − a)ᵀ M (u' − a); H replaces M if M is singular.
  [[nodiscard]] double gauss() const { return Q_constraint.dot(u_dot - free.a); }
};

}  // namespace vinculum::sim
