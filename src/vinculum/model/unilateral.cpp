#include "vinculum/model/unilateral.hpp"

#include <utility>

#include "vinculum/model/inspect/inspection.hpp"

namespace vinculum::model {

void make_unilateral(ModelBuilder& builder, ConstraintId id, Unilateral properties) {
  Model& model = builder.model();
  TermPool& pool = builder.terms();
  properties.closed = builder.add_state("closed(" + model.constraint(id).name + ")", pool.number(0.0));
  Constraint& constraint = model.constraints[id.index()];
  constraint.when = pool.function(expr::Op::kLess, pool.number(0.5), pool.state(properties.closed));
  constraint.unilateral = properties;
  Event closing;
  closing.trigger = Event::Trigger::kBecomesFalse;
  closing.condition = pool.function(expr::Op::kLess, pool.number(0.0), constraint.rows.front());
  closing.actions = {{EventAction::Kind::kClose, static_cast<std::uint32_t>(id.index()), properties.restitution}};
  closing.range = constraint.range;
  model.events.push_back(std::move(closing));
}

ConstraintId add_contact(ModelBuilder& builder, const ContactPlace& place, const Dimension& dimension,
                         const Unilateral& properties, const std::optional<FrictionCoefficients>& friction,
                         SourceRange range, SourceRange friction_range, std::string text) {
  Model& model = builder.model();
  const ConstraintId id = builder.add_constraint(place.name, place.gap, {}, dimension, range, std::move(text));
  model.constraints[id.index()].row_rates = {place.rate};
  model.constraints[id.index()].sides = place.sides;
  if (friction) {
    // The newtonian frame is the ground, on which no force is stated.
    const auto is_ground = [&](PointId point) { return model.point(point).on == kNewtonian; };
    ForceOn sliding{place.Q, place.slip, place.P};
    if (is_ground(place.Q)) sliding = {place.P, -place.slip, place.Q};
    if (is_ground(*sliding.from)) sliding.from.reset();
    const Term normal = pushing_reaction(model, id, sliding.point);
    builder.add_nonideal(id, coulomb_friction(sliding, normal, *friction, friction_range));
  }
  make_unilateral(builder, id, properties);
  return id;
}

}  // namespace vinculum::model
