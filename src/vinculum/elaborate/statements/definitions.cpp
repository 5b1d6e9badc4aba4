#include <algorithm>

#include "vinculum/elaborate/check/syntax.hpp"
#include "vinculum/elaborate/check/units.hpp"
#include "vinculum/elaborate/statements/elaborator.hpp"
#include "vinculum/model/calculus.hpp"
#include "vinculum/model/evaluate.hpp"
#include "vinculum/model/nonlinear_speeds.hpp"
#include "vinculum/model/traversal.hpp"

namespace vinculum::elaborate {

using diag::Kind;
using model::Term;
using model::TermKind;

namespace {

constexpr std::uint32_t kDeepestTerm = 2000;  // limit for operations nested through chains of `let`

const lang::Unit* unit_of_number(const lang::Expression& expression) {
  const auto* unary = std::get_if<lang::Unary>(&expression.node);
  const auto* number = std::get_if<lang::NumberLiteral>(unary == nullptr ? &expression.node : &unary->operand->node);
  return number != nullptr && number->unit ? &*number->unit : nullptr;
}

/// The unit at the end of the text of an expression, if there is one.
const lang::Unit* unit_at_end(const lang::Expression& expression) {
  const auto* number = std::get_if<lang::NumberLiteral>(&expression.node);
  if (number != nullptr) return number->unit ? &*number->unit : nullptr;
  const lang::Unit* found = nullptr;
  for_each_operand(expression, [&](const lang::Expression& operand) {
    if (operand.range.end == expression.range.end) found = unit_at_end(operand);
  });
  return found;
}

/// The unit at the end of each item of a `param` statement. If the item is arithmetic of numbers without units, also
/// the unit of the next item, which it may take: in `m1 = 1, m2 = 1 [kg]`, m1 may be in kg.
struct ClosingUnit {
  const lang::Unit* own = nullptr;
  const lang::Unit* next = nullptr;
};
std::vector<ClosingUnit> closing_units(const lang::ParamStatement& statement) {
  std::vector<ClosingUnit> units(statement.items.size());
  const lang::Unit* next = nullptr;
  for (std::size_t i = units.size(); i-- > 0;) {
    const lang::ParamItem& item = statement.items[i];
    if (item.unit) units[i].own = &*item.unit;
    const lang::Unit* at_end = item.unit ? &*item.unit : unit_at_end(*item.value);
    if (at_end != nullptr) next = at_end;
    if (at_end == nullptr && is_numeric(*item.value)) units[i].next = next;
  }
  return units;
}

}  // namespace

Term without_speeds(const model::Model& model, Term term) {
  std::unordered_map<model::TermId, Term> replaced;
  std::vector<Term> operands;
  for (const Term node : model::in_order(term)) {
    operands.clear();
    for (int i = 0; i < node.operand_count(); ++i) operands.push_back(replaced.at(node.operand(i).id()));
    replaced[node.id()] = node.kind() == TermKind::kSpeed && node.order() == 0 ? model.speeds[node.index()].definition
                                                                               : model::with_operands(node, operands);
  }
  return replaced.at(term.id());
}

void Elaborator::apply(const lang::ParamStatement& statement) {
  const std::vector<ClosingUnit> units = closing_units(statement);
  for (std::size_t i = 0; i < units.size(); ++i) {
    const lang::ParamItem& item = statement.items[i];
    const bool takes_next = units[i].next != nullptr && context_.takes_next_unit.contains(item.name.text);
    parameter(item, takes_next ? units[i].next : units[i].own);
    Symbol* symbol = context_.symbol_of(item.name);
    if (symbol == nullptr || takes_next || units[i].next == nullptr) continue;
    const auto unit = read_unit(*units[i].next, context_.reporter);
    if (!unit) continue;
    symbol->next_unit = unit->dimension;
    if (!unit->dimension.is_dimensionless() || unit->scale == 1.0) continue;
    if (symbol->state != SymbolState::kReady || model_.parameters[symbol->index].value == 0.0) continue;
    const std::string shown = text_of(*units[i].next).shown, value = context_.reporter.as_written(item.value->range);
    symbol->if_angle = diag::Diagnostic{
        Kind::kBareAngle,
        diag::Severity::kWarning,
        item.value->range,
        "`" + item.name.text + "` has no unit: it is " + value + ", not " + value + " " + shown,
        {},
        {},
        "write `" + item.name.text + " = " + value + " [" + shown + "]`, or put the numbers into a separate `param`"};
  }
}

void Elaborator::parameter(const lang::ParamItem& item, const lang::Unit* closing) {
  context_.place = "a parameter";
  Symbol* symbol = context_.symbol_of(item.name);
  std::optional<UnitValue> unit;
  if (closing != nullptr) unit = read_unit(*closing, context_.reporter);
  const std::string what = "parameter `" + item.name.text + "`";
  const Value value = unit ? check_.closed_by(*item.value, *unit, what) : check_.scalar(*item.value, what);
  // A vector or list would be used as one later, so the parameter gets no value and its uses are not reported.
  if (const Value written = check_.evaluate(*item.value); !written.is_fault() && !written.is(ValueKind::kScalar))
    return fail(symbol);
  const std::optional<double> number = value.is_fault() ? std::nullopt : number_now(*item.value, value, what);
  if (symbol == nullptr) return context_.reporter.leave_out();
  const bool has_unit = closing == nullptr || unit;
  if (!number || !has_unit) {
    context_.reporter.leave_out();
    symbol->is_doubtful = !has_unit || (!unit && (value.is_doubtful || value.is_fault()));
  }
  const Dimension dimension = unit ? unit->dimension : value.dimension;
  symbol->declared = unit.value_or(UnitValue{1.0, dimension});
  const lang::Unit* const own = number && closing == nullptr ? unit_of_number(*item.value) : nullptr;
  if (own != nullptr) symbol->declared = read_unit(*own, context_.reporter).value_or(symbol->declared);
  const std::optional<double> override_value = number ? override_of(*symbol) : std::nullopt;
  symbol->index = builder_
                      .add_parameter(symbol->name, override_value.value_or(number.value_or(1.0)),
                                     context_.stored(dimension), item.name.range)
                      .value;
  symbol->state = SymbolState::kReady;
  model::Parameter& parameter = model_.parameters.back();
  if (!number) {
    context_.guessed.emplace_back(std::size_t{symbol->index});
    return;
  }
  if (unit || own != nullptr) parameter.unit = text_of(unit ? *closing : *own);
  symbol->turning = unit ? Turning{turns(*closing), false} : value.turning;
  model::Instant declared;
  declared.parameters = model::declared_values(model_);
  parameter.declared = model::TermValues(model_, declared).scalar(value.term).value;
  if (!override_value && !value.term.is_number()) parameter.definition = value.term;
}

void Elaborator::apply(const lang::CoordStatement& statement) {
  for (const lang::CoordGroup& group : statement.groups) {
    std::optional<UnitValue> unit = UnitValue{};
    if (group.unit) unit = read_unit(*group.unit, context_.reporter);
    const std::optional<double> scale = unit && group.scale ? scale_of(*group.scale, *unit) : std::nullopt;
    for (const lang::Name& name : group.names) {
      Symbol* symbol = context_.symbol_of(name);
      if (!unit || symbol == nullptr) context_.reporter.leave_out();
      if (symbol == nullptr) continue;
      symbol->is_doubtful = !unit;
      symbol->declared = unit.value_or(UnitValue{});
      symbol->index = builder_.add_coordinate(name.text, symbol->declared.dimension, name.range).value;
      model_.coordinates.back().scale = scale;
      if (group.unit && unit) model_.coordinates.back().unit = text_of(*group.unit);
      symbol->turning.turns = group.unit && unit && turns(*group.unit);
      symbol->state = SymbolState::kReady;
    }
  }
}

std::optional<double> Elaborator::scale_of(const lang::Expression& expression, const UnitValue& unit) {
  context_.place = "the scale of a coordinate";
  const std::optional<double> scale = measured_number(expression, unit, context_.place);
  if (!scale || *scale > 0.0) return scale;
  return none(Kind::kBadValue, expression.range, "the scale of a coordinate must be positive",
              "it is a typical size of the coordinate, by which errors are measured");
}

void Elaborator::apply(const lang::SpeedStatement& statement) {
  for (const lang::SpeedItem& item : statement.items) {
    context_.place = "the definition of a speed";
    Symbol* symbol = context_.symbol_of(item.name);
    const std::string what = "the definition of speed `" + item.name.text + "`";
    Value value = check_.scalar(*item.definition, what);
    std::optional<UnitValue> unit = UnitValue{1.0, value.dimension};
    if (item.unit) unit = read_unit(*item.unit, context_.reporter);
    const bool is_right = unit && !value.is_fault() &&
                          check_.has_dimension(*item.definition, value, unit->dimension, what) &&
                          check_.holds_only(*item.definition, value, kMotionState, what);
    if (symbol == nullptr) {
      context_.reporter.leave_out();
      continue;
    }
    if (!is_right) {
      context_.reporter.leave_out();
      context_.guesses_places = true;
      symbol->is_doubtful = !unit || (value.is_fault() && !item.unit);
    }
    symbol->is_doubtful |= value.is_doubtful && !item.unit;
    symbol->declared = unit.value_or(UnitValue{});
    const Term definition = is_right ? without_speeds(model_, value.term) : pool_.number(0.0);
    model::Speed& speed = add_speed(*symbol, definition, item.name.range);
    if (item.unit && unit) speed.unit = text_of(*item.unit);
    symbol->turning = item.unit && unit ? Turning{turns(*item.unit), false} : value.turning;
    symbol->value.turning = symbol->turning;
    symbol->state = SymbolState::kReady;
  }
}

model::Speed& Elaborator::add_speed(Symbol& symbol, Term definition, diag::SourceRange range) {
  const Dimension dimension = context_.stored(symbol.declared.dimension);
  symbol.is_nonlinear =
      model::level_of(model_, definition) == model::Level::kVelocity && !model::is_affine_in_rates(model_, definition);
  if (!symbol.is_nonlinear) {
    symbol.index = builder_.add_speed(symbol.name, definition, dimension, range).value;
    return model_.speeds.back();
  }
  symbol.index = static_cast<std::uint32_t>(builder_.add_nonlinear_speed(symbol.name, definition, dimension, range));
  symbol.value = make_scalar(definition, symbol.declared.dimension);
  return model_.nonlinear_speeds.back().speed;
}

void Elaborator::complete_speeds() {
  const auto failure = builder_.complete_speeds();
  // If speeds have errors, nothing is known about them, so no dependence is reported. Coordinates whose unit is unknown
  // can be judged as any other.
  if (failure && !context_.guesses_places) {
    const std::size_t index = failure->coordinates.empty() ? 0 : static_cast<std::size_t>(failure->coordinates.front());
    const std::size_t affine = model_.speeds.size();
    context_.reporter.error(
        Kind::kSingularSpeeds,
        index < affine ? model_.speeds[index].range : model_.nonlinear_speeds[index - affine].speed.range,
        failure->message,
        "speeds are independent combinations of the derivatives of the coordinates, as many as coordinates at most");
  }
}

void Elaborator::apply(const lang::LetStatement& statement) {
  context_.place = "a `let`";
  Symbol* symbol = context_.symbol_of(statement.name);
  Value value = check_.evaluate(*statement.value);
  if (value.is(ValueKind::kPlace) || value.is(ValueKind::kBody)) {
    context_.reporter.error(Kind::kWrongKind, statement.value->range,
                            "`let` names a quantity, found " + std::string(describe(value.kind)),
                            "declare it with `point " + statement.name.text + " = …`");
    value = {};
  } else if (!value.is_fault() && !value.is_quantity() && !value.is(ValueKind::kCondition) && !value.is_array()) {
    value = check_.wrong_kind(*statement.value, value, "`let` names a quantity");
  }
  std::uint32_t depth = value.term.is_valid() ? context_.facts.depth(value.term) : 0;
  for (const Entry& entry : value.entries) depth = std::max(depth, context_.facts.depth(entry.term));
  if (!value.is_fault() && depth > kDeepestTerm) {
    context_.reporter.error(Kind::kNestingTooDeep, statement.name.range,
                            "`" + statement.name.text + "` is made of too many `let`s inside each other");
    value = {};
  }
  if (value.is_fault() || symbol == nullptr) return fail(symbol);
  symbol->value = std::move(value);
  symbol->state = SymbolState::kReady;
}

}  // namespace vinculum::elaborate
