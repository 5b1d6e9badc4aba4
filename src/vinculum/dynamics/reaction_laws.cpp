#include "vinculum/dynamics/reaction_laws.hpp"

#include <algorithm>
#include <string>
#include <variant>

#include "vinculum/expr/derivative.hpp"
#include "vinculum/mechanics/calculus.hpp"

namespace vinculum::dynamics {
namespace {

using expr::Expr;
using mechanics::Level;

Failure not_for(const System& system, mechanics::ConstraintId id, const std::string& why) {
  Failure failure;
  failure.kind = FailureKind::kNotUnique;
  failure.message = "constraint `" + system.model->constraint(id).name + "` " + why;
  for (std::size_t i = 0; i < system.rows.size(); ++i) {
    if (system.rows[i].constraint == id) failure.rows.push_back(static_cast<int>(i));
  }
  return failure;
}

/// Rows of position level are met by q alone, and no row may ask for a rate that waits for the multipliers.
std::optional<Failure> judge_states(const System& system) {
  if (system.z.empty()) return std::nullopt;
  for (std::size_t i = 0; i < system.z.size(); ++i) {
    for (const auto* unknown : {&system.lambda_ideal, &system.u_dot, &system.effort}) {
      if (!expr::depends_on(system.z_dot[i], *unknown)) continue;
      Failure failure;
      failure.kind = FailureKind::kNotUnique;
      failure.message = "the rate of state `" + system.model->states[i].name +
                        "` may hold the time, coordinates, speeds, states and multipliers, and nothing else";
      return failure;
    }
  }
  for (const Row& row : system.rows) {
    if (row.level == Level::kPosition && expr::depends_on(row.phi, system.z)) {
      return not_for(system, row.constraint, "is of position level and holds a state: state it for the velocities");
    }
    if (expr::depends_on(row.b, system.lambda) || expr::depends_on(row.b, system.lambda_ideal)) {
      return not_for(system, row.constraint, "holds a state whose rate depends on multipliers");
    }
  }
  return std::nullopt;
}

bool has_level(const System& system, const mechanics::Constraint& constraint, Level level) {
  return std::ranges::any_of(constraint.rows,
                             [&](mechanics::Term row) { return mechanics::level_of(*system.model, row) == level; });
}

/// Whether the rows are affine in q': ½κψ² then has positive inertia.
bool is_affine(RateSpace& rates, const mechanics::Constraint& constraint) {
  for (const mechanics::Term relation : constraint.rows) {
    for (const Expr entry : expr::gradient(rates.velocity_row(relation), rates.q_dot())) {
      if (expr::depends_on(entry, rates.q_dot())) return false;
    }
  }
  return true;
}

/// Whether they are linear and homogeneous, so that reactions orthogonal to q' do no work.
bool is_homogeneous(const System& system, RateSpace& rates, const mechanics::Constraint& constraint) {
  const std::vector<Expr> rest(system.q.size(), system.graph->constant(0.0));
  for (const mechanics::Term relation : constraint.rows) {
    const Expr F = rates.velocity_row(relation);
    if (!expr::substitute({&F, 1}, rates.q_dot(), rest)[0].is_zero()) return false;
  }
  return is_affine(rates, constraint);
}

}  // namespace

std::optional<Failure> write_laws(System& system, RateSpace& rates) {
  using By = mechanics::RealisedLaw::By;
  if (auto failure = judge_states(system)) return failure;
  const mechanics::Model& model = *system.model;
  for (std::size_t c = 0; c < model.constraints.size(); ++c) {
    const mechanics::Constraint& constraint = model.constraints[c];
    const mechanics::ConstraintId id(c);
    const auto* realised = std::get_if<mechanics::RealisedLaw>(&constraint.law);
    const bool is_vakonomic = std::holds_alternative<mechanics::VakonomicLaw>(constraint.law);
    const bool is_adiabatic = std::holds_alternative<mechanics::AdiabaticLaw>(constraint.law);
    const bool is_gyroscopic = std::holds_alternative<mechanics::GyroscopicLaw>(constraint.law);
    if (mechanics::is_higher_order(constraint)) continue;
    if (realised == nullptr && !is_vakonomic && !is_adiabatic && !is_gyroscopic) continue;
    if (has_level(system, constraint, Level::kAcceleration)) {
      return not_for(system, id, "holds accelerations: its law is stated for velocities");
    }
    if (realised != nullptr && realised->by == By::kStiff && has_level(system, constraint, Level::kVelocity)) {
      return not_for(system, id, "holds velocities: no potential realises it");
    }
    if ((is_adiabatic || is_gyroscopic) && !is_homogeneous(system, rates, constraint)) {
      return not_for(system, id, "is not linear and homogeneous in the velocities: its reaction would do work");
    }
    LawChange change = realised != nullptr ? realised_change(system, rates, id)
                       : is_vakonomic      ? vakonomic_change(system, rates, id)
                       : is_adiabatic      ? adiabatic_change(system, rates, id)
                                           : gyroscopic_change(system, id);
    change.constraint = id;
    const bool is_positive = realised != nullptr && is_affine(rates, constraint);
    for (std::size_t r = 0; r < change.f.size(); ++r) system.f[r] += change.f[r];
    for (std::size_t k = 0; k < change.M.size(); ++k) {
      system.M[k] += change.M[k];
      if (is_positive) system.metric[k] += change.M[k];
    }
    if (!change.M.empty() && !is_positive) system.has_indefinite_mass = true;
    system.changes.push_back(std::move(change));
  }
  return std::nullopt;
}

}  // namespace vinculum::dynamics
