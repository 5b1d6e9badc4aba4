#include <algorithm>
#include <cmath>

#include "vinculum/elaborate/check/syntax.hpp"
#include "vinculum/elaborate/statements/elaborator.hpp"
#include "vinculum/lang/parser.hpp"
#include "vinculum/model/evaluate.hpp"

namespace vinculum::elaborate {

using diag::Kind;

namespace {

std::string option_text(const ParameterOverride& option) { return "`--set " + option.name + "=" + option.value + "`"; }

}  // namespace

void Elaborator::check_overrides() {
  std::vector<std::string> parameters;
  for (const lang::Statement& statement : context_.file.statements) {
    if (const auto* params = std::get_if<lang::ParamStatement>(&statement.node)) {
      for (const lang::ParamItem& item : params->items) parameters.push_back(item.name.text);
    }
  }
  for (std::size_t i = 0; i < context_.options.overrides.size(); ++i) {
    const ParameterOverride& option = context_.options.overrides[i];
    const auto before = context_.options.overrides.first(i);
    if (std::ranges::find(before, option.name, &ParameterOverride::name) != before.end()) {
      context_.reporter.error(Kind::kDuplicateName, {}, option_text(option) + ": the parameter is set twice");
    } else if (std::ranges::find(parameters, option.name) == parameters.end() &&
               !context_.scope.is_forgiven(option.name, Scope::kNowhere)) {
      context_.reporter.error(Kind::kUnknownName, {},
                              option_text(option) + ": the model has no parameter `" + option.name + "`",
                              diag::hint_nearest(option.name, parameters));
    }
  }
}

std::optional<double> Elaborator::override_of(const Symbol& parameter) {
  const auto option = std::ranges::find(context_.options.overrides, parameter.name, &ParameterOverride::name);
  if (option == context_.options.overrides.end()) return std::nullopt;
  const diag::SourceText text("--set", option->value);
  diag::Diagnostics problems;
  const lang::ExpressionPtr expression = lang::parse_expression(text, problems);
  if (expression && !problems.has_errors()) {
    const lang::ModelFile nothing;
    Context alone(nothing, text, context_.options, builder_, problems);
    alone.place = "the value of a parameter";
    Checker check(alone);
    if (!model_.has_units && has_unit(*expression)) {
      alone.reporter.error(Kind::kDimensionMismatch, expression->range,
                           "the model states no units, so a value has none");
    } else {
      const std::string what = "parameter `" + parameter.name + "`";
      const Value value = check.measured(*expression, parameter.declared, what);
      if (check.holds_only(*expression, value, kHoldsNothing, what)) {
        const double number = model::TermValues(model_, {}).scalar(value.term).value;
        if (std::isfinite(number)) return number;
        alone.reporter.error(Kind::kBadValue, expression->range, what + " is a finite number");
      }
    }
  }
  for (const diag::Diagnostic& problem : problems.all()) {
    if (problem.severity != diag::Severity::kError) continue;
    context_.reporter.error(problem.kind, parameter.range, option_text(*option) + ": " + problem.message, problem.hint);
    break;
  }
  return std::nullopt;
}

}  // namespace vinculum::elaborate
