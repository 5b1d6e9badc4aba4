#include "vinculum/elaborate/statements/constants.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "vinculum/model/evaluate.hpp"
#include "vinculum/model/requirements.hpp"

namespace vinculum::elaborate {
namespace {

constexpr double kLargestWhole = 1e9;

/// The value of a number literal, with or without a minus sign. A shortcut without terms, because most indices are
/// literals.
std::optional<double> literal(const lang::Expression& expression) {
  if (const auto* number = std::get_if<lang::NumberLiteral>(&expression.node)) {
    return number->unit ? std::nullopt : std::optional(number->value);
  }
  const auto* unary = std::get_if<lang::Unary>(&expression.node);
  if (unary == nullptr || unary->op != lang::UnaryOperator::kMinus) return std::nullopt;
  const auto value = literal(*unary->operand);
  return value ? std::optional(-*value) : std::nullopt;
}

bool is_whole(double number) { return std::floor(number) == number && std::abs(number) <= kLargestWhole; }

}  // namespace

void ParameterConstants::Gate::report(diag::Diagnostic diagnostic) {
  if (is_open) sink_.report(std::move(diagnostic));
}

ParameterConstants::ParameterConstants(const diag::SourceText& source, const Options& options, diag::Sink& sink)
    : gate_(sink),
      builder_("", "(newtonian)"),
      context_(nothing_, source, options, builder_, gate_),
      elaborator_(context_) {
  // Only after expansion is it known whether the file contains units. If it does not, all quantities are plain numbers
  // anyway.
  builder_.model().has_units = true;
}

void ParameterConstants::declare(const lang::ParamStatement& statement) {
  gate_.is_open = false;
  ++context_.statement;
  context_.declared.clear();
  for (const lang::ParamItem& item : statement.items) {
    context_.declared.emplace(&item.name,
                              context_.scope.declare(SymbolKind::kParameter, item.name, context_.statement));
  }
  elaborator_.apply(statement);
  for (const model::ParameterId guessed : std::exchange(context_.guessed, {}))
    context_.scope.find(context_.model.parameters[guessed.index()].name)->state = SymbolState::kFaulty;
  gate_.is_open = true;
}

std::optional<double> ParameterConstants::number(Checker& check, const lang::Expression& expression, const Value& value,
                                                 std::string_view what) {
  if (value.is_fault()) return std::nullopt;
  if (!check.holds_only(expression, value, kHoldsNothing, what)) return std::nullopt;
  model::fix_parameters(elaborator_.model_, value.term, what);
  return model::TermValues(context_.model, {}).scalar(value.term).value;
}

std::vector<std::pair<std::string, std::string>> ParameterConstants::fixed() const {
  std::vector<std::pair<std::string, std::string>> all;
  for (const model::Parameter& parameter : context_.model.parameters) {
    if (!parameter.fixed_by.empty()) all.emplace_back(parameter.name, parameter.fixed_by);
  }
  return all;
}

std::optional<std::int64_t> ParameterConstants::whole(const lang::Expression& expression, std::string_view what) {
  std::optional<double> value = literal(expression);
  if (!value) {
    ++context_.statement;
    context_.place = what;
    Checker check(context_);
    value = number(check, expression, check.scalar_of(expression, {}, what), what);
  }
  if (!value) return std::nullopt;
  if (is_whole(*value)) return static_cast<std::int64_t>(*value);
  context_.reporter.error(diag::Kind::kBadValue, expression.range,
                          fmt::format("{} is a whole number of at most 1e9, found {:g}", what, *value));
  return std::nullopt;
}

std::optional<std::int64_t> ParameterConstants::whole_if_any(const lang::Expression& expression) {
  const bool was_open = std::exchange(gate_.is_open, false);
  const auto result = whole(expression, "an index");
  gate_.is_open = was_open;
  return result;
}

std::optional<bool> ParameterConstants::truth(const lang::Expression& expression, std::string_view what) {
  ++context_.statement;
  context_.place = what;
  Checker check(context_);
  Value value = check.evaluate(expression);
  if (value.is_fault()) return std::nullopt;
  if (!value.is(ValueKind::kCondition) && !value.is(ValueKind::kScalar)) {
    (void)check.wrong_kind(expression, value, "a condition");
    return std::nullopt;
  }
  const auto result = number(check, expression, value, what);
  return result ? std::optional(*result != 0.0) : std::nullopt;
}

}  // namespace vinculum::elaborate
