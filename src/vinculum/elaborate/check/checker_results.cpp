#include <algorithm>
#include <utility>

#include "vinculum/elaborate/check/checker.hpp"
#include "vinculum/elaborate/check/reaction_rules.hpp"
#include "vinculum/model/dimensions.hpp"
#include "vinculum/model/inspect/inspection.hpp"
#include "vinculum/model/row_multiplier.hpp"

namespace vinculum::elaborate {

using diag::Kind;
using expr::Op;
using model::BodyId;
using model::ConstraintId;
using model::dimension_of_row;
using model::Model;
using model::PointId;
using model::Share;
using model::Term;

namespace {

Share share_of(Function function) {
  switch (function) {
    case Function::kIdealForce: return Share::kIdeal;
    case Function::kNonidealForce: return Share::kNonideal;
    case Function::kReaction: return Share::kReaction;
    default: return Share::kTotal;
  }
}

}  // namespace

Value Checker::apply_results(const lang::Call& node, const FunctionInfo& info, const std::vector<Value>& arguments) {
  const Model& model = context_.model;
  const Value& first = arguments[0];
  if (info.function == Function::kMomentum || info.function == Function::kAngularMomentum) {
    const bool is_linear = info.function == Function::kMomentum;
    if (is_linear && first.is(ValueKind::kScalar)) return generalized_momentum(node, first);
    const Dimension dimension = make_dimension(1, is_linear ? 1 : 2, -1);
    if (first.is(ValueKind::kBody)) {
      return make_vector(is_linear ? model::momentum(model, first.body)
                                   : model::angular_momentum(model, first.body, arguments[1].point),
                         dimension);
    }
    const model::ParticleId particle = *model.point(first.point).particle;
    return make_vector(
        is_linear ? model::momentum(model, particle) : model::angular_momentum(model, particle, arguments[1].point),
        dimension);
  }
  const ConstraintId id = first.constraint;
  switch (info.function) {
    case Function::kMultiplier:
    case Function::kIdealMultiplier: return multipliers(node, info, first);
    case Function::kResidual: return residual(first);
    case Function::kEffort: return effort(node, arguments);
    case Function::kClosed:
      if (model.constraint(id).unilateral)
        return make_scalar(pool_.state(model.constraint(id).unilateral->closed), Dimension{});
      return fault(Kind::kNotAllowedHere, node.function.range,
                   quote(model.constraint(id).name) + " has no gap that opens and closes",
                   "`closed(c)` is for constraints with `>=` or `<=`, limits, and joints `contact`");
    case Function::kGeneralizedForce:
    case Function::kGeneralizedIdealForce:
    case Function::kGeneralizedNonidealForce: return generalized_forces(node, info, id);
    case Function::kDeparture: return departure(node, first);
    case Function::kPower: {
      if (!context_.reporter.is_complete()) return fault();  // speeds may be missing
      const Term power = model::power_of_constraint(model, id);
      if (power.is_valid()) return make_scalar(power, make_dimension(1, 2, -3));
      return fault(Kind::kNotSupported, node.function.range,
                   "the power of " + quote(model.constraint(id).name) +
                       ", which acts on coordinates of a model whose points move with the time, is not "
                       "supported by this version",
                   "state the constraint in positions or velocities of points");
    }
    default: break;
  }
  const Value& where = arguments[1];
  const model::Constraint& constraint = model.constraint(id);
  const bool is_of_split = info.function == Function::kIdealForce || info.function == Function::kNonidealForce;
  if (constraint.law->acts_on_coordinates(model) ||
      (model::is_higher_order(constraint) && model::acts_on_coordinates(model, id)))
    return fault(Kind::kNotAllowedHere, node.arguments[0]->range,
                 "under its law the reaction of " + quote(constraint.name) + " acts on the coordinates, not at a point",
                 "ask for `generalized_force(" + constraint.name + ")`, an entry for each speed");
  if (is_of_split && model::is_realised(constraint)) return no_ideal_part(node, constraint);
  return where.is(ValueKind::kPlace) ? force_on_point(node, info, id, where.point)
                                     : action_on_solid(node, info, id, where.frame);
}

Value Checker::generalized_momentum(const lang::Call& node, const Value& coordinate) {
  if (context_.known < Needs::kMasses)
    return fault(Kind::kNotAllowedHere, node.function.range,
                 "the momentum of a coordinate cannot be used in " + std::string(context_.place),
                 "it is known once all masses are");
  const model::CoordinateId id(std::size_t{coordinate.term.index()});
  const Dimension per_rate = context_.model.coordinates[id.index()].dimension * make_dimension(0, 0, -1);
  Value value = make_scalar(model::generalized_momentum(context_.model, id), make_dimension(1, 2, -2) / per_rate);
  value.turning = coordinate.turning;
  return value;
}

Value Checker::multipliers(const lang::Call& node, const FunctionInfo& info, const Value& value) {
  const ConstraintId id = value.constraint;
  const model::Constraint& constraint = context_.model.constraint(id);
  const model::Law& law = *constraint.law;
  const auto actuators = law.actuators();
  const bool is_actual = info.function == Function::kMultiplier, is_via = law.has_named_actuators();
  if (is_via || (!actuators.empty() && !is_actual)) {
    const std::string name = quote(constraint.name);
    return fault(
        Kind::kNotAllowedHere, node.arguments[0]->range,
        is_via ? name + " is enforced by actuators and has no multipliers"
               : "the reaction of " + name + " is directed and has no ideal part",
        is_via ? "ask for `effort(" + constraint.name + ", 1)`" : "ask for `multiplier(" + constraint.name + ")`");
  }
  if (!is_actual && model::is_realised(constraint)) return no_ideal_part(node, constraint);
  const auto of_row = [&](std::size_t row) {
    if (is_actual) {
      const auto [term, dimension] = model::row_multiplier(context_.model, id, row);
      return reaction_of(term, dimension);
    }
    return reaction_of(pool_.ideal_multiplier(id, static_cast<int>(row)),
                       model::dimension_of_multiplier(context_.model, id, row));
  };
  return of_rows(constraint, value.row, of_row);
}

Value Checker::of_rows(const model::Constraint& constraint, int row,
                       const std::function<Entry(std::size_t)>& of_row) const {
  if (constraint.rows.size() == 1 || row >= 0) {
    const Entry entry = of_row(static_cast<std::size_t>(std::max(row, 0)));
    return scalar_of_entry(entry);
  }
  std::vector<Entry> entries;
  for (std::size_t k = 0; k < constraint.rows.size(); ++k) entries.push_back(of_row(k));
  return make_list(std::move(entries));
}

Value Checker::no_ideal_part(const lang::Call& node, const model::Constraint& constraint) {
  return fault(Kind::kNotAllowedHere, node.arguments[0]->range,
               quote(constraint.name) + " has a law that approximates it, and such a force has no ideal part",
               "ask for `multiplier(" + constraint.name + ")` or `generalized_force(" + constraint.name + ")`");
}

Value Checker::residual(const Value& value) {
  const model::Constraint& constraint = context_.model.constraint(value.constraint);
  if (constraint.rows.size() == 1 || value.row >= 0) {
    const auto row = static_cast<std::size_t>(std::max(value.row, 0));
    return make_scalar(constraint.rows[row], dimension_of_row(constraint, row));
  }
  Term worst = pool_.function(Op::kAbsolute, constraint.rows[0]);
  Dimension dimension = dimension_of_row(constraint, 0);
  for (std::size_t row = 1; row < constraint.rows.size(); ++row) {
    worst = pool_.function(Op::kMaximum, worst, pool_.function(Op::kAbsolute, constraint.rows[row]));
    // the rows have different dimensions: each residual is in its own SI unit
    if (!(dimension_of_row(constraint, row) == dimension)) dimension = {};
  }
  return make_scalar(worst, dimension);
}

Value Checker::effort(const lang::Call& node, const std::vector<Value>& arguments) {
  const ConstraintId id = arguments[0].constraint;
  const model::Constraint& constraint = context_.model.constraint(id);
  const auto actuators = constraint.law->actuators();
  if (actuators.empty())
    return fault(Kind::kNotAllowedHere, node.arguments[0]->range,
                 quote(constraint.name) + " is enforced by no actuators",
                 "they are named in a clause: `via force on P along VEC`");
  const std::optional<int> actuator = whole_number(*node.arguments[1], actuators.size());
  if (!actuator) return fault();
  const bool is_named = constraint.law->has_named_actuators();
  const model::Actuator& its = actuators[static_cast<std::size_t>(*actuator - 1)];
  const Term in_its_unit = is_named ? pool_.effort(id, *actuator - 1) : pool_.multiplier(id, *actuator - 1);
  return scalar_of_entry(reaction_of(its.unit.is_valid() ? its.unit * in_its_unit : in_its_unit, its.dimension));
}

Value Checker::reaction_of_coordinates(const lang::Call& node, ConstraintId id) {
  RuleProblem problem = reaction_of_coordinates_problem(context_.model, id);
  return fault(problem.kind, node.arguments[1]->range, std::move(problem.message), std::move(problem.hint));
}

Value Checker::force_on_point(const lang::Call& node, const FunctionInfo& info, ConstraintId id, PointId point) {
  const Model& model = context_.model;
  if (auto problem = point_force_problem(context_.facts, model, id, point)) {
    if (context_.guesses_places) return make_vector(pool_.zero_vector(), make_dimension(1, 1, -2));
    return fault(problem->kind, node.arguments[1]->range, std::move(problem->message), std::move(problem->hint));
  }
  if (model::acts_by_coordinates(model, id, point)) return reaction_of_coordinates(node, id);
  const auto force = [&](Term term) {
    Value value = make_vector(term, make_dimension(1, 1, -2));
    value.turning.is_reaction = true;
    return value;
  };
  switch (info.function) {
    case Function::kIdealForce: return force(model::ideal_force(model, id, point));
    case Function::kNonidealForce: return force(model::nonideal_force(model, id, point));
    case Function::kReaction: return force(model::reaction(model, id, point));
    default: return force(model::total_force(model, id, point));
  }
}

/// \param solid  the frame of a body; the newtonian frame for the ground
Value Checker::action_on_solid(const lang::Call& node, const FunctionInfo& info, ConstraintId id,
                               model::FrameId solid) {
  const Model& model = context_.model;
  const std::vector<model::FrameId> bodies = model::bodies_of(model, id);
  const bool is_torque = info.function == Function::kTorque, is_ground = solid == Model::newtonian();
  const bool acts_here =
      is_ground ? model::acts_on_ground(model, id) : std::ranges::find(bodies, solid) != bodies.end();
  if (!acts_here && context_.guesses_places)
    return make_vector(pool_.zero_vector(), make_dimension(1, is_torque ? 2 : 1, -2));
  if (!acts_here)
    return fault(Kind::kPointNotInConstraint, node.arguments[1]->range,
                 "constraint " + quote(model.constraint(id).name) + " puts no " + (is_torque ? "torque" : "force") +
                     " on " + (is_ground ? "the ground" : quote(model.body(*model.frame(solid).body).name)),
                 where_it_acts(model, id));
  if (model::acts_by_coordinates(model, id, solid)) return reaction_of_coordinates(node, id);
  if (is_torque) return make_vector(model::torque_on(model, id, solid), make_dimension(1, 2, -2));
  Value force =
      make_vector(model::resultant_force(model, id, solid, share_of(info.function)), make_dimension(1, 1, -2));
  force.turning.is_reaction = true;
  return force;
}

}  // namespace vinculum::elaborate
