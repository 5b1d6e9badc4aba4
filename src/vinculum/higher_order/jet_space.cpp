#include "vinculum/higher_order/jet_space.hpp"

#include <string>
#include <variant>

#include "vinculum/base/contract.hpp"
#include "vinculum/expr/derivative.hpp"

namespace vinculum::reaction_laws {

using expr::Expr;

JetSpace::JetSpace(equations::System& system) : system_(system) {
  const model::Model& model = *system.model;
  expr::Graph& graph = *system.graph;
  x_.push_back(system.t);
  x_dot_.push_back(graph.constant(1.0));
  x_.insert(x_.end(), system.q.begin(), system.q.end());
  x_dot_.insert(x_dot_.end(), system.q_dot.begin(), system.q_dot.end());
  const auto follow = [this](const Jet& jet) {
    // The highest symbol has no rate. No rate of it is formed, because the structure limits the orders (kHighest).
    for (std::size_t k = 0; k + 1 < jet.size(); ++k) {
      x_.push_back(jet[k]);
      x_dot_.push_back(jet[k + 1]);
    }
  };
  for (std::size_t r = 0; r < system.u.size(); ++r) {
    Jet& all = u.emplace_back(jet(system.u[r], "jet " + model.speeds[r].name));
    all[1] = system.u_dot[r];
    follow(all);
  }
  for (std::size_t i = 0; i < system.lambda.size(); ++i)
    follow(lambda.emplace_back(jet(system.lambda[i], "jet multiplier " + std::to_string(i))));
  is_mu.assign(system.z.size(), 0);
  for (std::size_t c = 0; c < model.constraints.size(); ++c) {
    if (!model::is_higher_order(model.constraints[c])) continue;
    const auto states = model.constraints[c].law->mu();
    for (std::size_t row = 0; row < states[0].size(); ++row) {
      const std::size_t first = states[0][row].index();
      Jet& all = mu.emplace_back(jet(system.z[first], "jet " + model.states[first].name));
      for (std::size_t k = 0; k < states.size(); ++k) {
        all[k] = system.z[states[k][row].index()];
        is_mu[states[k][row].index()] = 1;
      }
      constraint_of_mu.emplace_back(c);
      row_of_mu.push_back(static_cast<int>(row));
      follow(all);
    }
  }
  for (std::size_t i = 0; i < system.z.size(); ++i) {
    Jet all;
    if (is_mu[i] == 0) {
      all = jet(system.z[i], "jet " + system.z_names[i]);
      follow(all);
    } else {
      all[0] = system.z[i];
    }
    z.push_back(all);
  }
  equations::LeafSymbols symbols = system.lowering->symbols();
  for (std::size_t k = 2; k < model::kHighestDerivative; ++k) {
    std::vector<Expr>& rates = symbols.u_higher.emplace_back();
    for (const Jet& one : u) rates.push_back(one[k]);
  }
  lowering_ = std::make_unique<equations::Lowering>(model, graph, std::move(symbols));
}

JetSpace::Jet JetSpace::jet(Expr first, const std::string& name) {
  Jet all;
  all[0] = first;
  for (std::size_t k = 1; k < all.size(); ++k) all[k] = system_.graph->symbol(name + " " + std::to_string(k));
  return all;
}

std::vector<Expr> JetSpace::rates(std::span<const Expr> values) const {
  return expr::directional_derivative(values, x_, x_dot_);
}

Expr JetSpace::rate(Expr value) const { return rates({&value, 1})[0]; }

std::vector<std::vector<Expr>> JetSpace::coordinate_rates(int order) const {
  std::vector<std::vector<Expr>> all{system_.q_dot};
  while (static_cast<int>(all.size()) < order) all.push_back(rates(all.back()));
  return all;
}

/// F as a function of q, q', …, by substituting u = Y (q' − g).
Expr JetSpace::by_coordinates(Expr F, const std::vector<std::vector<Expr>>& Q, const Rates& D, int order) const {
  const std::size_t nq = system_.q.size(), nu = system_.u.size();
  const auto& Y = system_.lowering->symbols().u_by_q_dot;
  std::vector<Expr> speeds = Q[1];
  if (!Y.empty()) {
    speeds.assign(nu, system_.graph->constant(0.0));
    for (std::size_t r = 0; r < nu; ++r) {
      for (std::size_t i = 0; i < nq; ++i) speeds[r] += Y[r][i] * (Q[1][i] - system_.g[i]);
    }
  }
  std::vector<Expr> from, by;
  for (std::size_t k = 0; k < static_cast<std::size_t>(order); ++k) {
    for (std::size_t r = 0; r < nu; ++r) {
      from.push_back(u[r][k]);
      by.push_back(speeds[r]);
    }
    if (k + 1 < static_cast<std::size_t>(order)) speeds = D(speeds);
  }
  return expr::substitute({&F, 1}, from, by)[0];
}

JetSpace::Variation JetSpace::variation(Expr F, const Jet& of_mu, int order) {
  expr::Graph& graph = *system_.graph;
  const std::size_t nq = system_.q.size(), nu = system_.u.size();
  // Q[l]: symbols of the derivatives of order l of the coordinates, so that F can be differentiated at fixed q, q', ….
  std::vector<std::vector<Expr>> Q{system_.q};
  for (int l = 1; l <= 2 * order; ++l) {
    std::vector<Expr>& rates = Q.emplace_back();
    for (std::size_t i = 0; i < nq; ++i)
      rates.push_back(graph.symbol("d" + std::to_string(l) + "(" + system_.model->coordinates[i].name + ")"));
  }
  std::vector<Expr> x{system_.t}, x_dot{graph.constant(1.0)};
  for (std::size_t l = 0; l + 1 < Q.size(); ++l) {
    x.insert(x.end(), Q[l].begin(), Q[l].end());
    x_dot.insert(x_dot.end(), Q[l + 1].begin(), Q[l + 1].end());
  }
  for (std::size_t k = 0; k + 1 < of_mu.size(); ++k) {
    x.push_back(of_mu[k]);
    x_dot.push_back(of_mu[k + 1]);
  }
  const Rates D = [&](const std::vector<Expr>& values) { return expr::directional_derivative(values, x, x_dot); };

  F = by_coordinates(F, Q, D, order);

  std::vector<Expr> R(nq, graph.constant(0.0));
  Expr h = graph.constant(0.0);
  for (int l = 0; l <= order; ++l) {
    std::vector<Expr> P = expr::gradient(F, Q[static_cast<std::size_t>(l)]);
    for (Expr& p : P) p = of_mu[0] * p;
    for (int k = 0; k <= l; ++k) {
      for (std::size_t i = 0; i < nq; ++i) {
        const Expr share = k % 2 == 0 ? P[i] : -P[i];
        if (k == l)
          R[i] += share;
        else
          h += share * Q[static_cast<std::size_t>(l - k)][i];
      }
      if (k < l) P = D(P);
    }
  }
  // Replaces the derivatives of coordinates by expressions of the speeds.
  const auto rates = coordinate_rates(2 * order);
  std::vector<Expr> from, by;
  for (std::size_t l = 1; l < Q.size(); ++l) {
    from.insert(from.end(), Q[l].begin(), Q[l].end());
    by.insert(by.end(), rates[l - 1].begin(), rates[l - 1].end());
  }
  R.push_back(h);
  R = expr::substitute(R, from, by);
  Variation result{std::vector<Expr>(nu, graph.constant(0.0)), R.back()};
  for (std::size_t i = 0; i < nq; ++i) {
    for (std::size_t r = 0; r < nu; ++r) result.R[r] += system_.G[i][r] * R[i];
  }
  return result;
}

}  // namespace vinculum::reaction_laws
