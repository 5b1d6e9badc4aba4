#include "vinculum/equations/nonlinear_speeds.hpp"

#include "vinculum/equations/derive.hpp"
#include "vinculum/expr/derivative.hpp"
#include "vinculum/model/calculus.hpp"

namespace vinculum::equations {

std::vector<NonlinearSpeed> nonlinear_speeds(const System& system) {
  const std::vector<expr::Expr> zeros(system.u.size(), system.graph->constant(0.0));
  std::vector<NonlinearSpeed> all;
  for (const model::NonlinearSpeed& stated : system.model->nonlinear_speeds) {
    const model::Term definition = stated.speed.definition;
    NonlinearSpeed one{lower(system, definition).front(), zeros, {}, {}};
    for (const expr::Entry& entry : expr::sparse_jacobian({&one.value, 1}, system.u))
      one.by_u[static_cast<std::size_t>(entry.column)] = entry.value;
    one.rate = lower(system, model::derivative_of(*system.model, definition, 1)).front();
    one.rest = expr::substitute({&one.rate, 1}, system.u_dot, zeros).front();
    all.push_back(std::move(one));
  }
  return all;
}

}  // namespace vinculum::equations
