#include "vinculum/equations/rate_space.hpp"

#include <algorithm>
#include <string>

#include "vinculum/base/contract.hpp"
#include "vinculum/equations/kinematics.hpp"
#include "vinculum/expr/derivative.hpp"
#include "vinculum/model/calculus.hpp"
#include "vinculum/model/homogeneity.hpp"
#include "vinculum/model/nonlinear_speeds.hpp"

namespace vinculum::equations {

using expr::Expr;
using model::Level;

namespace {

Failure not_for(const System& system, model::ConstraintId id, const std::string& why) {
  Failure failure;
  failure.kind = FailureKind::kNotUnique;
  failure.message = "constraint `" + system.model->constraint(id).name + "` " + why;
  for (std::size_t i = 0; i < system.rows.size(); ++i) {
    if (system.rows[i].constraint == id) failure.rows.push_back(static_cast<int>(i));
  }
  return failure;
}

/// Fails if the rate of a state depends on λ_ideal, u' or efforts, or if a row contains a state whose rate depends on
/// multipliers.
std::optional<Failure> judge_states(const System& system) {
  if (system.z.empty()) return std::nullopt;
  for (std::size_t i = 0; i < system.z.size(); ++i) {
    for (const auto* unknown : {&system.lambda_ideal, &system.u_dot, &system.effort}) {
      if (!expr::depends_on(system.z_dot[i], *unknown)) continue;
      Failure failure;
      failure.kind = FailureKind::kNotUnique;
      failure.message = "the rate of state `" + system.model->states[i].name +
                        "` may contain only the time, coordinates, speeds, states and multipliers";
      return failure;
    }
  }
  for (const Row& row : system.rows) {
    if (expr::depends_on(row.b, system.lambda) || expr::depends_on(row.b, system.lambda_ideal)) {
      return not_for(system, row.constraint, "contains a state whose rate depends on multipliers");
    }
  }
  return std::nullopt;
}

/// Fails if a row contains states and the law is not defined for such rows. Laws whose multipliers are states
/// also require velocities in such a row.
std::optional<Failure> judge_rows_with_states(const System& system, model::ConstraintId id) {
  const model::Model& model = *system.model;
  const model::Constraint& constraint = model.constraint(id);
  for (const model::Term row : constraint.rows) {
    if (!model::holds_state(row) || constraint.law->is_ideal()) continue;
    if (!constraint.law->keeps_states())
      return not_for(system, id, "contains a state, for which its law is not stated");
    const Level level = model::level_of(model, row);
    const int order = model::order_of_accelerations(model, row).value_or(0);
    if (level > Level::kVelocity || order != 2 - static_cast<int>(level))
      return not_for(system, id,
                     "contains a state, but neither it nor its rate contains a velocity: its law is not stated for it");
  }
  return std::nullopt;
}

bool has_level(const System& system, const model::Constraint& constraint, Level level) {
  return std::ranges::any_of(constraint.rows,
                             [&](model::Term row) { return model::level_of(*system.model, row) == level; });
}

}  // namespace

RateSpace::RateSpace(System& system) : system_(system) {}

Lowering& RateSpace::lowering() {
  if (lowering_ == nullptr) {
    LeafSymbols symbols = system_.lowering->symbols();
    symbols.u.clear();
    symbols.u_dot.clear();
    symbols.u_by_q_dot.clear();
    symbols.q_dot.clear();
    for (const model::Coordinate& coordinate : system_.model->coordinates) {
      symbols.q_dot.push_back(system_.graph->symbol("d(" + coordinate.name + ")/dt"));
    }
    symbols.quaternion_rates = quaternion_rates_from_q_dot(*system_.model, symbols);
    lowering_ = std::make_unique<Lowering>(*system_.model, *system_.graph, std::move(symbols));
  }
  return *lowering_;
}

const std::vector<Expr>& RateSpace::q_dot() { return lowering().symbols().q_dot; }

Expr RateSpace::velocity_row(model::Term relation) {
  const Level level = model::level_of(*system_.model, relation);
  VINCULUM_EXPECTS(level != Level::kAcceleration);
  const Expr value = scalar(relation);
  return level == Level::kPosition ? lowering().rates({&value, 1})[0] : value;
}

std::vector<Expr> RateSpace::at_speeds(std::span<const Expr> values) {
  return expr::substitute(values, q_dot(), system_.q_dot);
}

std::vector<Expr> RateSpace::generalized(std::span<const Expr> f_q) {
  const std::vector<Expr> f = at_speeds(f_q);
  std::vector<Expr> result(system_.u.size(), system_.graph->constant(0.0));
  for (std::size_t i = 0; i < f.size(); ++i) {
    if (f[i].is_zero()) continue;
    for (const auto& [r, G] : system_.G[i]) result[r] += G * f[i];
  }
  return result;
}

LawChange RateSpace::variation(Expr Phi) {
  expr::Graph& graph = *system_.graph;
  const std::size_t nq = system_.q.size(), nu = system_.u.size();
  const std::vector<Expr>& v = q_dot();
  const std::vector<Expr> p = expr::gradient(Phi, v);
  std::vector<Expr> f_q = expr::gradient(Phi, system_.q);
  std::vector<Expr> x = system_.q, x_dot = v;
  x.push_back(system_.t);
  x_dot.push_back(graph.constant(1.0));
  const std::vector<Expr> p_rate = expr::directional_derivative(p, x, x_dot);
  for (std::size_t i = 0; i < nq; ++i) f_q[i] -= p_rate[i];

  LawChange change;
  const std::vector<expr::Entry> hessian = expr::sparse_jacobian(p, v);
  if (hessian.empty()) {
    change.f = generalized(f_q);
    return change;
  }
  std::vector<Expr> entries;
  for (const expr::Entry& entry : hessian) entries.push_back(entry.value);
  // G'u + g', the part of q'' = G u' + (G'u + g') that does not depend on u'
  std::vector<Expr> along = system_.q, rate = system_.q_dot;
  along.push_back(system_.t);
  rate.push_back(graph.constant(1.0));
  const std::vector<Expr> bias = expr::directional_derivative(system_.q_dot, along, rate);
  entries = at_speeds(entries);
  f_q = at_speeds(f_q);
  std::vector<std::vector<Expr>> MG(nq, std::vector<Expr>(nu, graph.constant(0.0)));
  for (std::size_t k = 0; k < hessian.size(); ++k) {
    const auto i = static_cast<std::size_t>(hessian[k].row), j = static_cast<std::size_t>(hessian[k].column);
    f_q[i] -= entries[k] * bias[j];
    for (const auto& [s, G] : system_.G[j]) MG[i][s] += entries[k] * G;
  }
  change.f = generalized(f_q);
  change.M.assign(nu * nu, graph.constant(0.0));
  for (std::size_t r = 0; r < nu; ++r) {
    for (std::size_t s = 0; s <= r; ++s) {
      Expr sum = graph.constant(0.0);
      for (std::size_t i = 0; i < nq; ++i) sum += system_.G[i][r] * MG[i][s];
      change.M[r * nu + s] = change.M[s * nu + r] = sum;
    }
  }
  return change;
}

namespace {

void add_entries(Deferred& sum, const std::vector<Expr>& more) {
  if (more.empty()) return;
  std::vector<Expr>& entries = sum.own();
  for (std::size_t k = 0; k < more.size(); ++k) entries[k] += more[k];
}

}  // namespace

void write_lagrangian(System& system, RateSpace& rates) {
  Expr L = system.graph->constant(0.0);
  for (const model::Load& load : system.model->loads) {
    if (const auto* lagrangian = std::get_if<model::LagrangianFunction>(&load.what)) L += rates.scalar(lagrangian->L);
  }
  if (!L.is_zero()) {
    const LawChange change = rates.variation(L);
    for (std::size_t r = 0; r < change.f.size(); ++r) system.f[r] += change.f[r];
    add_entries(system.M, change.M);
  }
  system.metric = system.M;
}

std::optional<Failure> write_laws(System& system, RateSpace& rates) {
  if (auto failure = judge_states(system)) return failure;
  const model::Model& model = *system.model;
  for (std::size_t c = 0; c < model.constraints.size(); ++c) {
    const model::Constraint& constraint = model.constraints[c];
    const model::ConstraintId id(c);
    const model::LawRows wanted = constraint.law->rows();
    if (auto failure = judge_rows_with_states(system, id)) return failure;
    if (model::is_higher_order(constraint)) continue;
    if (wanted.highest < Level::kAcceleration && has_level(system, constraint, Level::kAcceleration))
      return not_for(system, id, "contains accelerations: its law is stated for velocities");
    if (wanted.highest < Level::kVelocity && has_level(system, constraint, Level::kVelocity))
      return not_for(system, id, "contains velocities: no potential is its approximation");
    for (const model::Term row : constraint.rows) {
      if (wanted.are_homogeneous && !model::degree_in_rates(model, row))
        return not_for(system, id, "is not homogeneous in the velocities: its reaction would do work");
      if (wanted.are_free_of_time && model::level_of(model, row) != Level::kPosition &&
          !model::is_affine_in_rates(model, row) && model::changes_with_time(model, row))
        return not_for(system, id,
                       "changes with the time and is not linear in the velocities: its reaction would do work");
    }
    std::optional<LawChange> change = constraint.law->change(rates, model, id);
    if (!change) continue;
    change->constraint = id;
    if (model::has_rows(constraint) && system.given_M.empty()) {
      system.given_M = system.M;  // at this point it includes the contributions of earlier constraints without rows
      system.given_f = system.f;
    } else if (!model::has_rows(constraint) && !system.given_M.empty()) {
      for (std::size_t r = 0; r < change->f.size(); ++r) system.given_f[r] += change->f[r];
      for (std::size_t k = 0; k < change->M.size(); ++k) system.given_M[k] += change->M[k];
    }
    for (std::size_t r = 0; r < change->f.size(); ++r) system.f[r] += change->f[r];
    add_entries(system.M, change->M);
    if (change->is_inertia) add_entries(system.metric, change->M);
    if (!change->M.empty() && !change->is_inertia) system.has_indefinite_mass = true;
    system.changes.push_back(std::move(*change));
  }
  return std::nullopt;
}

}  // namespace vinculum::equations
