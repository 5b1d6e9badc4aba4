#include "vinculum/exports/derive_switches.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numbers>
#include <variant>

#include "vinculum/compiled/switches.hpp"
#include "vinculum/equations/derive.hpp"
#include "vinculum/expr/derivative.hpp"
#include "vinculum/model/inspect/inspection.hpp"

namespace vinculum::report {

namespace {

using equations::System;
using expr::Expr;

/// Symbols of time and state.
std::vector<Expr> known_of(const System& system) {
  std::vector<Expr> known{system.t};
  for (const auto* list : {&system.q, &system.u, &system.z}) known.insert(known.end(), list->begin(), list->end());
  return known;
}

}  // namespace

std::vector<SwitchingSurface> switching_surfaces(const Derivation& derivation) {
  const System& system = *derivation.system;
  std::vector<Expr> equations = system.q_dot;
  const auto add = [&](const std::vector<Expr>& more) { equations.insert(equations.end(), more.begin(), more.end()); };
  add(system.f);
  add(system.C);
  add(system.z_dot);
  add(system.M.get());
  for (const equations::Row& row : system.rows) {
    add(row.A.values());
    equations.push_back(row.b);
  }
  for (const auto& directed : system.directed) {
    for (const auto& column : directed.Gamma) add(column);
  }
  if (system.higher) {
    add(system.higher->J);
    add(system.higher->r);
  }
  std::erase_if(equations, [](Expr e) { return !e.is_valid(); });
  sim::Switches switches(*system.graph, known_of(system), system.parameters);
  switches.collect(equations);
  std::vector<SwitchingSurface> surfaces;
  for (const sim::Switches::Surface& one : switches.surfaces()) {
    if (one.is_pole()) continue;
    // The sine passes 0 where x is an integer.
    const Expr function =
        one.is_floor() ? system.graph->make(expr::Op::kSine, one.x * std::numbers::pi) : one.x - one.y;
    surfaces.push_back({one.text, function});
  }
  return surfaces;
}

bool may_jump(const Derivation& derivation) {
  const System& system = *derivation.system;
  const model::Model& model = *system.model;
  const auto lowered = [&](model::Term term) { return equations::lower(system, term); };
  Expr kinetic = lowered(model::kinetic_energy(model)).front();
  for (const model::Load& load : model.loads) {
    if (const auto* lagrangian = std::get_if<model::LagrangianFunction>(&load.what))
      kinetic += lowered(lagrangian->L).front();
  }
  std::vector<Expr> all = expr::gradient(kinetic, system.u);
  const auto add = [&](model::Term term) { std::ranges::copy(lowered(term), std::back_inserter(all)); };
  const model::FrameId N = model::Model::newtonian();
  for (const model::Particle& particle : model.particles) add(model.terms->velocity(particle.point, N));
  for (const model::Body& body : model.bodies) {
    add(model.terms->velocity(body.center, N));
    add(model.terms->angular_velocity(body.frame, N));
  }
  sim::Switches switches(*system.graph, known_of(system), system.parameters);
  return std::ranges::any_of(all, [&](Expr e) { return switches.has_switch(e); });
}

void write_switches(CodeWriter& writer, const std::vector<SwitchingSurface>& surfaces) {
  std::vector<Expr> values;
  for (const SwitchingSurface& one : surfaces) values.push_back(one.function);
  writer.assign("switches", values);
  writer.write_body(writer.add(
      "switches",
      "Functions that pass 0 where the equations switch, switches[NSW]; between these instants they are smooth",
      writer.bare_state(), "switches[NSW]", true));
}

std::string contents_of_switches(const std::vector<SwitchingSurface>& surfaces) {
  std::string text;
  for (std::size_t k = 0; k < surfaces.size(); ++k)
    text += fmt::format("  switches[{}]  0 where this switches: {}\n", k, surfaces[k].text);
  return text;
}

}  // namespace vinculum::report
