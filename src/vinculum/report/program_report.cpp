#include "vinculum/report/program_report.hpp"

#include <algorithm>

#include "vinculum/exports/derive_contents.hpp"
#include "vinculum/exports/derive_events.hpp"
#include "vinculum/exports/derive_projection.hpp"
#include "vinculum/expr/code.hpp"
#include "vinculum/model/unit_texts.hpp"

namespace vinculum::report {
namespace {

using model::Model;

Node quantity(const std::string& name, const UnitText& unit) {
  Node node = Node::object({{"name", name}, {"unit", stated(unit.si)}});
  if (unit.shown != unit.si) {
    node.add("shown_unit", unit.shown);
    node.add("shown_scale", unit.scale);
  }
  return node;
}

Node list_of(const Model& model, const auto& quantities) {
  Node list = Node::list();
  for (const auto& one : quantities) list.add(quantity(one.name, unit_of(model, one)));
  return list;
}

Node parameters(const Model& model) {
  Node list = Node::list();
  for (const auto& one : model.parameters) list.add(quantity(one.name, unit_of(model, one))).add("value", one.value);
  return list;
}

/// States of the model; entries that an input uses say which role they have.
Node states(const equations::System& system) {
  const Model& model = *system.model;
  Node list = Node::list();
  for (std::size_t i = 0; i < system.z.size(); ++i) {
    const UnitText unit =
        i < model.states.size() ? unit_of(model, model.states[i]) : unit_of(model, system.z_dimensions[i]);
    Node& node = list.add(quantity(system.z_names[i], unit));
    for (const model::Input& input : model.inputs) {
      if (input.given.index() == i) node.add("role", "given");
      if (input.rate.index() == i) node.add("role", "rate");
      if (input.own.is_valid() && input.own.index() == i) node.add("role", "own");
    }
    node.add("is_held", system.z_dot[i].is_zero());
  }
  return list;
}

Node inputs(const Model& model) {
  Node list = Node::list();
  for (const model::Input& input : model.inputs) {
    Node& node = list.add(quantity(input.name, unit_of(model, input.dimension)));
    node.add("given", input.given.index());
    node.add("rate", input.rate.index());
    node.add("own", input.own.is_valid() ? Node(input.own.index()) : Node());
  }
  return list;
}

Node outputs(const ProgramOutputs& of) {
  Node list = Node::list();
  for (const ProgramOutput& one : of.entries) list.add(quantity(one.name, one.unit));
  return list;
}

Node multipliers(const equations::System& system) {
  Node list = Node::list();
  for (std::size_t i = 0; i < system.rows.size(); ++i) {
    const equations::Row& row = system.rows[i];
    list.add(quantity("multiplier(" + row_name(system, i) + ")",
                      unit_of_multiplier(*system.model, row.constraint, static_cast<std::size_t>(row.index))));
  }
  return list;
}

Node events(const Model& model) {
  Node list = Node::list();
  for (const model::Event& event : model.events) {
    const auto stops = [](const model::EventAction& one) { return one.kind == model::EventAction::Kind::kStop; };
    Node& node = list.add(Node::object({{"name", event.name}}));
    node.add("is_timed", event.is_timed());
    node.add("ends_run", event.terminates || std::ranges::any_of(event.actions, stops));
  }
  return list;
}

}  // namespace

Node program_report(const Derivation& derivation) {
  const equations::System& system = *derivation.system;
  const Model& model = *system.model;
  const ProgramOutputs computed = program_outputs(derivation);
  Node node = Node::object({{"model", model.name}, {"title", model.title}, {"prefix", expr::identifier(model.name)}});
  node.add("time_unit", stated(model::unit_of_time(model).si));
  node.add("duration", model.run ? Node(model.run->duration) : Node());
  node.add("parameters", parameters(model));
  node.add("coordinates", list_of(model, model.coordinates));
  node.add("speeds", list_of(model, model.speeds));
  node.add("states", states(system));
  node.add("inputs", inputs(model));
  node.add("outputs", outputs(computed));
  node.add("omitted_outputs", Node(computed.omitted));
  node.add("multipliers", multipliers(system));
  node.add("efforts", system.effort.size());
  node.add("events", events(model));
  Node switched = Node::list();
  for (const Switched& one : derivation.switched) switched.add(Node(model.constraint(one.constraint).name));
  node.add("switched", std::move(switched));
  Node switches = Node::list();
  for (const SwitchingSurface& one : switching_surfaces(derivation)) switches.add(Node(one.text));
  node.add("switches", std::move(switches));
  Node functions = Node::list();
  const bool has_guards = !system.events.empty() || !derivation.switched.empty();
  for (const auto& [name, is_there] : {std::pair{"outputs", !computed.entries.empty()},
                                       {"project", why_no_projection(derivation).empty()},
                                       {"acts", !derivation.switched.empty()},
                                       {"guards", has_guards},
                                       {"happen", !system.events.empty()},
                                       {"impulse", has_impulse(derivation)}}) {
    if (is_there) functions.add(Node(name));
  }
  node.add("functions", std::move(functions));
  node.add("lacks_impulse", needs_impulse(derivation) && !has_impulse(derivation));
  node.add("has_friction_that_sticks", !system.slides.empty());
  node.add("has_jumps", may_jump(derivation));
  return node;
}

}  // namespace vinculum::report
