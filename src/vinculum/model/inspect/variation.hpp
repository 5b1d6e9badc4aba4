#pragma once

#include "vinculum/model/inspect/inspection.hpp"

namespace vinculum::model {

/// Where the part of a reaction acts that goes with μ and not with the row's own direction: under δ∫μψ dt of a row ψ of
/// velocity level
///
///   force on P    −μ' W + μ E_P,   E_P = ∂ψ/∂p_P − dW_P/dt              (W = ∂ψ/∂v^P)
///   torque on B   −μ' τ + μ E_B,   E_B = Σ b_j×∂ψ/∂b_j − dτ_B/dt seen in B   (τ = ∂ψ/∂ω^B)
///
/// as δv = d(δp)/dt and δω = d(δθ)/dt + δθ×ω in the newtonian frame: of μτ·δω there remains δθ·(ω×μτ − d(μτ)/dt).
/// Places that wander over bodies and the points of matter at them are expanded down to the mass centre first, and
/// points and frames without mass as in `inspect_row`: the E of a row and its W together exert the law's reaction, each
/// system of forces as a whole. `has_bare_part`: the row's value or its coefficients change with coordinates otherwise;
/// that share is a generalized force.
///
/// \param is_frozen  explicit time in the coefficients is held while these change (RowFactors).
/// \returns E in the places of W and τ. Empty with a bare part where the coefficients have no rate in terms.   \pre
/// velocity level. Source: [S] 3.28–3.30 in vectors; theory.md §5.9.
[[nodiscard]] RowInspection vary_row(const Model& model, Term row, bool is_frozen = false);

/// W and τ of the rate of a state, read as a row of velocity level; empty if the rate holds no velocities.
[[nodiscard]] RowInspection inspect_rate(const Model& model, Term rate);

/// Where the reaction of a relation of order p acts, R = Σ_l (−1)^l d^l/dt^l (μ ∂F/∂q^(l)): in vectors δ∫μF dt by
/// parts,
///
///   force on P    μ ∂F/∂p − d/dt(μ ∂F/∂v) + d²/dt²(μ ∂F/∂a)
///   torque on B   Σ b_j×μ ∂F/∂b_j − dΩ/dt seen in B,   Ω = μ ∂F/∂ω − d/dt(μ ∂F/∂α)
///
/// and likewise inside derivatives of scalars. Element k is the factor of μ^(k), 0 ≤ k ≤ p. `has_bare_part`: forces and
/// torques do not make up the reaction, because the relation holds coordinates bare or needs derivatives above
/// kHighestDerivative.   \pre of higher order.   Source: [S] 3.36–3.39 in vectors; theory.md §6.5.
[[nodiscard]] std::vector<RowInspection> vary_path(const Model& model, ConstraintId constraint, std::size_t row);
/// μ^(k), 0 ≤ k ≤ p, of that relation.
[[nodiscard]] Term rate_of_mu(const Model& model, ConstraintId constraint, std::size_t row, std::size_t k);

/// What a row contributes to its constraint's reaction under the constraint's law: λ W + μ E.
struct RowReaction {
  Term lambda;                ///< factor of what `inspect_row` reads
  Term mu = {};               ///< factor of `varied`; not valid: no such part
  RowInspection varied = {};  ///< E
};
/// λ and μ of the law (Law::factors). What it exerts on coordinates is not here. Rows of position level have no E: μφ'
/// is a total derivative.   \pre the rows exert the reaction, no actuators.
[[nodiscard]] RowReaction react(const Model& model, ConstraintId constraint, std::size_t row,
                                Share share = Share::kTotal);

/// Points, frames or speeds that move with the time itself: then q' = G u + g with g, v = Σ v_r u_r + v_t.
[[nodiscard]] bool has_rheonomic_kinematics(const Model& model);

}  // namespace vinculum::model
