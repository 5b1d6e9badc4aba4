#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "support/numeric/random_system.hpp"
#include "vinculum/expr/interpreter.hpp"
#include "vinculum/solve/generated/static_ldlt.hpp"
#include "vinculum/solve/pivoted/constrained_solve.hpp"

/// Systems with symbols as entries, for tests of generated code, and numbers for them.
namespace vinculum::solve {

using expr::Expr;
using expr::Graph;
using numeric::RandomEngine;
using numeric::RandomSystem;

/// A system with one symbol per entry, so that M and the other arrays may have any values.
struct EntrySystem {
  Graph graph;
  SymbolicSystem system;
  std::vector<Expr> f, b, inputs;

  EntrySystem(int nu, int nc, bool has_diagonal_mass = false) {
    system.nu = nu;
    const auto symbol = [&](const std::string& name, int i, int j) {
      inputs.push_back(graph.symbol(name + std::to_string(i) + "_" + std::to_string(j)));
      return inputs.back();
    };
    system.M.resize(static_cast<std::size_t>(nu * nu), graph.constant(0.0));
    for (int i = 0; i < nu; ++i) {
      for (int j = 0; j <= i; ++j) {
        if (has_diagonal_mass && i != j) continue;
        system.M[static_cast<std::size_t>(i * nu + j)] = system.M[static_cast<std::size_t>(j * nu + i)] =
            symbol("M", i, j);
      }
    }
    for (int i = 0; i < nc; ++i) {
      std::vector<Expr> row;
      for (int j = 0; j < nu; ++j) row.push_back(symbol("A", i, j));
      system.A.emplace_back(row);
    }
    for (int j = 0; j < nu; ++j) f.push_back(symbol("f", j, 0));
    for (int i = 0; i < nc; ++i) b.push_back(symbol("b", i, 0));
  }

  [[nodiscard]] std::vector<double> values(const RandomSystem& s) const {
    std::vector<double> all;
    for (int i = 0; i < system.nu; ++i) {
      for (int j = 0; j <= i; ++j) {
        if (system.M[static_cast<std::size_t>(i * system.nu + j)].is_zero()) continue;
        all.push_back(s.M(i, j));
      }
    }
    for (Eigen::Index i = 0; i < s.A.rows(); ++i) {
      for (Eigen::Index j = 0; j < s.A.cols(); ++j) all.push_back(s.A(i, j));
    }
    all.insert(all.end(), s.f.begin(), s.f.end());
    all.insert(all.end(), s.b.begin(), s.b.end());
    return all;
  }
};

inline StaticStructure all_kept(int nc) {
  StaticStructure structure;
  for (int i = 0; i < nc; ++i) structure.representative.push_back(i);
  structure.factor.assign(static_cast<std::size_t>(nc), 1.0);
  structure.generic_rank = nc;
  return structure;
}

struct Evaluated {
  Vector u, lambda;
  bool is_accepted = false;
};

inline Evaluated evaluate(const StaticSolution& solution, std::span<const Expr> inputs,
                          std::span<const double> values) {
  std::vector<Expr> roots = solution.u;
  roots.insert(roots.end(), solution.lambda.begin(), solution.lambda.end());
  roots.push_back(solution.residual);
  roots.push_back(solution.contraction);
  const std::vector<double> results = expr::interpret(roots, inputs, values);
  const auto nu = static_cast<Eigen::Index>(solution.u.size());
  const auto nc = static_cast<Eigen::Index>(solution.lambda.size());
  Evaluated evaluated;
  evaluated.u = Eigen::Map<const Vector>(results.data(), nu);
  evaluated.lambda = Eigen::Map<const Vector>(results.data() + nu, nc);
  evaluated.is_accepted = results[results.size() - 2] <= StaticLdlt::kTolResidual &&
                          results[results.size() - 1] <= StaticLdlt::kTolContraction;
  return evaluated;
}

inline Solution by_pivots(const RandomSystem& s) {
  ConstrainedSolve solver(static_cast<int>(s.f.size()), static_cast<int>(s.b.size()));
  Solution solution;
  EXPECT_TRUE(solver.factor(s.M, s.A));
  EXPECT_TRUE(solver.solve(s.f, s.b, solution));
  return solution;
}

inline double relative_error(const Vector& value, const Vector& reference) {
  return (value - reference).norm() / (reference.norm() + 1e-300);
}

/// Number of operations and divisions of one evaluation, without those that depend on `parameters` only.
struct Cost {
  int operations = 0;
  int divisions = 0;
};

inline Cost cost_of(const StaticSolution& solution, std::span<const Expr> parameters) {
  const Graph& graph = solution.residual.graph();
  std::set<std::size_t> fixed;
  for (const Expr p : parameters) fixed.insert(p.node().index());
  std::vector<char> is_needed(graph.size(), 0);
  const auto need = [&](Expr e) { is_needed[e.node().index()] = 1; };
  for (const Expr e : solution.u) need(e);
  need(solution.residual);
  need(solution.contraction);
  std::vector<char> varies(graph.size(), 0);
  for (std::size_t i = 0; i < graph.size(); ++i) {
    const Graph::Node& node = graph.node(expr::NodeId(i));
    varies[i] = node.op == expr::Op::kSymbol && !fixed.contains(i) ? 1 : 0;
    for (const expr::NodeId id : node.operands) {
      if (id.is_valid() && varies[id.index()]) varies[i] = 1;
    }
  }
  Cost cost;
  for (std::size_t i = graph.size(); i-- > 0;) {
    if (!is_needed[i]) continue;
    const Graph::Node& node = graph.node(expr::NodeId(i));
    bool is_leaf = true;
    for (const expr::NodeId id : node.operands) {
      if (!id.is_valid()) continue;
      is_leaf = false;
      is_needed[id.index()] = 1;
    }
    if (is_leaf || !varies[i]) continue;
    ++cost.operations;
    if (node.op == expr::Op::kDivide) ++cost.divisions;
  }
  return cost;
}

/// Two particles of masses m1, m2 with parallel velocities and forces along x (Roithmayr 2007, Example 3).
struct Pucks {
  Graph graph;
  SymbolicSystem system;
  std::vector<Expr> f, b, inputs, parameters;

  Pucks() {
    const auto input = [&](const char* name) { return inputs.emplace_back(graph.symbol(name)); };
    const Expr v1 = input("v1"), v2 = input("v2"), v3 = input("v3"), v4 = input("v4");
    const Expr m1 = graph.symbol("m1"), m2 = graph.symbol("m2");
    parameters = {m1, m2};
    const Expr zero = graph.constant(0.0);
    system.nu = 4;
    system.M.assign(16, zero);
    system.M[0] = system.M[5] = m1;
    system.M[10] = system.M[15] = m2;
    system.A.emplace_back(std::vector{v4, -v3, -v2, v1});
    f = {graph.constant(0.3), zero, graph.constant(0.7), zero};
    b = {zero};
  }
};

/// The double pendulum with unequal masses in Cartesian coordinates; every rod is stated `copies` times with factors
/// 1, 2, …
struct DoublePendulum {
  Graph graph;
  SymbolicSystem system;
  std::vector<Expr> f, b, inputs, parameters;

  explicit DoublePendulum(int copies, bool has_factors_as_parameters = false) {
    const auto input = [&](const char* name) { return inputs.emplace_back(graph.symbol(name)); };
    const Expr x1 = input("x1"), y1 = input("y1"), x2 = input("x2"), y2 = input("y2");
    const Expr vx1 = input("vx1"), vy1 = input("vy1"), vx2 = input("vx2"), vy2 = input("vy2");
    const Expr m1 = graph.symbol("m1"), m2 = graph.symbol("m2"), g = graph.symbol("g"), k = graph.symbol("k");
    parameters = {m1, m2, g, k};
    const Expr zero = graph.constant(0.0);
    system.nu = 4;
    system.M.assign(16, zero);
    system.M[0] = system.M[5] = m1;
    system.M[10] = system.M[15] = m2;
    f = {zero, -m1 * g, zero, -m2 * g};
    for (int copy = 1; copy <= copies; ++copy) {
      const Expr c = has_factors_as_parameters && copy > 1 ? power(k, copy) : graph.constant(copy);
      const Expr dx = x2 - x1, dy = y2 - y1, dvx = vx2 - vx1, dvy = vy2 - vy1;
      system.A.emplace_back(std::vector{c * (2.0 * x1), c * (2.0 * y1), zero, zero});
      system.A.emplace_back(std::vector{c * (-2.0 * dx), c * (-2.0 * dy), c * (2.0 * dx), c * (2.0 * dy)});
      b.push_back(c * (-2.0 * (vx1 * vx1 + vy1 * vy1)));
      b.push_back(c * (-2.0 * (dvx * dvx + dvy * dvy)));
    }
  }

  [[nodiscard]] std::vector<Expr> all_inputs() const {
    std::vector<Expr> all = inputs;
    all.insert(all.end(), parameters.begin(), parameters.end());
    return all;
  }
  static std::vector<std::vector<double>> random_states(std::uint64_t seed, int count) {
    RandomEngine engine(seed);
    std::vector<std::vector<double>> states;
    for (int i = 0; i < count; ++i) {
      const Vector state = numeric::random_vector(engine, 8);
      states.emplace_back(state.begin(), state.end());
      states.back().insert(states.back().end(), {1.5, 0.5, 9.81, 3.0});
    }
    return states;
  }
};

inline RandomSystem numbers(const SymbolicSystem& system, std::span<const Expr> f, std::span<const Expr> b,
                            std::span<const Expr> inputs, std::span<const double> values) {
  std::vector<Expr> roots = system.M;
  for (const auto& row : system.A) {
    const std::vector<Expr> all = row.dense();
    roots.insert(roots.end(), all.begin(), all.end());
  }
  roots.insert(roots.end(), f.begin(), f.end());
  roots.insert(roots.end(), b.begin(), b.end());
  const std::vector<double> all = expr::interpret(roots, inputs, values);
  const Eigen::Index nu = system.nu;
  const auto nc = static_cast<Eigen::Index>(b.size());
  RandomSystem s;
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  s.M = Eigen::Map<const RowMajor>(all.data(), nu, nu);
  s.A = Eigen::Map<const RowMajor>(all.data() + nu * nu, nc, nu);
  s.f = Eigen::Map<const Vector>(all.data() + nu * nu + nc * nu, nu);
  s.b = Eigen::Map<const Vector>(all.data() + nu * nu + nc * nu + nu, nc);
  return s;
}

/// Compares u, the forces of the rows and the rows themselves with the pivoted solver.
inline void expect_solves(const RandomSystem& s, const Evaluated& result) {
  const Solution reference = by_pivots(s);
  EXPECT_LT(relative_error(result.u, reference.u), 1e-11);
  EXPECT_LT(relative_error(s.A.transpose() * result.lambda + s.f, reference.Q + s.f), 1e-11);
  EXPECT_LT((s.A * result.u - s.b).norm(), 1e-13 * (1.0 + s.A.norm() * result.u.norm()));
}

}  // namespace vinculum::solve
