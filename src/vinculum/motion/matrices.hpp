#pragma once

#include "vinculum/base/linear_algebra.hpp"
#include "vinculum/solve/generated/geometry.hpp"

namespace vinculum::sim {

/// The vectors and matrices of the equations of motion at one state, named and shaped as in theory.md §0: M u' = f + C
/// + Aᵀλ + Γᵀe, A u' = b, q' = G u + g.
struct Matrices {
  Vector q_dot;
  Matrix G, M;
  Matrix metric;  ///< [nu×nu] M without terms that may make it indefinite, such as those of some reaction laws
                  ///< (System::metric)
  Vector f, C;
  Matrix A;
  Vector certainty;   ///< [nc] row weights in (0, 1]: less than 1 if the direction of a row is inaccurate
                      ///< (ConstrainedSolve)
  Vector compliance;  ///< [nc] compliances of rows (ConstrainedSolve), or empty
  Vector b;
  Vector doubt;     ///< [nc] uncertainty of b, in the units of b: effect of rounding errors of the state and of
                    ///< constraint violations
  Vector phi, psi;  ///< [nc] residuals φ of positions and ψ of velocities; 0 for a row that has no φ or no ψ
  Matrix phi_q;     ///< [nc × nq] ∂φ/∂q
  Matrix Gamma;     ///< [efforts × nu] directions of the actuator efforts
};

/// The geometry of constrained motion at a state (theory.md §4.4). M and f exclude the contributions of the reaction
/// laws of rows, so that M u' = f + Q_constraint for every law.
struct MotionGeometry : solve::Geometry {
  Matrix M, A;
  Vector f, b;
  Vector u_dot;         ///< [nu] actual accelerations
  Vector Q_constraint;  ///< [nu] constraint force Qc = Qi + Qni
  /// [nu] Force with the same virtual work as the constraint force: vᵀC = vᵀQc for every virtual displacement v. It is
  /// the force stated by `nonideal` clauses or, with laws other than ideal and nonideal, Qc − Qi.
  Vector C;

  [[nodiscard]] Vector Q_nonideal() const { return Q_constraint - Q_ideal; }
  /// Returns Gauss' function (u' − a)ᵀ M (u' − a); if M is singular, H (solve::Geometry) takes its place.
  [[nodiscard]] double gauss() const { return Q_constraint.dot(u_dot - free.a); }
};

}  // namespace vinculum::sim
