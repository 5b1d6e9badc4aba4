#pragma once

#include <span>
#include <vector>

#include "vinculum/expr/graph.hpp"
#include "vinculum/model/evaluate.hpp"
#include "vinculum/model/law.hpp"

/// Interfaces that a reaction law receives when it contributes equations or numbers.
namespace vinculum::model {

/// Terms that the law of a constraint adds to M and f in addition to its rows (theory.md §6.3–6.8). The whole reaction
/// is then R = Aᵀλ + f − M u', with the rows, M and f of this constraint.
struct LawChange {
  ConstraintId constraint;
  std::vector<expr::Expr> M;  ///< [nu×nu] row by row; empty: no contribution
  std::vector<expr::Expr> f;  ///< [nu]
  bool is_inertia = false;    ///< M is positive semidefinite, like an ordinary mass matrix
};

/// Functions of (q, q', t) with the q' as independent symbols, and their contributions to the equations of motion in
/// speeds: ∂F/∂q at fixed q' differs from ∂F/∂q at fixed speeds.   Implemented by equations/rate_space.
class LawEquations {
 public:
  virtual ~LawEquations() = default;
  [[nodiscard]] virtual expr::Graph& graph() = 0;
  [[nodiscard]] virtual const std::vector<expr::Expr>& q() const = 0;  ///< [nq] symbols
  [[nodiscard]] virtual const std::vector<expr::Expr>& q_dot() = 0;    ///< [nq] symbols
  /// A scalar of velocity level as a function of q, q' and t.
  [[nodiscard]] virtual expr::Expr scalar(Term term) = 0;
  /// The same in t, q, u and states.
  [[nodiscard]] virtual expr::Expr in_speeds(Term term) = 0;
  /// The symbol of a scalar that is an unknown of the equations; invalid if it is not.
  [[nodiscard]] virtual expr::Expr held(Term term) = 0;
  /// F of a row: φ' for a row of position level, otherwise the relation itself.   \pre it contains no accelerations.
  [[nodiscard]] virtual expr::Expr velocity_row(Term relation) = 0;
  /// Euler–Lagrange equations of Φ(q, q', t), M_q = Φ_q'q', f_q = Φ_q − Φ_q'q q' − Φ_q't, in speeds: GᵀM_qG and Gᵀ[f_q
  /// − M_q(G'u + g')]. States in Φ are held fixed. M is empty if Φ is at most linear in q'.   Source: theory.md §1.
  [[nodiscard]] virtual LawChange variation(expr::Expr Phi) = 0;
  /// Gᵀ f_q at q' = G u + g, for f_q as a function of q'.   \returns [nu]
  [[nodiscard]] virtual std::vector<expr::Expr> generalized(std::span<const expr::Expr> f_q) = 0;

  /// Whether the rows of the constraint are affine in q'.
  [[nodiscard]] bool is_affine(const Constraint& constraint);
};

/// One instant of a motion as numbers, evaluated by terms and their jets.
struct LawInstant {
  const Model& model;
  ConstraintId id;
  TermValues& now;                 ///< along the motion
  TermValues& rest;                ///< along the motion of time alone: q' = g, q'' = 0
  std::span<const double> z;       ///< [states]
  std::span<const Rounded> z_dot;  ///< [states]
};

}  // namespace vinculum::model
