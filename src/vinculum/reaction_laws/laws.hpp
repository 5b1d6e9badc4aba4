#pragma once

#include <map>
#include <memory>
#include <span>
#include <vector>

#include "vinculum/model/builder.hpp"

/// Creates reaction laws for programs that build models: `builder.set_law(id, reaction_laws::stiff(kappa))`.
namespace vinculum::reaction_laws {

using LawPtr = std::shared_ptr<const model::Law>;

/// Servo constraint, enforced by actuator efforts e along given directions Γ: Qc = Γᵀ e instead of Aᵀλ (theory.md
/// §6.9).
/// \param actuators  at least as many as the constraint has rows.
/// \param is_named   true for the clause `via`. If false, actuator k belongs to row k, and its effort is also the
/// multiplier of that row.
[[nodiscard]] LawPtr directed(std::vector<model::Actuator> actuators, bool is_named);

/// Sets Hamilton's principle (Hamilton–Lusternik, theory.md §6.4) as the law of a constraint. With `c` [1/s] it is the
/// law of Kozlov's family between that law and the ideal law (§6.6). Adds one multiplier μ per row as a state, `mu(c)`,
/// `mu(c)[1]`, …, with μ' = −λ − c μ. For a relation of order p = 2 or 3 (§6.5), μ', …, μ^(p−1) are states too.
/// \param starts            [rows] start values of μ; empty: all 0.
/// \param starts_of_rates   [p−1][rows] start values of μ', …; a missing or invalid term means 0.
/// \param starts_of_states  start values of the multipliers ν (states `mu(z)`) of the states z that rows contain
/// (§6.10); 0 if missing.
void set_vakonomic(model::ModelBuilder& builder, model::ConstraintId id, std::span<const model::Term> starts = {},
                   model::Term c = {}, const std::vector<std::vector<model::Term>>& starts_of_rates = {},
                   const std::map<model::StateId, model::Term>& starts_of_states = {});

/// As `set_vakonomic`, under a name that does not mention the law, for modules that must not name a law.
inline void set_variational(model::ModelBuilder& builder, model::ConstraintId id, std::span<const model::Term> starts,
                            model::Term c) {
  set_vakonomic(builder, id, starts, c);
}

/// Adiabatic law: R_i = λ^a ω_ai + μ^a γ_aij v^j for rows ω_ai v^i = 0, with v = q', γ the exterior derivative of ω,
/// and given multipliers μ^a, one per row (theory.md §6.3).
[[nodiscard]] LawPtr adiabatic(std::vector<model::Term> mu);
/// Gyroscopic law: R_i = λ^a ω_ai + H_ij v^j for rows ω_ai v^i = 0, with v = q' and a given skew-symmetric matrix H.
/// Entries of H that are not valid are 0 (theory.md §6.3).
[[nodiscard]] LawPtr gyroscopic(std::vector<std::vector<model::Term>> H);

/// Penalty realizations of a constraint φ = 0 or ψ = 0, with a large parameter κ > 0 (theory.md §6.8). `stiff` is a
/// potential ½κφ², `viscous` a force −κψ ∂ψ/∂q', `inertial` a term ½κψ² in the Lagrangian.
[[nodiscard]] LawPtr stiff(model::Term kappa);
[[nodiscard]] LawPtr viscous(model::Term kappa);
[[nodiscard]] LawPtr inertial(model::Term kappa);

}  // namespace vinculum::reaction_laws
