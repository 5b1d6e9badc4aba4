#include "vinculum/dynamics/describe.hpp"

#include <algorithm>
#include <variant>

#include "vinculum/dynamics/derive.hpp"
#include "vinculum/dynamics/lowering.hpp"
#include "vinculum/dynamics/sampling.hpp"
#include "vinculum/expr/print.hpp"
#include "vinculum/mechanics/calculus.hpp"
#include "vinculum/mechanics/inspection.hpp"

namespace vinculum::dynamics {
namespace {

using expr::Expr;

constexpr std::uint64_t kSeed = 19940614;

Sampler sampler_of(const System& system) {
  std::vector<Expr> symbols = system.q;
  for (const auto* more : {&system.u, &system.u_dot, &system.parameters}) {
    symbols.insert(symbols.end(), more->begin(), more->end());
  }
  symbols.push_back(system.t);
  return Sampler(std::move(symbols), kSeed);
}

mechanics::RowInspection inspect(const System& system, const Row& row) {
  return mechanics::inspect_row(*system.model, row.constraint, static_cast<std::size_t>(row.index));
}

std::array<std::string, 3> newtonian_text(System& system, mechanics::Term vector) {
  const ExprVector v = system.lowering->vector(vector);
  return {expr::to_text(v[0]), expr::to_text(v[1]), expr::to_text(v[2])};
}

const std::string& name_of_body(const mechanics::Model& model, mechanics::FrameId frame) {
  const mechanics::Frame& owned = model.frame(frame);
  return owned.body ? model.body(*owned.body).name : owned.name;
}

/// Forces and torques of a row gathered on the bodies.
std::vector<ResultantDescription> resultants_of(const mechanics::Model& model, const mechanics::RowInspection& inspection) {
  struct Resultant {
    mechanics::FrameId body;
    mechanics::Term force, moment;
  };
  std::vector<Resultant> all;
  const auto of_body = [&](mechanics::FrameId body) -> Resultant& {
    const auto found = std::ranges::find(all, body, &Resultant::body);
    if (found != all.end()) return *found;
    return all.emplace_back(Resultant{body, model.terms->zero_vector(), model.terms->zero_vector()});
  };
  for (const mechanics::PointReaction& reaction : inspection.forces) {
    const auto body = mechanics::carrier_of(model, reaction.point);
    if (!body) continue;
    Resultant& sum = of_body(model.body(*body).frame);
    sum.force = sum.force + reaction.W;
    const mechanics::PointId center = model.body(*body).center;
    if (center != reaction.point) sum.moment = sum.moment + model.terms->cross(model.terms->position(reaction.point, center), reaction.W);
  }
  for (const mechanics::BodyReaction& reaction : inspection.torques) {
    Resultant& sum = of_body(reaction.body);
    sum.moment = sum.moment + reaction.tau;
  }
  std::vector<ResultantDescription> texts;
  for (const Resultant& one : all) {
    texts.push_back({one.body, name_of_body(model, one.body), mechanics::to_text(model, one.force), mechanics::to_text(model, one.moment)});
  }
  return texts;
}

/// Whether the row's forces add up to nothing, and their moments about the newtonian origin with the torques as well.
void judge_balance(System& system, const mechanics::RowInspection& inspection, RowDescription& description) {
  mechanics::TermPool& pool = *system.model->terms;
  ExprVector force = zero_vector(*system.graph), moment = force;
  for (const mechanics::PointReaction& reaction : inspection.forces) {
    const ExprVector W = system.lowering->vector(reaction.W);
    force = add(force, W);
    const mechanics::PointId origin = system.lowering->tree().origin_of(reaction.point);
    moment = add(moment, cross(system.lowering->vector(pool.position(reaction.point, origin)), W));
  }
  for (const mechanics::BodyReaction& reaction : inspection.torques) moment = add(moment, system.lowering->vector(reaction.tau));
  const Sampler sampler = sampler_of(system);
  const auto vanishes = [&](const ExprVector& v) {
    return std::ranges::all_of(v, [&](Expr part) { return sampler.is_generically_zero(part); });
  };
  const std::size_t count = inspection.forces.size() + inspection.torques.size();
  description.is_internal = count > 1 && vanishes(force);
  description.is_balanced = description.is_internal && vanishes(moment);
}

RowDescription describe_row(System& system, const Row& row, const RowClass& row_class) {
  const mechanics::Model& model = *system.model;
  RowDescription description;
  description.level = row.level;
  description.row_class = row_class;
  description.multiplier = mechanics::to_text(model, model.terms->multiplier(row.constraint, row.index));
  if (std::holds_alternative<mechanics::DirectedLaw>(model.constraint(row.constraint).law)) return description;
  const mechanics::RowInspection inspection = inspect(system, row);
  for (const mechanics::PointReaction& reaction : inspection.forces) {
    description.forces.push_back({reaction.point, model.point(reaction.point).name, mechanics::to_text(model, reaction.W),
                                  newtonian_text(system, reaction.W)});
  }
  for (const mechanics::BodyReaction& reaction : inspection.torques) {
    description.torques.push_back({reaction.body, name_of_body(model, reaction.body), mechanics::to_text(model, reaction.tau),
                                   newtonian_text(system, reaction.tau)});
  }
  description.resultants = resultants_of(model, inspection);
  judge_balance(system, inspection, description);
  if (inspection.has_bare_part) {
    const std::vector<Expr> bare = bare_part(system, row);
    for (std::size_t r = 0; r < bare.size(); ++r) {
      if (bare[r].is_zero()) continue;
      description.bare.push_back({static_cast<int>(r), model.speeds[r].name, expr::to_text(bare[r])});
    }
  }
  return description;
}

NonidealDescription describe_load(const mechanics::Model& model, const mechanics::ForceOn& force) {
  return {model.point(force.point).name, mechanics::to_text(model, force.force),
          force.from ? model.point(*force.from).name : std::string()};
}
NonidealDescription describe_load(const mechanics::Model& model, const mechanics::TorqueOn& torque) {
  return {name_of_body(model, torque.body), mechanics::to_text(model, torque.torque),
          torque.from ? name_of_body(model, *torque.from) : std::string(), true};
}
NonidealDescription describe_load(const mechanics::Model& model, const mechanics::GeneralizedForceOn& generalized) {
  return {model.coordinates[generalized.coordinate.index()].name, mechanics::to_text(model, generalized.force), {}};
}

std::vector<ActuatorDescription> describe_actuators(const mechanics::Model& model, mechanics::ConstraintId id) {
  std::vector<ActuatorDescription> all;
  const auto* law = std::get_if<mechanics::DirectedLaw>(&model.constraint(id).law);
  if (law == nullptr) return all;
  for (std::size_t k = 0; k < law->actuators.size(); ++k) {
    const mechanics::Actuator& actuator = law->actuators[k];
    ActuatorDescription description;
    description.effort = mechanics::to_text(model, model.terms->effort(id, static_cast<int>(k)));
    description.scale = actuator.scale;
    for (const auto& force : actuator.forces) description.exerts.push_back(describe_load(model, force));
    for (const auto& torque : actuator.torques) description.exerts.push_back(describe_load(model, torque));
    for (const auto& generalized : actuator.generalized) description.exerts.push_back(describe_load(model, generalized));
    all.push_back(std::move(description));
  }
  return all;
}

}  // namespace

std::vector<Expr> bare_part(System& system, const Row& row) {
  const Sampler sampler = sampler_of(system);
  std::vector<Expr> rest = row.A;
  const mechanics::RowInspection inspection = inspect(system, row);
  for (const mechanics::PointReaction& reaction : inspection.forces) {
    const ExprVector W = system.lowering->vector(reaction.W);
    const auto partials = partial_velocities(system, reaction.point);
    for (std::size_t r = 0; r < rest.size(); ++r) rest[r] -= dot(partials[r], W);
  }
  for (const mechanics::BodyReaction& reaction : inspection.torques) {
    const ExprVector tau = system.lowering->vector(reaction.tau);
    const auto partials = partial_angular_velocities(system, reaction.body);
    for (std::size_t r = 0; r < rest.size(); ++r) rest[r] -= dot(partials[r], tau);
  }
  for (Expr& part : rest) {
    if (sampler.is_generically_zero(part)) part = system.graph->constant(0.0);
  }
  return rest;
}

std::vector<ConstraintDescription> describe(System& system) {
  const mechanics::Model& model = *system.model;
  const std::vector<RowClass> classes = classify(system);
  std::vector<ConstraintDescription> all;
  for (std::size_t c = 0; c < model.constraints.size(); ++c) {
    const mechanics::Constraint& constraint = model.constraints[c];
    ConstraintDescription description;
    description.constraint = mechanics::ConstraintId(c);
    description.name = constraint.name;
    description.relation = constraint.text;
    for (std::size_t i = 0; i < system.rows.size(); ++i) {
      if (system.rows[i].constraint == description.constraint) {
        description.rows.push_back(describe_row(system, system.rows[i], classes[i]));
      }
    }
    for (const mechanics::Nonideal& nonideal : constraint.nonideal) {
      std::visit([&](const auto& load) { description.nonideal.push_back(describe_load(model, load)); }, nonideal.stated);
    }
    description.actuators = describe_actuators(model, description.constraint);
    all.push_back(std::move(description));
  }
  return all;
}

}  // namespace vinculum::dynamics
