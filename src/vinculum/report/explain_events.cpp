// Reports events, sampled states, and constraints that act while a condition is true.
#include <fmt/format.h>

#include <algorithm>

#include "vinculum/base/tolerance.hpp"
#include "vinculum/exports/derive_statements.hpp"
#include "vinculum/hybrid/look.hpp"
#include "vinculum/model/calculus.hpp"
#include "vinculum/model/unit_texts.hpp"
#include "vinculum/report/explained.hpp"

namespace vinculum::report {
namespace {

using model::Event;
using model::EventAction;

const char* word_of(Event::Trigger trigger) {
  switch (trigger) {
    case Event::Trigger::kBecomesTrue: return "rising";
    case Event::Trigger::kBecomesFalse: return "falling";
    case Event::Trigger::kChanges: return "either";
    case Event::Trigger::kAt: return "at";
    case Event::Trigger::kEvery: return "every";
  }
  return "";
}

/// Describes the instants of an event: "at 2 s", "every 0.5 s", "where x - 1 passes 0 upward".
std::string instants_of(const Explained& explained, std::size_t k) {
  const model::Model& model = explained.model();
  const Event& event = model.events[k];
  if (event.is_timed()) {
    const UnitText unit = model::unit_of_time(model);
    const std::string value = explained.at_start
                                  ? fmt::format("{:.10g}{}", explained.at_start->scalar(event.time), behind(unit))
                                  : model::to_text(model, event.time);
    return event.trigger == Event::Trigger::kAt ? "at " + value : "at 0 and every " + value;
  }
  if (event.terminates) return "the run ends as soon as " + model::to_text(model, event.condition);
  const std::string relation = fmt::format("{} = {}", model::to_text(model, event.condition.operand(1)),
                                           model::to_text(model, event.condition.operand(0)));
  switch (event.trigger) {
    case Event::Trigger::kBecomesTrue: return fmt::format("where {}, left side rising above the right", relation);
    case Event::Trigger::kBecomesFalse: return fmt::format("where {}, left side falling below the right", relation);
    default: return fmt::format("where {}, in either direction", relation);
  }
}

Node event_of(const Explained& explained, std::size_t k) {
  const model::Model& model = explained.model();
  const Event& event = model.events[k];
  Node node = Node::object({{"name", event.name},
                            {"trigger", word_of(event.trigger)},
                            {"statement", statement_of(model, event)},
                            {"terminates", event.terminates}});
  node.said = fmt::format("  {}: {}\n", event.name, instants_of(explained, k));
  Node& actions = node.add("actions", Node::list());
  for (const EventAction& action : event.actions) {
    const std::string text = statement_of(model, action);
    actions.add(text);
    if (!event.terminates) node.said += "    " + text + "\n";
  }
  actions.hush();
  return node;
}

}  // namespace

Node events_of(const Explained& explained) {
  const model::Model& model = explained.model();
  Node list = Node::list();
  bool has_timed = false, has_others = false;
  for (std::size_t k = 0; k < model.events.size(); ++k) {
    if (model.events[k].name.empty()) continue;
    (model.events[k].is_timed() ? has_timed : has_others) = true;
    list.add(event_of(explained, k));
  }
  if (list.parts.empty()) return list;
  list.said = "\nevents\n";
  const bool has_samples = std::ranges::any_of(model.events, [](const Event& event) { return event.is_sample(); });
  list.say(
      "  at one instant all of a round use the values before it; events that these cause follow in a next round\n");
  if (has_others && (has_timed || has_samples))
    list.say("  events of stated times and samples come before the events of expressions that they cause\n");
  return list;
}

Node samples_of(const Explained& explained) {
  const model::Model& model = explained.model();
  Node list = Node::list();
  for (std::size_t k = 0; k < model.events.size(); ++k) {
    const Event& event = model.events[k];
    if (!event.is_sample()) continue;
    const EventAction& sample = event.actions.front();
    const std::string value = model::to_text(model, sample.value);
    Node period;
    if (explained.at_start) period = explained.at_start->scalar(event.time);
    list.add(Node::object({{"state", name_of_target(model, sample)}, {"period", period}, {"value", value}})).said =
        fmt::format("  {}: {}, takes {}\n", name_of_target(model, sample), instants_of(explained, k), value);
  }
  if (!list.parts.empty()) list.said = "\nsampled states\n";
  return list;
}

void take_sides(sim::Dynamics& dynamics, double t, const Vector& y) {
  const sim::Binding& bound = dynamics.binding();
  if (bound->switched.empty() || !bound->watches) return;
  constexpr double kAnyDuration = 1.0;
  sim::Mode mode = dynamics.mode();
  sim::set_sides(mode, bound, {});
  dynamics.set_mode(mode);
  sim::Regions regions(dynamics, kAnyDuration);
  sim::Look look({dynamics, mode, tolerance::kDefaultRun, kAnyDuration}, regions);
  sim::set_sides(mode, bound, look.sides_at(t, y));
  dynamics.set_mode(std::move(mode));
}

}  // namespace vinculum::report
