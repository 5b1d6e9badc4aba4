#include <algorithm>
#include <cmath>

#include "vinculum/elaborate/build/elaborator.hpp"
#include "vinculum/elaborate/check/syntax.hpp"
#include "vinculum/mechanics/evaluate.hpp"
#include "vinculum/mechanics/traversal.hpp"

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
  // A body stands where a frame is wanted and where a point is.
  if (symbol->kind == SymbolKind::kBody && (kind == SymbolKind::kFrame || kind == SymbolKind::kPoint)) return symbol;
  context_.reporter.error(Kind::kWrongKind, name.range,
                          with_article(std::string(to_string(kind))) + " is wanted here, `" + name.text + "` is " +
                              with_article(std::string(to_string(symbol->kind))));
  return nullptr;
}

mechanics::FrameId Elaborator::frame_named(const lang::Name& name) {
  const Symbol* symbol = named(name, SymbolKind::kFrame);
  if (symbol == nullptr) return {};
  if (symbol->kind == SymbolKind::kBody) return model_.bodies[symbol->index].frame;
  return mechanics::FrameId(std::size_t{symbol->index});
}

mechanics::PointId Elaborator::point_named(const lang::Name& name) {
  const Symbol* symbol = named(name, SymbolKind::kPoint);
  if (symbol == nullptr) return {};
  if (symbol->kind == SymbolKind::kBody) return model_.bodies[symbol->index].center;
  return mechanics::PointId(std::size_t{symbol->index});
}

std::optional<double> Elaborator::constant(const lang::Expression& expression, const Value& value,
                                           std::string_view what) {
  const std::optional<double> number = number_now(expression, value, what);
  if (number) fix_parameters(value.term, what);
  return number;
}

void Elaborator::fix_parameters(mechanics::Term term, std::string_view what) {
  for (const mechanics::Term node : mechanics::in_order(term)) {
    if (node.kind() == mechanics::TermKind::kParameter) model_.parameters[node.index()].fixed_by = what;
  }
}

void Elaborator::require(std::vector<mechanics::Term> terms, std::function<bool(std::span<const double>)> holds,
                         std::string text) {
  if (!std::ranges::all_of(terms, &mechanics::Term::is_valid)) return;  // reported where it is wrong
  mechanics::Requirement requirement{{}, std::move(terms), std::move(holds), std::move(text)};
  for (const mechanics::Term term : requirement.terms) {
    for (const mechanics::Term node : mechanics::in_order(term)) {
      if (node.kind() == mechanics::TermKind::kParameter)
        requirement.parameters.emplace_back(std::size_t{node.index()});
    }
  }
  if (!requirement.parameters.empty()) model_.requirements.push_back(std::move(requirement));
}

void Elaborator::require_positive(mechanics::Term term, std::string_view what) {
  require({term}, [](std::span<const double> x) { return x[0] > 0.0; }, std::string(what) + " is positive");
}

bool Elaborator::is_guessed(mechanics::Term term) const {
  if (context_.guessed.empty() || !term.is_valid()) return false;
  return std::ranges::any_of(mechanics::in_order(term), [&](const mechanics::Term node) {
    return node.kind() == mechanics::TermKind::kParameter &&
           std::ranges::find(context_.guessed, mechanics::ParameterId(std::size_t{node.index()})) !=
               context_.guessed.end();
  });
}

std::optional<double> Elaborator::number_now(const lang::Expression& expression, const Value& value,
                                             std::string_view what) {
  if (!check_.holds_only(expression, value, kHoldsNothing, what) || is_guessed(value.term)) return std::nullopt;
  const double number = mechanics::TermValues(model_, {}).scalar(value.term).value;
  if (std::isfinite(number)) return number;
  return none(Kind::kBadValue, expression.range, std::string(what) + " is a finite number");
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
                            symbol->kind != SymbolKind::kSpeed && symbol->kind != SymbolKind::kState)) {
    return si;
  }
  return per_time(symbol->declared, prime == nullptr ? 0 : prime->count);
}

void Elaborator::fail(Symbol* symbol) {
  context_.reporter.leave_out();
  if (symbol != nullptr) symbol->state = SymbolState::kFaulty;
}

}  // namespace vinculum::elaborate
