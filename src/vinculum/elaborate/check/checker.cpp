#include "vinculum/elaborate/check/checker.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "vinculum/elaborate/check/syntax.hpp"
#include "vinculum/elaborate/check/units.hpp"
#include "vinculum/lang/expression.hpp"
#include "vinculum/model/traversal.hpp"

namespace vinculum::elaborate {

using diag::Kind;
using diag::Severity;
using model::Term;

namespace {

/// The first result of constraints in a value, for messages: "a multiplier".
std::string_view result_in(const Value& value) {
  std::vector<Term> terms;
  if (value.term.is_valid()) terms.push_back(value.term);
  for (const Entry& entry : value.entries) terms.push_back(entry.term);
  for (const Term term : terms) {
    for (const Term node : model::in_order(term)) {
      if (node.kind() == model::TermKind::kDeparture) return "the acceleration without constraints";
      if (node.kind() == model::TermKind::kSystemVector) return "forces or accelerations of the whole model";
      if (node.kind() == model::TermKind::kGeneralizedForce || node.kind() == model::TermKind::kGeneralizedIdealForce)
        return "forces of a constraint";
    }
  }
  return "a multiplier";
}

/// Hint for a unit that belongs to a divisor by mistake, as in `1000*2*pi/60 [rad/s]`; empty for other expressions.
std::string hint_of_divisor(Reporter& reporter, const lang::Expression& expression, const Dimension& found,
                            const Dimension& wanted) {
  const auto* quotient = std::get_if<lang::Binary>(&expression.node);
  if (quotient == nullptr || quotient->op != lang::BinaryOperator::kDivide) return {};
  const auto* last = std::get_if<lang::NumberLiteral>(&quotient->right->node);
  if (last == nullptr || !last->unit) return {};
  const std::optional<UnitValue> unit = read_unit(*last->unit, reporter);
  if (!unit || unit->dimension.is_dimensionless() || found * unit->dimension * unit->dimension != wanted) return {};
  const std::string written = reporter.as_written(last->unit->range);
  return "the unit belongs to the last number, `" + last->spelling + " " + written + "`: write `(" +
         reporter.as_written(quotient->left->range) + "/" + last->spelling + ")*1 " + written + "`";
}

/// The text of 1/x for a frequency x: a number of seconds if x is a number.
std::string inverse_of(const Reporter& reporter, const lang::Expression& expression, const Value& value) {
  if (value.term.is_number() && value.term.value() > 0.0) return fmt::format("{:.6g} [s]", 1.0 / value.term.value());
  return "1/(" + reporter.as_written(expression.range) + ")";
}

/// Hint for the argument `2*pi*t`, which lacks a rate; empty for values that are no times.
std::string hint_of_time(const Value& value) {
  const auto is_time = [](Term node) { return node.kind() == model::TermKind::kTime; };
  if (value.dimension != make_dimension(0, 0, 1) || !std::ranges::any_of(model::in_order(value.term), is_time))
    return {};
  return "`t` is in s: divide it by a time, `t/(2 [s])`, or multiply it by a rate, `3 [rad/s]*t` or `2*pi*5 [Hz]*t`";
}

}  // namespace

std::string describe_dimension(const Value& value) { return vinculum::describe(value.dimension); }

UnitValue per_time(const UnitValue& unit, int order) {
  UnitValue result = unit;
  for (int i = 0; i < order; ++i) result.dimension = result.dimension / make_dimension(0, 0, 1);
  return result;
}

Value Checker::evaluate(const lang::Expression& expression) {
  if (expression.function) context_.reporter.enter(*expression.function);
  Value value = dispatch(expression);
  if (expression.function) context_.reporter.leave();
  const auto is_finite = [&](const Entry& entry) { return context_.facts.is_finite(entry.term); };
  if ((value.term.is_valid() && !context_.facts.is_finite(value.term)) ||
      !std::ranges::all_of(value.entries, is_finite))
    return fault(Kind::kBadValue, expression.range, "this is not a finite number");
  if (value.is_fault()) return value;
  held_[&expression] = held(value);
  if (!doubtful_.empty()) {
    for_each_operand(expression,
                     [&](const lang::Expression& operand) { value.is_doubtful |= doubtful_.contains(&operand); });
  }
  if (value.is_doubtful) doubtful_.insert(&expression);
  return value;
}

Value Checker::dispatch(const lang::Expression& expression) {
  if (const auto* node = std::get_if<lang::NumberLiteral>(&expression.node)) return number(expression, *node);
  if (const auto* node = std::get_if<lang::NameReference>(&expression.node)) return name(expression, *node);
  if (const auto* node = std::get_if<lang::Prime>(&expression.node)) return prime(expression, *node);
  if (const auto* node = std::get_if<lang::Index>(&expression.node)) return index(expression, *node);
  if (const auto* node = std::get_if<lang::Member>(&expression.node)) return member(expression, *node);
  if (const auto* node = std::get_if<lang::Call>(&expression.node)) return call(expression, *node);
  if (const auto* node = std::get_if<lang::Unary>(&expression.node)) return unary(*node);
  if (const auto* node = std::get_if<lang::Binary>(&expression.node)) return binary(*node);
  if (const auto* node = std::get_if<lang::Conditional>(&expression.node)) return conditional(*node);
  if (const auto* node = std::get_if<lang::Absolute>(&expression.node)) return absolute(*node);
  if (const auto* node = std::get_if<lang::StringLiteral>(&expression.node)) {
    Value value;
    value.kind = ValueKind::kText;
    value.text = node->value;
    return value;
  }
  if (const auto* node = std::get_if<lang::List>(&expression.node)) return list(expression, *node);
  return fault(Kind::kNotAllowedHere, expression.range, "a range is allowed only in an index of a declaration");
}

Value Checker::scalar(const lang::Expression& expression, std::string_view what) {
  Value value = evaluate(expression);
  if (value.is_fault() || value.is(ValueKind::kScalar)) return value;
  return wrong_kind(expression, value, std::string(what) + " is a scalar");
}

Value Checker::vector(const lang::Expression& expression, std::string_view what) {
  Value value = as_vector(evaluate(expression));
  if (value.is_fault() || value.is(ValueKind::kVector)) return value;
  return wrong_kind(expression, value, std::string(what) + " is a vector");
}

Value Checker::scalar_of(const lang::Expression& expression, const Dimension& dimension, std::string_view what) {
  Value value = scalar(expression, what);
  return has_dimension(expression, value, dimension, what) ? value : fault();
}

Value Checker::vector_of(const lang::Expression& expression, const Dimension& dimension, std::string_view what) {
  Value value = as_vector(evaluate(expression));
  if (value.is(ValueKind::kScalar))
    return fault(Kind::kWrongKind, expression.range, std::string(what) + " is a vector, found a scalar",
                 "give it a direction: `" + as_vector_along(expression, value, dimension, what) + "`");
  if (!value.is_fault() && !value.is(ValueKind::kVector))
    return wrong_kind(expression, value, std::string(what) + " is a vector");
  return has_dimension(expression, value, dimension, what) ? value : fault();
}

Value Checker::measured(const lang::Expression& expression, const UnitValue& unit, std::string_view what) {
  if (is_bare_number(expression)) return closed_by(expression, unit, what);
  Value value = scalar_of(expression, unit.dimension, what);
  if (!value.is_fault() && unit.dimension.is_dimensionless() && unit.scale != 1.0) {
    warn_of_bare_arithmetic(expression, what);
    used_as_angle(expression);
  }
  return value;
}

Value Checker::closed_by(const lang::Expression& expression, const UnitValue& unit, std::string_view what) {
  Value value = scalar(expression, what);
  if (value.is_fault()) return value;
  if (is_numeric(expression) || is_number_to_be_closed(expression, value, unit))
    return make_scalar(value.term * pool_.number(unit.scale), unit.dimension);
  return has_dimension(expression, value, unit.dimension, what) ? value : fault();
}

bool Checker::has_dimension(const lang::Expression& expression, const Value& value, const Dimension& wanted,
                            std::string_view what) {
  if (value.is_fault()) return false;
  if (!context_.model.has_units || value.fits_any || value.is_doubtful || value.dimension == wanted) return true;
  note_units({{&value, wanted}});
  if (blame_declaration(expression, value.dimension, wanted, what)) return false;
  std::string hint = hint_of_divisor(context_.reporter, expression, value.dimension, wanted);
  if (hint.empty()) hint = unit_hint(expression, wanted);
  if (hint.empty() && what.starts_with("the period") && value.dimension * wanted == Dimension{})
    hint = "a period is a time: write `" + inverse_of(context_.reporter, expression, value) + "`";
  if (hint.empty() && what.starts_with("a limit of")) hint = "give this limit in " + si_unit(wanted);
  if (hint.empty()) hint = factor_hint(expression, wanted / value.dimension, what, wanted);
  if (hint.empty()) hint = hint_of_bare_parameter(expression, wanted / value.dimension);
  if (hint.empty()) hint = hint_of_shared_unit(expression, value.dimension, wanted, what);
  if (hint.empty() && wanted.is_dimensionless()) hint = hint_of_time(value);
  if (const auto* literal = std::get_if<lang::NumberLiteral>(&expression.node);
      hint.empty() && literal != nullptr && literal->unit && !wanted.is_dimensionless())
    hint = "write the number in this unit: `" + literal->spelling + " [" + si_unit(wanted) + "]`";
  if (hint.empty() && what.find("angle") != what.npos)
    hint = "an angle is a number of radians, or a number with its unit: `30 [deg]`";
  const auto unit_beside = [&](const Dimension& dimension) {
    const bool is_moment =
        dimension == make_dimension(1, 2, -2) && (what.ends_with("torque") || what.ends_with("force"));
    return is_moment ? std::string("N*m") : si_unit(dimension);
  };
  std::string label = describe_dimension(value);
  if (const auto* plain = as_name(expression)) {
    if (const Symbol* symbol = context_.scope.find(plain->name))
      label += ", declared at " + context_.reporter.place(symbol->range);
  }
  context_.reporter.report(
      {Kind::kDimensionMismatch,
       Severity::kError,
       expression.range,
       std::string(what) +
           (wanted.is_dimensionless() ? " must be dimensionless" : " must be in " + unit_beside(wanted)) + ", found " +
           (value.dimension.is_dimensionless() ? "dimensionless" : unit_beside(value.dimension)),
       std::move(label),
       {},
       std::move(hint)});
  return false;
}

void Checker::note_units(std::initializer_list<std::pair<const Value*, Dimension>> sides) {
  std::unordered_set<std::string> found;
  for (const auto& [value, wanted] : sides) {
    if (!value->term.is_valid()) continue;
    for (const Term node : model::in_order(value->term)) {
      if (node.kind() != model::TermKind::kParameter) continue;
      const Symbol* symbol = context_.scope.find(context_.model.parameters[node.index()].name);
      if (symbol == nullptr || !symbol->next_unit) continue;
      const Dimension& unit = *symbol->next_unit;
      const Dimension& has = value->dimension;
      if (has * unit == wanted || has / unit == wanted || has * unit * unit == wanted) found.insert(symbol->name);
    }
  }
  (found.size() == 1 ? context_.wants_next_unit : context_.may_want_next_unit).merge(found);
}

bool Checker::agree(const lang::Expression& left, const Value& left_value, const lang::Expression& right,
                    const Value& right_value, std::string message, std::string hint) {
  if (!context_.model.has_units || left_value.fits_any || right_value.fits_any) return true;
  if (left_value.is_doubtful || right_value.is_doubtful) return true;
  if (left_value.dimension == right_value.dimension) {
    warn_of_bare_angle(left, right);
    warn_of_bare_angle(right, left);
    return true;
  }
  note_units({{&left_value, right_value.dimension}, {&right_value, left_value.dimension}});
  if (!is_numeric(left) && !is_numeric(right) &&
      (blame_declaration(left, left_value.dimension, right_value.dimension, "the other side") ||
       blame_declaration(right, right_value.dimension, left_value.dimension, "the other side")))
    return false;
  const auto label = [&](const lang::Expression& side, const Value& value) {
    std::string text = describe_dimension(value);
    const auto* plain = as_name(side);
    const Symbol* symbol = plain == nullptr ? nullptr : context_.scope.find(plain->name);
    if (symbol != nullptr) text += ", declared at " + context_.reporter.place(symbol->range);
    return text;
  };
  if (std::string with_unit = unit_hint(right, left_value.dimension); !with_unit.empty()) hint = std::move(with_unit);
  if (std::string with_unit = unit_hint(left, right_value.dimension); !with_unit.empty()) hint = std::move(with_unit);
  for (const auto& [side, its, other] :
       {std::tuple(&left, &left_value, &right_value), {&right, &right_value, &left_value}})
    if (std::string of_divisor = hint_of_divisor(context_.reporter, *side, its->dimension, other->dimension);
        !of_divisor.empty())
      hint = std::move(of_divisor);
  context_.reporter.contrast(Kind::kDimensionMismatch, std::move(message), {left.range, label(left, left_value)},
                             {right.range, label(right, right_value)}, std::move(hint));
  return false;
}

Value Checker::as_vector(Value value) const {
  if (value.is(ValueKind::kScalar) && value.fits_any) {
    value.kind = ValueKind::kVector;
    value.term = pool_.zero_vector();
  }
  return value;
}

Value Checker::as_list(Value value, int length) const {
  if (!value.is(ValueKind::kScalar) || !value.fits_any) return value;
  return make_list(std::vector<Entry>(static_cast<std::size_t>(length), Entry{value.term, {}, true}));
}

bool Checker::alike(const lang::Expression& left, Value& left_value, const lang::Expression& right, Value& right_value,
                    const std::string& what, std::string_view size) {
  if (left_value.is(ValueKind::kVector)) right_value = as_vector(right_value);
  if (right_value.is(ValueKind::kVector)) left_value = as_vector(left_value);
  if (left_value.is(ValueKind::kList)) right_value = as_list(right_value, left_value.rows);
  if (right_value.is(ValueKind::kList)) left_value = as_list(left_value, right_value.rows);
  if (left_value.kind == right_value.kind && left_value.rows == right_value.rows &&
      left_value.columns == right_value.columns) {
    return true;
  }
  std::string hint;
  const lang::Expression& vector = left_value.is(ValueKind::kVector) ? left : right;
  if ((left_value.is(ValueKind::kVector) && right_value.is(ValueKind::kScalar)) ||
      (left_value.is(ValueKind::kScalar) && right_value.is(ValueKind::kVector))) {
    const std::string text = context_.reporter.as_written(vector.range);
    hint = "the length of a vector is `norm(" + text + ")`, a component `dot(" + text + ", " +
           context_.model.frames[0].name + ".x)`";
  }
  contrast(Kind::kWrongKind, what + (left_value.kind == right_value.kind ? std::string(size) : "kind"),
           {left.range, describe(left_value)}, {right.range, describe(right_value)}, std::move(hint));
  return false;
}

Value Checker::as_place(Value value) const {
  if (value.is(ValueKind::kBody)) value.kind = ValueKind::kPlace;
  return value;
}

std::uint8_t Checker::held(const Value& value) {
  std::uint8_t result = kHoldsNothing;
  if (value.term.is_valid()) result |= context_.facts.holds(value.term);
  for (const Entry& entry : value.entries) result |= context_.facts.holds(entry.term);
  return result;
}

const lang::Expression& Checker::innermost(const lang::Expression& expression, std::uint8_t not_allowed) {
  // Descends to the innermost expression that contains something not allowed: each time to the first such operand.
  const lang::Expression* at = &expression;
  for (const lang::Expression* next = at; next != nullptr;) {
    at = next;
    next = nullptr;
    for_each_operand(*at, [&](const lang::Expression& operand) {
      const auto found = held_.find(&operand);
      if (next == nullptr && found != held_.end() && (found->second & not_allowed) != 0) next = &operand;
    });
  }
  return *at;
}

bool Checker::holds_only(const lang::Expression& expression, const Value& value, std::uint8_t allowed,
                         std::string_view what) {
  if (value.is_fault()) return false;
  const auto problem = not_allowed_of(held(value), allowed, !context_.model.states.empty());
  if (!problem) return true;
  const auto& [worst, found, may_hold] = *problem;
  const diag::SourceRange range = innermost(expression, worst).range;
  std::string hint;
  if (worst == kHoldsInputs)
    hint =
        "an input may be in loads, rates of states, conditions, actions of events and outputs; a state has its "
        "integral, `state s' = u`";
  if (worst == kHoldsAccelerations) hint = hint_of_added_inertia(expression, range, what);
  const bool may_hold_state = (allowed & kHoldsRates) != 0 && (allowed & kHoldsAccelerations) == 0;
  if (hint.empty() && may_hold_state && (worst == kHoldsMultipliers || worst == kHoldsAccelerations))
    hint =
        "write it out by the equation of motion, as the force `m*g*cos(a) - m*L*a'^2` on a mass at a radius L: then it "
        "is a function of the state";
  if (hint.empty() && worst == kHoldsMultipliers) hint = hint_for_reactions();
  const std::string contains =
      worst == kHoldsMultipliers ? "contains " + std::string(result_in(value)) : std::string(found);
  context_.reporter.error(
      Kind::kNotAllowedHere, range,
      context_.reporter.quoted(range) + " " + contains + ", but " + std::string(what) + " may contain " + may_hold,
      std::move(hint));
  return false;
}

Value Checker::number(const lang::Expression& expression, const lang::NumberLiteral& node) {
  if (!node.unit) {
    Value value = make_scalar(pool_.number(node.value), {});
    value.fits_any = node.value == 0.0;
    return value;
  }
  const std::optional<UnitValue> unit = read_unit(*node.unit, context_.reporter);
  if (!unit) return fault();
  const double si = node.value * unit->scale;
  if (std::isfinite(node.value) && !std::isfinite(si))
    return fault(Kind::kBadValue, expression.range, "this number is too large in SI units");
  Value value = make_scalar(pool_.number(si), unit->dimension);
  value.turning.turns = turns(*node.unit);
  return value;
}

Value Checker::unary(const lang::Unary& node) {
  Value value = evaluate(*node.operand);
  if (value.is_fault()) return value;
  if (node.op == lang::UnaryOperator::kNot) {
    if (!value.is(ValueKind::kCondition)) return wrong_kind(*node.operand, value, "`not` needs a condition");
    return make_condition(pool_.function(expr::Op::kNot, value.term));
  }
  if (!value.is_quantity() && !value.is_array()) {
    return wrong_kind(*node.operand, value,
                      std::string("`") + (node.op == lang::UnaryOperator::kMinus ? "-" : "+") +
                          "` needs a scalar, a vector, a list or a matrix");
  }
  if (node.op != lang::UnaryOperator::kMinus) return value;
  if (value.is_quantity()) value.term = -value.term;
  for (Entry& entry : value.entries) entry.term = -entry.term;
  return value;
}

Value Checker::conditional(const lang::Conditional& node) {
  const Value condition = evaluate(*node.condition);
  Value first = evaluate(*node.if_true), second = evaluate(*node.if_false);
  if (!condition.is_fault() && !condition.is(ValueKind::kCondition)) {
    return wrong_kind(*node.condition, condition, "`if` needs a condition");
  }
  if (condition.is_fault() || first.is_fault() || second.is_fault()) return fault();
  if (first.is(ValueKind::kVector)) second = as_vector(second);
  if (second.is(ValueKind::kVector)) first = as_vector(first);
  const bool is_condition = first.is(ValueKind::kCondition);
  if (!is_condition && !first.is_quantity() && !first.is_array()) {
    return wrong_kind(*node.if_true, first, "`if … else` chooses among quantities");
  }
  if (first.kind != second.kind || first.rows != second.rows || first.columns != second.columns) {
    return wrong_kind(
        *node.if_false, second,
        "the two branches of `if … else` are of one kind: the first is " + std::string(describe(first.kind)));
  }
  const std::string differ = "the two branches of `if … else` differ in dimension";
  for (std::size_t i = 0; i < first.entries.size(); ++i) {
    const Entry &a = first.entries[i], &b = second.entries[i];
    if (!context_.model.has_units || a.fits_any || b.fits_any || a.dimension == b.dimension) continue;
    differ_in_entry(node.if_false->range, differ, first, i, a.dimension, b.dimension);
    return fault();
  }
  if (!first.is_array() && !agree(*node.if_true, first, *node.if_false, second, differ)) return fault();
  return select(condition, first, second);
}

Value Checker::select(const Value& condition, const Value& first, const Value& second) {
  const auto chosen = [&](Term a, Term b) {
    return a.is_vector() ? pool_.vector_select(condition.term, a, b)
                         : pool_.function(expr::Op::kSelect, condition.term, a, b);
  };
  if (first.is_array()) {
    std::vector<Entry> entries;
    for (std::size_t i = 0; i < first.entries.size(); ++i) {
      const Entry &a = first.entries[i], &b = second.entries[i];
      entries.push_back({chosen(a.term, b.term), a.fits_any ? b.dimension : a.dimension, a.fits_any && b.fits_any,
                         a.turning + b.turning});
    }
    return make_array(first, std::move(entries));
  }
  Value result = first.fits_any ? second : first;
  result.fits_any = first.fits_any && second.fits_any;
  result.turning = first.turning + second.turning;
  result.term = chosen(first.term, second.term);
  return result;
}

Value Checker::absolute(const lang::Absolute& node) {
  Value value = evaluate(*node.operand);
  if (value.is_fault()) return value;
  if (value.is(ValueKind::kVector))
    return fault(Kind::kWrongKind, node.operand->range, "`| |` is the absolute value of a scalar, found a vector",
                 "the length of a vector is `norm(v)`");
  if (!value.is(ValueKind::kScalar)) return wrong_kind(*node.operand, value, "`| |` needs a scalar");
  value.term = pool_.function(expr::Op::kAbsolute, value.term);
  return value;
}

}  // namespace vinculum::elaborate
