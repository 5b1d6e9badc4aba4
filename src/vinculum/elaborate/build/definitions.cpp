#include <algorithm>

#include "vinculum/elaborate/build/elaborator.hpp"
#include "vinculum/elaborate/check/syntax.hpp"
#include "vinculum/elaborate/check/units.hpp"
#include "vinculum/mechanics/evaluate.hpp"
#include "vinculum/mechanics/traversal.hpp"

namespace vinculum::elaborate {

using diag::Kind;
using mechanics::Term;
using mechanics::TermKind;

namespace {

constexpr std::uint32_t kDeepestTerm = 2000;  // operations inside each other through chains of `let`

const lang::Unit* unit_of_number(const lang::Expression& expression) {
  const auto* unary = std::get_if<lang::Unary>(&expression.node);
  const auto* number = std::get_if<lang::NumberLiteral>(unary == nullptr ? &expression.node : &unary->operand->node);
  return number != nullptr && number->unit ? &*number->unit : nullptr;
}

}  // namespace

Term without_speeds(const mechanics::Model& model, Term term) {
  std::unordered_map<mechanics::TermId, Term> replaced;
  std::vector<Term> operands;
  for (const Term node : mechanics::in_order(term)) {
    operands.clear();
    for (int i = 0; i < node.operand_count(); ++i) operands.push_back(replaced.at(node.operand(i).id()));
    replaced[node.id()] = node.kind() == TermKind::kSpeed && node.order() == 0
                              ? model.speeds[node.index()].definition
                              : mechanics::with_operands(node, operands);
  }
  return replaced.at(term.id());
}

void Elaborator::apply(const lang::ParamStatement& statement) {
  for (const lang::ParamItem& item : statement.items) {
    context_.place = "a parameter";
    Symbol* symbol = context_.symbol_of(item.name);
    std::optional<UnitValue> unit;
    if (item.unit) {
      unit = read_unit(*item.unit, context_.reporter);
      if (!unit) {
        fail(symbol);
        continue;
      }
    }
    const std::string what = "parameter `" + item.name.text + "`";
    const Value value = unit ? check_.closed_by(*item.value, *unit, what) : check_.scalar(*item.value, what);
    const std::optional<double> number = value.is_fault() ? std::nullopt : number_now(*item.value, value, what);
    if (!number || symbol == nullptr) {
      fail(symbol);
      continue;
    }
    symbol->declared = unit.value_or(UnitValue{1.0, value.dimension});
    if (const lang::Unit* own = unit_of_number(*item.value); !unit && own != nullptr) {
      symbol->declared = read_unit(*own, context_.reporter).value_or(symbol->declared);
    }
    const std::optional<double> override_value = override_of(*symbol);
    symbol->index = builder_
                        .add_parameter(symbol->name, override_value.value_or(*number), context_.stored(value.dimension),
                                       item.name.range)
                        .value;
    mechanics::Parameter& parameter = model_.parameters.back();
    mechanics::Instant declared;
    declared.parameters = mechanics::declared_values(model_);
    parameter.declared = mechanics::TermValues(model_, declared).scalar(value.term).value;
    if (!override_value && !value.term.is_number()) parameter.definition = value.term;
    symbol->state = SymbolState::kReady;
  }
}

void Elaborator::apply(const lang::CoordStatement& statement) {
  for (const lang::CoordGroup& group : statement.groups) {
    std::optional<UnitValue> unit = UnitValue{};
    if (group.unit) unit = read_unit(*group.unit, context_.reporter);
    const std::optional<double> scale = unit && group.scale ? scale_of(*group.scale, *unit) : std::nullopt;
    for (const lang::Name& name : group.names) {
      Symbol* symbol = context_.symbol_of(name);
      if (!unit || symbol == nullptr) {
        fail(symbol);
        continue;
      }
      symbol->declared = *unit;
      symbol->index = builder_.add_coordinate(name.text, unit->dimension, name.range).value;
      model_.coordinates.back().scale = scale;
      symbol->state = SymbolState::kReady;
    }
  }
}

std::optional<double> Elaborator::scale_of(const lang::Expression& expression, const UnitValue& unit) {
  context_.place = "the scale of a coordinate";
  const std::optional<double> scale = measured_number(expression, unit, context_.place);
  if (!scale || *scale > 0.0) return scale;
  return none(Kind::kBadValue, expression.range, "the scale of a coordinate is positive",
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
    if (!is_right || symbol == nullptr) {
      fail(symbol);
      continue;
    }
    symbol->declared = *unit;
    const Term definition = without_speeds(model_, value.term);
    symbol->index =
        builder_.add_speed(symbol->name, definition, context_.stored(unit->dimension), item.name.range).value;
    symbol->state = SymbolState::kReady;
  }
}

void Elaborator::complete_speeds() {
  // Speeds and coordinates left out for an error change nothing: the others must be independent all the same.
  if (const auto failure = builder_.complete_speeds()) {
    const std::size_t index = failure->coordinates.empty() ? 0 : static_cast<std::size_t>(failure->coordinates.front());
    context_.reporter.error(
        Kind::kSingularSpeeds, model_.speeds[index].range, failure->message,
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
