#include <variant>

#include "vinculum/dynamics/reaction_laws.hpp"
#include "vinculum/expr/derivative.hpp"

namespace vinculum::dynamics {

using expr::Expr;

LawChange realised_change(System& system, RateSpace& rates, mechanics::ConstraintId id) {
  using By = mechanics::RealisedLaw::By;
  const mechanics::Constraint& constraint = system.model->constraint(id);
  const auto& law = std::get<mechanics::RealisedLaw>(constraint.law);
  const Expr kappa = rates.scalar(law.kappa);
  if (law.by == By::kInertial) {
    Expr Phi = system.graph->constant(0.0);
    for (const mechanics::Term relation : constraint.rows) {
      const Expr F = rates.velocity_row(relation);
      Phi += 0.5 * kappa * (F * F);
    }
    return rates.variation(Phi);
  }
  LawChange change;
  change.f.assign(system.u.size(), system.graph->constant(0.0));
  for (const mechanics::Term relation : constraint.rows) {
    const Expr value = law.by == By::kStiff ? rates.scalar(relation) : rates.velocity_row(relation);
    std::vector<Expr> force = expr::gradient(value, law.by == By::kStiff ? system.q : rates.q_dot());
    for (Expr& entry : force) entry = -(kappa * value) * entry;
    const std::vector<Expr> along = rates.generalized(force);
    for (std::size_t r = 0; r < along.size(); ++r) change.f[r] += along[r];
  }
  return change;
}

}  // namespace vinculum::dynamics
