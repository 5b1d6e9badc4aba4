#include <algorithm>
#include <cmath>

#include "vinculum/elaborate/check/checker.hpp"
#include "vinculum/elaborate/check/syntax.hpp"
#include "vinculum/elaborate/check/units.hpp"

// Finds the declaration that is responsible for a wrong dimension, which is often not on the line of the error.
namespace vinculum::elaborate {

using diag::Kind;

namespace {

/// A name in an expression that determines the dimension of the expression. `is_of_whole`: the name is a factor of the
/// whole expression, so a missing dimension of the expression is a missing dimension of the name.
struct Factor {
  const lang::NameReference* name = nullptr;
  bool is_of_whole = true;
};

/// Collects such names, except those in exponents and in arguments of functions of numbers.
void collect_factors(const lang::Expression& expression, bool is_of_whole, std::vector<Factor>& all) {
  using lang::BinaryOperator;
  if (const auto* name = as_name(expression)) return all.push_back({name, is_of_whole});
  if (const auto* unary = std::get_if<lang::Unary>(&expression.node))
    return collect_factors(*unary->operand, is_of_whole, all);
  if (const auto* binary = std::get_if<lang::Binary>(&expression.node)) {
    const bool is_product = binary->op == BinaryOperator::kMultiply;
    collect_factors(*binary->left, is_of_whole && (is_product || binary->op == BinaryOperator::kDivide), all);
    if (binary->op != BinaryOperator::kPower) collect_factors(*binary->right, is_of_whole && is_product, all);
    return;
  }
  const auto* call = std::get_if<lang::Call>(&expression.node);
  if (call == nullptr) return;
  for (const std::string_view through : {"abs", "sqrt", "norm", "dot", "cross", "min", "max"}) {
    if (call->function.text != through) continue;
    for (const auto& argument : call->arguments) collect_factors(*argument, false, all);
  }
}

const lang::ParamItem* item_of(const lang::StatementNode& node, const std::string& name) {
  const auto* params = std::get_if<lang::ParamStatement>(&node);
  if (params == nullptr) return nullptr;
  const auto item = std::ranges::find_if(params->items, [&](const auto& one) { return one.name.text == name; });
  return item == params->items.end() ? nullptr : &*item;
}

const lang::CoordGroup* group_of(const lang::StatementNode& node, const std::string& name) {
  const auto* coords = std::get_if<lang::CoordStatement>(&node);
  if (coords == nullptr) return nullptr;
  for (const lang::CoordGroup& group : coords->groups) {
    const auto found = std::ranges::find_if(group.names, [&](const lang::Name& one) { return one.text == name; });
    if (found != group.names.end()) return &group;
  }
  return nullptr;
}

}  // namespace

/// Whether the symbol may lack a unit: a coordinate without unit, or a parameter that is a plain number. In an
/// expression with a dimension an integer does not count, because it may be meant as a number.
bool Checker::is_suspect(const Symbol& symbol, const Dimension& found) const {
  // constants are evaluated before the model has statements
  if (symbol.state != SymbolState::kReady || symbol.statement >= context_.file.statements.size()) return false;
  const lang::StatementNode& node = context_.file.statements[symbol.statement].node;
  if (const lang::ParamItem* item = item_of(node, symbol.name)) {
    const double value = context_.model.parameters[symbol.index].value;
    return !item->unit && is_numeric(*item->value) && (found.is_dimensionless() || value != std::floor(value));
  }
  const lang::CoordGroup* group = group_of(node, symbol.name);
  return group != nullptr && !group->unit;
}

bool Checker::blame_declaration(const lang::Expression& expression, const Dimension& found, const Dimension& wanted,
                                std::string_view what) {
  std::vector<Factor> factors;
  collect_factors(expression, true, factors);
  std::erase_if(factors, [&](const Factor& one) {
    const Symbol* symbol = context_.scope.find(one.name->name);
    return symbol == nullptr || !is_suspect(*symbol, found);
  });
  if (factors.empty()) return false;
  const std::string& name = factors.front().name->name;
  if (std::ranges::any_of(factors, [&](const Factor& one) { return one.name->name != name; })) return false;
  const bool is_known = factors.size() == 1 && factors.front().is_of_whole;
  Symbol& symbol = *context_.scope.find(name);
  const lang::StatementNode& node = context_.file.statements[symbol.statement].node;
  const lang::ParamItem* item = item_of(node, name);
  const auto unit = [](const Dimension& dimension) { return dimension.is_dimensionless() ? "1" : si_unit(dimension); };
  context_.reporter.error(
      Kind::kDimensionMismatch, symbol.range,
      std::string(to_string(symbol.kind)) + " `" + name + "` is declared without a unit",
      diag::Label{expression.range, unit(found) + " here, where " + std::string(what) + " is in " + unit(wanted)},
      "declare it with one: `" +
          (item != nullptr ? name + " = " + context_.reporter.as_written(item->value->range) : "coord " + name) + " [" +
          (is_known ? unit(wanted / found) : "…") + "]`");
  symbol.state = SymbolState::kFaulty;  // so that one cause is reported once
  if (const lang::CoordGroup* group = group_of(node, name)) {
    for (const lang::Name& beside : group->names) {
      if (Symbol* other = context_.scope.find(beside.text)) other->state = SymbolState::kFaulty;
    }
  }
  return true;
}

/// Hint for the single parameter without unit among the factors. An integer may be meant as a number, so the parameter
/// is only mentioned in a hint and not reported as the error.
std::string Checker::hint_of_bare_parameter(const lang::Expression& expression, const Dimension& lacking) const {
  std::vector<Factor> factors;
  collect_factors(expression, true, factors);
  const lang::ParamItem* found = nullptr;
  for (const Factor& one : factors) {
    const Symbol* symbol = context_.scope.find(one.name->name);
    if (symbol == nullptr || symbol->statement >= context_.file.statements.size()) continue;
    const lang::ParamItem* item = item_of(context_.file.statements[symbol->statement].node, symbol->name);
    if (item == nullptr || item->unit || !is_numeric(*item->value)) continue;
    if (found != nullptr || !one.is_of_whole) return {};
    found = item;
  }
  if (found == nullptr || lacking.is_dimensionless()) return {};
  return "give `" + found->name.text + "` its unit: `" + found->name.text + " = " +
         context_.reporter.as_written(found->value->range) + " [" + si_unit(lacking) + "]`";
}

void Checker::warn_of_bare_angle(const lang::Expression& number, const lang::Expression& beside) {
  if (is_angle(beside)) used_as_angle(number);
  if (!is_bare_number(number) || has_unit_.contains(&number)) return;
  const lang::Expression* bare = &beside;
  while (const auto* sign = std::get_if<lang::Unary>(&bare->node)) bare = sign->operand.get();
  const lang::NameReference* name = as_name(*bare);
  const Symbol* symbol = name == nullptr ? nullptr : context_.scope.find(name->name);
  if (symbol == nullptr || symbol->kind != SymbolKind::kCoordinate) return;
  if (!symbol->declared.dimension.is_dimensionless() || symbol->declared.scale == 1.0) return;
  const auto* sign = std::get_if<lang::Unary>(&number.node);
  if (std::get<lang::NumberLiteral>(sign == nullptr ? number.node : sign->operand->node).value == 0.0) return;
  const std::string& unit = context_.model.coordinates[symbol->index].unit.shown;
  context_.reporter.warn(Kind::kBareAngle, number.range,
                         "this number is in rad, though `" + symbol->name + "` is declared in " + unit,
                         "write `" + context_.reporter.as_written(number.range) + " [" + unit + "]`, or `[rad]`");
}

namespace {

/// Collects the names that are angles if the whole expression is an angle: the expression itself, and operands of
/// signs, sums, numeric factors and choices.
void angles_of(const lang::Expression& expression, std::vector<const lang::NameReference*>& names) {
  if (const auto* name = as_name(expression)) names.push_back(name);
  if (const auto* sign = std::get_if<lang::Unary>(&expression.node)) angles_of(*sign->operand, names);
  if (const auto* choice = std::get_if<lang::Conditional>(&expression.node)) {
    angles_of(*choice->if_true, names);
    angles_of(*choice->if_false, names);
  }
  if (const auto* call = std::get_if<lang::Call>(&expression.node)) {
    const std::string& function = call->function.text;
    if (function != "min" && function != "max" && function != "abs") return;
    for (const auto& argument : call->arguments) angles_of(*argument, names);
  }
  const auto* binary = std::get_if<lang::Binary>(&expression.node);
  if (binary == nullptr) return;
  using lang::BinaryOperator;
  const bool is_sum = binary->op == BinaryOperator::kAdd || binary->op == BinaryOperator::kSubtract;
  const bool is_product = binary->op == BinaryOperator::kMultiply;
  if (is_sum || (is_product && is_numeric(*binary->right)) ||
      (binary->op == BinaryOperator::kDivide && is_numeric(*binary->right)))
    angles_of(*binary->left, names);
  if (is_sum || (is_product && is_numeric(*binary->left))) angles_of(*binary->right, names);
}

}  // namespace

void Checker::used_as_angle(const lang::Expression& expression) {
  std::vector<const lang::NameReference*> names;
  angles_of(expression, names);
  for (const lang::NameReference* name : names) {
    const Symbol* symbol = context_.scope.find(name->name);
    if (symbol != nullptr && symbol->if_angle) context_.reporter.report(*symbol->if_angle);
  }
}

/// Whether the expression contains, as a summand, a coordinate or a parameter that is declared as an angle.
bool Checker::is_angle(const lang::Expression& expression) const {
  std::vector<const lang::NameReference*> names;
  angles_of(expression, names);
  return std::ranges::any_of(names, [&](const lang::NameReference* name) {
    const Symbol* symbol = context_.scope.find(name->name);
    if (symbol == nullptr || symbol->state != SymbolState::kReady) return false;
    return (symbol->kind == SymbolKind::kCoordinate && context_.model.coordinates[symbol->index].unit.si == "rad") ||
           (symbol->kind == SymbolKind::kParameter && context_.model.parameters[symbol->index].unit.si == "rad");
  });
}

namespace {

/// Whether the expression is arithmetic of typed numbers only. With pi or a function, radians are probably meant.
bool is_of_literals(const lang::Expression& expression) {
  if (as_name(expression) != nullptr || std::holds_alternative<lang::Call>(expression.node)) return false;
  bool result = is_numeric(expression);
  for_each_operand(expression, [&](const lang::Expression& operand) { result = result && is_of_literals(operand); });
  return result;
}

}  // namespace

/// Warns about arithmetic such as `start a = 2*30`, which is in rad, while the single number of `a = 60` is in the
/// declared unit.
void Checker::warn_of_bare_arithmetic(const lang::Expression& value, std::string_view what) {
  if (!is_of_literals(value)) return;
  const std::string text = context_.reporter.as_written(value.range);
  context_.reporter.warn(Kind::kBareAngle, value.range,
                         "`" + text + "` is in rad: only a number alone takes the declared unit",
                         "write " + std::string(what) + " as one number, or with a unit after it: `" + text +
                             " [deg]`, `" + text + " [rad]`");
}

}  // namespace vinculum::elaborate
