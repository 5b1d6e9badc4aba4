#include <variant>

#include "vinculum/dynamics/reaction_laws.hpp"
#include "vinculum/mechanics/calculus.hpp"

namespace vinculum::dynamics {

LawChange vakonomic_change(System& system, RateSpace& rates, mechanics::ConstraintId id) {
  const mechanics::Constraint& constraint = system.model->constraint(id);
  const auto& law = std::get<mechanics::VakonomicLaw>(constraint.law);
  expr::Expr Phi = system.graph->constant(0.0);
  for (std::size_t k = 0; k < constraint.rows.size(); ++k) {
    // F = φ' is a total derivative: its Euler–Lagrange expression vanishes identically.
    if (mechanics::level_of(*system.model, constraint.rows[k]) == mechanics::Level::kPosition) continue;
    Phi += system.z[law.mu[k].index()] * rates.velocity_row(constraint.rows[k]);
  }
  return rates.variation(Phi);
}

}  // namespace vinculum::dynamics
