#pragma once

#include "vinculum/model/inspect/inspection.hpp"

namespace vinculum::model {

/// Computes the forces and torques E that the multiplier μ of a law adds to λW. They follow from the variation δ∫μψ dt
/// for a row ψ of velocity level. With the position p_P and velocity v^P of a point P, and vectors b_j fixed in a body
/// B:
///
///   force on P    −μ' W + μ E_P,   E_P = ∂ψ/∂p_P − dW_P/dt              (W = ∂ψ/∂v^P)
///   torque on B   −μ' τ + μ E_B,   E_B = Σ b_j×∂ψ/∂b_j − dτ_B/dt seen in B   (τ = ∂ψ/∂ω^B)
///
/// because δv = d(δp)/dt and δω = d(δθ)/dt + δθ×ω in the newtonian frame: δθ·(ω×μτ − d(μτ)/dt) remains of μτ·δω.
/// Velocities of contact points are first expanded down to the mass center; massless points and frames are expanded as
/// by `inspect_row`. `has_bare_part` of the result is true if the row's value or its coefficients also change with
/// coordinates outside of vectors; that part of the reaction is a generalized force.
///
/// \param is_frozen  explicit time in the coefficients is held fixed (RowFactors).
/// \returns E, stored as `forces` and `torques`. Empty with `has_bare_part` if the rates of the coefficients cannot be
///   written as terms.
/// \pre the row is of velocity level.   Source: [S] 3.28–3.30 in vectors; theory.md §5.9.
[[nodiscard]] RowInspection vary_row(const Model& model, Term row, bool is_frozen = false);

/// W and τ of the rate g of a state z' = g, treated as a row of velocity level. Empty if g contains no velocities.
[[nodiscard]] RowInspection inspect_rate(const Model& model, Term rate);

/// Computes the forces and torques of the reaction R = Σ_l (−1)^l d^l/dt^l (μ ∂F/∂q^(l)) of a relation F = 0 of order
/// p. They follow from δ∫μF dt by partial integration. With the position p, velocity v and acceleration a of a point P,
/// and the vectors b_j, angular velocity ω and angular acceleration α of a body B:
///
///   force on P    μ ∂F/∂p − d/dt(μ ∂F/∂v) + d²/dt²(μ ∂F/∂a)
///   torque on B   Σ b_j×μ ∂F/∂b_j − dΩ/dt seen in B,   Ω = μ ∂F/∂ω − d/dt(μ ∂F/∂α)
///
/// and similarly for velocities inside derivatives of scalars. Element k is the factor of μ^(k), 0 ≤ k ≤ p.
/// `has_bare_part` is true if the forces and torques are not the complete reaction, because the relation contains
/// coordinates outside of vectors or needs derivatives above kHighestDerivative.
/// \pre the constraint is of higher order.   Source: [S] 3.36–3.39 in vectors; theory.md §6.5.
[[nodiscard]] std::vector<RowInspection> vary_path(const Model& model, ConstraintId constraint, std::size_t row);
/// The derivative μ^(k), 0 ≤ k ≤ p, for a relation of order p of a constraint of higher order.
[[nodiscard]] Term rate_of_mu(const Model& model, ConstraintId constraint, std::size_t row, std::size_t k);

/// Contribution λ W + μ E of a row to the reaction under the constraint's law.
struct RowReaction {
  Term lambda;                ///< factor λ of the forces and torques that `inspect_row` returns
  Term mu = {};               ///< factor of `varied`; invalid: there is no μ E
  RowInspection varied = {};  ///< the forces and torques E that `vary_row` returns
};
/// λ and μ of the law (Law::factors), without the law's generalized forces on coordinates. Rows of position level have
/// no E, because μφ' is a total derivative.   \pre the rows, not actuators, exert the reaction.
[[nodiscard]] RowReaction react(const Model& model, ConstraintId constraint, std::size_t row,
                                Share share = Share::kTotal);

/// Whether points, frames or speeds depend explicitly on time. Then q' = G u + g with g ≠ 0, and v = Σ v_r u_r + v_t.
[[nodiscard]] bool has_rheonomic_kinematics(const Model& model);

}  // namespace vinculum::model
