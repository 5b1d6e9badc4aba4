#include <algorithm>
#include <cmath>

#include "vinculum/elaborate/check/syntax.hpp"
#include "vinculum/elaborate/statements/elaborator.hpp"
#include "vinculum/model/evaluate.hpp"
#include "vinculum/model/requirements.hpp"
#include "vinculum/model/traversal.hpp"

namespace vinculum::elaborate {

using diag::Kind;

namespace {

const lang::Expression& without_signs(const lang::Expression& expression) {
  const lang::Expression* at = &expression;
  for (;;) {
    if (const auto* unary = std::get_if<lang::Unary>(&at->node))
      at = unary->operand.get();
    else if (const auto* absolute = std::get_if<lang::Absolute>(&at->node))
      at = absolute->operand.get();
    else
      return *at;
  }
}

}  // namespace

Symbol* Elaborator::named(const lang::Name& name, SymbolKind kind) {
  Symbol* symbol = context_.scope.resolve(name.text, name.range, context_.statement);
  if (symbol == nullptr || symbol->kind == kind) return symbol;
  // A body is allowed in place of a frame or a point.
  if (symbol->kind == SymbolKind::kBody && (kind == SymbolKind::kFrame || kind == SymbolKind::kPoint)) return symbol;
  context_.reporter.error(Kind::kWrongKind, name.range,
                          with_article(std::string(to_string(kind))) + " is needed here, `" + name.text + "` is " +
                              with_article(std::string(to_string(symbol->kind))),
                          hint_for_kind(*symbol, kind));
  return nullptr;
}

std::string Elaborator::hint_for_kind(const Symbol& symbol, SymbolKind wanted) {
  const std::string& name = symbol.name;
  const bool wants_place = wanted == SymbolKind::kPoint, wants_frame = wanted == SymbolKind::kFrame;
  const bool is_load = context_.place == "a load";
  if (symbol.kind == SymbolKind::kCoordinate && is_load && (wants_place || wants_frame))
    return "a force on a coordinate is `generalized force on " + name + " = …`, a spring on it `potential k/2*" + name +
           "^2`";
  if (symbol.kind == SymbolKind::kCoordinate && wants_frame && context_.place.starts_with("a start"))
    return "the start of a coordinate is `start " + name + " = VALUE`; `rotated` starts a frame with a quaternion";
  if (symbol.kind == SymbolKind::kFrame && wants_place) {
    const model::FrameId frame(std::size_t{symbol.index});
    if (frame == model::Model::newtonian())
      return "a point of the ground is declared by `point O fixed in " + name + "`";
    const std::optional<model::BodyId> body = model_.frame(frame).body;
    return body ? "a frame has no place; the body fixed in it, `" + model_.body(*body).name + "`, means its mass centre"
                : "a frame has no place: name a point";
  }
  if (symbol.kind == SymbolKind::kPoint && wants_frame)
    return model_.point(model::PointId(std::size_t{symbol.index})).particle
               ? "a particle does not turn: use a `body`"
               : "a point does not turn: name a body, or its frame";
  if (wanted == SymbolKind::kCoordinate && context_.place == "limits")
    return symbol.kind == SymbolKind::kConstraint
               ? "limits of a joint are written below it: `limits a .. b`"
               : "limits of another quantity are relations: `constraint NAME: EXPR >= VALUE`";
  if (wanted == SymbolKind::kCoordinate && symbol.kind == SymbolKind::kPoint)
    return is_load ? "a load on a point is `force on " + name + " = VEC`" : std::string();
  if (wanted == SymbolKind::kCoordinate && symbol.kind == SymbolKind::kBody)
    return is_load ? "a load on a body is `torque on " + name + " = VEC`, or `force on " + name + " = VEC`"
                   : std::string();
  if (wanted == SymbolKind::kCoordinate && symbol.kind == SymbolKind::kSpeed)
    return "name the coordinate, of which this is a speed";
  if (symbol.kind == SymbolKind::kLet && wants_place) return "a place is declared by `point " + name + " = O + …`";
  if (symbol.kind == SymbolKind::kConstraint && (wants_place || wants_frame))
    return "name the point or the body on which the constraint acts";
  return {};
}

model::FrameId Elaborator::frame_named(const lang::Name& name) {
  const Symbol* symbol = named(name, SymbolKind::kFrame);
  if (symbol == nullptr) return {};
  if (symbol->kind == SymbolKind::kBody) return model_.bodies[symbol->index].frame;
  return model::FrameId(std::size_t{symbol->index});
}

model::PointId Elaborator::point_named(const lang::Name& name) {
  const Symbol* symbol = named(name, SymbolKind::kPoint);
  if (symbol == nullptr) return {};
  if (symbol->kind == SymbolKind::kBody) return model_.bodies[symbol->index].center;
  return model::PointId(std::size_t{symbol->index});
}

std::optional<double> Elaborator::constant(const lang::Expression& expression, const Value& value,
                                           std::string_view what) {
  const std::optional<double> number = number_now(expression, value, what);
  if (number) model::fix_parameters(model_, value.term, what);
  return number;
}

bool Elaborator::is_guessed(model::Term term) const {
  if (context_.guessed.empty() || !term.is_valid()) return false;
  return std::ranges::any_of(model::in_order(term), [&](const model::Term node) {
    return node.kind() == model::TermKind::kParameter &&
           std::ranges::find(context_.guessed, model::ParameterId(std::size_t{node.index()})) != context_.guessed.end();
  });
}

std::optional<double> Elaborator::number_now(const lang::Expression& expression, const Value& value,
                                             std::string_view what) {
  if (!check_.holds_only(expression, value, kHoldsNothing, what) || is_guessed(value.term)) return std::nullopt;
  const double number = model::TermValues(model_, {}).scalar(value.term).value;
  if (std::isfinite(number)) return number;
  return none(Kind::kBadValue, expression.range, not_finite(what).message);
}

std::optional<double> Elaborator::measured_number(const lang::Expression& expression, const UnitValue& unit,
                                                  std::string_view what) {
  const Value value = check_.measured(expression, unit, what);
  return value.is_fault() ? std::nullopt : constant(expression, value, what);
}

UnitValue Elaborator::unit_of(const lang::Expression& expression, const Value& value) {
  const UnitValue si{1.0, value.dimension};
  const lang::Expression& bare = without_signs(expression);
  const auto* prime = std::get_if<lang::Prime>(&bare.node);
  const lang::NameReference* name = as_name(prime == nullptr ? bare : *prime->operand);
  const Symbol* symbol = name == nullptr ? nullptr : context_.scope.find(name->name);
  if (symbol == nullptr || (symbol->kind != SymbolKind::kParameter && symbol->kind != SymbolKind::kCoordinate &&
                            symbol->kind != SymbolKind::kSpeed && symbol->kind != SymbolKind::kState &&
                            symbol->kind != SymbolKind::kInput)) {
    return si;
  }
  return per_time(symbol->declared, prime == nullptr ? 0 : prime->count);
}

void Elaborator::fail(Symbol* symbol) {
  context_.reporter.leave_out();
  if (symbol != nullptr) symbol->state = SymbolState::kFaulty;
}

}  // namespace vinculum::elaborate
