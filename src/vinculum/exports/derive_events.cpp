#include "vinculum/exports/derive_events.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "vinculum/base/tolerance.hpp"
#include "vinculum/exports/derive_projection.hpp"
#include "vinculum/exports/derive_statements.hpp"
#include "vinculum/expr/derivative.hpp"
#include "vinculum/expr/latex.hpp"
#include "vinculum/model/calculus.hpp"

namespace vinculum::report {
namespace {

using equations::EventForms;
using expr::Expr;
using expr::Op;
using model::Event;
using model::EventAction;

int direction_of(const Event& event) {
  return event.trigger == Event::Trigger::kBecomesTrue ? 1 : event.trigger == Event::Trigger::kBecomesFalse ? -1 : 0;
}

bool has(const Event& event, EventAction::Kind kind) {
  return std::ranges::any_of(event.actions, [&](const EventAction& one) { return one.kind == kind; });
}

void write_acts(CodeWriter& writer, const Derivation& derivation) {
  expr::Graph& graph = *derivation.system->graph;
  std::vector<Expr> values;
  for (const Switched& one : derivation.switched)
    values.push_back(expr::select(one.condition, graph.constant(1.0), graph.constant(0.0)));
  writer.assign("acts", values);
  writer.write_body(
      writer.add("acts",
                 "Which constraints with a condition act at this state, acts[NACTS]: 1, or 0. In a motion "
                 "it changes where a guard of\nsuch a constraint passes 0, and where an event sets "
                 "something",
                 writer.bare_state(), "acts[NACTS]", true));
}

void write_guards(CodeWriter& writer, const Derivation& derivation) {
  const equations::System& system = *derivation.system;
  std::vector<Expr> guards;
  for (const EventForms& forms : system.events)
    guards.push_back(forms.condition.is_valid() ? guard_of(forms.condition) : system.graph->constant(1.0));
  for (const Switched& one : derivation.switched) guards.push_back(guard_of(one.condition));
  writer.assign("guards", guards);
  writer.write_body(
      writer.add("guards",
                 "Functions that pass 0 where events happen, guards[NG]: of event k at k, 1 for an event "
                 "of a stated time; then those\nof constraints with a condition, positive while it is true",
                 writer.bare_state(), "guards[NG]", true));
  std::vector<Expr> directions;
  for (const Event& event : system.model->events)
    directions.push_back(system.graph->constant(event.is_timed() ? 0 : direction_of(event)));
  directions.resize(guards.size(), system.graph->constant(0.0));
  writer.assign("direction", directions);
  writer.write_body(writer.add(
      "event_directions", "Sign of the changes of a guard that count: 1 upward, -1 downward, 0 both, direction[NG]", {},
      "direction[NG]", true));
}

void write_times(CodeWriter& writer, const Derivation& derivation) {
  const equations::System& system = *derivation.system;
  const Expr none = system.graph->constant(std::numeric_limits<double>::quiet_NaN());
  std::vector<Expr> at, every;
  for (std::size_t k = 0; k < system.events.size(); ++k) {
    const Event::Trigger trigger = system.model->events[k].trigger;
    at.push_back(trigger == Event::Trigger::kAt ? system.events[k].time : none);
    every.push_back(trigger == Event::Trigger::kEvery ? system.events[k].time : none);
  }
  writer.assign("at", at);
  writer.assign("every", every);
  writer.write_body(
      writer.add("event_times",
                 "Instants of events of stated times: once at at[NEV], or at 0, every, 2 every and so on with "
                 "every[NEV]; nan for other events",
                 CodeWriter::variables("p[NP]"), "at[NEV], every[NEV]", true));
}

void write_happen(CodeWriter& writer, const Derivation& derivation) {
  const equations::System& system = *derivation.system;
  std::vector<Variable> inputs = writer.bare_state();
  inputs.push_back(CodeWriter::variables("happened[NEV]").front());
  for (std::size_t k = 0; k < system.events.size(); ++k) {
    std::vector<Statement> values;
    const std::vector<EventAction>& actions = system.model->events[k].actions;
    for (std::size_t i = 0; i < actions.size(); ++i) {
      if (!actions[i].value.is_valid()) continue;
      const char array = actions[i].kind == EventAction::Kind::kSetSpeed ? 'u' : 'z';
      values.push_back(
          CodeWriter::assignment(fmt::format("{}[{}]", array, actions[i].index), system.events[k].values[i]));
    }
    writer.assign_if(fmt::format("happened[{}] > 0.5", k), std::move(values));
  }
  writer.write_body(writer.add("happen",
                               "u and z after the events whose happened[NEV] is 1, all by the values before them. "
                               "Constraints may need an impulse then",
                               std::move(inputs), system.z.empty() ? "u[NU]" : "u[NU], z[NZ]", true));
}

void write_impulse(CodeWriter& writer, const Derivation& derivation) {
  const equations::System& system = *derivation.system;
  write_velocity_relations(writer, derivation);
  const bool is_curved = has_curved_rows(system);
  const std::string step = fmt::format(
      R"(call NAME_equations(STATE) -> real qdot[NQ], real M[NU][NU], real f[NU], {}real A[NC][NU], real b[NC]
  real mass[NU], none[NU]
  for i < NU: mass[i] = M[i][i]
  call NAME_velocity_relations(STATE) -> real psi[NC], real J[NC][NU]
  for k < NC: psi[k] = -psi[k]
  call solve(M, mass, none, J, psi) -> real change[NU], real more[NC]
  for k < NC: impulse[k] += more[k]
  for i < NU: u[i] += change[i]
)",
      system.has_nonideal ? "real C[NU], " : "");
  std::string body = "  for k < NC: impulse[k] = 0.0\n";
  if (!is_curved) {
    body += "  " + step;
  } else {
    body += "  int turn = 0\n  real largest = 1.0\n  real size = 0.0\n";
    body += fmt::format("  while turn < 50 and largest > {} * size\n    ", tolerance::kHalfDigits);
    for (const char c : step) {
      body += c;
      if (c == '\n') body += "  ";
    }
    body +=
        "  largest = 0.0\n    size = 0.0\n    for i < NU\n      largest = max(largest, abs(change[i]))\n"
        "      size = max(size, abs(u[i]))\n    turn += 1\n";
  }
  writer.add_text("NAME_impulse(STATE) -> u[NU], impulse[NC] fails\n",
                  "u after the impulse that makes the speeds satisfy the constraints that act: M du = A^T impulse. "
                  "Where an event has set\nspeeds, or a constraint begins to act",
                  body);
}

}  // namespace

Expr guard_of(Expr condition) {
  expr::Graph& graph = condition.graph();
  const auto operand = [&](int k) { return condition.operand(k); };
  const auto size = [&](Expr e) { return graph.make(Op::kAbsolute, e); };
  switch (condition.op()) {
    case Op::kLess:
    case Op::kLessEqual: return operand(1) - operand(0);
    case Op::kEqual: return -size(operand(0) - operand(1));
    case Op::kNotEqual: return size(operand(0) - operand(1));
    case Op::kAnd: return graph.make(Op::kMinimum, guard_of(operand(0)), guard_of(operand(1)));
    case Op::kOr: return graph.make(Op::kMaximum, guard_of(operand(0)), guard_of(operand(1)));
    case Op::kNot: return -guard_of(operand(0));
    case Op::kSelect: return expr::select(operand(0), guard_of(operand(1)), guard_of(operand(2)));
    default: return expr::select(condition, graph.constant(1.0), graph.constant(-1.0));
  }
}

Expr acts_of(const Derivation& derivation, int row) {
  for (const Switched& one : derivation.switched) {
    if (std::ranges::find(one.rows, row) != one.rows.end()) return one.symbol;
  }
  return {};
}

void list_events(Lines& lines, const Derivation& derivation) {
  const equations::System& system = *derivation.system;
  const model::Model& model = *system.model;
  for (std::size_t k = 0; k < system.events.size(); ++k) {
    const Event& event = model.events[k];
    if (event.name.empty()) continue;  // samples of a state are listed with the statement of that state
    lines.given(statement_of(model, event));
    for (const EventAction& action : event.actions)
      if (!event.terminates) lines.given(statement_of(model, action));
    if (system.events[k].condition.is_valid())
      lines.result(fmt::format("guard({})", event.name), guard_of(system.events[k].condition));
    for (std::size_t i = 0; i < event.actions.size(); ++i) {
      if (!event.actions[i].value.is_valid()) continue;
      const std::string target = name_of_target(model, event.actions[i]);
      lines.result(fmt::format("{} after {}", target, event.name), system.events[k].values[i],
                   "{" + expr::latex_name(target) + "}^{+}");
    }
  }
  if (system.events.empty() && derivation.switched.empty()) return;
  lines.note("The equations of motion hold between events. All events of one instant use the values before it.");
  if (std::ranges::any_of(model.events, [](const Event& one) { return !one.is_timed(); }))
    lines.note("An event happens where its guard passes 0, upward (rising), downward (falling) or both.");
  const auto is_unilateral = [](const model::Constraint& one) { return one.unilateral.has_value(); };
  if (std::ranges::any_of(model.constraints, is_unilateral)) {
    lines.note(
        "A unilateral constraint c acts, closed(c) = 1, from where its gap becomes 0 until its multiplier becomes 0.");
    lines.note("Where its gap closes, an impact changes the speeds: M du = A^T p, p >= 0, by its restitution.");
  }
  if (!needs_impulse(derivation)) return;
  lines.note(
      "Where an event sets speeds, or a constraint begins to act, speeds that violate the constraints change at");
  lines.note("once by du: M du = A^T p with the impulse p of the constraints that act, which hold afterwards.");
}

std::string contents_of_events(const Derivation& derivation) {
  const equations::System& system = *derivation.system;
  const model::Model& model = *system.model;
  std::string text;
  for (std::size_t k = 0; k < derivation.switched.size(); ++k) {
    const Switched& one = derivation.switched[k];
    const model::Constraint& constraint = model.constraint(one.constraint);
    text += fmt::format("  acts[{}]  1 while constraint {} acts, else 0: when {}; guards[{}] > 0 there\n", k,
                        constraint.name, model::to_text(model, constraint.when), system.events.size() + k);
  }
  if (!system.events.empty()) text += "\nEvents, in the order of guards, direction, at, every and happened:\n";
  for (std::size_t k = 0; k < system.events.size(); ++k) {
    const Event& event = model.events[k];
    std::string actions;
    for (const EventAction& action : event.actions) {
      if (!event.terminates && !event.name.empty())
        actions += (actions.empty() ? ": " : ", ") + statement_of(model, action);
    }
    text += fmt::format("  [{}]  {}{}{}\n", k, statement_of(model, event), actions,
                        event.terminates                       ? ": ends the run"
                        : has(event, EventAction::Kind::kStop) ? ", which ends the run"
                                                               : "");
  }
  if (text.empty()) return text;
  text +=
      "The functions of the state are smooth: they hold between events and while acts is as given. A program that "
      "follows a\nmotion over events finds where guards pass 0, calls happen for all events of that instant together, "
      "acts, and impulse.\n";
  if (const std::string why = why_no_impulse(derivation); needs_impulse(derivation) && !why.empty())
    text += "There is no function impulse: " + why + ".\n";
  return text;
}

std::string why_no_impulse(const Derivation& derivation) {
  const equations::System& system = *derivation.system;
  if (system.higher) return "constraints of higher order determine no impulse";
  if (!system.directed.empty()) return "efforts determine no impulse";
  if (system.has_indefinite_mass) return "laws with momenta of their own determine no impulse";
  return system.rows.empty() ? "the model has no constraint equations" : "";
}

bool needs_impulse(const Derivation& derivation) {
  const equations::System& system = *derivation.system;
  if (!derivation.switched.empty()) return true;
  const auto sets_speed = [](const Event& event) { return has(event, EventAction::Kind::kSetSpeed); };
  return !system.rows.empty() && std::ranges::any_of(system.model->events, sets_speed);
}

bool has_impulse(const Derivation& derivation) {
  return needs_impulse(derivation) && why_no_impulse(derivation).empty();
}

void write_events(CodeWriter& writer, const Derivation& derivation) {
  const equations::System& system = *derivation.system;
  if (!derivation.switched.empty()) write_acts(writer, derivation);
  if (system.events.empty() && derivation.switched.empty()) return;
  write_guards(writer, derivation);
  if (!system.events.empty()) {
    write_times(writer, derivation);
    write_happen(writer, derivation);
  }
  if (has_impulse(derivation)) write_impulse(writer, derivation);
}

}  // namespace vinculum::report
