#pragma once

#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <vector>

#include "support/motion/test_models.hpp"
#include "vinculum/compiled/random_states.hpp"
#include "vinculum/compiled/report_symbols.hpp"
#include "vinculum/exports/derive_reduction.hpp"
#include "vinculum/exports/derive_report.hpp"
#include "vinculum/expr/interpreter.hpp"
#include "vinculum/model/inspect/inspection.hpp"
#include "vinculum/model/inspect/reveal.hpp"
#include "vinculum/motion/report_numbers.hpp"
#include "vinculum/start/assembly.hpp"

/// Helpers for tests of printed programs: states on the constraints, and the engine's results at them.
namespace vinculum::derived_code {

/// A state, and the engine's results at this state.
struct Expected {
  double t = 0.0;
  std::vector<double> q, u, z;
  std::vector<double> q_dot, M, f, C, A, b;  // evaluated by the interpreter
  Vector u_dot, lambda, z_dot;               // computed by the pivoted solver
  std::vector<char> unique;
  std::vector<double> revealed;  // evaluated as outputs, at the engine's u', λ and efforts
  double revealed_size = 0.0;    // magnitude of the terms of the revealed forces
  Vector outputs;
  std::vector<char> output_unique;
};

/// All measure numbers of all `reveal` statements, with the inertia forces that they balance.
class Reveals {
 public:
  explicit Reveals(const std::shared_ptr<const model::Model>& model) : system_(*sim::derive_all(model)) {
    for (std::size_t i = 0; i < model->reveals.size(); ++i) {
      for (std::size_t k = 0; k < model->reveals[i].along.size(); ++k) {
        const model::RevealId id(i);
        const int number = static_cast<int>(k);
        values_.push_back(equations::lower(*system_, model::revealed(*model, id, number))[0]);
        sizes_.push_back(equations::lower(*system_, model::auxiliary_speed(*model, id, number).inertia)[0]);
      }
    }
  }
  void read(const sim::Sample& sample, Expected& state) const {
    std::vector<expr::Expr> symbols = sim::report_symbols(*system_);
    std::vector<double> numbers;
    sim::read_report_numbers(sample, numbers);
    symbols.insert(symbols.end(), system_->parameters.begin(), system_->parameters.end());
    for (const auto& parameter : system_->model->parameters) numbers.push_back(parameter.value);
    state.revealed = expr::interpret(values_, symbols, numbers);
    for (const double size : expr::interpret(sizes_, symbols, numbers))
      state.revealed_size = std::max(state.revealed_size, std::fabs(size));
  }

 private:
  std::shared_ptr<equations::System> system_;
  std::vector<expr::Expr> values_, sizes_;
};

inline std::vector<double> parameters_of(const model::Model& model) {
  std::vector<double> values;
  for (const auto& parameter : model.parameters) values.push_back(parameter.value);
  return values;
}

/// States on the constraints near the start.
inline std::vector<Expected> expected_of(const std::shared_ptr<const sim::Binding>& bound) {
  const equations::System& system = *bound->compiled->system;
  std::vector<expr::Expr> symbols{system.t};
  for (const auto* list : {&system.q, &system.u, &system.z, &system.parameters})
    symbols.insert(symbols.end(), list->begin(), list->end());
  std::vector<Expected> all;
  sim::Dynamics dynamics(bound);
  std::optional<Reveals> reveals;
  if (!bound->compiled->model->reveals.empty()) reveals.emplace(bound->compiled->model);
  for (unsigned seed = 1; seed <= 2; ++seed) {
    const auto states = sim::random_states(*bound, bound->embedding(), seed, bound->parameters);
    if (!states) continue;
    for (const std::vector<double>& values : states->values) {
      Expected state;
      state.t = values[0];
      state.q.assign(values.begin() + 1, values.begin() + 1 + bound->compiled->nq());
      state.u.assign(values.begin() + 1 + bound->compiled->nq(),
                     values.begin() + 1 + bound->compiled->nq() + bound->compiled->nu());
      state.z.assign(values.begin() + 1 + bound->compiled->nq() + bound->compiled->nu(),
                     values.begin() + 1 + bound->compiled->nq() + bound->compiled->nu() + bound->compiled->nz());
      std::vector<double> at = values;
      at.resize(1 + static_cast<std::size_t>(bound->compiled->nq() + bound->compiled->nu() + bound->compiled->nz()));
      for (const double p : parameters_of(*bound->compiled->model)) at.push_back(p);
      const auto numbers = [&](const std::vector<expr::Expr>& roots) { return expr::interpret(roots, symbols, at); };
      state.q_dot = numbers(system.q_dot);
      state.M = numbers(system.M);
      state.f = numbers(report::of_sliding(system, system.f));
      state.C = numbers(report::of_sliding(system, system.C));
      for (std::size_t i = 0; i < system.rows.size(); ++i) {
        const auto A = numbers(system.rows[i].A.dense());
        state.A.insert(state.A.end(), A.begin(), A.end());
        state.b.push_back(numbers({system.rows[i].b})[0]);
        // A row that the coordinates satisfy identically is printed as 0, without the rounding errors that the engine
        // computes.
        const sim::Embedding embedding = bound->embedding()[i];
        if (embedding == sim::Embedding::kNotActing) continue;  // the row contains the factor acts(c)
        if (!sim::restricts_speeds(embedding)) std::fill_n(state.A.end() - system.nu(), system.nu(), 0.0);
        if (embedding == sim::Embedding::kWhole) state.b.back() = 0.0;
      }
      std::vector<double> y = state.q;
      y.insert(y.end(), state.u.begin(), state.u.end());
      y.insert(y.end(), state.z.begin(), state.z.end());
      sim::Sample sample;
      if (!dynamics.report(state.t, y.data(), sample)) continue;
      state.u_dot = sample.reaction.u_dot();
      state.lambda = sample.reaction.lambda();
      state.z_dot = sample.z_dot;
      state.unique = sample.row_unique;
      state.outputs = sample.outputs;
      state.output_unique = sample.output_unique;
      if (reveals) reveals->read(sample, state);
      all.push_back(std::move(state));
    }
  }
  return all;
}

/// Singular values of some rows and columns (speeds) of A at a state. Columns are scaled by the inertia of their speed,
/// and each row to unit length over all speeds.
inline Vector singular_values(const Expected& state, const std::vector<int>& rows, const std::vector<int>& speeds) {
  const std::size_t nu = state.f.size();
  Matrix part(static_cast<Eigen::Index>(rows.size()), static_cast<Eigen::Index>(speeds.size()));
  for (Eigen::Index i = 0; i < part.rows(); ++i) {
    const auto entry = [&](std::size_t r) {
      const double mass = state.M[r * nu + r];
      return state.A[static_cast<std::size_t>(rows[static_cast<std::size_t>(i)]) * nu + r] /
             (mass > 0.0 ? std::sqrt(mass) : 1.0);
    };
    double square = 0.0;
    for (std::size_t r = 0; r < nu; ++r) square += entry(r) * entry(r);
    for (Eigen::Index j = 0; j < part.cols(); ++j)
      part(i, j) =
          square > 0.0 ? entry(static_cast<std::size_t>(speeds[static_cast<std::size_t>(j)])) / std::sqrt(square) : 0.0;
  }
  return part.size() == 0 ? Vector() : Vector(Eigen::JacobiSVD<Matrix>(part).singularValues());
}

/// States at which two conditions hold: rows are clearly dependent or clearly independent, and the chosen speeds
/// clearly determine the others. At other states, for example near singular configurations, the numbers contain
/// amplified rounding errors.
inline std::vector<Expected> well_conditioned(std::vector<Expected> states, const report::Derivation& derivation) {
  constexpr double kNothing = 1e-11, kPlain = 1e-5;
  std::vector<int> all(static_cast<std::size_t>(derivation.system->nu()));
  std::iota(all.begin(), all.end(), 0);
  std::erase_if(states, [&](const Expected& state) {
    const Vector of_rows = singular_values(state, derivation.ideal_rows, all);
    const Vector of_pivots = singular_values(state, derivation.pivot_rows, derivation.dependent);
    return std::ranges::any_of(of_rows, [&](double x) { return x > kNothing && x < kPlain; }) ||
           std::ranges::any_of(of_pivots, [&](double x) { return x < kPlain; });
  });
  return states;
}

}  // namespace vinculum::derived_code
