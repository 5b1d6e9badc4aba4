#include <algorithm>
#include <cmath>
#include <numbers>

#include "vinculum/elaborate/check/checker.hpp"
#include "vinculum/elaborate/check/syntax.hpp"
#include "vinculum/model/calculus.hpp"
#include "vinculum/model/shared_frame.hpp"

namespace vinculum::elaborate {

using diag::Kind;
using model::CoordinateId;
using model::FrameId;
using model::Level;
using model::SpeedId;
using model::Term;
using model::TermKind;

namespace {

int axis_of(const std::string& name) {
  if (name == "x") return 0;
  if (name == "y") return 1;
  return name == "z" ? 2 : -1;
}

Value turning_scalar(Term term, const Dimension& dimension) {
  Value value = make_scalar(term, dimension);
  value.turning.turns = true;
  return value;
}

}  // namespace

Value Checker::name(const lang::Expression& expression, const lang::NameReference& node) {
  if (const auto& place = context_.scope.place(); place && axis_of(node.name) >= 0)
    return make_scalar(place->at(static_cast<std::size_t>(axis_of(node.name))),
                       context_.stored(make_dimension(0, 1, 0)));
  if (node.name == "t") return make_scalar(pool_.time(), make_dimension(0, 0, 1));
  if (node.name == "pi") return make_scalar(pool_.number(std::numbers::pi), {});
  if (const FunctionInfo* info = context_.scope.function(node.name, expression.range)) {
    if (info->function == Function::kNotSupported)
      return fault(Kind::kNotSupported, expression.range, "`" + node.name + "` is not supported by this version");
    if (info->max_arguments == 0) return named_energy(expression, *info);
  }
  const Symbol* symbol = context_.in_state ? context_.scope.find(node.name) : nullptr;
  if (symbol == nullptr || symbol->kind != SymbolKind::kState) {
    symbol = context_.scope.resolve(node.name, expression.range, context_.statement);
  }
  if (symbol == nullptr) return fault();
  Value value = meaning_of(expression, *symbol);
  value.is_doubtful |= symbol->is_doubtful;
  return value;
}

Value Checker::meaning_of(const lang::Expression& expression, const Symbol& named) {
  const Symbol* symbol = &named;
  Value value;
  switch (symbol->kind) {
    case SymbolKind::kParameter: {
      const model::Parameter& parameter = context_.model.parameters[symbol->index];
      value = make_scalar(pool_.parameter(model::ParameterId(std::size_t{symbol->index})), parameter.dimension);
      value.turning = symbol->turning;
      return value;
    }
    case SymbolKind::kCoordinate:
      value = make_scalar(pool_.coordinate(CoordinateId(std::size_t{symbol->index})),
                          context_.model.coordinates[symbol->index].dimension);
      value.turning = symbol->turning;
      return value;
    case SymbolKind::kSpeed:
      if (symbol->is_nonlinear) return symbol->value;
      value =
          make_scalar(pool_.speed(SpeedId(std::size_t{symbol->index})), context_.model.speeds[symbol->index].dimension);
      value.turning = symbol->turning;
      return value;
    case SymbolKind::kLet:
    case SymbolKind::kOutput:
    case SymbolKind::kReveal:
    case SymbolKind::kInput:
      if (symbol->state == SymbolState::kReady) return symbol->value;
      return put_off(expression.range, *symbol);
    case SymbolKind::kEvent:
      return fault(Kind::kWrongKind, expression.range, "the event `" + symbol->name + "` has no value",
                   "let it set a state: `state n' = 0`, and `set n = 1` among its actions");
    case SymbolKind::kFrame:
      value.kind = ValueKind::kFrame;
      value.frame = FrameId(std::size_t{symbol->index});
      return value;
    case SymbolKind::kPoint:
      value.kind = ValueKind::kPlace;
      value.point = model::PointId(std::size_t{symbol->index});
      return value;
    case SymbolKind::kBody:
      value.kind = ValueKind::kBody;
      value.body = model::BodyId(std::size_t{symbol->index});
      value.frame = context_.model.body(value.body).frame;
      value.point = context_.model.body(value.body).center;
      return value;
    case SymbolKind::kState: {
      if (symbol->state == SymbolState::kFaulty) return fault();
      value = make_scalar(pool_.state(model::StateId(std::size_t{symbol->index})),
                          context_.model.states[symbol->index].dimension);
      value.turning = symbol->turning;
      if (symbol->state == SymbolState::kReady) return value;
      if (context_.in_state) {
        value.fits_any = true;  // the dimension of this state is being determined
        return value;
      }
      return fault(Kind::kNotAllowedHere, expression.range,
                   "the state `" + symbol->name + "` cannot be used in " + std::string(context_.place));
    }
    case SymbolKind::kConstraint:
      if (symbol->state != SymbolState::kReady)
        return fault(Kind::kNotAllowedHere, expression.range,
                     "results of a constraint cannot be used in " + std::string(context_.place));
      value.kind = ValueKind::kConstraint;
      value.constraint = model::ConstraintId(std::size_t{symbol->index});
      value.dimension = context_.model.constraints[symbol->index].dimension;
      return value;
  }
  return fault();
}

/// Reports the use of a name that is declared earlier but has no value yet, because it needs speeds, energies or
/// reactions.
Value Checker::put_off(diag::SourceRange range, const Symbol& symbol) {
  const std::string_view held = symbol.needs == Needs::kSpeeds       ? "states, or speeds that no statement defines"
                                : symbol.needs == Needs::kEverything ? "revealed forces"
                                                                     : "energies or forces of constraints";
  return fault(
      Kind::kNotAllowedHere, range,
      quote(symbol.name) + " contains " + std::string(held) + ", which " + std::string(context_.place) + " cannot use",
      symbol.needs == Needs::kConstraints ? hint_for_reactions() : std::string());
}

Value Checker::prime(const lang::Expression& expression, const lang::Prime& node) {
  const lang::NameReference* variable = as_name(*node.operand);
  const std::string hint = "write `dt(...)` for the time derivative of an expression";
  if (variable == nullptr && !std::holds_alternative<lang::Member>(node.operand->node)) {
    if (evaluate(*node.operand).is_fault()) return fault();
    return fault(Kind::kWrongKind, expression.range, "a prime follows the name of a coordinate or a speed", hint);
  }
  const Value whole = evaluate(*node.operand);
  if (whole.is_fault()) return fault();
  const Symbol* symbol = variable == nullptr ? nullptr : context_.scope.find(variable->name);
  if (symbol != nullptr && symbol->is_nonlinear) return rate_of_nonlinear_speed(expression, node, whole);
  // A `let` that equals a coordinate is not a coordinate.
  const bool may_be_variable =
      variable == nullptr ||
      (symbol != nullptr && (symbol->kind == SymbolKind::kCoordinate || symbol->kind == SymbolKind::kSpeed));
  const bool is_coordinate = may_be_variable && whole.term.is_valid() && whole.term.kind() == TermKind::kCoordinate;
  const bool is_speed = may_be_variable && whole.term.is_valid() && whole.term.kind() == TermKind::kSpeed;
  if (!is_coordinate && !is_speed) {
    std::string found = context_.reporter.quoted(node.operand->range);
    if (symbol != nullptr) found = with_article(std::string(to_string(symbol->kind)));
    return fault(Kind::kWrongKind, expression.range,
                 "a prime follows the name of a coordinate or a speed, found " + found, hint);
  }
  if (node.count > model::kHighestDerivative - (is_coordinate ? 0 : 1))
    return fault(Kind::kDerivativeOrder, expression.range,
                 is_coordinate ? "time derivatives of a coordinate go up to the eighth"
                               : "time derivatives of a speed go up to the seventh");
  static_assert(model::kHighestDerivative == 8);  // the messages mention the eighth and the seventh derivative
  const Term term = is_coordinate ? pool_.coordinate(CoordinateId(std::size_t{whole.term.index()}), node.count)
                                  : pool_.speed(SpeedId(std::size_t{whole.term.index()}), node.count);
  Value rate = make_scalar(term, per_time({1.0, whole.dimension}, node.count).dimension);
  rate.turning = whole.turning;
  return rate;
}

/// The rate u' of a nonlinear speed u = U(q, q', t), by differentiating U.
Value Checker::rate_of_nonlinear_speed(const lang::Expression& expression, const lang::Prime& node, Value speed) {
  if (node.count >= model::kHighestDerivative)
    return fault(Kind::kDerivativeOrder, expression.range, "time derivatives of a speed go up to the seventh");
  speed.term = model::derivative_of(context_.model, speed.term, node.count);
  speed.dimension = per_time({1.0, speed.dimension}, node.count).dimension;
  return speed;
}

Value Checker::index(const lang::Expression& expression, const lang::Index& node) {
  Value value = evaluate(*node.operand);
  if (value.is_fault()) return value;
  if (value.is_array()) return entry_of(expression, node, value);
  if (value.is(ValueKind::kVector)) {
    const auto* number = node.indices.size() == 1 ? std::get_if<lang::NumberLiteral>(&node.indices[0]->node) : nullptr;
    const int axis = number == nullptr ? 0 : std::clamp(static_cast<int>(number->value) - 1, 0, 2);
    return fault(Kind::kWrongKind, expression.range, "a vector has no entries", hint_of_measure(*node.operand, axis));
  }
  if (!value.is(ValueKind::kConstraint) || value.row >= 0) {
    return wrong_kind(*node.operand, value, "an index follows a list, a matrix or a constraint of several rows");
  }
  if (node.indices.size() != 1) return fault(Kind::kWrongArgumentCount, expression.range, "one index is needed here");
  const std::optional<int> row =
      whole_number(*node.indices[0], context_.model.constraint(value.constraint).rows.size());
  if (!row) return fault();
  value.row = *row - 1;
  return value;
}

Value Checker::member(const lang::Expression& expression, const lang::Member& node) {
  // `q.min` is a constraint of `limits of q`, where q is a coordinate or a name without other meaning.
  if (const auto* owner = as_name(*node.operand); owner != nullptr) {
    const lang::NameReference whole{owner->name + "." + node.member.text};
    const Symbol* symbol = context_.scope.find(whole.name);
    const bool is_at_fault = symbol == nullptr && context_.scope.is_forgiven(whole.name, expression.range.begin);
    if (is_at_fault || (symbol != nullptr && symbol->kind == SymbolKind::kConstraint)) return name(expression, whole);
    const std::string limits = symbol == nullptr ? context_.scope.hint_for_limits(owner->name) : std::string();
    if (!limits.empty())
      return fault(Kind::kUnknownName, node.member.range, quote(owner->name) + " has no `" + node.member.text + "`",
                   limits);
  }
  const Value value = evaluate(*node.operand);
  if (value.is_fault()) return fault();
  const std::string& member = node.member.text;
  const int axis = axis_of(member);
  if (value.is(ValueKind::kFrame) || value.is(ValueKind::kBody)) {
    // A vector is fixed in the body that the text names, even if several bodies share its frame.
    if (axis >= 0) return make_vector(pool_.basis_vector(value.frame, axis), {});
    if (member.size() == 2 && member[0] == 'w' && axis_of(member.substr(1)) >= 0)
      return default_speed(node, model::shared_frame(context_.model, value.frame), axis_of(member.substr(1)));
    const bool is_body = value.is(ValueKind::kBody);
    return fault(
        Kind::kUnknownName, node.member.range,
        std::string(is_body ? "a body" : "a frame") + " has the vectors `x`, `y` and `z`, found `" + member + "`",
        hint_for_part(is_body ? SymbolKind::kBody : SymbolKind::kFrame,
                      context_.reporter.as_written(node.operand->range), member));
  }
  if (value.is(ValueKind::kVector))
    return fault(Kind::kWrongKind, expression.range, "a vector has measure numbers only along given directions",
                 hint_of_measure(*node.operand, std::max(axis, 0)));
  if (value.is(ValueKind::kPlace)) {
    const std::string point = context_.reporter.as_written(node.operand->range);
    return fault(Kind::kWrongKind, expression.range, "a point has no `" + member + "`",
                 axis < 0 ? hint_for_part(SymbolKind::kPoint, point, member)
                          : "its place from a point O of the ground has the measure number `dot(pos(" + point +
                                ", O), " + context_.model.frames[0].name + "." + member + ")`");
  }
  if (value.is(ValueKind::kConstraint) && value.row < 0) {
    // The statement of a joint declares its points of contact; here one of them is named.
    const model::Constraint& constraint = context_.model.constraint(value.constraint);
    if (context_.scope.find(constraint.name + "." + member) != nullptr) {
      lang::NameReference point{constraint.name + "." + member};
      return name(expression, point);
    }
    return fault(Kind::kUnknownName, node.member.range, quote(constraint.name) + " has no point `" + member + "`",
                 constraint.joint.empty() ? "" : "the forces of this joint act at the points that its statement names");
  }
  if (value.is(ValueKind::kScalar) && (member == "dot" || member == "ddot"))
    return fault(Kind::kWrongKind, expression.range, "a scalar has no member `" + member + "`",
                 "the time derivative of a coordinate x is `x'`, the second `x''`");
  return wrong_kind(*node.operand, value, "`." + member + "` follows a frame or a body");
}

/// The value of B.wx for a quaternion frame B: a speed if no other speeds are stated for the frame. Otherwise it is the
/// measure number of the angular velocity.
Value Checker::default_speed(const lang::Member& node, FrameId id, int axis) {
  const model::Frame& frame = context_.model.frame(id);
  const Dimension dimension = make_dimension(0, 0, -1);
  if (!frame.quaternion)
    return fault(Kind::kUnknownName, node.member.range,
                 "only a frame turned by a quaternion has speeds `wx`, `wy` and `wz`",
                 "the measure numbers of an angular velocity are `dot(omega(" + frame.name + "), " + frame.name + "." +
                     node.member.text.substr(1) + ")`");
  const std::string name = frame.name + "." + node.member.text;
  if (context_.known >= Needs::kSpeeds) {
    for (std::size_t i = 0; i < context_.model.speeds.size(); ++i) {
      if (context_.model.speeds[i].name == name) return turning_scalar(pool_.speed(SpeedId(i)), dimension);
    }
  }
  return turning_scalar(pool_.dot(pool_.angular_velocity(id, frame.parent), pool_.basis_vector(id, axis)), dimension);
}

}  // namespace vinculum::elaborate
