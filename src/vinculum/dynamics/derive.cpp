#include "vinculum/dynamics/derive.hpp"

#include <algorithm>

#include "vinculum/base/contract.hpp"
#include "vinculum/dynamics/constraint_rows.hpp"
#include "vinculum/dynamics/kane.hpp"
#include "vinculum/dynamics/lowering.hpp"
#include "vinculum/dynamics/rate_solver.hpp"
#include "vinculum/expr/derivative.hpp"

namespace vinculum::dynamics {
namespace {

using expr::Expr;
using mechanics::Model;

constexpr std::uint64_t kSeed = 20070115;

void name_symbols(System& system) {
  expr::Graph& graph = *system.graph;
  const Model& model = *system.model;
  system.t = graph.symbol("t");
  for (const mechanics::Parameter& parameter : model.parameters) system.parameters.push_back(graph.symbol(parameter.name));
  for (const mechanics::Coordinate& coordinate : model.coordinates) system.q.push_back(graph.symbol(coordinate.name));
  for (const mechanics::Speed& speed : model.speeds) {
    system.u.push_back(graph.symbol(speed.name));
    system.u_dot.push_back(graph.symbol(speed.name + "'"));
  }
  for (const mechanics::Constraint& constraint : model.constraints) {
    for (std::size_t k = 0; k < constraint.rows.size(); ++k) {
      const std::string row =
          constraint.rows.size() == 1 ? "(" + constraint.name + ")" : "(" + constraint.name + ")[" + std::to_string(k + 1) + "]";
      system.lambda.push_back(graph.symbol("multiplier" + row));
      system.lambda_ideal.push_back(graph.symbol("ideal_multiplier" + row));
    }
  }
}

LeafSymbols leaf_symbols(const System& system) {
  return {system.t,    system.parameters, system.q, system.u, system.u_dot, system.q_dot, system.lambda, system.lambda_ideal};
}

/// q' = u_k for every coordinate: no equation to solve.
bool has_default_speeds_only(const Model& model) {
  if (model.speeds.size() != model.coordinates.size()) return false;
  for (std::size_t i = 0; i < model.speeds.size(); ++i) {
    if (!model.speeds[i].is_default) return false;
  }
  return true;
}

/// G and g of q' = G u + g from the definitions u = Y q' + y0.
std::optional<Failure> write_kinematics(System& system) {
  expr::Graph& graph = *system.graph;
  const Model& model = *system.model;
  const std::size_t nq = model.coordinates.size();
  const Expr zero = graph.constant(0.0);
  system.G.assign(nq, std::vector<Expr>(model.speeds.size(), zero));
  system.g.assign(nq, zero);
  if (has_default_speeds_only(model)) {
    for (std::size_t i = 0; i < nq; ++i) system.G[i][i] = graph.constant(1.0);
    system.q_dot = system.u;
    return std::nullopt;
  }

  LeafSymbols symbols = leaf_symbols(system);
  symbols.u.clear();
  symbols.u_dot.clear();
  symbols.q_dot.clear();
  for (const mechanics::Coordinate& coordinate : model.coordinates) {
    symbols.q_dot.push_back(graph.symbol("d(" + coordinate.name + ")/dt"));
  }
  const std::vector<Expr> rates = symbols.q_dot;
  Lowering definitions_only(model, graph, std::move(symbols));
  std::vector<Expr> definitions;
  for (const mechanics::Speed& speed : model.speeds) definitions.push_back(definitions_only.scalar(speed.definition));

  Failure failure;
  failure.kind = FailureKind::kSingularKinematics;
  ExprMatrix Y(model.speeds.size(), std::vector<Expr>(nq, zero));
  for (const expr::Entry& entry : expr::sparse_jacobian(definitions, rates)) {
    if (expr::depends_on(entry.value, rates)) {
      failure.message = "the definition of `" + model.speeds[static_cast<std::size_t>(entry.row)].name +
                        "` is not affine in the derivatives of the coordinates";
      failure.coordinates = {entry.row};
      return failure;
    }
    Y[static_cast<std::size_t>(entry.row)][static_cast<std::size_t>(entry.column)] = entry.value;
  }
  if (Y.size() != nq) {
    failure.message = "there are " + std::to_string(Y.size()) + " speeds for " + std::to_string(nq) + " coordinates";
    return failure;
  }
  const std::vector<Expr> y0 = expr::substitute(definitions, rates, std::vector<Expr>(nq, zero));

  std::vector<Expr> variables = system.q;
  variables.push_back(system.t);
  std::vector<Expr> all = variables;
  all.insert(all.end(), system.parameters.begin(), system.parameters.end());
  auto inverse = invert(Y, variables, Sampler(std::move(all), kSeed));
  if (!inverse) {
    failure = inverse.error();
    std::string names;
    for (const int row : failure.coordinates) {
      names += (names.empty() ? "`" : ", `") + model.speeds[static_cast<std::size_t>(row)].name + "`";
    }
    failure.message += ", first at " + names;
    return failure;
  }
  system.G = std::move(*inverse);
  for (std::size_t i = 0; i < nq; ++i) {
    Expr u_part = zero;
    for (std::size_t r = 0; r < nq; ++r) {
      u_part += system.G[i][r] * system.u[r];
      system.g[i] -= system.G[i][r] * y0[r];
    }
    system.q_dot.push_back(u_part + system.g[i]);
  }
  return std::nullopt;
}

}  // namespace

Outcome<std::shared_ptr<System>> derive(std::shared_ptr<const Model> model) {
  VINCULUM_EXPECTS(model != nullptr);
  auto system = std::make_shared<System>();
  system->model = std::move(model);
  system->graph = std::make_shared<expr::Graph>();
  name_symbols(*system);
  if (auto failure = write_kinematics(*system)) return fail(std::move(*failure));
  system->lowering = std::make_shared<Lowering>(*system->model, *system->graph, leaf_symbols(*system));
  write_mass_and_force(*system);
  write_nonideal(*system);
  if (auto failure = write_rows(*system)) return fail(std::move(*failure));
  system->lowering->know_generalized_forces(generalized_forces(*system));
  return system;
}

std::vector<Expr> lower(System& system, mechanics::Term term, mechanics::FrameId frame) {
  if (term.is_scalar()) return {system.lowering->scalar(term)};
  const ExprVector v = system.lowering->vector(term, frame);
  return {v.begin(), v.end()};
}

std::vector<std::vector<Expr>> lower_all(System& system, std::span<const mechanics::Term> terms,
                                         std::span<const mechanics::FrameId> frames) {
  VINCULUM_EXPECTS(terms.size() == frames.size());
  std::vector<std::vector<Expr>> all;
  for (std::size_t i = 0; i < terms.size(); ++i) all.push_back(lower(system, terms[i], frames[i]));
  return all;
}

std::vector<std::array<Expr, 3>> partial_velocities(System& system, mechanics::PointId point) {
  std::vector<std::array<Expr, 3>> partials(system.u.size(), zero_vector(*system.graph));
  for (const expr::Entry& entry : expr::sparse_jacobian(system.lowering->velocity(point), system.u)) {
    partials[static_cast<std::size_t>(entry.column)][static_cast<std::size_t>(entry.row)] = entry.value;
  }
  return partials;
}

}  // namespace vinculum::dynamics
