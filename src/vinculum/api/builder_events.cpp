#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "vinculum/api/builder_own.hpp"
#include "vinculum/api/shared.hpp"
#include "vinculum/model/calculus.hpp"
#include "vinculum/model/traversal.hpp"

// Inputs, events and clauses `when` of models that a program builds, and the diagnostics about them.
namespace vinculum {

using model::EventAction;
using model::TermKind;

namespace {

/// Whether a leaf is a function of parameters, time and state, without accelerations and reactions.
bool is_of_state(model::Term leaf) {
  switch (leaf.kind()) {
    case TermKind::kNumber:
    case TermKind::kTime:
    case TermKind::kParameter:
    case TermKind::kState:
    case TermKind::kZeroVector:
    case TermKind::kBasisVector:
    case TermKind::kPosition:
    case TermKind::kVelocity:
    case TermKind::kAngularVelocity: return true;
    case TermKind::kCoordinate: return leaf.order() <= 1;
    case TermKind::kSpeed: return leaf.order() == 0;
    default: return false;
  }
}

}  // namespace

void complain(Builder::Own& own, diag::Kind kind, std::string message, std::string hint) {
  own.problems.push_back({std::string(diag::kind_info(kind).name), "error", "", std::move(message), std::move(hint)});
}

void complain(Builder::Own& own, const elaborate::RuleProblem& problem) {
  complain(own, problem.kind, problem.message, problem.hint);
}

bool is_scalar_of(Builder::Own& own, model::Term term, const std::string& what) {
  if (!term.is_valid() || &term.pool() != &own.builder.terms()) {
    complain(own, diag::Kind::kBadValue, what + " is not a term of this builder",
             "make it by functions of the builder");
    return false;
  }
  if (!term.is_scalar()) {
    complain(own, diag::Kind::kNotAllowedHere, what + " is a vector",
             "write a scalar, such as a component `dot(v, N.x)`");
    return false;
  }
  return true;
}

bool is_usable(Builder::Own& own, model::Term term, const std::string& what) {
  if (!is_scalar_of(own, term, what)) return false;
  if (std::ranges::all_of(model::leaves_as_read(term), is_of_state)) return true;
  complain(own, diag::Kind::kNotAllowedHere, what + " contains an acceleration or a reaction",
           "write it in the time, coordinates, speeds and states");
  return false;
}

namespace {

constexpr const char* kSettable = "speeds, derivatives of coordinates and states can be set; a coordinate cannot";

bool is_input_state(const model::Model& model, model::Term leaf) {
  return leaf.kind() == TermKind::kState && model.states[leaf.index()].is_of_input;
}

bool is_constant(model::Term term) {
  return std::ranges::all_of(model::leaves_as_read(term), [](model::Term leaf) {
    return leaf.kind() == TermKind::kNumber || leaf.kind() == TermKind::kParameter;
  });
}

bool is_usable_condition(Builder::Own& own, model::Term term, const std::string& what) {
  if (!is_usable(own, term, what)) return false;
  if (is_constant(term)) {
    complain(own, diag::Kind::kBadValue, what + " does not change along a motion",
             "compare a coordinate, a speed, a state or the time");
    return false;
  }
  const bool is_condition = term.kind() == TermKind::kFunction &&
                            (term.op() == expr::Op::kLess || term.op() == expr::Op::kLessEqual ||
                             term.op() == expr::Op::kAnd || term.op() == expr::Op::kOr || term.op() == expr::Op::kNot);
  if (!is_condition)
    complain(own, diag::Kind::kNotAllowedHere, what + " is a number and not a condition", "compare it: `x > 1`");
  return is_condition;
}

/// A time or a period, known when the run begins.
bool is_usable_time(Builder::Own& own, model::Term time, const std::string& what, bool is_period) {
  if (!is_usable(own, time, what)) return false;
  if (!is_constant(time)) {
    complain(own, diag::Kind::kNotAllowedHere, what + " changes along a motion", "write it in numbers and parameters");
    return false;
  }
  if (is_period && time.is_number() && !(time.value() > 0.0)) {
    complain(own, diag::Kind::kBadValue, what + " must be positive", fmt::format("here it is {:.6g} s", time.value()));
    return false;
  }
  return true;
}

void add_event(Builder::Own& own, model::Event event, const std::vector<Builder::Action>& actions) {
  const std::string what = "event `" + event.name + "`";
  std::vector<model::Event>& events = own.builder.model().events;
  if (std::ranges::find(events, event.name, &model::Event::name) != events.end())
    return complain(own, diag::Kind::kDuplicateName, "there is an " + what + " already", "give it another name");
  if (actions.empty())
    return complain(own, diag::Kind::kMissingStatement, what + " has no action", "add `stop`, `record` or `set`");
  for (const Builder::Action& action : actions) {
    switch (action.kind) {
      case Builder::Action::Kind::kStop: event.actions.push_back({EventAction::Kind::kStop}); break;
      case Builder::Action::Kind::kRecord: event.actions.push_back({EventAction::Kind::kRecord}); break;
      case Builder::Action::Kind::kSet:
        if (!is_usable(own, in(action.value), "a value that " + what + " sets")) return;
        own.sets.push_back({events.size(), event.actions.size(), in(action.what)});
        event.actions.push_back({EventAction::Kind::kSetState, 0, in(action.value)});
        break;
    }
  }
  events.push_back(std::move(event));
}

model::Event timed(model::Event::Trigger trigger, std::string name, model::Term time) {
  model::Event event;
  event.name = std::move(name);
  event.trigger = trigger;
  event.time = time;
  return event;
}

/// The variable that an action sets. \pre all speeds have been added
std::optional<EventAction> variable_of(Builder::Own& own, model::Term what, const std::string& by) {
  const model::Model& model = own.builder.model();
  const auto refused = [&](const std::string& message) {
    complain(own, diag::Kind::kNotAllowedHere, by + message, kSettable);
    return std::nullopt;
  };
  if (!what.is_valid() || &what.pool() != model.terms.get()) return refused(" sets a term of another builder");
  if (is_input_state(model, what)) return refused(" sets an input, which a program or a file sets");
  if (what.kind() == TermKind::kState) return EventAction{EventAction::Kind::kSetState, what.index()};
  if (what.kind() == TermKind::kSpeed && what.order() == 0)
    return EventAction{EventAction::Kind::kSetSpeed, what.index()};
  if (what.kind() != TermKind::kCoordinate) return refused(" sets an expression");
  const std::string& name = model.coordinates[what.index()].name;
  if (what.order() == 0) return refused(" sets `" + name + "`, which is a coordinate: a place cannot jump");
  const auto speed = std::ranges::find(model.speeds, name + "'", &model::Speed::name);
  if (what.order() == 1 && speed != model.speeds.end())
    return EventAction{EventAction::Kind::kSetSpeed, static_cast<std::uint32_t>(speed - model.speeds.begin())};
  return refused(" sets `" + name + "'`, which is not a speed of this model");
}

/// Reports inputs in relations that are differentiated before they determine accelerations: an input has no rate.
void check_inputs(Builder::Own& own) {
  const model::Model& model = own.builder.model();
  for (const model::Constraint& constraint : model.constraints) {
    for (const model::Term row : constraint.rows) {
      const int order = model.inputs.empty() ? 0 : model::order_of_accelerations(model, row).value_or(0);
      for (int k = 0; k < order; ++k) {
        const auto leaves = model::leaves_as_read(k == 0 ? row : model::derivative_of(model, row, k));
        if (std::ranges::none_of(leaves, [&](model::Term leaf) { return is_input_state(model, leaf); })) continue;
        complain(own, diag::Kind::kNotAllowedHere,
                 "constraint `" + constraint.name + "` depends on an input, but an input has no rate",
                 "let the input give an acceleration, `x'' = u`, or a force");
        return;
      }
    }
  }
}

}  // namespace

Term operator<(Term a, Term b) { return out_of(in(a).pool().function(expr::Op::kLess, in(a), in(b))); }
Term operator<=(Term a, Term b) { return out_of(in(a).pool().function(expr::Op::kLessEqual, in(a), in(b))); }
Term operator>(Term a, Term b) { return b < a; }
Term operator>=(Term a, Term b) { return b <= a; }
Term operator&&(Term a, Term b) { return out_of(in(a).pool().function(expr::Op::kAnd, in(a), in(b))); }
Term operator||(Term a, Term b) { return out_of(in(a).pool().function(expr::Op::kOr, in(a), in(b))); }
Term operator!(Term a) { return out_of(in(a).pool().function(expr::Op::kNot, in(a))); }
Term select(Term condition, Term if_true, Term if_false) {
  model::TermPool& pool = in(condition).pool();
  return out_of(in(if_true).is_vector() ? pool.vector_select(in(condition), in(if_true), in(if_false))
                                        : pool.function(expr::Op::kSelect, in(condition), in(if_true), in(if_false)));
}

Term Builder::input(std::string name, const std::string& unit, Term value) {
  model::ModelBuilder& b = own_->builder;
  model::Model& model = b.model();
  model.has_units |= !unit.empty();
  const Dimension dimension = dimension_of(unit);
  const model::Term otherwise = value.is_valid() ? in(value) : b.number(0.0);
  const auto add_state = [&](std::string its_name, const Dimension& its, model::Term start) {
    model::State state;
    state.name = std::move(its_name);
    state.rate = b.number(0.0);
    state.start = start;
    state.is_start_stated = start.is_valid();
    state.dimension = its;
    state.is_of_input = true;
    return b.add_state(std::move(state));
  };
  if (!is_usable(*own_, otherwise, "the value of input `" + name + "`")) return number(0.0);
  const bool holds = is_constant(otherwise);
  model::Input input;
  input.name = name;
  input.dimension = dimension;
  input.given = add_state(holds ? name : "given(" + name + ")", dimension, holds ? otherwise : model::Term());
  input.rate = add_state("rate(" + name + ")", unit.empty() ? Dimension() : dimension / dimension_of("s"), {});
  model.states[input.given.index()].rate = b.z(input.rate);
  model::Term current = b.z(input.given);
  if (!holds) {
    input.own = add_state("own(" + name + ")", {}, b.number(1.0));
    current = b.z(input.own) * otherwise + current;
    b.add_output(name, current, {}, dimension);
  }
  model.inputs.push_back(std::move(input));
  return out_of(current);
}

void Builder::event(std::string name, Term expression, Crossing crossing, const std::vector<Action>& actions) {
  const std::string what = "the expression of event `" + name + "`";
  if (!is_usable(*own_, in(expression), what)) return;
  if (is_constant(in(expression)))
    return complain(*own_, diag::Kind::kBadValue, what + " does not change along a motion",
                    "an event happens where its expression passes 0");
  using Trigger = model::Event::Trigger;
  model::Event event;
  event.name = std::move(name);
  event.trigger = crossing == Crossing::kRising    ? Trigger::kBecomesTrue
                  : crossing == Crossing::kFalling ? Trigger::kBecomesFalse
                                                   : Trigger::kChanges;
  event.condition = own_->builder.terms().function(expr::Op::kLess, own_->builder.number(0.0), in(expression));
  add_event(*own_, std::move(event), actions);
}

void Builder::event_at(std::string name, Term time, const std::vector<Action>& actions) {
  if (!is_usable_time(*own_, in(time), "the time of event `" + name + "`", false)) return;
  add_event(*own_, timed(model::Event::Trigger::kAt, std::move(name), in(time)), actions);
}

void Builder::event_every(std::string name, Term period, const std::vector<Action>& actions) {
  if (!is_usable_time(*own_, in(period), "the period of event `" + name + "`", true)) return;
  add_event(*own_, timed(model::Event::Trigger::kEvery, std::move(name), in(period)), actions);
}

void Builder::terminate_when(Term condition) {
  if (!is_usable_condition(*own_, in(condition), "the condition of `terminate_when`")) return;
  model::Event event;
  event.name = "terminate";
  event.trigger = model::Event::Trigger::kBecomesTrue;
  event.condition = in(condition);
  event.terminates = true;
  event.actions = {EventAction{EventAction::Kind::kStop}};
  own_->builder.model().events.push_back(std::move(event));
}

Term Builder::sampled_state(std::string name, Term period, Term start, const std::string& unit) {
  is_usable_time(*own_, in(period), "the period of state `" + name + "`", true);
  const Term state = this->state(std::move(name), number(0.0), start, unit);
  own_->periods.emplace_back(in(state).index(), in(period));
  return state;
}

void Builder::sample(Term state, Term value) {
  const auto period = std::ranges::find(own_->periods, in(state).index(), [](const auto& one) { return one.first; });
  if (in(state).kind() != TermKind::kState || period == own_->periods.end())
    return complain(*own_, diag::Kind::kNotAllowedHere, "`sample` is given a term that is not a sampled state",
                    "make it by `sampled_state`");
  const std::string& name = own_->builder.model().states[period->first].name;
  if (!is_usable(*own_, in(value), "the value of state `" + name + "`")) return;
  model::Event event = timed(model::Event::Trigger::kEvery, "", period->second);
  event.actions = {EventAction{EventAction::Kind::kSetState, period->first, in(value)}};
  own_->builder.model().events.push_back(std::move(event));
}

void Builder::when(Constraint constraint, Term condition) {
  if (!takes_clauses(*own_, constraint)) return;
  model::Constraint& of = own_->builder.model().constraints[constraint.id];
  if (!is_usable_condition(*own_, in(condition), "the condition of `when` of constraint `" + of.name + "`")) return;
  for (const model::Term row : of.rows) {
    const auto leaves = model::leaves_as_read(row);
    const bool has_state = std::ranges::any_of(leaves, [](auto leaf) { return leaf.kind() == TermKind::kState; });
    if (has_state && of.level == model::Level::kPosition)
      return complain(*own_, diag::Kind::kNotSupported,
                      "constraint `" + of.name + "` contains a state and no velocity: it cannot be switched by `when`",
                      "let it act always, or state its derivative, which contains velocities");
  }
  of.when = in(condition);
}

std::vector<Diagnostic> Builder::Own::finish() {
  check_laws(*this);
  check_contacts(*this);
  std::vector<model::Event>& events = builder.model().events;
  for (const SetBy& one : sets) {
    model::Event& event = events[one.event];
    const auto variable = variable_of(*this, one.what, "event `" + event.name + "`");
    if (!variable) continue;
    EventAction& action = event.actions[one.action];
    action.kind = variable->kind;
    action.index = variable->index;
    const auto same = [&](const EventAction& other) {
      return other.kind == action.kind && other.index == action.index;
    };
    if (std::ranges::count_if(event.actions, same) > 1)
      complain(*this, diag::Kind::kMisplacedStatement, "event `" + event.name + "` sets one variable twice",
               "let one action set it");
    const auto is_sampled = [&](const auto& period) {
      return action.kind == EventAction::Kind::kSetState && period.first == action.index;
    };
    if (std::ranges::any_of(periods, is_sampled))
      complain(*this, diag::Kind::kMisplacedStatement, "event `" + event.name + "` sets a sampled state",
               "let one statement set it");
  }
  for (const auto& [index, period] : periods) {
    const auto samples = [&](const model::Event& event) {
      return event.is_sample() && event.actions.front().index == index;
    };
    if (std::ranges::count_if(events, samples) != 1)
      complain(*this, diag::Kind::kMissingStatement,
               "sampled state `" + builder.model().states[index].name + "` has no value, or several",
               "call `sample` once");
  }
  check_inputs(*this);
  return std::move(problems);
}

Unexpected<Error> wrong_model(const std::string& name, std::vector<Diagnostic> problems) {
  Error error{Error::About::kModel, "model", problems.front().message};
  std::string text;
  auto array = nlohmann::ordered_json::array();
  for (const Diagnostic& one : problems) {
    text += fmt::format("{}: {}: {} [{}]\n  hint: {}\n", name, one.severity, one.message, one.kind, one.hint);
    array.push_back({{"kind", one.kind}, {"severity", one.severity}, {"message", one.message}, {"hint", one.hint}});
  }
  error.set_text(text);
  error.set_json(array.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
  error.diagnostics = {std::move(problems), error.text(), error.json()};
  return {std::move(error)};
}

}  // namespace vinculum
