#pragma once

#include "vinculum/model/inspect/inspection.hpp"

namespace vinculum::model {

/// Points and bodies on which the part of a reaction acts that comes from μ. For δ∫μψ dt of a row ψ of velocity level:
///
///   force on P    −μ' W + μ E_P,   E_P = ∂ψ/∂p_P − dW_P/dt              (W = ∂ψ/∂v^P)
///   torque on B   −μ' τ + μ E_B,   E_B = Σ b_j×∂ψ/∂b_j − dτ_B/dt seen in B   (τ = ∂ψ/∂ω^B)
///
/// because δv = d(δp)/dt and δω = d(δθ)/dt + δθ×ω in the newtonian frame: δθ·(ω×μτ − d(μτ)/dt) remains of μτ·δω.
/// Contact places and their material points are first expanded down to the mass center, and massless points and frames
/// as in `inspect_row`. Together, W and E of a row exert the reaction of the law; each alone is a complete system of
/// forces. `has_bare_part`: the row's value or its coefficients also change with bare coordinates; that part is a
/// generalized force.
///
/// \param is_frozen  explicit time in the coefficients is held fixed (RowFactors).
/// \returns E in the places of W and τ. Empty with a bare part if the rates of the coefficients cannot be written as
/// terms.
/// \pre velocity level. Source: [S] 3.28–3.30 in vectors; theory.md §5.9.
[[nodiscard]] RowInspection vary_row(const Model& model, Term row, bool is_frozen = false);

/// W and τ of the rate of a state, treated as a row of velocity level; empty if the rate contains no velocities.
[[nodiscard]] RowInspection inspect_rate(const Model& model, Term rate);

/// Points and bodies on which the reaction R = Σ_l (−1)^l d^l/dt^l (μ ∂F/∂q^(l)) of a relation of order p acts. In
/// vectors, from δ∫μF dt by partial integration:
///
///   force on P    μ ∂F/∂p − d/dt(μ ∂F/∂v) + d²/dt²(μ ∂F/∂a)
///   torque on B   Σ b_j×μ ∂F/∂b_j − dΩ/dt seen in B,   Ω = μ ∂F/∂ω − d/dt(μ ∂F/∂α)
///
/// and likewise inside derivatives of scalars. Element k is the factor of μ^(k), 0 ≤ k ≤ p. `has_bare_part`: forces and
/// torques are not the complete reaction, because the relation contains bare coordinates or needs derivatives above
/// kHighestDerivative.   \pre of higher order.   Source: [S] 3.36–3.39 in vectors; theory.md §6.5.
[[nodiscard]] std::vector<RowInspection> vary_path(const Model& model, ConstraintId constraint, std::size_t row);
/// μ^(k), 0 ≤ k ≤ p, of such a relation.
[[nodiscard]] Term rate_of_mu(const Model& model, ConstraintId constraint, std::size_t row, std::size_t k);

/// Contribution of a row to the reaction under the constraint's law: λ W + μ E.
struct RowReaction {
  Term lambda;                ///< factor of the result of `inspect_row`
  Term mu = {};               ///< factor of `varied`; invalid: no such part
  RowInspection varied = {};  ///< E
};
/// λ and μ of the law (Law::factors), without the law's forces on coordinates. Rows of position level have no E,
/// because μφ' is a total derivative.   \pre the rows exert the reaction, not actuators.
[[nodiscard]] RowReaction react(const Model& model, ConstraintId constraint, std::size_t row,
                                Share share = Share::kTotal);

/// Whether points, frames or speeds depend explicitly on time: then q' = G u + g with g ≠ 0, and v = Σ v_r u_r + v_t.
[[nodiscard]] bool has_rheonomic_kinematics(const Model& model);

}  // namespace vinculum::model
