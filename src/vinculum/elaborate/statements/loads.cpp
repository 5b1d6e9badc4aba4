#include "vinculum/elaborate/statements/elaborator.hpp"

namespace vinculum::elaborate {

using diag::Kind;
using model::FrameId;
using model::Load;
using model::PointId;
using model::Term;

namespace {

constexpr std::uint8_t kForce = kMotionState | kHoldsStates | kHoldsInputs;

/// The variables that a force may contain, as bits of Holds. A friction law may contain the actual reaction.
std::uint8_t allowed_in_force(bool in_nonideal) { return in_nonideal ? kForce | kHoldsMultipliers : kForce; }

bool is_coordinate(Scope& scope, const lang::Name& name) {
  const Symbol* symbol = scope.find(name.text);
  return symbol != nullptr && symbol->kind == SymbolKind::kCoordinate;
}

/// Adds a spring or a damper, or reports why it has no effect.
/// \param what  "a spring"
void add_between(Context& context, const lang::Name& first, const lang::Name& second,
                 const model::SpringBetween& spring, diag::SourceRange range, const std::string& what) {
  const auto moves = [&](PointId point) {
    return context.facts.tree().of_motion(point, model::Model::newtonian()).on_coordinates;
  };
  if (spring.first == spring.second) {
    context.reporter.error(Kind::kBadValue, second.range, what + " acts between two different points",
                           "name the two points that it joins");
  } else if (!context.guesses_places && !moves(spring.first) && !moves(spring.second)) {
    context.reporter.error(Kind::kNotAllowedHere, cover(first.range, second.range),
                           "no coordinate moves these points, so " + what + " between them has no effect",
                           "join a point that moves with the coordinates");
  } else {
    context.builder.add_load(Load{spring, range});
  }
}

}  // namespace

std::optional<model::ForceOn> Elaborator::force_on(const lang::Name& target, const lang::Expression& force,
                                                   const std::optional<lang::Name>& from, std::string_view what) {
  const PointId point = point_named(target);
  // a force on a coordinate is not meant as a vector; the mistake is reported elsewhere
  const Value value = is_coordinate(context_.scope, target) ? check_.evaluate(force)
                                                            : check_.vector_of(force, make_dimension(1, 1, -2), what);
  const bool is_right = check_.holds_only(force, value, allowed_in_force(context_.in_nonideal), what);
  std::optional<PointId> other;
  if (from) other = point_named(*from);
  if (!point.is_valid() || !is_right || (other && !other->is_valid())) {
    context_.reporter.leave_out();
    return std::nullopt;
  }
  if (!may_move(target, point, from, other)) return std::nullopt;
  return model::ForceOn{point, value.term, other};
}

std::optional<model::TorqueOn> Elaborator::torque_on(const lang::Name& target, const lang::Expression& torque,
                                                     const std::optional<lang::Name>& from, std::string_view what) {
  const std::optional<FrameId> body = body_frame_named(target, false);
  context_.turned = body;
  const Value value = is_coordinate(context_.scope, target)
                          ? check_.evaluate(torque)  // reported elsewhere, as in force_on
                          : check_.vector_of(torque, make_dimension(1, 2, -2), what);
  context_.turned.reset();
  const bool is_right = check_.holds_only(torque, value, allowed_in_force(context_.in_nonideal), what);
  std::optional<FrameId> other;
  if (from) other = body_frame_named(*from, true);
  if (!body || !is_right || (from && !other)) {
    context_.reporter.leave_out();
    return std::nullopt;
  }
  if (!may_turn(target, *body, from, other)) return std::nullopt;
  return model::TorqueOn{*body, value.term, other};
}

bool Elaborator::may_turn(const lang::Name& target, FrameId body, const std::optional<lang::Name>& from,
                          std::optional<FrameId> other) {
  if (other == body) return refuse(Kind::kBadValue, from->range, "a torque and its opposite act on the same body");
  const auto turns = [&](FrameId frame) {
    if (context_.guesses_places) return true;
    return context_.facts.tree().of_rotation(frame, model::Model::newtonian()).on_coordinates;
  };
  if (turns(body) || (other && turns(*other))) return true;
  return refuse(Kind::kNotAllowedHere, target.range,
                "no coordinate turns `" + target.text + "`, so a torque on it has no effect");
}

bool Elaborator::may_move(const lang::Name& target, PointId point, const std::optional<lang::Name>& from,
                          std::optional<PointId> other) {
  const auto problem = force_place_problem(context_.facts, point, other, target.text, context_.guesses_places);
  if (!problem) return true;
  return refuse(problem->kind, other == point ? from->range : target.range, problem->message, problem->hint);
}

std::optional<model::GeneralizedForceOn> Elaborator::generalized_force_on(const lang::Name& coordinate,
                                                                          const lang::Expression& force,
                                                                          std::string_view what) {
  const Symbol* symbol = named(coordinate, SymbolKind::kCoordinate);
  const auto evaluate = [&] {
    if (symbol == nullptr || symbol->is_doubtful) return check_.scalar(force, what);
    const Dimension dimension = make_dimension(1, 2, -2) / symbol->declared.dimension;
    // In a clause the value may be a number without unit; in a statement it may not.
    return context_.in_nonideal ? check_.measured(force, {1.0, dimension}, what)
                                : check_.scalar_of(force, dimension, what);
  };
  const Value value = evaluate();
  if (!check_.holds_only(force, value, allowed_in_force(context_.in_nonideal), what) || symbol == nullptr) {
    context_.reporter.leave_out();
    return std::nullopt;
  }
  return model::GeneralizedForceOn{model::CoordinateId(std::size_t{symbol->index}), value.term};
}

void Elaborator::apply(const lang::GravityStatement& statement, diag::SourceRange range) {
  if (gravity_range_) {
    context_.reporter.error(Kind::kMisplacedStatement, range, "a model has one `gravity`",
                            diag::Label{*gravity_range_, "the first one"},
                            "both would act on all masses: write their sum, `gravity a + b`");
  } else {
    gravity_range_ = range;
  }
  const Value value = check_.vector_of(*statement.acceleration, make_dimension(0, 1, -2), "gravity");
  if (check_.holds_only(*statement.acceleration, value, kMotionState, "gravity")) {
    builder_.add_load(Load{model::Gravity{value.term}, range});
  }
}

void Elaborator::apply(const lang::SpringStatement& statement, diag::SourceRange range) {
  const PointId first = point_named(statement.first), second = point_named(statement.second);
  bool is_right = first.is_valid() && second.is_valid();
  const auto part = [&](const lang::ExpressionPtr& expression, const Dimension& dimension, std::string_view what) {
    if (!expression) return Term{};
    const Value value = check_.measured(*expression, {1.0, dimension}, what);
    is_right = check_.holds_only(*expression, value, kMotionState, what) && is_right;
    return value.term;
  };
  const Term stiffness = part(statement.stiffness, make_dimension(1, 0, -2), "a stiffness");
  const Term length = part(statement.length, make_dimension(0, 1, 0), "the length of a spring");
  const Term damping = part(statement.damping, make_dimension(1, 0, -1), "a damping");
  if (!is_right) return context_.reporter.leave_out();
  add_between(context_, statement.first, statement.second, {first, second, stiffness, length, damping}, range,
              "a spring");
}

void Elaborator::apply(const lang::DamperStatement& statement, diag::SourceRange range) {
  const PointId first = point_named(statement.first), second = point_named(statement.second);
  const Value damping = check_.measured(*statement.damping, {1.0, make_dimension(1, 0, -1)}, "a damping");
  const bool is_right = check_.holds_only(*statement.damping, damping, kMotionState, "a damping");
  if (!is_right || !first.is_valid() || !second.is_valid()) return context_.reporter.leave_out();
  const Term none = pool_.number(0.0);
  add_between(context_, statement.first, statement.second, {first, second, none, none, damping.term}, range,
              "a damper");
}

void Elaborator::apply(const lang::PotentialStatement& statement, diag::SourceRange range) {
  const Value value = check_.scalar_of(*statement.energy, make_dimension(1, 2, -2), "a potential");
  if (check_.holds_only(*statement.energy, value, kConfiguration, "a potential")) {
    builder_.add_load(Load{model::PotentialEnergy{value.term}, range});
  }
}

void Elaborator::apply(const lang::ForceStatement& statement, diag::SourceRange range) {
  if (statement.at != nullptr) return apply_at_place(statement, range);
  if (const auto force = force_on(statement.point, *statement.force, statement.from, "a force")) {
    builder_.add_load(Load{*force, range});
  }
}

/// A force on the point of a body that is at the stated place. If `from` names a body too, the opposite force acts on
/// its point at the same place.
void Elaborator::apply_at_place(const lang::ForceStatement& statement, diag::SourceRange range) {
  const auto is_point = [&](const lang::Name& name) {
    const Symbol* symbol = context_.scope.find(name.text);
    return symbol != nullptr && symbol->kind == SymbolKind::kPoint;
  };
  if (is_point(statement.point)) {
    (void)refuse(Kind::kWrongKind, statement.at->range,
                 "`at` is the place of a force on a body, and " + quote(statement.point.text) + " is a point",
                 "a force on a point acts there: write `force on " + statement.point.text + " = VEC`");
    return;
  }
  const Symbol* target = context_.scope.find(statement.point.text);
  if (target != nullptr && target->kind == SymbolKind::kFrame && target->index == model::Model::newtonian().value) {
    (void)refuse(Kind::kNotAllowedHere, statement.point.range,
                 quote(statement.point.text) + " is the ground, on which a force has no effect",
                 "name the body on which the force acts; its opposite goes to the ground by `from " +
                     statement.point.text + "`");
    return;
  }
  const std::optional<FrameId> body = body_frame_named(statement.point, false);
  const Value at = place(*statement.at);
  const Value force = check_.vector_of(*statement.force, make_dimension(1, 1, -2), "a force");
  const bool is_right = check_.holds_only(*statement.force, force, kForce, "a force");
  const bool has_other_point = statement.from && is_point(*statement.from);
  const PointId other_point = has_other_point ? point_named(*statement.from) : PointId{};
  const std::optional<FrameId> other =
      statement.from && !has_other_point ? body_frame_named(*statement.from, true) : std::nullopt;
  if (!body || at.is_fault() || !is_right || (statement.from && !other && !other_point.is_valid()))
    return context_.reporter.leave_out();
  if (other == body) {
    (void)refuse(Kind::kBadValue, statement.from->range, "a force and its opposite act on the same body",
                 "together they have no effect: name another body, or leave `from` out");
    return;
  }
  const std::string where = context_.reporter.as_written(statement.at->range);
  const auto point_of = [&](FrameId frame, const std::string& name) {
    // A name in brackets is not valid in a text, so listings print the place instead.
    const std::string own = "(" + name + " at " + where + ")";
    for (std::size_t i = 0; i < model_.points.size(); ++i)
      if (model_.points[i].name == own && model_.points[i].base == at.point && model_.points[i].offset == at.term)
        return PointId(i);
    const PointId point = builder_.add_point_on(own, frame, at.point, at.term, range);
    point_depth_.resize(model_.points.size());
    point_depth_[point.index()] = point_depth_[at.point.index()] + 1;
    return point;
  };
  const PointId point = point_of(*body, statement.point.text);
  std::optional<PointId> from;
  if (has_other_point) from = other_point;
  if (other) from = point_of(*other, statement.from->text);
  if (may_move(statement.point, point, statement.from, from))
    builder_.add_load(Load{model::ForceOn{point, force.term, from}, range});
}

void Elaborator::apply(const lang::TorqueStatement& statement, diag::SourceRange range) {
  if (const auto torque = torque_on(statement.body, *statement.torque, statement.from, "a torque")) {
    builder_.add_load(Load{*torque, range});
  }
}

void Elaborator::apply(const lang::GeneralizedForceStatement& statement, diag::SourceRange range) {
  if (const auto force = generalized_force_on(statement.coordinate, *statement.force, "a generalized force")) {
    builder_.add_load(Load{*force, range});
  }
}

void Elaborator::apply(const lang::FrictionStatement& statement, diag::SourceRange range) {
  const Symbol* symbol = named(statement.coordinate, SymbolKind::kCoordinate);
  const bool is_known = symbol != nullptr && !symbol->is_doubtful;
  const Dimension force = is_known ? make_dimension(1, 2, -2) / symbol->declared.dimension : Dimension{};
  const Dimension per_rate = is_known ? force / (symbol->declared.dimension * make_dimension(0, 0, -1)) : Dimension{};
  bool is_right = symbol != nullptr;
  const auto part = [&](const lang::ExpressionPtr& expression, const Dimension& dimension, std::string_view what) {
    if (!expression) return Term{};
    const Value value = is_known ? check_.scalar_of(*expression, dimension, what) : check_.scalar(*expression, what);
    is_right = check_.holds_only(*expression, value, kForce, what) && !value.is_fault() && is_right;
    if (!value.is_fault()) is_right = is_not_negative(*expression, value, what) && is_right;
    return value.term;
  };
  const Term bound = part(statement.bound, force, kFrictionBound);
  const Term at_rest = part(statement.static_bound, force, kStaticBound);
  const Term viscous = part(statement.viscous, per_rate, kViscousFriction);
  if (!is_right) return context_.reporter.leave_out();
  const model::CoordinateId coordinate(std::size_t{symbol->index});
  builder_.add_load(model::friction_on_coordinate(pool_, coordinate, bound, at_rest, viscous, range));
}

}  // namespace vinculum::elaborate
