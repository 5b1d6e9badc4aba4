// Reactions of further laws from the laws themselves.
#include "vinculum/audit/forces.hpp"

namespace vinculum::audit {
namespace {

using mechanics::Level;
using mechanics::RealisedLaw;
using mechanics::Term;

}  // namespace

LawFactors law_factors(Evidence& e, mechanics::ConstraintId id, std::size_t row) {
  const mechanics::Constraint& constraint = e.model.constraint(id);
  LawFactors factors;
  if (e.has_row(id)) factors.lambda = e.sample.reaction.lambda()[static_cast<Eigen::Index>(e.first_row(id) + row)];
  if (const auto* law = std::get_if<mechanics::VakonomicLaw>(&constraint.law)) {
    factors.mu = e.scalar(e.model.terms->state(law->mu[row]));
  } else if (const auto* adiabatic = std::get_if<mechanics::AdiabaticLaw>(&constraint.law)) {
    factors.mu = e.scalar(adiabatic->mu[row]);
  } else if (const auto* realised = std::get_if<RealisedLaw>(&constraint.law)) {
    const double kappa = e.scalar(realised->kappa);
    const mechanics::Jet psi = e.now().scalar(constraint.rows[row]);
    switch (realised->by) {
      case RealisedLaw::By::kStiff:
      case RealisedLaw::By::kViscous: factors.lambda = -kappa * psi.value; break;
      case RealisedLaw::By::kInertial:
        factors = e.level(id, row) == Level::kPosition ? LawFactors{-kappa * psi.second}
                                                       : LawFactors{-kappa * psi.rate, kappa * psi.value};
        break;
    }
  }
  return factors;
}

Vector reaction_of_law(Evidence& e, mechanics::ConstraintId id) {
  const mechanics::Constraint& constraint = e.model.constraint(id);
  mechanics::TermPool& pool = *e.model.terms;
  const bool is_adiabatic = std::holds_alternative<mechanics::AdiabaticLaw>(constraint.law);
  Vector R = Vector::Zero(e.sample.u.size());
  for (std::size_t row = 0; row < constraint.rows.size(); ++row) {
    const LawFactors factors = law_factors(e, id, row);
    Vector gradient = e.row_gradient(id, row);
    if (!gradient.allFinite() && e.has_row(id)) gradient = e.at.A.row(static_cast<Eigen::Index>(e.first_row(id) + row));
    R += factors.lambda * gradient;
    // With F = φ' of a row of position level F_q = d/dt F_q'.
    if (factors.mu == 0.0 || e.level(id, row) == Level::kPosition) continue;
    Vector along(e.sample.q.size());
    for (std::size_t i = 0; i < e.model.coordinates.size(); ++i) {
      const mechanics::CoordinateId q(i);
      const Term F = constraint.rows[row], by_rate = pool.partial(F, pool.coordinate(q, 1));
      double& share = along[static_cast<Eigen::Index>(i)];
      share = e.scalar(pool.partial(F, pool.coordinate(q, 0))) - e.now().scalar(by_rate).rate;
      if (is_adiabatic) share += e.still().scalar(by_rate).rate;  // γ has no part along the time
    }
    R += factors.mu * (e.at.G.transpose() * along);
  }
  if (const auto* law = std::get_if<mechanics::GyroscopicLaw>(&constraint.law)) {
    Vector along = Vector::Zero(e.sample.q.size());
    for (Eigen::Index i = 0; i < along.size(); ++i) {
      for (Eigen::Index j = 0; j < along.size(); ++j) {
        const Term H = law->H[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
        if (H.is_valid() && !H.is_zero()) along[i] += e.scalar(H) * e.sample.q_dot[j];
      }
    }
    R += e.at.G.transpose() * along;
  }
  return R;
}

}  // namespace vinculum::audit
