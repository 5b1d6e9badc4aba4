#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "vinculum/elaborate/check/syntax.hpp"
#include "vinculum/elaborate/statements/elaborator.hpp"
#include "vinculum/model/evaluate.hpp"
#include "vinculum/model/traversal.hpp"

// Statements about events, the end of a run, and sampled states.
namespace vinculum::elaborate {

using diag::Kind;
using model::Event;
using model::EventAction;
using model::Term;
using Trigger = model::Event::Trigger;

namespace {

constexpr std::uint8_t kOfEvents = kMotionState | kHoldsStates | kHoldsInputs;
constexpr std::string_view kSettable = "speeds, derivatives of coordinates and states can be set; a coordinate cannot";

/// Hint for an event that sets a coordinate.
std::string hint_of_jump(const std::string& coordinate) {
  return fmt::format(
      "let a state count the jumps, `state n' = 0` and `set n = n + 1`, and use `{} - D*n` with the jump D in place of "
      "`{}`",
      coordinate, coordinate);
}

}  // namespace

/// A time or a period whose value is known when the run begins.   \returns an invalid term after an error
Term Elaborator::event_time(const lang::Expression& written, std::string_view what, bool is_period) {
  const Value time = check_.scalar_of(written, make_dimension(0, 0, 1), what);
  if (!check_.holds_only(written, time, kHoldsNothing, what)) return {};
  model::Instant at;
  at.q.assign(model_.coordinates.size(), 0.5);
  at.q_dot = at.q_ddot = at.q;
  const double value = model::TermValues(model_, std::move(at)).scalar(time.term).value;
  if (is_period && !(value > 0.0)) {
    context_.reporter.error(Kind::kBadValue, written.range, std::string(what) + " must be positive",
                            fmt::format("here it is {:.6g} s", value));
    return {};
  }
  return time.term;
}

/// Whether a term depends on the time, a coordinate, a speed or a state; reports an error if not.
bool Elaborator::is_varying(Term term, diag::SourceRange range, const std::string& what, std::string hint) {
  if ((context_.facts.holds(term) & kOfEvents) != 0) return true;
  return refuse(Kind::kBadValue, range, what + " does not change along a motion", std::move(hint));
}

/// The condition 0 < left − right of an event.   \returns an invalid term after an error
Term Elaborator::crossing(const lang::EventStatement& statement) {
  const std::string what = "the expression of event `" + statement.name.text + "`";
  const Value left = check_.scalar(*statement.left, what);
  if (left.is_fault()) return {};
  const Value right = left.fits_any || left.is_doubtful ? check_.scalar(*statement.right, what)
                                                        : check_.scalar_of(*statement.right, left.dimension, what);
  const bool is_right = check_.holds_only(*statement.left, left, kOfEvents, what) &&
                        check_.holds_only(*statement.right, right, kOfEvents, what);
  if (!is_right) return {};
  check_.warn_of_bare_angle(*statement.left, *statement.right);
  check_.warn_of_bare_angle(*statement.right, *statement.left);
  if (!is_varying(left.term - right.term, statement.left->range, what,
                  "an event happens where its expression passes 0"))
    return {};
  return pool_.function(expr::Op::kLess, right.term, left.term);
}

bool Elaborator::is_set_once(const EventAction& action, const std::string& name, const std::string& event,
                             diag::SourceRange range) {
  const auto [before, is_new] = set_by_.try_emplace({action.kind, action.index}, SetBy{event, range});
  const bool is_sampled = before->second.event.empty() || event.empty();
  if (is_new || (!is_sampled && before->second.event != event)) return true;
  return refuse(Kind::kMisplacedStatement, range,
                is_sampled ? "`" + name + "` is a sampled state: an event cannot set it"
                           : "event `" + event + "` sets `" + name + "` twice",
                diag::Label{before->second.range, "the first one"}, "let one statement set it");
}

/// Reports that the derivative of a coordinate is not a speed of the model, and names the speeds to set instead.
std::nullopt_t Elaborator::not_a_speed(Term rate, diag::SourceRange range) {
  std::vector<std::string> speeds;
  for (const model::Speed& speed : model_.speeds)
    if (const auto terms = model::in_order(speed.definition); std::ranges::find(terms, rate) != terms.end())
      speeds.push_back("`" + speed.name + "`");
  context_.reporter.error(
      Kind::kNotAllowedHere, range,
      context_.reporter.quoted(range) + " is not a speed of this model, because the model has `speed` statements",
      speeds.empty() ? std::string(kSettable)
                     : fmt::format("set {}, whose definition{} contain{} it", fmt::join(speeds, " or "),
                                   speeds.size() > 1 ? "s" : "", speeds.size() > 1 ? "" : "s"));
  return std::nullopt;
}

std::optional<EventAction> Elaborator::set_action(const lang::SetAction& written, const std::string& event,
                                                  diag::SourceRange range) {
  const auto none_with = [&](std::string message, std::string hint = std::string(kSettable)) {
    context_.reporter.error(Kind::kNotAllowedHere, written.target->range, std::move(message), std::move(hint));
    return std::nullopt;
  };
  const lang::NameReference* plain = as_name(*written.target);
  const bool is_unknown = plain != nullptr && context_.scope.find(plain->name) == nullptr &&
                          !context_.scope.is_forgiven(plain->name, written.target->range.begin);
  if (is_unknown) {
    std::vector<std::string> names;
    for (const model::State& state : model_.states) names.push_back(state.name);
    for (const model::Speed& speed : model_.speeds) names.push_back(speed.name);
    const std::string nearest = diag::nearest_name(plain->name, names);
    context_.reporter.error(Kind::kUnknownName, written.target->range, "unknown name `" + plain->name + "`",
                            nearest.empty() ? fmt::format("a variable that only events change is a state of rate 0: "
                                                          "`state {}' = 0 start {} = …`",
                                                          plain->name, plain->name)
                                            : "did you mean `" + nearest + "`?");
    context_.scope.forgive(plain->name);
    return std::nullopt;
  }
  const Value target = check_.evaluate(*written.target);
  if (target.is_fault()) return std::nullopt;
  const std::string quoted = context_.reporter.quoted(written.target->range);
  const Term term = target.is(ValueKind::kScalar) ? target.term : Term{};
  if (!term.is_valid()) return none_with(quoted + " cannot be set");
  EventAction action;
  std::string name;
  if (target.is(ValueKind::kScalar) && (context_.facts.holds(term) & kHoldsInputs) != 0) {
    return none_with(quoted + " is an input, which a program or a file sets");
  } else if (term.kind() == model::TermKind::kState) {
    action = {EventAction::Kind::kSetState, term.index()};
    name = model_.states[term.index()].name;
  } else if (term.kind() == model::TermKind::kSpeed && term.order() == 0) {
    action = {EventAction::Kind::kSetSpeed, term.index()};
    name = model_.speeds[term.index()].name;
  } else if (term.kind() == model::TermKind::kCoordinate && term.order() == 1) {
    name = model_.coordinates[term.index()].name + "'";
    const auto speed = std::ranges::find(model_.speeds, name, &model::Speed::name);
    if (speed == model_.speeds.end()) return not_a_speed(term, written.target->range);
    action = {EventAction::Kind::kSetSpeed, static_cast<std::uint32_t>(speed - model_.speeds.begin())};
  } else {
    const bool is_coordinate = term.kind() == model::TermKind::kCoordinate && term.order() == 0;
    if (is_coordinate)
      return none_with(quoted + " is a coordinate: a place cannot jump",
                       hint_of_jump(quoted.substr(1, quoted.size() - 2)));
    return none_with(quoted + " cannot be set");
  }
  const std::string what = "the value of `" + name + "`";
  const Value value = check_.measured(*written.value, unit_of(*written.target, target), what);
  if (!check_.holds_only(*written.value, value, kOfEvents, what) || !is_set_once(action, name, event, range))
    return std::nullopt;
  action.value = value.term;
  return action;
}

std::optional<EventAction> Elaborator::action(const lang::Clause& written, const std::string& event) {
  if (std::holds_alternative<lang::StopAction>(written.what)) return EventAction{EventAction::Kind::kStop};
  if (std::holds_alternative<lang::RecordAction>(written.what)) return EventAction{EventAction::Kind::kRecord};
  return set_action(std::get<lang::SetAction>(written.what), event, written.range);
}

void Elaborator::apply(const lang::EventStatement& statement, diag::SourceRange range) {
  using Written = lang::EventStatement::Trigger;
  context_.place = "an event";
  Symbol* symbol = context_.symbol_of(statement.name);
  Event event;
  event.name = statement.name.text;
  event.range = range;
  if (statement.trigger == Written::kCrossing) {
    event.trigger = statement.is_rising    ? Trigger::kBecomesTrue
                    : statement.is_falling ? Trigger::kBecomesFalse
                                           : Trigger::kChanges;
    event.condition = crossing(statement);
  } else {
    const bool is_period = statement.trigger == Written::kEvery;
    event.trigger = is_period ? Trigger::kEvery : Trigger::kAt;
    event.time = event_time(*statement.left, is_period ? "the period of an event" : "the time of an event", is_period);
  }
  bool is_right = event.condition.is_valid() || event.time.is_valid();
  for (const lang::Clause& written : statement.clauses) {
    if (auto done = action(written, event.name))
      event.actions.push_back(*done);
    else
      is_right = false;
  }
  if (!is_right || symbol == nullptr) return fail(symbol);
  symbol->state = SymbolState::kReady;
  model_.events.push_back(std::move(event));
}

void Elaborator::apply(const lang::TerminateStatement& statement, diag::SourceRange range) {
  context_.place = "the end of a run";
  const Value condition = check_.evaluate(*statement.condition);
  if (condition.is_fault()) return context_.reporter.leave_out();
  if (!condition.is(ValueKind::kCondition)) {
    check_.wrong_kind(*statement.condition, condition,
                      "a run ends where a comparison becomes true: `terminate when x > 1 [m]`");
    return context_.reporter.leave_out();
  }
  const std::string what = "the condition of `terminate when`";
  if (!check_.holds_only(*statement.condition, condition, kOfEvents, what) ||
      !is_varying(condition.term, statement.condition->range, what,
                  "compare a coordinate, a speed, a state or the time: `terminate when x > 1 [m]`"))
    return context_.reporter.leave_out();
  Event event;
  event.name = "terminate";
  event.trigger = Trigger::kBecomesTrue;
  event.condition = condition.term;
  event.range = range;
  event.terminates = true;
  event.actions = {EventAction{EventAction::Kind::kStop}};
  model_.events.push_back(std::move(event));
}

void Elaborator::sample_state(const lang::StateStatement& statement, const Symbol& symbol) {
  context_.place = "a sampled state";
  model::State& state = model_.states[symbol.index];
  const std::string what = "the value of state `" + symbol.name + "`";
  if (const Value value = check_.evaluate(*statement.rate);
      !statement.unit && model_.has_units && symbol.declared.dimension.is_dimensionless() &&
      value.is(ValueKind::kScalar) && !value.fits_any && !value.is_doubtful && !value.dimension.is_dimensionless()) {
    context_.reporter.error(
        Kind::kDimensionMismatch, statement.rate->range,
        "state `" + symbol.name + "` is declared without a unit, and its value is in " + si_unit(value.dimension),
        "declare it with the unit: `state " + symbol.name + " [" + si_unit(value.dimension) + "] every " +
            context_.reporter.as_written(statement.period->range) + " = …`");
    return context_.reporter.leave_out();
  }
  const Value value = check_.measured(*statement.rate, symbol.declared, what);
  Event event;
  event.trigger = Trigger::kEvery;
  event.range = state.range;
  event.time = event_time(*statement.period, "the period of state `" + symbol.name + "`", true);
  state.rate = pool_.number(0.0);
  EventAction action{EventAction::Kind::kSetState, symbol.index, value.term};
  if (!check_.holds_only(*statement.rate, value, kOfEvents, what) || !event.time.is_valid() ||
      !is_set_once(action, symbol.name, "", state.range))
    return context_.reporter.leave_out();
  event.actions.push_back(action);
  model_.events.push_back(std::move(event));
}

}  // namespace vinculum::elaborate
