#pragma once

#include <span>
#include <vector>

#include "vinculum/expr/graph.hpp"
#include "vinculum/model/evaluate.hpp"
#include "vinculum/model/law.hpp"

/// What a law meets when it is asked for equations and for numbers.
namespace vinculum::model {

/// What the law of a constraint adds to M and f beside its rows (theory.md §6.3–6.8): the whole reaction is then
/// R = Aᵀλ + f − M u' over its rows.
struct LawChange {
  ConstraintId constraint;
  std::vector<expr::Expr> M;  ///< [nu×nu] row by row; empty: none
  std::vector<expr::Expr> f;  ///< [nu]
  bool is_inertia = false;    ///< M is positive semidefinite, an inertia as any other
};

/// Functions of (q, q', t) with the q' as symbols of their own, and what they add to the equations of motion in speeds:
/// ∂F/∂q at fixed q' is not ∂F/∂q at fixed speeds.   Written by equations/rate_space.
class LawEquations {
 public:
  virtual ~LawEquations() = default;
  [[nodiscard]] virtual expr::Graph& graph() = 0;
  [[nodiscard]] virtual const std::vector<expr::Expr>& q() const = 0;  ///< [nq] symbols
  [[nodiscard]] virtual const std::vector<expr::Expr>& q_dot() = 0;    ///< [nq] symbols
  /// A scalar of velocity level at free q'.
  [[nodiscard]] virtual expr::Expr scalar(Term term) = 0;
  /// The same in t, q, u and states.
  [[nodiscard]] virtual expr::Expr in_speeds(Term term) = 0;
  /// The symbol that a scalar stands for where it is an unknown of the equations; not valid: it is none.
  [[nodiscard]] virtual expr::Expr held(Term term) = 0;
  /// F of a row: φ' of a row of position level, else the relation itself.   \pre no accelerations in it.
  [[nodiscard]] virtual expr::Expr velocity_row(Term relation) = 0;
  /// Euler–Lagrange equations of Φ(q, q', t), M_q = Φ_q'q', f_q = Φ_q − Φ_q'q q' − Φ_q't, in speeds: GᵀM_qG and
  /// Gᵀ[f_q − M_q(G'u + g')]. States in Φ are held. M is empty where Φ is at most linear in q'.   Source: theory.md §1.
  [[nodiscard]] virtual LawChange variation(expr::Expr Phi) = 0;
  /// Gᵀ f_q at q' = G u + g, of f_q at free q'.   \returns [nu]
  [[nodiscard]] virtual std::vector<expr::Expr> generalized(std::span<const expr::Expr> f_q) = 0;

  /// Whether the rows of the constraint are affine in q'.
  [[nodiscard]] bool is_affine(const Constraint& constraint);
};

/// One instant of a motion in numbers, by terms and their jets.
struct LawInstant {
  const Model& model;
  ConstraintId id;
  TermValues& now;                 ///< along the motion
  TermValues& rest;                ///< along what the time alone moves: q' = g, q'' = 0
  std::span<const double> z;       ///< [states]
  std::span<const Rounded> z_dot;  ///< [states]
};

}  // namespace vinculum::model
