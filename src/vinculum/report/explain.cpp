#include "vinculum/report/explain.hpp"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>

#include "vinculum/base/tolerance.hpp"
#include "vinculum/compiled/random_states.hpp"
#include "vinculum/compiled/scales.hpp"
#include "vinculum/compiled/structure.hpp"
#include "vinculum/equations/constraint_rows.hpp"
#include "vinculum/exports/derive_statements.hpp"
#include "vinculum/hybrid/contacts.hpp"
#include "vinculum/hybrid/friction_state.hpp"
#include "vinculum/model/calculus.hpp"
#include "vinculum/model/inspect/inspection.hpp"
#include "vinculum/model/nonlinear_speeds.hpp"
#include "vinculum/model/row_multiplier.hpp"
#include "vinculum/model/unit_texts.hpp"
#include "vinculum/motion/equations_of.hpp"
#include "vinculum/report/explained.hpp"
#include "vinculum/report/failure_report.hpp"
#include "vinculum/solve/pivoted/constrained_solve.hpp"
#include "vinculum/start/assembly.hpp"
#include "vinculum/verify/invariants/invariants.hpp"

namespace vinculum::report {
namespace {

using model::Conserved;

/// Computes the rank of M by its eigenvalues, after scaling its diagonal entries to 1. Entries of massless speeds stay
/// 0.
int mass_rank_of(const Matrix& M) {
  Vector scale = M.diagonal().cwiseAbs().cwiseSqrt();
  for (double& s : scale) s = s > 0.0 ? 1.0 / s : 0.0;
  const Matrix scaled = scale.asDiagonal() * M * scale.asDiagonal();
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(scaled, Eigen::EigenvaluesOnly);
  return static_cast<int>((eigen.eigenvalues().array().abs() > tolerance::kDerivedRank).count());
}

/// Computes the rank of each constraint's own rows, without the other constraints.
std::vector<int> ranks_alone(const sim::Binding& bound, const sim::Matrices& matrices) {
  std::vector<int> ranks;
  int first = 0;
  for (const model::Constraint& constraint : bound->model->constraints) {
    const int count = model::has_rows(constraint) ? static_cast<int>(constraint.rows.size()) : 0;
    // The metric does not change the rank. The unit matrix is used, because M may be semidefinite.
    solve::ConstrainedSolve solver(bound->nu(), count);
    const Matrix rows = matrices.A.middleRows(first, count);
    ranks.push_back(solver.factor(Matrix::Identity(bound->nu(), bound->nu()), rows) ? solver.rank() : 0);
    first += count;
  }
  return ranks;
}

/// Reports at random states on the constraints; the list is shorter if fewer states can be found.
std::vector<sim::Sample> random_samples(const std::shared_ptr<const sim::Binding>& of) {
  const sim::Binding& bound = *of;
  sim::Dynamics dynamics(of);
  std::vector<sim::Sample> samples;
  if (const auto states = sim::random_states(bound, bound.embedding(), 1, bound.parameters)) {
    for (std::vector<double> values : states->values) {
      sim::Sample sample;
      take_sides(dynamics, values[0],
                 Eigen::Map<const Vector>(values.data() + 1, bound->nq() + bound->nu() + bound->nz()));
      if (!dynamics.project(values[0], values.data() + 1)) continue;
      if (!sim::settle_friction(dynamics, values[0], values.data() + 1)) continue;
      if (dynamics.report(values[0], values.data() + 1, sample)) samples.push_back(std::move(sample));
    }
  }
  return samples;
}

/// Computes the ranks and the report at the assembled start.
Outcome<void> look_at_start(sim::Dynamics& dynamics, const ExplainOptions& options, Explained& explained) {
  const sim::Binding& bound = *explained.bound;
  const auto start = sim::assemble(dynamics);
  if (!start) return fail(start.error());
  explained.by_chance = start->by_chance;
  Vector at_start(bound->nq() + bound->nu() + bound->nz());
  at_start << start->q, start->u, start->z;
  sim::close_contacts(dynamics, start->t0, at_start);
  std::vector<double> y(at_start.begin(), at_start.end());
  take_sides(dynamics, start->t0, Eigen::Map<const Vector>(y.data(), static_cast<Eigen::Index>(y.size())));
  const auto settled = sim::settle_friction(dynamics, start->t0, y.data());
  sim::Matrices matrices;
  if (bound->nu() > 0 && dynamics.matrices(dynamics.mode(), start->t0, y.data(), matrices)) {
    explained.mass_rank = mass_rank_of(matrices.M);
    explained.constraint_rank = ranks_alone(bound, matrices);
    explained.pieces = std::move(matrices);
  }
  if (!settled) return settled;
  sim::Sample sample;
  if (auto reported = dynamics.report(start->t0, y.data(), sample); !reported) return reported;
  explained.rank = sample.rank;
  explained.start = std::move(sample);
  if (!options.geometry) return {};
  if (auto geometry = sim::EquationsOf(dynamics).shown_geometry(start->t0, y.data())) {
    explained.geometry = *std::move(geometry);
  } else {
    explained.no_geometry = geometry.error();
  }
  return {};
}

Explained look_at(const std::shared_ptr<const sim::Binding>& bound, const ExplainOptions& options) {
  Explained explained;
  explained.bound = bound;
  explained.rank = bound->compiled->structure.generic_rank + static_cast<int>(bound->compiled->integrals.size());
  explained.invariants = sim::find_invariants(*bound);
  explained.mass_rank = bound->compiled->nu();
  sim::Dynamics dynamics(bound);
  explained.reach = sim::coordinate_reach(*bound, model::stated_places(*bound->compiled->model, bound->parameters));
  explained.displacement = sim::displacement_scale(*bound, explained.reach);
  explained.others = random_samples(bound);
  if (auto system = sim::derive_all(bound->compiled->model)) {
    explained.system = *system;
    equations::let_all_rows_act(**system);  // each row is described as it is while its constraint acts
    explained.findings = find_of_rows(**system, bound->parameters, explained.others, explained.displacement);
    for (const int row : bound->compiled->integrals)
      explained.findings[static_cast<std::size_t>(row)].is_integral = true;
  }
  if (auto looked = look_at_start(dynamics, options, explained); !looked) explained.no_start = looked.error();
  if (explained.system && explained.start)
    explained.at_start.emplace(*explained.system, bound->parameters, *explained.start);
  return explained;
}

/// Returns a list of names; as text for example "2 coordinates: x, y [mm]".
Node names_of(const auto& quantities, const model::Model& model, const char* what) {
  Node names = Node::list();
  std::string text;
  for (std::size_t i = 0; i < quantities.size(); ++i) {
    const UnitText unit = unit_of(model, quantities[i]);
    names.add(quantities[i].name);
    text += (i == 0 ? "" : ", ") + quantities[i].name;
    const bool closes = i + 1 == quantities.size() || !(unit_of(model, quantities[i + 1]) == unit);
    if (closes && model.has_units) text += fmt::format(" [{}]", stated(unit.shown));
  }
  names.said = fmt::format("{} {}{}: {}\n", quantities.size(), what, quantities.size() == 1 ? "" : "s",
                           text.empty() ? "none" : text);
  return names;
}

/// Returns the speeds of the model. If some are not affine in q', also the speeds with which the motion is computed.
Node speeds_of(const model::Model& model) {
  std::vector<model::Speed> speeds;
  for (const model::ShownSpeed& one : model::shown_speeds(model)) speeds.push_back(*one.speed);
  Node node = names_of(speeds, model, "speed");
  for (const model::NonlinearSpeed& one : model.nonlinear_speeds)
    node.said +=
        fmt::format("  {} = {}, not affine in the derivatives of the coordinates: the motion is found in {}\n",
                    one.speed.name, to_text(model, one.speed.definition), model.speeds[one.in_place_of.index()].name);
  return node;
}

/// Returns the values of the parameters in SI units; as text for example "2 parameters: m = 1 kg, a0 = 30 deg", with
/// line breaks.
Node parameters_of(const sim::Binding& bound) {
  constexpr std::size_t kLineLength = 100;
  const model::Model& model = *bound->model;
  Node parameters = Node::object();
  std::string text, line;
  for (std::size_t i = 0; i < model.parameters.size(); ++i) {
    const UnitText unit = unit_of(model, model.parameters[i]);
    parameters.add(model.parameters[i].name, bound.parameters[i]);
    if (line.size() > kLineLength) text += std::exchange(line, "") + "\n   ";
    line += fmt::format("{} {} = {:.10g}{}", i == 0 ? "" : ",", model.parameters[i].name,
                        shown(bound.parameters[i] / unit.scale), behind(unit));
  }
  if (!model.parameters.empty()) {
    parameters.said = fmt::format("{} parameter{}:{}\n", model.parameters.size(),
                                  model.parameters.size() == 1 ? "" : "s", text + line);
  }
  return parameters;
}

/// Returns the SI units of parameters, coordinates, speeds and multipliers, by name; multipliers are named
/// "multiplier(c)" or "multiplier(c)[k]".
Node units_of(const model::Model& model) {
  Node units = Node::object();
  const auto add = [&](const auto& quantities) {
    for (const auto& one : quantities) units.add(one.name, stated(unit_of(model, one).si));
  };
  add(model.parameters);
  add(model.coordinates);
  add(model.speeds);
  for (std::size_t i = 0; i < model.constraints.size(); ++i) {
    const model::Constraint& constraint = model.constraints[i];
    for (std::size_t k = 0; k < constraint.rows.size(); ++k) {
      const std::string name = fmt::format("multiplier({}){}", constraint.name,
                                           constraint.rows.size() == 1 ? "" : fmt::format("[{}]", k + 1));
      units.add(name, stated(unit_of_row_multiplier(model, model::ConstraintId(i), k).si));
    }
  }
  return units;
}

/// Returns the names of constraints with a `when` clause that do not act at the start.
std::vector<std::string> names_of_idle(const Explained& explained) {
  std::vector<std::string> names;
  if (!explained.start || !explained.system) return names;
  const std::vector<char>& acts = explained.start->acts;
  for (std::size_t i = 0; i < acts.size(); ++i) {
    const equations::Row& row = explained.system->rows[i];
    if (acts[i] == 0 && row.index == 0) names.push_back(explained.model().constraint(row.constraint).name);
  }
  return names;
}

/// Adds the numbers of moving parts (particles, bodies) and of degrees of freedom to the report.
void add_freedom(const Explained& explained, Node& report) {
  const sim::Binding& bound = *explained.bound;
  const std::vector<std::string> idle = names_of_idle(explained);
  const char* const unassembled = explained.no_start ? " at random states, not assembled"
                                  : idle.empty()     ? ""
                                                     : " in the mode at the start";
  const int rows = bound->nc(), rank = explained.rank, freedoms = bound->nu() - rank;
  const int acting =
      rows - (explained.start ? static_cast<int>(std::ranges::count(explained.start->acts, char{0})) : 0);
  report.add("rank", rank).said =
      fmt::format("{} constraint {}{}, rank {}{}{}\n", rows, rows == 1 ? "equation" : "equations",
                  acting < rows ? fmt::format(", of which {} act at the start", acting) : "", rank,
                  rank < acting ? fmt::format(": {} redundant", acting - rank) : "", unassembled);
  report.add("degrees_of_freedom", freedoms).said =
      fmt::format("{} {} of freedom{}\n", freedoms, freedoms == 1 ? "degree" : "degrees", unassembled);
  report.add("not_acting", idle).said =
      idle.empty()
          ? ""
          : fmt::format("at the start {} not act: {}\n",
                        idle.size() == 1 ? "one constraint does" : fmt::format("{} constraints do", idle.size()),
                        listed(idle));
  report.add("at", explained.no_start ? "random states, not assembled" : "start");
  report.add("mass_rank", explained.mass_rank).said =
      explained.mass_rank == bound->nu()
          ? ""
          : fmt::format("mass matrix singular, rank {} of {}: constraints must determine the rest\n",
                        explained.mass_rank, bound->nu());
  report.add("start", explained.no_start ? Node(explained.no_start->message) : Node());
}

Node bodies_of(const model::Model& model) {
  Node bodies = Node::list();
  for (const model::Body& body : model.bodies) {
    std::vector<std::string> inertia;
    for (const model::Term& moment :
         {body.inertia.xx, body.inertia.yy, body.inertia.zz, body.inertia.xy, body.inertia.yz, body.inertia.zx})
      inertia.push_back(model::to_text(model, moment));
    bodies.add(Node::object({{"name", body.name}, {"mass", model::to_text(model, body.mass)}, {"inertia", inertia}}))
        .said = statement_of(model, body) + "\n";
  }
  return bodies;
}

/// Describes the equations of constraints of higher order: which of them are differentiated, and which derivatives are
/// states.
Node higher_order_of(const sim::Binding& bound) {
  const auto& higher = *bound->system->higher;
  std::vector<std::string> unknowns;
  int free = 0;
  for (std::size_t i = 0; i < higher.unknowns.size(); ++i) {
    unknowns.push_back(higher.unknowns[i].name);
    free += higher.unknowns[i].order - higher.equations[i].times;
  }
  const std::vector<std::string>& states = bound->system->z_names;
  Node node = Node::object();
  node.add("highest_derivatives", unknowns).said =
      fmt::format("\nhigher order: found at once are {}\n", listed(unknowns));
  node.add("states", states).said = fmt::format("  states in addition to coordinates and speeds: {}\n", listed(states));
  Node& differentiated = node.add("differentiated", Node::list());
  for (const auto& equation : higher.equations) {
    if (equation.times == 0) continue;
    differentiated.add(Node::object({{"equation", equation.name}, {"times", equation.times}})).said =
        fmt::format("  differentiated {}: {}\n", equation.times == 1 ? "once" : fmt::format("{} times", equation.times),
                    equation.name);
  }
  node.say(fmt::format("  {} initial values determine the motion\n", free));
  return node;
}

Node reveals_of(const Explained& explained) {
  const model::Model& model = explained.model();
  Node reveals = Node::list();
  for (std::size_t i = 0; i < model.reveals.size(); ++i) {
    const model::Reveal& reveal = model.reveals[i];
    const std::string what = reveal.point.is_valid() ? "force on " + model.point(reveal.point).name
                                                     : "torque on " + model.body(*model.frame(reveal.body).body).name;
    Node along = Node::list(), value = explained.at_start ? Node::list() : Node();
    std::string said =
        fmt::format("\nreveal {}: {}, exerted by joints that are embedded in the coordinates\n", reveal.name, what);
    for (std::size_t k = 0; k < reveal.along.size(); ++k) {
      const std::string direction = model::to_text(model, reveal.along[k]);
      along.add(direction);
      said += "  along " + direction;
      if (explained.at_start) {
        const double number =
            explained.at_start->scalar(model::revealed(model, model::RevealId(i), static_cast<int>(k)));
        value.add(number);
        said += fmt::format(": at the start {:.10g}{}", number, behind(unit_of_force(model, !reveal.point.is_valid())));
      }
      said += "\n";
    }
    reveals.add(Node::object({{"name", reveal.name}, {"what", what}, {"along", along}, {"value", value}})).said = said;
  }
  return reveals;
}

/// Lists the invariants with reasons, and the energies and momenta that are not constant, with the contributions that
/// change them.
Node invariants_of(const Explained& explained) {
  const auto& stated = explained.model().conserved;
  const auto names = [&](const auto& one) {
    return std::ranges::any_of(
        stated, [&](const Conserved& other) { return other.what == one.what && other.coordinate == one.coordinate; });
  };
  const sim::Invariants& invariants = explained.invariants;
  Node found = Node::list(), missed = Node::list();
  for (const sim::Invariant& one : invariants.found) {
    const bool is_conserved = one.what == Conserved::What::kExpression
                                  ? std::ranges::find(stated, one.value, &Conserved::value) != stated.end()
                                  : names(one);
    found.add(Node::object({{"name", one.name}, {"why", one.why}, {"conserved", is_conserved}})).said =
        fmt::format("  {}: constant{}; {}\n", one.name, is_conserved ? ", kept by projection" : "", one.why);
  }
  // Most momenta are not constant, so the text names only those that a `conserve` statement names, and energies.
  for (const sim::NotInvariant& one : invariants.missed) {
    missed.add(Node::object({{"name", one.name}, {"why", one.why}})).said =
        one.what != Conserved::What::kMomentum || names(one)
            ? fmt::format("  {}: not constant; {}\n", one.name, one.why)
            : "";
  }
  Node node = Node::object({{"found", found}, {"missed", missed}});
  if (!to_text(node).empty()) node.said = "\ninvariants\n";
  return node;
}

}  // namespace

Node explain(const std::shared_ptr<const sim::Binding>& bound, const ExplainOptions& options) {
  const Explained explained = look_at(bound, options);
  const model::Model& model = *bound->compiled->model;
  Node report = Node::object({{"format", kFormat}, {"model", model.name}});
  report.said = model.name + (model.title.empty() ? "" : "  " + model.title) + "\n";
  for (const std::string& source : model.sources) report.said += "  after " + source + "\n";
  report.said += "\n";
  report.add("parameters", parameters_of(*bound));
  report.add("coordinates", names_of(model.coordinates, model, "coordinate"));
  report.add("speeds", speeds_of(model));
  add_freedom(explained, report);
  report.add("start_by_chance", explained.by_chance);
  for (const std::string& text : explained.by_chance) report.say("note: " + text + "\n");
  report.add("bodies", bodies_of(model));
  report.add("constraints", constraints_of(explained));
  report.add("events", events_of(explained));
  report.add("sampled_states", samples_of(explained));
  if (bound->compiled->system->higher) report.add("higher_order", higher_order_of(*bound));
  report.add("reveals", reveals_of(explained));
  report.add("integrability", integrability_of(explained));
  report.add("virtual_displacements", displacements_of(explained));
  report.add("variations", variations_of(explained));
  if (options.along) report.add("variations_along", variations_along(explained, *options.along));
  report.add("invariants", invariants_of(explained));
  if (options.geometry) report.add("geometry", geometry_of(explained));
  report.add("units", units_of(model));
  if (explained.no_start) {
    report.say(
        "\nno consistent start; ranks and degrees of freedom are those at random states, where nothing is assembled\n" +
        failure_text(model, bound->compiled->system.get(), *explained.no_start));
  }
  return report;
}

}  // namespace vinculum::report
