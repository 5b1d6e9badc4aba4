#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "vinculum/base/failure.hpp"
#include "vinculum/dynamics/lowering.hpp"
#include "vinculum/dynamics/system.hpp"

namespace vinculum::dynamics {

/// Functions of (q, q', t) with the q' as symbols of their own, and what they add to the equations of motion in speeds.
///
/// The laws of theory.md §6.3–6.8 live here: ∂F/∂q at fixed q' is not ∂F/∂q at fixed u.
class RateSpace {
 public:
  /// \pre the kinematics of the system are there.
  explicit RateSpace(System& system);

  /// A scalar of velocity level at free q'.
  [[nodiscard]] expr::Expr scalar(mechanics::Term term) { return lowering().scalar(term); }
  /// F of a row: φ' of a row of position level, else the relation itself.   \pre no accelerations in it.
  [[nodiscard]] expr::Expr velocity_row(mechanics::Term relation);
  [[nodiscard]] const std::vector<expr::Expr>& q_dot();  ///< [nq] symbols

  /// Euler–Lagrange equations of Φ(q, q', t), M_q = Φ_q'q', f_q = Φ_q − Φ_q'q q' − Φ_q't, in speeds: GᵀM_qG and
  /// Gᵀ[f_q − M_q(G'u + g')]. States in Φ are held. M is empty where Φ is at most linear in q'.   Source: theory.md §1.
  [[nodiscard]] LawChange variation(expr::Expr Phi);
  /// Gᵀ f_q at q' = G u + g, of f_q at free q'.
  [[nodiscard]] std::vector<expr::Expr> generalized(std::span<const expr::Expr> f_q);
  /// Values at free q' as functions of q, u, t.
  [[nodiscard]] std::vector<expr::Expr> at_speeds(std::span<const expr::Expr> values);

 private:
  Lowering& lowering();
  System& system_;
  std::unique_ptr<Lowering> lowering_;  ///< made when first asked for
};

/// M and f of the Lagrangian functions among the loads (theory.md §1), and the metric.
void write_lagrangian(System& system, RateSpace& rates);

/// What the laws of the constraints add to M and f: `changes`, and their sums.
/// \pre rows and M, f of all loads are there.
/// \returns kNotUnique naming the constraint where a law does not apply to its rows (accelerations in them, or rows
/// that are not
///          linear and homogeneous in the velocities where the reaction would do work), and where a row holds states
///          that it cannot.
[[nodiscard]] std::optional<Failure> write_laws(System& system, RateSpace& rates);

/// Whether the constraint is realised by physics (theory.md §6.8), and kept by no multiplier.
[[nodiscard]] inline bool is_realised(const mechanics::Constraint& constraint) {
  return std::holds_alternative<mechanics::RealisedLaw>(constraint.law);
}

// One file a law. What they return is added to the system by `write_laws`.

/// f_q += Σ_a μ_a (F_a,q − F_a,q'q q' − F_a,q't), M_q += Σ_a μ_a F_a,q'q'; rows of position level are total derivatives
/// and add nothing. Source: [S] 3.28–3.30; theory.md §6.4, §6.6.
[[nodiscard]] LawChange vakonomic_change(System& system, RateSpace& rates, mechanics::ConstraintId constraint);
/// f_q += μ_a γ_a q', γ_a,ij = ∂ω_aj/∂q_i − ∂ω_ai/∂q_j.   Source: [S] 2.18, 3.11–3.13; theory.md §6.3.
[[nodiscard]] LawChange adiabatic_change(System& system, RateSpace& rates, mechanics::ConstraintId constraint);
/// f_q += H q'.   Source: theory.md §6.3.
[[nodiscard]] LawChange gyroscopic_change(System& system, mechanics::ConstraintId constraint);
/// Stiff f_q −= κφ φ_q, viscous f_q −= κψ ψ_q', inertial the variation of ½κψ².   Source: theory.md §6.8.
[[nodiscard]] LawChange realised_change(System& system, RateSpace& rates, mechanics::ConstraintId constraint);

}  // namespace vinculum::dynamics
