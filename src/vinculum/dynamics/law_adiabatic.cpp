#include <variant>

#include "vinculum/dynamics/reaction_laws.hpp"
#include "vinculum/expr/derivative.hpp"

namespace vinculum::dynamics {

using expr::Expr;

/// With F = ω q': γ q' = F_q − F_q'q q', without F_q't where ω changes with time.
LawChange adiabatic_change(System& system, RateSpace& rates, mechanics::ConstraintId id) {
  const mechanics::Constraint& constraint = system.model->constraint(id);
  const auto& law = std::get<mechanics::AdiabaticLaw>(constraint.law);
  LawChange change;
  change.f.assign(system.u.size(), system.graph->constant(0.0));
  for (std::size_t k = 0; k < constraint.rows.size(); ++k) {
    const Expr F = rates.velocity_row(constraint.rows[k]);
    std::vector<Expr> gamma_v = expr::gradient(F, system.q);
    const std::vector<Expr> omega = expr::gradient(F, rates.q_dot());
    const std::vector<Expr> omega_rate = expr::directional_derivative(omega, system.q, rates.q_dot());
    for (std::size_t i = 0; i < gamma_v.size(); ++i) gamma_v[i] -= omega_rate[i];
    const Expr mu = system.lowering->scalar(law.mu[k]);
    const std::vector<Expr> force = rates.generalized(gamma_v);
    for (std::size_t r = 0; r < force.size(); ++r) change.f[r] += mu * force[r];
  }
  return change;
}

}  // namespace vinculum::dynamics
