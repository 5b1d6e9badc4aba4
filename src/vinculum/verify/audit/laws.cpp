// Computes the reactions of laws other than ideal, nonideal and servo from the laws themselves.
#include "vinculum/verify/audit/forces.hpp"

namespace vinculum::audit {

using model::Term;

LawFactors law_factors(Evidence& e, model::ConstraintId id, std::size_t row) {
  const model::Law& law = *e.model.constraint(id).law;
  const model::RowFactors stated = law.factors(e.model, id, row);
  LawFactors factors;
  if (stated.lambda.is_valid())
    factors.lambda = e.scalar(stated.lambda);
  else if (e.has_row(id))
    factors.lambda = e.at.lambda[static_cast<Eigen::Index>(e.first_row(id) + row)];
  else
    factors.lambda = e.scalar(law.multiplier(e.model, id, row));
  if (stated.mu.is_valid()) factors.mu = e.scalar(stated.mu);
  return factors;
}

RoundedVector reaction_of_law(Evidence& e, model::ConstraintId id) {
  const model::Constraint& constraint = e.model.constraint(id);
  model::TermPool& pool = *e.model.terms;
  RoundedVector R = RoundedVector::Constant(e.sample.u.size(), Rounded());
  for (std::size_t row = 0; row < constraint.rows.size(); ++row) {
    const LawFactors factors = law_factors(e, id, row);
    RoundedVector gradient = e.row_gradient(id, row);
    if (!values_of(gradient).allFinite() && e.has_row(id))
      gradient = e.at.A.row(static_cast<Eigen::Index>(e.first_row(id) + row));
    R += factors.lambda * gradient;
    // For a row at position level, F = φ' and F_q = d/dt F_q', so the contribution of μ is 0.
    if (factors.mu.is_zero() || e.level(id, row) == model::Level::kPosition) continue;
    const bool is_frozen = constraint.law->factors(e.model, id, row).is_frozen;
    RoundedVector along(e.sample.q.size());
    for (std::size_t i = 0; i < e.model.coordinates.size(); ++i) {
      const model::CoordinateId q(i);
      const Term F = constraint.rows[row], by_rate = pool.partial(F, pool.coordinate(q, 1));
      Rounded& share = along[static_cast<Eigen::Index>(i)];
      share = e.scalar(pool.partial(F, pool.coordinate(q, 0))) - e.rate(by_rate);
      if (is_frozen) share += e.still().series(by_rate).derivative(1);  // without the motion due to time alone
    }
    R += factors.mu * (e.at.G.transpose() * along);
  }
  for (const model::VariedState& state : constraint.law->varied_states(e.model, id)) {
    RoundedVector along(e.sample.q.size());
    for (std::size_t i = 0; i < e.model.coordinates.size(); ++i) {
      const model::CoordinateId q(i);
      const Term by_rate = pool.partial(state.rate, pool.coordinate(q, 1));
      along[static_cast<Eigen::Index>(i)] =
          e.scalar(state.lambda) * e.scalar(by_rate) +
          e.scalar(state.mu) * (e.scalar(pool.partial(state.rate, pool.coordinate(q, 0))) - e.rate(by_rate));
    }
    R += e.at.G.transpose() * along;
  }
  RoundedVector along = RoundedVector::Constant(e.sample.q.size(), Rounded());
  for (std::size_t i = 0; i < e.model.coordinates.size(); ++i) {
    const Term force = constraint.law->coordinate_force(e.model, model::CoordinateId(i));
    if (force.is_valid()) along[static_cast<Eigen::Index>(i)] = e.scalar(force);
  }
  return R + e.at.G.transpose() * along;
}

}  // namespace vinculum::audit
