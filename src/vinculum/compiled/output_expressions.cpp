#include "vinculum/compiled/output_expressions.hpp"

#include <algorithm>

#include "vinculum/equations/derive.hpp"
#include "vinculum/expr/derivative.hpp"
#include "vinculum/model/row_multiplier.hpp"

namespace vinculum::sim {
namespace {

using equations::System;
using expr::Expr;

/// Symbols that occur in outputs but are neither state nor unknowns of the equations.
std::vector<Expr> foreign_symbols(const MotionEquations& of) {
  const System& system = *of.system;
  std::vector<Expr> foreign;
  for (const auto* list : {&system.lambda_ideal, &system.vectors, &system.slide_direction, &system.lambda,
                           &system.effort, &system.u_dot}) {
    for (const Expr symbol : *list) {
      if (std::ranges::find(of.unknowns, symbol) == of.unknowns.end()) foreign.push_back(symbol);
    }
  }
  if (system.higher) append(foreign, system.higher->not_known);
  return foreign;
}

/// With constraints of higher order, u' and λ are entries of (q, u, z) or of the highest derivatives: writes the
/// expressions in these.
std::vector<Expr> in_highest(const MotionEquations& of, std::vector<Expr> values) {
  const System& system = *of.system;
  if (!system.higher) return values;
  std::vector<Expr> from, to;
  const auto add = [&](const std::vector<Expr>& symbols, const std::vector<int>& places) {
    for (std::size_t i = 0; i < symbols.size() && i < places.size(); ++i) {
      if (!symbols[i].is_valid()) continue;
      from.push_back(symbols[i]);
      to.push_back(places[i] >= 0 ? of.state[static_cast<std::size_t>(places[i]) + 1]
                                  : system.higher->top[static_cast<std::size_t>(-1 - places[i])]);
    }
  };
  add(system.u_dot, system.higher->u_dot);
  add(system.lambda, system.higher->lambda);
  return expr::substitute(values, from, to);
}

/// The expressions of an output, one per component.
std::vector<Expr> components_of(const System& system, const model::Output& output) {
  const model::FrameId frame = output.frame.value_or(model::Model::newtonian());
  std::vector<Expr> all;
  if (output.components.empty()) return equations::lower(system, output.value, frame);
  for (const model::Term component : output.components) append(all, equations::lower(system, component, frame));
  return all;
}

/// The expressions in state and unknowns; empty if one of them contains another quantity.
std::vector<Expr> known(const MotionEquations& of, std::vector<Expr> values) {
  const std::vector<Expr> foreign = foreign_symbols(of);
  values = in_highest(of, std::move(values));
  const auto is_foreign = [&](Expr value) { return expr::depends_on(value, foreign); };
  if (std::ranges::any_of(values, is_foreign)) return {};
  return values;
}

}  // namespace

std::vector<Expr> output_expressions(const MotionEquations& of, std::size_t output) {
  return known(of, components_of(*of.system, of.system->model->outputs[output]));
}

std::vector<Expr> multiplier_expressions(const MotionEquations& of, model::ConstraintId id) {
  const model::Model& model = *of.system->model;
  const model::Constraint& constraint = model.constraint(id);
  if (constraint.law->has_named_actuators()) return {};
  std::vector<Expr> values;
  for (std::size_t row = 0; row < constraint.rows.size(); ++row)
    append(values, equations::lower_known(*of.system, model::row_multiplier(model, id, row).term));
  return known(of, std::move(values));
}

}  // namespace vinculum::sim
