#include <algorithm>
#include <utility>

#include "vinculum/base/failure.hpp"
#include "vinculum/elaborate/check/syntax.hpp"
#include "vinculum/elaborate/statements/elaborator.hpp"

namespace vinculum::elaborate {

using diag::Kind;
using model::Expectation;

namespace {

bool is_comparison(lang::BinaryOperator op) {
  return op >= lang::BinaryOperator::kLess && op <= lang::BinaryOperator::kNotEqual;
}

}  // namespace

void Elaborator::apply(const lang::ExpectStatement& statement, diag::SourceRange range) {
  context_.place = "an expectation";
  if (!first_expectation_) first_expectation_ = range;
  Expectation expectation{};
  expectation.range = range;
  expectation.text = context_.reporter.as_written(range);
  constexpr std::string_view kKeyword = "expect ";
  if (expectation.text.starts_with(kKeyword)) expectation.text.erase(0, kKeyword.size());
  const auto* value = std::get_if<lang::ExpectValue>(&statement.what);
  const bool is_right = value != nullptr ? expect_value(*value, expectation)
                                         : expect_stop(std::get<lang::ExpectStop>(statement.what), expectation);
  if (!is_right)
    context_.reporter.leave_out();
  else if (expectation.left.is_valid() || expectation.when == Expectation::When::kStop)
    model_.expectations.push_back(std::move(expectation));
}

std::optional<double> Elaborator::expectation_time(const lang::Expression& expression) {
  const std::optional<double> time =
      measured_number(expression, {1.0, make_dimension(0, 0, 1)}, "the time of an expectation");
  if (time && *time < 0.0) return none(Kind::kBadValue, expression.range, "a run begins at time 0");
  if (time) expectation_times_.emplace_back(*time, expression.range);
  return time;
}

bool Elaborator::expect_value(const lang::ExpectValue& expected, Expectation& expectation) {
  switch (expected.when) {
    case lang::ExpectWhen::kAt: expectation.when = Expectation::When::kAt; break;
    case lang::ExpectWhen::kStart: expectation.when = Expectation::When::kStart; break;
    case lang::ExpectWhen::kEnd: expectation.when = Expectation::When::kEnd; break;
    case lang::ExpectWhen::kAlways: expectation.when = Expectation::When::kAlways; break;
  }
  bool is_right = true;
  if (expected.time) {
    const std::optional<double> time = expectation_time(*expected.time);
    is_right = time.has_value();
    expectation.time = time.value_or(0.0);
    expectation.has_time = true;
  }
  if (!expected.right) {
    const Value condition = expected_condition(*expected.left);
    if (condition.is_fault()) return false;
    if (!condition.is(ValueKind::kCondition)) {
      check_.wrong_kind(*expected.left, condition, "an expectation is `EXPR = VALUE ± TOL` or a comparison");
      return false;
    }
    expectation.left = condition.term;
    return is_right && knows_third_derivatives(*expected.left, condition);
  }
  Value left = check_.evaluate(*expected.left), right = check_.evaluate(*expected.right);
  const auto is_side = [&](const lang::Expression& side, const Value& value) {
    if (value.is_fault() || value.is_quantity() || value.is_array()) return !value.is_fault();
    check_.wrong_kind(side, value, "an expectation is about a scalar, a vector, a list or a matrix");
    return false;
  };
  const bool is_left_right = is_side(*expected.left, left);
  if (!is_side(*expected.right, right) || !is_left_right) return false;
  if (!check_.alike(*expected.left, left, *expected.right, right, "two sides of an expectation are of one ", "size"))
    return false;
  if (!knows_third_derivatives(*expected.left, left) || !knows_third_derivatives(*expected.right, right)) return false;
  if (left.is_array()) return expect_entries(expected, expectation, left, right) && is_right;
  const bool is_claim = claim(expected, *expected.left, left, *expected.right, right, expectation);
  return is_claim && is_right;
}

/// Adds one claim `left = right ± tolerance`. A number without unit on either side has the unit of the other side.
bool Elaborator::claim(const lang::ExpectValue& expected, const lang::Expression& left_side, Value left,
                       const lang::Expression& right_side, Value right, Expectation& expectation) {
  const bool is_left_bare = is_bare_number(left_side) && !is_bare_number(right_side);
  const UnitValue unit = is_left_bare ? unit_of(right_side, right) : unit_of(left_side, left);
  const lang::Expression& number = is_left_bare ? left_side : right_side;
  if (is_bare_number(number)) scale(number, is_left_bare ? left : right, unit);
  if (!check_.agree(left_side, left, right_side, right, "two sides of an expectation differ in dimension"))
    return false;
  expectation.left = left.term;
  expectation.right = right.term;
  expectation.dimension = is_left_bare ? right.dimension : left.dimension;
  return tolerance(*expected.tolerance, unit, expectation);
}

void Elaborator::scale(const lang::Expression& number, Value& bare, const UnitValue& unit) {
  check_.note_unit_of_bare(number);
  bare.term = pool_.number(unit.scale) * bare.term;
  bare.dimension = unit.dimension;
}

bool Elaborator::tolerance(const lang::Expression& written, const UnitValue& unit, Expectation& expectation) {
  const std::optional<double> number = measured_number(written, unit, "the tolerance of an expectation");
  if (number && *number < 0.0) return refuse(Kind::kBadValue, written.range, "a tolerance must not be negative");
  expectation.tolerance = number.value_or(0.0);
  return number.has_value();
}

/// Adds one expectation for each entry, because entries may differ in dimension.
bool Elaborator::expect_entries(const lang::ExpectValue& expected, const Expectation& expectation, const Value& left,
                                const Value& right) {
  // The expressions of the entries of a list, in order; empty if the side is not a list.
  const auto entries_of = [](const lang::Expression& side) {
    std::vector<const lang::Expression*> result;
    if (const auto* list = std::get_if<lang::List>(&side.node)) {
      for (const auto& row : list->rows) {
        for (const auto& entry : row) result.push_back(entry.get());
      }
    }
    return result;
  };
  const auto lefts = entries_of(*expected.left), rights = entries_of(*expected.right);
  const auto scalar_of = [](const Entry& entry) {
    Value value = make_scalar(entry.term, entry.dimension);
    value.fits_any = entry.fits_any;
    return value;
  };
  std::vector<Expectation> all;
  for (std::size_t k = 0; k < left.entries.size(); ++k) {
    Expectation one = expectation;
    if (!claim(expected, k < lefts.size() ? *lefts[k] : *expected.left, scalar_of(left.entries[k]),
               k < rights.size() ? *rights[k] : *expected.right, scalar_of(right.entries[k]), one)) {
      return false;
    }
    const auto columns = static_cast<std::size_t>(std::max(left.columns, 1));
    one.text += left.is(ValueKind::kList)
                    ? "  (entry " + std::to_string(k + 1) + ")"
                    : "  (entry " + std::to_string(k / columns + 1) + ", " + std::to_string(k % columns + 1) + ")";
    all.push_back(std::move(one));
  }
  for (Expectation& one : all) model_.expectations.push_back(std::move(one));
  return true;
}

// A number without unit in a comparison is taken in the unit of the other side.
Value Elaborator::expected_condition(const lang::Expression& expression) {
  const auto* binary = std::get_if<lang::Binary>(&expression.node);
  if (binary == nullptr) return check_.evaluate(expression);
  if (binary->op == lang::BinaryOperator::kAnd || binary->op == lang::BinaryOperator::kOr) {
    const Value left = expected_condition(*binary->left), right = expected_condition(*binary->right);
    return left.is_fault() || right.is_fault() ? Value{} : check_.combine(*binary, left, right);
  }
  if (!is_comparison(binary->op)) return check_.evaluate(expression);
  Value left = check_.evaluate(*binary->left), right = check_.evaluate(*binary->right);
  if (left.is_fault() || right.is_fault()) return {};
  const auto bound = [&](const lang::Expression& side, Value& value, const lang::Expression& other,
                         const Value& of_other) {
    if (is_bare_number(side) && !is_bare_number(other) && of_other.is(ValueKind::kScalar))
      scale(side, value, unit_of(other, of_other));
  };
  bound(*binary->left, left, *binary->right, right);
  bound(*binary->right, right, *binary->left, left);
  return check_.combine(*binary, left, right);
}

bool Elaborator::expect_stop(const lang::ExpectStop& expected, Expectation& expectation) {
  expectation.when = Expectation::When::kStop;
  expectation.stop_kind = expected.kind.text;
  bool is_right = true;
  std::vector<std::string> kinds;
  for (const FailureInfo& info : failure_table()) kinds.emplace_back(info.name);
  if (std::ranges::find(kinds, expected.kind.text) == kinds.end()) {
    is_right = false;
    context_.reporter.error(Kind::kUnknownName, expected.kind.range,
                            "unknown end of a run `" + expected.kind.text + "`",
                            diag::hint_among(expected.kind.text, kinds));
  }
  if (!expected.time) return is_right;
  const std::optional<double> time = expectation_time(*expected.time);
  if (!time) return false;
  expectation.time = *time;
  expectation.has_time = true;
  if (!expected.tolerance) return is_right;
  return tolerance(*expected.tolerance, {1.0, make_dimension(0, 0, 1)}, expectation) && is_right;
}

void Elaborator::check_expectations() {
  if (first_expectation_ && !has_run_ && !is_mentioned("run") && !context_.file.names_lost_from) {
    context_.reporter.error(Kind::kMissingStatement, *first_expectation_,
                            "the model has expectations and no `run` to test them in",
                            "write `run 10 [s]`, with the end time that you need");
  }
  if (!model_.run) return;
  for (const auto& [time, range] : expectation_times_) {
    if (time > model_.run->duration) {
      context_.reporter.error(Kind::kBadValue, range, "the run ends before this time, so nothing would be tested",
                              "make the run longer, or test `at end`");
    }
  }
}

}  // namespace vinculum::elaborate
