#include <variant>

#include "vinculum/base/contract.hpp"
#include "vinculum/dynamics/reaction_laws.hpp"

namespace vinculum::dynamics {

using expr::Expr;

LawChange gyroscopic_change(System& system, mechanics::ConstraintId id) {
  const auto& law = std::get<mechanics::GyroscopicLaw>(system.model->constraint(id).law);
  VINCULUM_EXPECTS(law.H.size() == system.q.size());
  LawChange change;
  change.f.assign(system.u.size(), system.graph->constant(0.0));
  for (std::size_t i = 0; i < system.q.size(); ++i) {
    VINCULUM_EXPECTS(law.H[i].size() == system.q.size());
    Expr force = system.graph->constant(0.0);
    for (std::size_t j = 0; j < system.q.size(); ++j) {
      if (law.H[i][j].is_valid()) force += system.lowering->scalar(law.H[i][j]) * system.q_dot[j];
    }
    for (std::size_t r = 0; r < system.u.size(); ++r) change.f[r] += system.G[i][r] * force;
  }
  return change;
}

}  // namespace vinculum::dynamics
