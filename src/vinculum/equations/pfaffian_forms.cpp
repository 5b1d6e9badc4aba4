#include "vinculum/equations/pfaffian_forms.hpp"

#include "vinculum/equations/kinematics.hpp"
#include "vinculum/equations/lowering.hpp"
#include "vinculum/expr/derivative.hpp"
#include "vinculum/model/calculus.hpp"
#include "vinculum/model/dimensions.hpp"

namespace vinculum::equations {
namespace {

using expr::Expr;
using model::Level;

/// Adds the forms of the quaternions' norms. Each norm is constant: 2 e·e' = 0.
void add_norms(const System& system, PfaffianForms& all) {
  expr::Graph& graph = *system.graph;
  for (const std::array<int, 4>& e : system.quaternions) {
    PfaffianForm form{-1, true, {}, std::vector<Expr>(all.x.size(), graph.constant(0.0))};
    Expr norm = graph.constant(-1.0);
    for (const int i : e) {
      const Expr part = system.q[static_cast<std::size_t>(i)];
      norm += part * part;
      form.theta[static_cast<std::size_t>(i)] = 2.0 * part;
    }
    all.phi.push_back(norm);
    all.forms.push_back(std::move(form));
  }
}

}  // namespace

PfaffianForms pfaffian_forms(const System& system) {
  PfaffianForms all;
  all.x = system.q;
  all.x.push_back(system.t);
  for (const model::Coordinate& one : system.model->coordinates) all.dimensions.push_back(one.dimension);
  all.dimensions.push_back(make_dimension(0, 0, 1));
  add_norms(system, all);
  expr::Graph& graph = *system.graph;
  LeafSymbols symbols = system.lowering->symbols();
  symbols.u.clear();
  symbols.u_dot.clear();
  for (std::size_t i = 0; i < symbols.q_dot.size(); ++i)
    symbols.q_dot[i] = graph.symbol("d(" + system.model->coordinates[i].name + ")/dt");
  symbols.quaternion_rates = quaternion_rates_from_q_dot(*system.model, symbols);
  const std::vector<Expr> rates = symbols.q_dot;
  const std::vector<Expr> rest(rates.size(), graph.constant(0.0));
  Lowering in_rates(*system.model, graph, std::move(symbols));
  for (std::size_t i = 0; i < system.rows.size(); ++i) {
    const Row& row = system.rows[i];
    const model::Term stated = system.model->constraint(row.constraint).rows[static_cast<std::size_t>(row.index)];
    if (row.level == Level::kAcceleration || model::holds_state(stated)) continue;
    PfaffianForm form{static_cast<int>(i), row.level == Level::kPosition, {}, {}};
    form.dimension =
        model::dimension_of_row(system.model->constraint(row.constraint), static_cast<std::size_t>(row.index));
    if (!form.is_position) form.dimension = form.dimension * make_dimension(0, 0, 1);
    if (form.is_position) {
      form.theta = row.phi_q.dense();
      form.theta.push_back(expr::derivative(row.phi, system.t));
      all.phi.push_back(row.phi);
    } else {
      const Expr psi = in_rates.scalar(stated);
      form.theta = expr::gradient(psi, rates);
      bool is_linear = true;
      for (const Expr& entry : form.theta) is_linear = is_linear && !expr::depends_on(entry, rates);
      if (!is_linear) continue;
      form.theta.push_back(expr::substitute({&psi, 1}, rates, rest)[0]);
    }
    all.forms.push_back(std::move(form));
  }
  return all;
}

}  // namespace vinculum::equations
