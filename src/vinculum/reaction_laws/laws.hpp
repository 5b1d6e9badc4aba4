#pragma once

#include <map>
#include <memory>
#include <span>
#include <vector>

#include "vinculum/model/builder.hpp"

/// Laws for who builds a model by program: `builder.set_law(id, reaction_laws::stiff(kappa))`.
namespace vinculum::reaction_laws {

using LawPtr = std::shared_ptr<const model::Law>;

/// Qc = Γᵀ e in place of Aᵀλ (theory.md §6.9).
/// \param actuators  as many as rows, or more.
/// \param is_named   by `via`; else row k is kept by actuator k, whose effort is its multiplier too.
[[nodiscard]] LawPtr directed(std::vector<model::Actuator> actuators, bool is_named);

/// Hamilton–Lusternik (theory.md §6.4), or with `c` [1/s] Kozlov's family between it and the ideal law (§6.6): adds
/// the multipliers μ, one a row, as states `mu(c)`, `mu(c)[1]`, … with μ' = −λ − c μ, and sets the law. Of a relation
/// of order p = 2 or 3 (§6.5) μ', …, μ^(p−1) are states too.
/// \param starts           of μ, one a row; empty: all 0.
/// \param starts_of_rates  [p−1][rows] of μ', …; missing or not valid ones are 0.
/// \param starts_of_states  starts of ν, the states `mu(z)`, by the states z that rows hold (§6.10); else 0.
void set_vakonomic(model::ModelBuilder& builder, model::ConstraintId id, std::span<const model::Term> starts = {},
                   model::Term c = {}, const std::vector<std::vector<model::Term>>& starts_of_rates = {},
                   const std::map<model::StateId, model::Term>& starts_of_states = {});

/// The same for modules that pass laws on and name none.
inline void set_variational(model::ModelBuilder& builder, model::ConstraintId id, std::span<const model::Term> starts,
                            model::Term c) {
  set_vakonomic(builder, id, starts, c);
}

/// R_i = λ^a ω_ai + μ^a γ_aij v^j with given μ, one a row (theory.md §6.3).
[[nodiscard]] LawPtr adiabatic(std::vector<model::Term> mu);
/// R_i = λ^a ω_ai + H_ij v^j with a given skew H over the coordinates' rates, entries not valid are 0 (theory.md §6.3).
[[nodiscard]] LawPtr gyroscopic(std::vector<std::vector<model::Term>> H);

/// The constraint is not kept but realised by physics with a large parameter κ > 0 (theory.md §6.8): a potential ½κφ²,
/// a force −κψ ∂ψ/∂q', or added inertia, ½κψ² in the Lagrangian.
[[nodiscard]] LawPtr stiff(model::Term kappa);
[[nodiscard]] LawPtr viscous(model::Term kappa);
[[nodiscard]] LawPtr inertial(model::Term kappa);

}  // namespace vinculum::reaction_laws
