#include "vinculum/equations/kinematics.hpp"

#include <algorithm>

#include "vinculum/equations/rate_solver.hpp"
#include "vinculum/expr/derivative.hpp"

namespace vinculum::equations {
namespace {

using expr::Expr;
using model::FrameId;
using model::Model;

constexpr std::uint64_t kSeedOfKinematics = 20070115;

struct Quaternion {
  FrameId frame;
  std::array<int, 4> e;
};

std::vector<Quaternion> quaternions_of(const Model& model) {
  std::vector<Quaternion> all;
  for (std::size_t f = 0; f < model.frames.size(); ++f) {
    if (!model.frames[f].quaternion) continue;
    Quaternion one{FrameId(f), {}};
    for (std::size_t k = 0; k < 4; ++k) one.e[k] = static_cast<int>(model.frames[f].quaternion->e[k].index());
    all.push_back(one);
  }
  return all;
}

std::array<Expr, 4> symbols_of(const std::vector<Expr>& q, const Quaternion& quaternion) {
  std::array<Expr, 4> e;
  for (std::size_t k = 0; k < 4; ++k) e[k] = q[static_cast<std::size_t>(quaternion.e[k])];
  return e;
}

/// Whether each speed is q_i' of one coordinate, so that there is no equation to solve for q'.
bool has_default_speeds_only(const Model& model) {
  if (model.speeds.size() != model.coordinates.size()) return false;
  return std::ranges::all_of(model.speeds, &model::Speed::is_default);
}

/// One summand factor · rate of a q_i' as a linear function of the rates: q_i' = rate for an ordinary coordinate, ½E w
/// for a quaternion. The summands are the entries of a sparse [nq][rates] matrix.
struct RateTerm {
  std::size_t rate;
  Expr factor;
};

/// The rates for which the definitions of the speeds are solved, as symbols.
struct Rates {
  std::vector<Expr> symbols;
  std::vector<std::vector<RateTerm>> of_coordinate;  ///< [nq] the summands of each q_i'
  std::vector<std::size_t> first_of_quaternion;      ///< index of the first of the three rates of each quaternion
};

Rates rates_of(const System& system, const std::vector<Quaternion>& quaternions) {
  expr::Graph& graph = *system.graph;
  const Model& model = *system.model;
  Rates rates;
  rates.of_coordinate.resize(model.coordinates.size());
  std::vector<int> quaternion_of(model.coordinates.size(), -1);
  for (std::size_t k = 0; k < quaternions.size(); ++k) {
    for (const int i : quaternions[k].e) quaternion_of[static_cast<std::size_t>(i)] = static_cast<int>(k);
  }
  for (std::size_t i = 0; i < model.coordinates.size(); ++i) {
    if (quaternion_of[i] >= 0) continue;
    rates.of_coordinate[i] = {{rates.symbols.size(), graph.constant(1.0)}};
    rates.symbols.push_back(graph.symbol("d(" + model.coordinates[i].name + ")/dt"));
  }
  for (const Quaternion& quaternion : quaternions) {
    rates.first_of_quaternion.push_back(rates.symbols.size());
    const auto E = quaternion_rates(symbols_of(system.q, quaternion));
    for (std::size_t axis = 0; axis < 3; ++axis) {
      for (std::size_t k = 0; k < 4; ++k) {
        rates.of_coordinate[static_cast<std::size_t>(quaternion.e[k])].push_back({rates.symbols.size(), E[k][axis]});
      }
      rates.symbols.push_back(
          graph.symbol("angular velocity of " + model.frame(quaternion.frame).name + ", " + "xyz"[axis]));
    }
  }
  return rates;
}

/// \returns the inverse of Y, which gives the rates as functions of the speeds. Also writes Y and y0.
Outcome<ExprMatrix> solve_definitions(System& system, const LeafSymbols& leaves, const Rates& rates,
                                      const std::vector<Quaternion>& quaternions, ExprMatrix& Y,
                                      std::vector<Expr>& y0) {
  expr::Graph& graph = *system.graph;
  const Model& model = *system.model;
  const Expr zero = graph.constant(0.0);
  LeafSymbols symbols = leaves;
  symbols.u.clear();
  symbols.u_dot.clear();
  symbols.q_dot.clear();
  for (const auto& terms : rates.of_coordinate) {
    Expr sum = zero;
    for (const RateTerm& term : terms) sum += term.factor * rates.symbols[term.rate];
    symbols.q_dot.push_back(sum);
  }
  for (std::size_t k = 0; k < quaternions.size(); ++k) {
    const std::size_t first = rates.first_of_quaternion[k];
    symbols.quaternion_rates[quaternions[k].frame] = {rates.symbols[first], rates.symbols[first + 1],
                                                      rates.symbols[first + 2]};
  }
  Lowering definitions_only(model, graph, std::move(symbols));
  std::vector<Expr> definitions;
  for (const model::Speed& speed : model.speeds) definitions.push_back(definitions_only.scalar(speed.definition));

  Failure failure;
  failure.kind = FailureKind::kSingularKinematics;
  const std::size_t n = rates.symbols.size();
  Y.assign(model.speeds.size(), std::vector<Expr>(n, zero));
  for (const expr::Entry& entry : expr::sparse_jacobian(definitions, rates.symbols)) {
    if (expr::depends_on(entry.value, rates.symbols)) {
      failure.message = "the definition of `" + model.speeds[static_cast<std::size_t>(entry.row)].name +
                        "` is not affine in the derivatives of the coordinates";
      failure.coordinates = {entry.row};
      return fail(std::move(failure));
    }
    Y[static_cast<std::size_t>(entry.row)][static_cast<std::size_t>(entry.column)] = entry.value;
  }
  if (Y.size() != n) {
    failure.message = "there are " + std::to_string(Y.size()) + " speeds for " + std::to_string(n) +
                      (quaternions.empty() ? " coordinates" : " rates of the coordinates");
    return fail(std::move(failure));
  }
  y0 = expr::substitute(definitions, rates.symbols, std::vector<Expr>(n, zero));

  std::vector<Expr> variables = system.q;
  variables.push_back(system.t);
  std::vector<Expr> all = variables;
  all.insert(all.end(), system.parameters.begin(), system.parameters.end());
  auto inverse = invert(Y, variables, Sampler(std::move(all), kSeedOfKinematics));
  if (inverse) return inverse;
  failure = inverse.error();
  std::string names;
  for (const int row : failure.coordinates) {
    names += (names.empty() ? "`" : ", `") + model.speeds[static_cast<std::size_t>(row)].name + "`";
  }
  failure.message += ", first at " + names;
  return fail(std::move(failure));
}

/// ∂u/∂q' = Y ∂r/∂q', where the three rates r of a quaternion are 2Eᵀe'/|e|².
ExprMatrix speeds_by_q_dot(const System& system, const Rates& rates, const std::vector<Quaternion>& quaternions,
                           const ExprMatrix& Y) {
  const Expr zero = system.graph->constant(0.0);
  ExprMatrix all(Y.size(), std::vector<Expr>(system.q.size(), zero));
  std::vector<Expr> weight(system.q.size(), system.graph->constant(1.0));
  for (const Quaternion& quaternion : quaternions) {
    const std::array<Expr, 4> e = symbols_of(system.q, quaternion);
    for (const int i : quaternion.e) {
      weight[static_cast<std::size_t>(i)] = 4.0 / (e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3]);
    }
  }
  for (std::size_t r = 0; r < Y.size(); ++r) {
    for (std::size_t i = 0; i < system.q.size(); ++i) {
      for (const RateTerm& term : rates.of_coordinate[i]) all[r][i] += weight[i] * (Y[r][term.rate] * term.factor);
    }
  }
  return all;
}

}  // namespace

std::map<FrameId, ExprVector> quaternion_rates_from_q_dot(const Model& model, const LeafSymbols& symbols) {
  std::map<FrameId, ExprVector> all;
  for (const Quaternion& quaternion : quaternions_of(model)) {
    const std::array<Expr, 4> e = symbols_of(symbols.q, quaternion), e_dot = symbols_of(symbols.q_dot, quaternion);
    const auto E = quaternion_rates(e);
    const Expr four_per_norm = 4.0 / (e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3]);
    ExprVector w;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      w[axis] = four_per_norm *
                (E[0][axis] * e_dot[0] + E[1][axis] * e_dot[1] + E[2][axis] * e_dot[2] + E[3][axis] * e_dot[3]);
    }
    all[quaternion.frame] = w;
  }
  return all;
}

std::optional<Failure> write_kinematics(System& system, LeafSymbols& symbols) {
  expr::Graph& graph = *system.graph;
  const Model& model = *system.model;
  const std::size_t nq = model.coordinates.size(), nu = model.speeds.size();
  const Expr zero = graph.constant(0.0);
  const std::vector<Quaternion> quaternions = quaternions_of(model);
  for (const Quaternion& quaternion : quaternions) system.quaternions.push_back(quaternion.e);
  system.G.assign(nq, expr::SparseRow(graph, nu));
  system.g.assign(nq, zero);
  if (quaternions.empty() && has_default_speeds_only(model)) {
    for (std::size_t i = 0; i < nq; ++i) system.G[i].add(i, graph.constant(1.0));
    system.q_dot = system.u;
    symbols.q_dot = system.q_dot;
    return std::nullopt;
  }

  const Rates rates = rates_of(system, quaternions);
  ExprMatrix Y;
  std::vector<Expr> y0;
  const auto inverse = solve_definitions(system, symbols, rates, quaternions, Y, y0);
  if (!inverse) return inverse.error();
  std::vector<Expr> r_value, r_rest;
  for (std::size_t k = 0; k < rates.symbols.size(); ++k) {
    Expr u_part = zero, rest = zero;
    for (std::size_t r = 0; r < nu; ++r) {
      u_part += (*inverse)[k][r] * system.u[r];
      rest -= (*inverse)[k][r] * y0[r];
    }
    r_value.push_back(u_part + rest);
    r_rest.push_back(rest);
  }
  for (std::size_t i = 0; i < nq; ++i) {
    Expr q_dot = zero;
    for (const RateTerm& term : rates.of_coordinate[i]) {
      q_dot += term.factor * r_value[term.rate];
      system.g[i] += term.factor * r_rest[term.rate];
      for (std::size_t r = 0; r < nu; ++r) system.G[i].add(r, term.factor * (*inverse)[term.rate][r]);
    }
    system.q_dot.push_back(q_dot);
  }
  symbols.q_dot = system.q_dot;
  for (std::size_t k = 0; k < quaternions.size(); ++k) {
    const std::size_t first = rates.first_of_quaternion[k];
    symbols.quaternion_rates[quaternions[k].frame] = {r_value[first], r_value[first + 1], r_value[first + 2]};
  }
  symbols.u_by_q_dot = speeds_by_q_dot(system, rates, quaternions, Y);
  return std::nullopt;
}

}  // namespace vinculum::equations
