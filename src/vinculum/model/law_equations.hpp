#pragma once

#include <span>
#include <vector>

#include "vinculum/expr/graph.hpp"
#include "vinculum/model/evaluate.hpp"
#include "vinculum/model/law.hpp"

/// Interfaces through which a reaction law contributes equations or numbers.
namespace vinculum::model {

/// Terms that the law of a constraint adds to M and f in addition to its rows (theory.md §6.3–6.8). The reaction of the
/// constraint is then R = Aᵀλ + f − M u', with A its rows, and M and f these terms only.
struct LawChange {
  ConstraintId constraint;
  std::vector<expr::Expr> M;  ///< [nu×nu] contribution to M, row by row; empty: none
  std::vector<expr::Expr> f;  ///< [nu] contribution to f
  bool is_inertia = false;    ///< M is positive semidefinite, as a mass matrix must be
};

/// Builds expressions for functions F(q, q', t), in which the q' are independent symbols, and the contributions of such
/// functions to the equations of motion in speeds. The q' are needed because ∂F/∂q at fixed q' differs from ∂F/∂q at
/// fixed speeds. Implemented by equations/rate_space.
class LawEquations {
 public:
  virtual ~LawEquations() = default;
  [[nodiscard]] virtual expr::Graph& graph() = 0;
  [[nodiscard]] virtual const std::vector<expr::Expr>& q() const = 0;  ///< [nq] symbols of the coordinates
  [[nodiscard]] virtual const std::vector<expr::Expr>& q_dot() = 0;    ///< [nq] symbols of the rates q'
  /// A scalar of velocity level as a function of q, q' and t.
  [[nodiscard]] virtual expr::Expr scalar(Term term) = 0;
  /// A scalar of velocity level as a function of t, q, u and states.
  [[nodiscard]] virtual expr::Expr in_speeds(Term term) = 0;
  /// The symbol of a scalar that is an unknown of the equations of motion; invalid if the scalar is not an unknown.
  [[nodiscard]] virtual expr::Expr held(Term term) = 0;
  /// F of a row: φ' for a row of position level, otherwise the relation itself.   \pre it contains no accelerations.
  [[nodiscard]] virtual expr::Expr velocity_row(Term relation) = 0;
  /// Contribution of Φ(q, q', t) to M and f by the Euler–Lagrange equations, M_q = Φ_q'q' and f_q = Φ_q − Φ_q'q q' −
  /// Φ_q't, converted to speeds: GᵀM_qG and Gᵀ[f_q − M_q(G'u + g')]. States in Φ are held fixed. M is empty if Φ is at
  /// most linear in q'.
  /// Source: theory.md §1.
  [[nodiscard]] virtual LawChange variation(expr::Expr Phi) = 0;
  /// The generalized force Gᵀ f_q at q' = G u + g, where f_q is a function of q'.   \returns [nu]
  [[nodiscard]] virtual std::vector<expr::Expr> generalized(std::span<const expr::Expr> f_q) = 0;

  /// Whether the rows of the constraint are affine in q'.
  [[nodiscard]] bool is_affine(const Constraint& constraint);
};

/// One instant of a motion as numbers; terms and their jets are evaluated at it.
struct LawInstant {
  const Model& model;
  ConstraintId id;
  TermValues& now;                 ///< evaluates along the motion
  TermValues& rest;                ///< evaluates along the motion in which only time passes: q' = g, q'' = 0
  std::span<const double> z;       ///< [states] values of the extra states
  std::span<const Rounded> z_dot;  ///< [states] rates of the extra states
};

}  // namespace vinculum::model
