#pragma once

#include <map>
#include <memory>
#include <span>
#include <vector>

#include "vinculum/mechanics/builder.hpp"

/// Laws for who builds a model by program: `builder.set_law(id, law::stiff(kappa))`.
namespace vinculum::law {

using LawPtr = std::shared_ptr<const mechanics::Law>;

/// Qc = Γᵀ e in place of Aᵀλ (theory.md §6.9).
/// \param actuators  as many as rows, or more.
/// \param is_named   by `via`; else row k is kept by actuator k, whose effort is its multiplier too.
[[nodiscard]] LawPtr directed(std::vector<mechanics::Actuator> actuators, bool is_named);

/// Hamilton–Lusternik (theory.md §6.4), or with `c` [1/s] Kozlov's family between it and the ideal law (§6.6): adds
/// the multipliers μ, one a row, as states `mu(c)`, `mu(c)[1]`, … with μ' = −λ − c μ, and sets the law. Of a relation
/// of order p = 2 or 3 (§6.5) μ', …, μ^(p−1) are states too.
/// \param starts           of μ, one a row; empty: all 0.
/// \param starts_of_rates  [p−1][rows] of μ', …; missing or not valid ones are 0.
/// \param starts_of_states  starts of ν, the states `mu(z)`, by the states z that rows hold (§6.10); else 0.
void set_vakonomic(mechanics::ModelBuilder& builder, mechanics::ConstraintId id,
                   std::span<const mechanics::Term> starts = {}, mechanics::Term c = {},
                   const std::vector<std::vector<mechanics::Term>>& starts_of_rates = {},
                   const std::map<mechanics::StateId, mechanics::Term>& starts_of_states = {});

/// The same for rooms that show laws on and name none.
inline void set_variational(mechanics::ModelBuilder& builder, mechanics::ConstraintId id,
                            std::span<const mechanics::Term> starts, mechanics::Term c) {
  set_vakonomic(builder, id, starts, c);
}

/// R_i = λ^a ω_ai + μ^a γ_aij v^j with given μ, one a row (theory.md §6.3).
[[nodiscard]] LawPtr adiabatic(std::vector<mechanics::Term> mu);
/// R_i = λ^a ω_ai + H_ij v^j with a given skew H over the coordinates' rates, entries not valid are 0 (theory.md §6.3).
[[nodiscard]] LawPtr gyroscopic(std::vector<std::vector<mechanics::Term>> H);

/// The constraint is not kept but realised by physics with a large parameter κ > 0 (theory.md §6.8): a potential ½κφ²,
/// a force −κψ ∂ψ/∂q', or added inertia, ½κψ² in the Lagrangian.
[[nodiscard]] LawPtr stiff(mechanics::Term kappa);
[[nodiscard]] LawPtr viscous(mechanics::Term kappa);
[[nodiscard]] LawPtr inertial(mechanics::Term kappa);

}  // namespace vinculum::law
