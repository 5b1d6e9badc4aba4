#include "vinculum/equations/derive.hpp"

#include <limits>
#include <variant>

#include "vinculum/base/contract.hpp"
#include "vinculum/equations/constraint_rows.hpp"
#include "vinculum/equations/kane.hpp"
#include "vinculum/equations/kinematics.hpp"
#include "vinculum/equations/lowering.hpp"
#include "vinculum/equations/rate_space.hpp"
#include "vinculum/equations/truths.hpp"
#include "vinculum/expr/derivative.hpp"
#include "vinculum/model/calculus.hpp"
#include "vinculum/model/sliding.hpp"

namespace vinculum::equations {
namespace {

using expr::Expr;
using model::Model;

/// Whether any term of the model uses `System::vectors`.
bool holds_vectors(const model::TermPool& terms) {
  for (std::size_t i = 0; i < terms.size(); ++i) {
    const model::TermKind kind = terms.node(model::TermId(i)).kind;
    if (kind == model::TermKind::kSystemVector || kind == model::TermKind::kDeparture) return true;
  }
  return false;
}

void name_symbols(System& system) {
  expr::Graph& graph = *system.graph;
  const Model& model = *system.model;
  system.t = graph.symbol("t");
  for (const model::Parameter& parameter : model.parameters) system.parameters.push_back(graph.symbol(parameter.name));
  for (const model::Coordinate& coordinate : model.coordinates) system.q.push_back(graph.symbol(coordinate.name));
  for (const model::Speed& speed : model.speeds) {
    system.u.push_back(graph.symbol(speed.name));
    system.u_dot.push_back(graph.symbol(speed.name + "'"));
  }
  if (holds_vectors(*model.terms)) {
    for (const std::string_view vector : {"free_acceleration", "Q_ideal", "Q_constraint"}) {
      for (const model::Speed& speed : model.speeds)
        system.vectors.push_back(graph.symbol(std::string(vector) + "(" + speed.name + ")"));
    }
  }
  for (const model::State& state : model.states) {
    system.z.push_back(graph.symbol(state.name));
    system.z_names.push_back(state.name);
    system.z_dimensions.push_back(state.dimension);
  }
  for (const model::Slide& slide : model.slides) {
    const int first = static_cast<int>(system.slide_direction.size());
    const std::string name = "sliding(" + model::name_of(model, slide) + ")";
    for (int k = 0; k < slide.components(); ++k) {
      system.slide_direction.push_back(graph.symbol(name + "[" + std::to_string(first + k + 1) + "]"));
    }
    system.slides.push_back({slide.constraint, first, slide.components()});
  }
  for (const model::Constraint& constraint : model.constraints) {
    if (!model::has_rows(constraint)) continue;
    for (std::size_t k = 0; k < constraint.rows.size(); ++k) {
      const std::string row = constraint.rows.size() == 1 ? "(" + constraint.name + ")"
                                                          : "(" + constraint.name + ")[" + std::to_string(k + 1) + "]";
      system.lambda.push_back(graph.symbol("multiplier" + row));
      system.lambda_ideal.push_back(graph.symbol("ideal_multiplier" + row));
    }
    for (std::size_t k = 0; k < constraint.law->actuators().size(); ++k) {
      const model::Term unit = constraint.law->actuators()[k].unit;
      system.effort.push_back(
          graph.symbol("effort(" + constraint.name + ")[" + std::to_string(k + 1) + "]" +
                       (unit.is_valid() ? "/(" + model::to_text(model, unit) + ")" : std::string())));
    }
  }
}

LeafSymbols leaf_symbols(const System& system) {
  LeafSymbols symbols{system.t, system.parameters, system.q, system.u, system.u_dot, system.q_dot, {},
                      {},       system.effort};
  std::size_t next = 0;
  for (const model::Constraint& constraint : system.model->constraints) {
    for (std::size_t k = 0; k < constraint.rows.size(); ++k) {
      const bool has_row = model::has_rows(constraint);
      symbols.lambda.push_back(has_row ? system.lambda[next] : Expr{});
      symbols.lambda_ideal.push_back(has_row ? system.lambda_ideal[next] : Expr{});
      if (has_row) ++next;
    }
  }
  symbols.z = system.z;
  symbols.vectors = system.vectors;
  for (const Slide& slide : system.slides) {
    const auto begin = system.slide_direction.begin() + slide.first;
    symbols.slide.emplace_back(begin, begin + slide.count);
  }
  return symbols;
}

/// Writes the rates z' of states whose rate the model states, and of multipliers μ by their reaction law. The module
/// higher_order determines the highest derivatives of constraints of higher order.
void write_state_rates(System& system) {
  const Model& model = *system.model;
  system.z_dot.assign(system.z.size(), Expr{});
  for (std::size_t c = 0; c < model.constraints.size(); ++c) {
    const auto mu = model.constraints[c].law->mu();
    for (std::size_t k = 0; k < mu.size(); ++k) {
      for (std::size_t row = 0; row < mu[k].size(); ++row) {
        const std::size_t at = mu[k][row].index();
        system.z_dot[at] =
            k + 1 < mu.size() ? system.z[mu[k + 1][row].index()]
            : model::is_higher_order(model.constraints[c])
                ? system.graph->symbol("d/dt " + model.states[at].name)
                : system.lowering->scalar(model.constraints[c].law->mu_rate(model, model::ConstraintId(c), row));
      }
    }
  }
  for (std::size_t i = 0; i < system.z.size(); ++i) {
    if (model.states[i].rate.is_valid()) system.z_dot[i] = system.lowering->scalar(model.states[i].rate);
    VINCULUM_EXPECTS(system.z_dot[i].is_valid());
  }
  system.lowering->know_state_rates(system.z_dot);
}

/// Bound g of a friction contact, −F_s·J/(J·J), where F_s is the generalized force of a unit of each direction s.
/// Invalid if the forces depend on reactions.
Expr bound_of(const System& system, const Slide& slide) {
  const auto s = std::span(system.slide_direction)
                     .subspan(static_cast<std::size_t>(slide.first), static_cast<std::size_t>(slide.count));
  std::vector<Expr> forces;
  for (std::size_t r = 0; r < system.f.size(); ++r) forces.push_back(system.f[r] + system.C[r]);
  std::vector<std::vector<Expr>> J(s.size(), std::vector<Expr>(system.u.size(), system.graph->constant(0.0)));
  Expr of_both = system.graph->constant(0.0), of_J = of_both;
  for (const expr::Entry& entry : expr::sparse_jacobian(slide.velocity, system.u)) {
    J[static_cast<std::size_t>(entry.row)][static_cast<std::size_t>(entry.column)] = entry.value;
    of_J += entry.value * entry.value;
  }
  for (const expr::Entry& entry : expr::sparse_jacobian(forces, s)) {
    for (const auto* reactions : {&system.lambda, &system.lambda_ideal})
      if (expr::depends_on(entry.value, *reactions)) return {};
    of_both += entry.value * J[static_cast<std::size_t>(entry.column)][static_cast<std::size_t>(entry.row)];
  }
  return -of_both / of_J;
}

void write_slides(System& system) {
  for (std::size_t i = 0; i < system.slides.size(); ++i) {
    const model::Slide& stated = system.model->slides[i];
    system.slides[i].velocity = lower(system, stated.velocity);
    system.slides[i].static_ratio =
        stated.static_ratio.is_valid() ? system.lowering->scalar(stated.static_ratio) : system.graph->constant(1.0);
    if (stated.coefficient.is_valid()) system.slides[i].coefficient = system.lowering->scalar(stated.coefficient);
    system.slides[i].bound = bound_of(system, system.slides[i]);
  }
}

void write_events(System& system) {
  for (const model::Event& event : system.model->events) {
    EventForms& forms = system.events.emplace_back();
    if (event.condition.is_valid()) forms.condition = with_surfaces(system.lowering->scalar(event.condition));
    if (event.time.is_valid()) forms.time = system.lowering->scalar(event.time);
    for (const model::EventAction& action : event.actions)
      forms.values.push_back(action.value.is_valid() ? system.lowering->scalar(action.value) : Expr());
  }
}

}  // namespace

Outcome<std::shared_ptr<System>> derive(std::shared_ptr<const Model> model, std::span<HeldForce> held) {
  VINCULUM_EXPECTS(model != nullptr);
  auto system = std::make_shared<System>();
  system->model = std::move(model);
  system->graph = std::make_shared<expr::Graph>();
  name_symbols(*system);
  LeafSymbols symbols = leaf_symbols(*system);
  if (auto failure = write_kinematics(*system, symbols)) return fail(std::move(*failure));
  system->lowering = std::make_shared<Lowering>(*system->model, *system->graph, std::move(symbols));
  for (HeldForce& one : held) {
    one.symbol = system->graph->symbol("force " + std::to_string(&one - held.data() + 1));
    one.value = system->lowering->hold(one.force, one.symbol);
  }
  write_state_rates(*system);
  ChainMotion motion(*system->lowering);
  write_mass_and_force(*system, motion);
  RateSpace rates(*system);
  write_lagrangian(*system, rates);
  write_nonideal(*system, motion);
  write_rows(*system);
  if (auto failure = write_laws(*system, rates)) return fail(std::move(*failure));
  write_slides(*system);
  write_directed(*system, motion);
  write_events(*system);
  system->lowering->know_generalized_forces(generalized_forces(*system, motion));
  system->lowering->know_ideal_parts(ideal_forces(*system), departures(*system));
  return system;
}

std::vector<Expr> lower(const System& system, model::Term term, model::FrameId frame) {
  if (term.is_scalar()) return {system.lowering->scalar(term)};
  const ExprVector v = system.lowering->vector(term, frame);
  return {v.begin(), v.end()};
}

std::vector<Expr> lower_known(const System& system, model::Term term, model::FrameId frame) {
  std::vector<Expr> values = lower(system, term, frame);
  if (!system.higher || system.higher->not_known.empty()) return values;
  const Expr none = system.graph->constant(std::numeric_limits<double>::quiet_NaN());
  return expr::substitute(values, system.higher->not_known, std::vector<Expr>(system.higher->not_known.size(), none));
}

std::vector<std::vector<Expr>> lower_all(const System& system, std::span<const model::Term> terms,
                                         std::span<const model::FrameId> frames) {
  VINCULUM_EXPECTS(terms.size() == frames.size());
  std::vector<std::vector<Expr>> all;
  for (std::size_t i = 0; i < terms.size(); ++i) all.push_back(lower(system, terms[i], frames[i]));
  return all;
}

namespace {

std::vector<std::array<Expr, 3>> columns_by_speed(const System& system, const ExprVector& v) {
  std::vector<std::array<Expr, 3>> partials(system.u.size(), zero_vector(*system.graph));
  for (const expr::Entry& entry : expr::sparse_jacobian(v, system.u)) {
    partials[static_cast<std::size_t>(entry.column)][static_cast<std::size_t>(entry.row)] = entry.value;
  }
  return partials;
}

}  // namespace

std::vector<std::array<Expr, 3>> partial_velocities(const System& system, model::PointId point) {
  return columns_by_speed(system, system.lowering->point_motion(point, 1, Model::newtonian(), Model::newtonian()));
}

std::vector<std::array<Expr, 3>> partial_angular_velocities(const System& system, model::FrameId frame) {
  return columns_by_speed(system, system.lowering->angular_velocity(frame, Model::newtonian(), Model::newtonian()));
}

}  // namespace vinculum::equations
