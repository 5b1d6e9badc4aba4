#include "vinculum/elaborate/check/syntax.hpp"

#include <algorithm>

#include "vinculum/elaborate/check/functions.hpp"
#include "vinculum/lang/walk.hpp"

namespace vinculum::elaborate {
namespace {

/// Finds out whether a statement contains a unit.
struct UnitFinder final : lang::Walker {
  void expression(const lang::ExpressionPtr& place) override { found = found || has_unit(*place); }
  void unit(const lang::Unit&) override { found = true; }
  bool found = false;
};

}  // namespace

bool states_units(const lang::ModelFile& file) {
  return std::ranges::any_of(file.statements, [](const lang::Statement& statement) {
    UnitFinder finder;
    finder.statement(statement);
    return finder.found;
  });
}

void numbers_among_factors(const lang::Expression& expression, std::vector<const lang::Expression*>& numbers) {
  if (const auto* literal = std::get_if<lang::NumberLiteral>(&expression.node); literal != nullptr && !literal->unit)
    numbers.push_back(&expression);
  if (const auto* sign = std::get_if<lang::Unary>(&expression.node);
      sign != nullptr && sign->op != lang::UnaryOperator::kNot)
    numbers_among_factors(*sign->operand, numbers);
  const auto* product = std::get_if<lang::Binary>(&expression.node);
  if (product == nullptr) return;
  const bool is_quotient = product->op == lang::BinaryOperator::kDivide;
  if (!is_quotient && product->op != lang::BinaryOperator::kMultiply) return;
  numbers_among_factors(*product->left, numbers);
  if (!is_quotient) numbers_among_factors(*product->right, numbers);
}

bool is_bare_number(const lang::Expression& expression) {
  if (const auto* number = std::get_if<lang::NumberLiteral>(&expression.node)) return !number->unit.has_value();
  const auto* sign = std::get_if<lang::Unary>(&expression.node);
  return sign != nullptr && sign->op != lang::UnaryOperator::kNot && is_bare_number(*sign->operand);
}

bool is_numeric(const lang::Expression& expression) {
  if (const auto* number = std::get_if<lang::NumberLiteral>(&expression.node)) return !number->unit.has_value();
  if (const auto* name = as_name(expression)) return name->name == "pi";
  const auto* call = std::get_if<lang::Call>(&expression.node);
  const FunctionInfo* function = call == nullptr ? nullptr : find_function(call->function.text);
  if (call != nullptr ? function == nullptr || function->function != Function::kElementary
                      : !std::holds_alternative<lang::Unary>(expression.node) &&
                            !std::holds_alternative<lang::Binary>(expression.node) &&
                            !std::holds_alternative<lang::Absolute>(expression.node)) {
    return false;
  }
  bool result = true;
  for_each_operand(expression, [&](const lang::Expression& operand) { result = result && is_numeric(operand); });
  return result;
}

int axis_letter(const lang::Expression& expression) {
  const lang::NameReference* name = as_name(expression);
  return name != nullptr && is_axis_letter(name->name) ? name->name[0] - 'x' : -1;
}

int height_of(const lang::Expression& expression) {
  int height = 0;
  for_each_operand(expression, [&](const lang::Expression& operand) { height = std::max(height, height_of(operand)); });
  return height + 1;
}

bool is_axis_letter(const std::string& name) { return name == "x" || name == "y" || name == "z"; }

const lang::NameReference* as_name(const lang::Expression& expression) {
  return std::get_if<lang::NameReference>(&expression.node);
}

}  // namespace vinculum::elaborate
