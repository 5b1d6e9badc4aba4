#include "vinculum/model/raw_equations.hpp"

#include "vinculum/base/contract.hpp"
#include "vinculum/model/calculus.hpp"

namespace vinculum::model {

void add_equations(ModelBuilder& builder, std::span<const CoordinateId> q, const std::vector<std::vector<Term>>& M,
                   std::span<const Term> Q) {
  VINCULUM_EXPECTS(M.size() == q.size() && Q.size() == q.size());
  TermPool& pool = builder.terms();
  const Model& model = builder.model();
  const Term nothing = builder.number(0.0);
  Term L = nothing;
  std::vector<Term> D(Q.begin(), Q.end());
  for (std::size_t i = 0; i < q.size(); ++i) {
    VINCULUM_EXPECTS(M[i].size() == i + 1 && Q[i].is_valid() && Q[i].is_scalar());
    VINCULUM_EXPECTS(level_of(model, Q[i]) <= Level::kVelocity);
    for (std::size_t j = 0; j <= i; ++j) {
      const Term entry = M[i][j];
      VINCULUM_EXPECTS(entry.is_valid() && entry.is_scalar() && level_of(model, entry) == Level::kPosition);
      const Term rates = builder.q_dot(q[i]) * builder.q_dot(q[j]);
      L = L + (i == j ? 0.5 : 1.0) * (entry * rates);
      // time derivative of the entry M_ij, from its partial derivatives
      Term rate = pool.partial(entry, pool.time());
      for (std::size_t k = 0; k < model.coordinates.size(); ++k) {
        const CoordinateId id(k);
        rate = rate + pool.partial(entry, builder.q(id)) * builder.q_dot(id);
      }
      D[i] = D[i] + rate * builder.q_dot(q[j]);
      if (i != j) D[j] = D[j] + rate * builder.q_dot(q[i]);
      for (std::size_t k = 0; k < q.size(); ++k)
        D[k] = D[k] - (i == j ? 0.5 : 1.0) * (pool.partial(entry, builder.q(q[k])) * rates);
    }
  }
  builder.add_lagrangian(L);
  for (std::size_t i = 0; i < q.size(); ++i) {
    if (!(D[i] == nothing)) builder.add_generalized_force(q[i], D[i]);
  }
}

}  // namespace vinculum::model
