#include "vinculum/equations/describe.hpp"

#include <algorithm>
#include <variant>

#include "vinculum/equations/derive.hpp"
#include "vinculum/equations/lowering.hpp"
#include "vinculum/equations/sampling.hpp"
#include "vinculum/expr/print.hpp"
#include "vinculum/expr/readable.hpp"
#include "vinculum/model/calculus.hpp"
#include "vinculum/model/inspect/variation.hpp"

namespace vinculum::equations {
namespace {

using expr::Expr;

constexpr std::uint64_t kSeedOfDescription = 19940614;

Sampler sampler_of(const System& system) {
  std::vector<Expr> symbols = system.q;
  for (const auto* more : {&system.u, &system.u_dot, &system.z, &system.parameters}) {
    symbols.insert(symbols.end(), more->begin(), more->end());
  }
  symbols.push_back(system.t);
  return Sampler(std::move(symbols), kSeedOfDescription);
}

std::array<std::string, 3> newtonian_text(System& system, model::Term vector) {
  const ExprVector v = system.lowering->vector(vector);
  return {expr::to_text(v[0]), expr::to_text(v[1]), expr::to_text(v[2])};
}

const std::string& name_of_body(const model::Model& model, model::FrameId frame) {
  const model::Frame& owned = model.frame(frame);
  return owned.body ? model.body(*owned.body).name : owned.name;
}

/// Determines whether the forces of the row sum to zero, and whether also the moments of its forces about the newtonian
/// origin and its torques sum to zero.
void judge_balance(System& system, const model::RowInspection& inspection, RowDescription& description) {
  model::TermPool& pool = *system.model->terms;
  ExprVector force = zero_vector(*system.graph), moment = force;
  for (const model::PointReaction& reaction : inspection.forces) {
    const ExprVector W = system.lowering->vector(reaction.W);
    force = add(force, W);
    const model::PointId origin = system.lowering->tree().origin_of(reaction.point);
    moment = add(moment, cross(system.lowering->vector(pool.position(reaction.point, origin)), W));
  }
  for (const model::BodyReaction& reaction : inspection.torques)
    moment = add(moment, system.lowering->vector(reaction.tau));
  const Sampler sampler = sampler_of(system);
  const auto vanishes = [&](const ExprVector& v) {
    return std::ranges::all_of(v, [&](Expr part) { return sampler.is_generically_zero(part); });
  };
  const std::size_t count = inspection.forces.size() + inspection.torques.size();
  description.is_internal = count > 1 && vanishes(force);
  description.is_balanced = description.is_internal && vanishes(moment);
}

/// Sets the names of λ and μ, the factors of W and E, as `explain` shows them.
void name_factors(const model::Model& model, model::ConstraintId id, int row, RowDescription& description) {
  const model::FactorNames names = model.constraint(id).law->names(model, id, static_cast<std::size_t>(row));
  description.multiplier = names.lambda;
  if (model::react(model, id, static_cast<std::size_t>(row)).mu.is_valid()) description.mu = names.mu;
}

void describe_acting(System& system, const model::RowInspection& inspection, std::vector<ActingDescription>& forces,
                     std::vector<ActingDescription>& torques) {
  const model::Model& model = *system.model;
  for (const auto& [point, W] : inspection.forces)
    forces.push_back({model.point(point).name, model::to_text(model, W), newtonian_text(system, W)});
  for (const auto& [body, tau] : inspection.torques)
    torques.push_back({name_of_body(model, body), model::to_text(model, tau), newtonian_text(system, tau)});
}

/// \param row  row of the System; null if the constraint has a penalty realization
RowDescription describe_row(System& system, model::ConstraintId id, int index, const Row* row) {
  const model::Model& model = *system.model;
  const auto k = static_cast<std::size_t>(index);
  RowDescription description;
  description.level = model::level_of(model, model.constraint(id).rows[k]);
  if (!model.constraint(id).law->actuators().empty()) {
    description.multiplier = model::to_text(model, model.terms->multiplier(id, index));
    return description;
  }
  name_factors(model, id, index, description);
  const model::RowInspection inspection = model::without_ground(model, model::inspect_row(model, id, k));
  describe_acting(system, inspection, description.forces, description.torques);
  describe_acting(system, model::without_ground(model, model::react(model, id, k).varied), description.varied_forces,
                  description.varied_torques);
  judge_balance(system, inspection, description);
  if (inspection.has_bare_part && row != nullptr) {
    const std::vector<Expr> bare = bare_part(system, *row);
    for (std::size_t r = 0; r < bare.size(); ++r) {
      if (bare[r].is_zero()) continue;
      description.bare.push_back({static_cast<int>(r), model.speeds[r].name, expr::to_text(bare[r])});
    }
  }
  return description;
}

/// Subtracts the generalized forces Σ v_r·F + Σ ω_r·T of the forces and torques, multiplied by `factor`, from `rest`.
void subtract(System& system, const model::RowInspection& inspection, model::Term factor, std::vector<Expr>& rest) {
  for (const model::PointReaction& reaction : inspection.forces) {
    const ExprVector force = system.lowering->vector(factor * reaction.W);
    const auto partials = partial_velocities(system, reaction.point);
    for (std::size_t r = 0; r < rest.size(); ++r) rest[r] -= dot(partials[r], force);
  }
  for (const model::BodyReaction& reaction : inspection.torques) {
    const ExprVector torque = system.lowering->vector(factor * reaction.tau);
    const auto partials = partial_angular_velocities(system, reaction.body);
    for (std::size_t r = 0; r < rest.size(); ++r) rest[r] -= dot(partials[r], torque);
  }
}

std::vector<BareDescription> describe_beside(System& system, model::ConstraintId id) {
  const model::Model& model = *system.model;
  const auto change = std::ranges::find(system.changes, id, &LawChange::constraint);
  std::vector<BareDescription> all;
  if (change == system.changes.end() || !model::acts_on_coordinates(model, id)) return all;
  const std::size_t nu = system.u.size();
  std::vector<Expr> rest = change->f;
  for (std::size_t r = 0; r < nu; ++r) {
    for (std::size_t s = 0; s < nu && !change->M.empty(); ++s) rest[r] -= change->M[r * nu + s] * system.u_dot[s];
  }
  for (std::size_t k = 0; k < model.constraint(id).rows.size(); ++k) {
    const model::RowReaction reaction = model::react(model, id, k);
    if (model::is_realised(model.constraint(id)))
      subtract(system, model::inspect_row(model, id, k), reaction.lambda, rest);
    if (reaction.mu.is_valid()) subtract(system, reaction.varied, reaction.mu, rest);
  }
  expr::Names names;  // names of μ as `explain` shows them
  if (const auto mu = model.constraint(id).law->mu(); !mu.empty()) {
    for (std::size_t k = 0; k < mu[0].size(); ++k) {
      names[system.z[mu[0][k].index()].node()] =
          model::to_text(model, model.terms->multiplier(id, static_cast<int>(k)));
    }
  }
  const Sampler sampler = sampler_of(system);
  for (std::size_t r = 0; r < nu; ++r) {
    if (sampler.is_generically_zero(rest[r])) continue;
    all.push_back(
        {static_cast<int>(r), model.speeds[r].name, expr::to_text(expr::readable(std::vector{rest[r]})[0], names)});
  }
  return all;
}

NonidealDescription describe_load(const model::Model& model, const model::ForceOn& force) {
  return {model.point(force.point).name, model::to_text(model, force.force),
          force.from ? model.point(*force.from).name : std::string()};
}
NonidealDescription describe_load(const model::Model& model, const model::TorqueOn& torque) {
  return {name_of_body(model, torque.body), model::to_text(model, torque.torque),
          torque.from ? name_of_body(model, *torque.from) : std::string(), true};
}
NonidealDescription describe_load(const model::Model& model, const model::GeneralizedForceOn& generalized) {
  return {model.coordinates[generalized.coordinate.index()].name, model::to_text(model, generalized.force), {}};
}

std::vector<ActuatorDescription> describe_actuators(const model::Model& model, model::ConstraintId id) {
  std::vector<ActuatorDescription> all;
  const auto actuators = model.constraint(id).law->actuators();
  for (std::size_t k = 0; k < actuators.size(); ++k) {
    const model::Actuator& actuator = actuators[k];
    ActuatorDescription description;
    description.effort = model::effort_text(model, id, k);
    description.scale = actuator.scale;
    if (actuator.unit.is_valid()) description.unit = model::to_text(model, actuator.unit);
    for (const auto& force : actuator.forces) description.exerts.push_back(describe_load(model, force));
    for (const auto& torque : actuator.torques) description.exerts.push_back(describe_load(model, torque));
    for (const auto& generalized : actuator.generalized)
      description.exerts.push_back(describe_load(model, generalized));
    all.push_back(std::move(description));
  }
  return all;
}

}  // namespace

std::vector<Expr> bare_part(System& system, const Row& row) {
  const Sampler sampler = sampler_of(system);
  std::vector<Expr> rest = row.A.dense();
  const auto k = static_cast<std::size_t>(row.index);
  subtract(system, model::inspect_row(*system.model, row.constraint, k), system.model->terms->number(1.0), rest);
  for (Expr& part : rest) {
    if (sampler.is_generically_zero(part)) part = system.graph->constant(0.0);
  }
  return rest;
}

std::vector<ConstraintDescription> describe(System& system) {
  const model::Model& model = *system.model;
  const std::vector<RowClass> classes = classify(system);
  std::vector<ConstraintDescription> all;
  std::size_t next = 0;  // index of the next row of the System
  for (std::size_t c = 0; c < model.constraints.size(); ++c) {
    const model::Constraint& constraint = model.constraints[c];
    ConstraintDescription description;
    description.constraint = model::ConstraintId(c);
    description.name = constraint.name;
    description.relation = constraint.text;
    for (std::size_t k = 0; k < constraint.rows.size(); ++k) {
      const bool has_row = model::has_rows(constraint);
      const Row* const of_system = has_row ? &system.rows[next] : nullptr;
      description.rows.push_back(describe_row(system, description.constraint, static_cast<int>(k), of_system));
      RowDescription& row = description.rows.back();
      if (!has_row) {
        row.row_class.text = model::is_realised(constraint) ? "enforced approximately" : "of higher order";
        continue;
      }
      row.system_row = static_cast<int>(next);
      row.row_class = classes[next];
      row.level = system.rows[next++].level;
    }
    description.beside = describe_beside(system, description.constraint);
    for (const model::Nonideal& nonideal : constraint.nonideal) {
      std::visit([&](const auto& load) { description.nonideal.push_back(describe_load(model, load)); },
                 nonideal.stated);
    }
    description.actuators = describe_actuators(model, description.constraint);
    all.push_back(std::move(description));
  }
  return all;
}

}  // namespace vinculum::equations
