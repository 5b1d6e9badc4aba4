#include <algorithm>

#include "vinculum/elaborate/check/joint_clauses.hpp"
#include "vinculum/elaborate/check/syntax.hpp"
#include "vinculum/elaborate/check/units.hpp"
#include "vinculum/elaborate/statements/elaborator.hpp"
#include "vinculum/model/joint.hpp"
#include "vinculum/model/unilateral.hpp"

// Limits of a coordinate, and of the position of a joint. Each limit is a unilateral constraint.
namespace vinculum::elaborate {

using diag::Kind;
using model::Term;

namespace {

constexpr std::string_view kMin = ".min", kMax = ".max";

/// The unit of a number with a unit, with or without a sign; null for other expressions.
const lang::Unit* stated_unit(const lang::Expression* expression) {
  while (expression != nullptr) {
    if (const auto* number = std::get_if<lang::NumberLiteral>(&expression->node))
      return number->unit ? &*number->unit : nullptr;
    const auto* sign = std::get_if<lang::Unary>(&expression->node);
    expression = sign == nullptr || sign->op == lang::UnaryOperator::kNot ? nullptr : sign->operand.get();
  }
  return nullptr;
}

}  // namespace

/// The values of the limits; a limit that is not stated is invalid.
struct Elaborator::Bounds {
  Term lower, upper;
  Term restitution;
  const lang::LimitsClause* written;
};

/// A quantity with limits.
struct Elaborator::Limit {
  std::string owner;  ///< the constraints are `owner.min` and `owner.max`
  std::string text;   ///< the quantity in words or as it is written: "q", "angle of hinge"
  Term above_lower;   ///< gap of the lower limit
  Term below_upper;   ///< gap of the upper limit
  Dimension dimension;
  Term rate;  ///< scalar of velocity level that inspection reads instead of the gap; invalid: it reads the gap
};

void Elaborator::declare_limits(const lang::Name& owner, const lang::LimitsClause& limits) {
  const auto declare = [&](std::string_view end) {
    (void)context_.scope.declare(SymbolKind::kConstraint, {owner.text + std::string(end), owner.range},
                                 context_.statement);
  };
  if (limits.lower) declare(kMin);
  if (limits.upper) declare(kMax);
}

void Elaborator::declare_limits(const lang::JointStatement& joint) {
  for (const lang::Clause& clause : joint.clauses) {
    if (const auto* limits = std::get_if<lang::LimitsClause>(&clause.what))
      return declare_limits(joint.name, *limits);  // a second clause is an error
  }
}

void Elaborator::fail_limits(const std::string& owner) {
  for (const std::string_view end : {kMin, kMax}) {
    Symbol* symbol = context_.scope.find(owner + std::string(end));
    if (symbol != nullptr && symbol->statement == context_.statement) fail(symbol);
  }
}

Term Elaborator::bound(const lang::Expression& written, const UnitValue& unit, const std::string& of) {
  const std::string what = "a limit of " + of;
  const Value value = check_.measured(written, unit, what);
  if (value.is_fault()) return {};
  if (const auto problem = limit_problem(context_.facts, value.term, of)) {
    context_.reporter.error(problem->kind, written.range, problem->message, problem->hint);
    return {};
  }
  if (!is_guessed(value.term) && !number_now(written, value, what)) return {};
  return value.term;
}

/// Whether the lower limit is below the upper limit, for the present values of parameters; also requires it of later
/// values.
bool Elaborator::are_ordered(const lang::LimitsClause& written, const Bounds& bounds, const std::string& of) {
  if (!bounds.lower.is_valid() || !bounds.upper.is_valid()) return true;
  if (is_guessed(bounds.lower) || is_guessed(bounds.upper)) return true;
  const auto problem = limit_order_problem(model_, bounds.lower, bounds.upper, of);
  if (!problem) return true;
  return refuse(problem->kind, cover(written.lower->range, written.upper->range), problem->message, problem->hint);
}

std::optional<Elaborator::Bounds> Elaborator::bounds(const lang::LimitsClause& written, const UnitValue& unit,
                                                     const std::string& of) {
  Bounds result{{}, {}, {}, &written};
  bool is_right = true;
  const auto read = [&](const lang::Expression* one, const lang::Expression* other, Term& term) {
    if (one == nullptr) return;
    // A number without a unit takes the unit of the other limit: in `-30 .. 30 [deg]` both are degrees.
    const lang::Unit* stated = is_numeric(*one) ? stated_unit(other) : nullptr;
    if (stated != nullptr && !is_right) return;  // that unit has an error
    term = bound(*one, stated == nullptr ? unit : read_unit(*stated, context_.reporter).value_or(unit), of);
    is_right = term.is_valid() && is_right;
  };
  const bool is_upper_first = stated_unit(written.upper.get()) != nullptr;
  if (is_upper_first) read(written.upper.get(), written.lower.get(), result.upper);
  read(written.lower.get(), written.upper.get(), result.lower);
  if (!is_upper_first) read(written.upper.get(), written.lower.get(), result.upper);
  result.restitution = restitution(written.restitution ? &*written.restitution : nullptr);
  if (!is_right || !result.restitution.is_valid() || !are_ordered(written, result, of)) return std::nullopt;
  return result;
}

void Elaborator::add_limit(const Limit& limit, const Bounds& bounds) {
  const lang::LimitsClause& written = *bounds.written;
  const auto add = [&](std::string_view end, Term gap, const lang::Expression& value, const lang::Expression* other,
                       std::string_view sign) {
    const std::string name = limit.owner + std::string(end);
    Symbol* symbol = context_.scope.find(name);
    if (symbol == nullptr || symbol->statement != context_.statement) return context_.reporter.leave_out();
    const lang::Unit* unit = is_bare_number(value) ? stated_unit(other) : nullptr;
    const std::string text = limit.text + std::string(sign) + context_.reporter.as_written(value.range) +
                             (unit == nullptr ? "" : " [" + text_of(*unit).shown + "]");
    const model::ConstraintId id =
        builder_.add_constraint(name, gap, {}, context_.stored(limit.dimension), value.range, text);
    if (limit.rate.is_valid()) model_.constraints[id.index()].row_rates = {end == kMin ? limit.rate : -limit.rate};
    symbol->index = id.value;
    symbol->state = SymbolState::kReady;
    model::make_unilateral(builder_, id,
                           unilateral(bounds.restitution, written.restitution ? &*written.restitution : nullptr));
  };
  if (written.lower) add(kMin, limit.above_lower, *written.lower, written.upper.get(), " >= ");
  if (written.upper) add(kMax, limit.below_upper, *written.upper, written.lower.get(), " <= ");
}

void Elaborator::apply(const lang::LimitsStatement& statement) {
  context_.place = "limits";
  const std::string owner = statement.name.value_or(statement.coordinate).text;
  const Symbol* symbol = named(statement.coordinate, SymbolKind::kCoordinate);
  const std::string name = statement.coordinate.text;
  const std::optional<Bounds> values =
      symbol == nullptr || symbol->is_doubtful ? std::nullopt : bounds(statement.limits, symbol->declared, quote(name));
  if (!values) return fail_limits(owner), context_.reporter.leave_out();
  const Term q = pool_.coordinate(model::CoordinateId(std::size_t{symbol->index}));
  Limit limit{owner, name, {}, {}, model_.coordinates[symbol->index].dimension, {}};
  if (statement.limits.lower) limit.above_lower = q - values->lower;
  if (statement.limits.upper) limit.below_upper = -(q - values->upper);
  add_limit(limit, *values);
}

bool Elaborator::limit_joint(const Clauses& clauses, const model::JointSpec& joint, const lang::Name& name) {
  const diag::SourceRange range = clauses.limits->range;
  const auto& written = std::get<lang::LimitsClause>(clauses.limits->what);
  std::optional<RuleProblem> problem = joint_limit_problem(joint.kind);
  if (!problem && clauses.when != nullptr) problem = limits_of_timed_joint();
  if (problem) return refuse(problem->kind, range, problem->message, problem->hint);
  context_.place = "limits";
  const Dimension dimension = *model::joint_position_dimension(joint.kind);
  const std::string quantity = joint_position_name(joint.kind), of = "the " + quantity + " of " + quote(name.text);
  const std::optional<Bounds> values = bounds(written, {1.0, dimension}, of);
  if (!values) return false;
  const model::JointPosition position = model::joint_position(builder_, joint);
  const bool is_doubtful = context_.guesses_places || is_guessed(values->lower) || is_guessed(values->upper);
  LimitGaps gaps;
  problem = joint_limit_gaps(model_, context_.facts, position, values->lower, values->upper, of, is_doubtful, gaps);
  if (problem) return refuse(problem->kind, range, problem->message, problem->hint);
  add_limit({name.text, quantity + " of " + name.text, gaps.above_lower, gaps.below_upper, dimension, position.rate},
            *values);
  return true;
}

}  // namespace vinculum::elaborate
