#include "vinculum/compiled/structure.hpp"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "vinculum/base/tolerance.hpp"
#include "vinculum/compiled/embedded_rows.hpp"
#include "vinculum/compiled/integral_rows.hpp"
#include "vinculum/compiled/random_states.hpp"
#include "vinculum/equations/derive.hpp"
#include "vinculum/expr/evaluation.hpp"
#include "vinculum/expr/interpreter.hpp"
#include "vinculum/higher_order/higher_order.hpp"
#include "vinculum/model/evaluate.hpp"
#include "vinculum/solve/generated/motion.hpp"
#include "vinculum/solve/generated/tree_solution.hpp"
#include "vinculum/solve/pivoted/directed.hpp"
#include "vinculum/solve/pivoted/reaction_forces.hpp"

namespace vinculum::sim {
namespace {

using equations::System;
using expr::Expr;

/// Fails if the model combines laws that cannot be solved together.
std::optional<Failure> refuse_mixtures(const System& system) {
  const bool has_both = system.has_implicit_nonideal && system.has_nonlinear_rows;
  const bool has_efforts = system.has_nonlinear_rows && !system.directed.empty();
  if (!has_both && !has_efforts) return std::nullopt;
  Failure failure;
  failure.kind = FailureKind::kNotUnique;
  for (int row = 0; row < system.nc(); ++row) {
    if (system.rows[static_cast<std::size_t>(row)].chi.is_valid()) failure.rows.push_back(row);
  }
  const auto& first = system.rows[static_cast<std::size_t>(failure.rows.front())];
  failure.message =
      fmt::format("constraint `{}` is not linear in the accelerations, which is not solved together with {}",
                  system.model->constraint(first.constraint).name,
                  has_both ? "forces that depend on reactions" : "constraints kept by efforts");
  return failure;
}

bool is_identity_kinematics(const System& system) { return std::ranges::equal(system.q_dot, system.u); }

/// `solve::analyze_structure` for the rows that always act. Rows that act only under a condition are added as
/// independent rows.
solve::StaticStructure analyze_always_acting(solve::SymbolicSystem symbolic, std::vector<Expr> b,
                                             const RandomStates& states) {
  const std::vector<Expr> acts = std::exchange(symbolic.acts, {});
  if (acts.empty()) return solve::analyze_structure(symbolic, b, states.inputs, states.values);
  std::vector<int> always;  // indices of the rows that always act
  std::vector<expr::SparseRow> A;
  std::vector<Expr> b_of_always;
  for (std::size_t k = 0; k < acts.size(); ++k) {
    if (acts[k].is_valid()) continue;
    always.push_back(static_cast<int>(k));
    A.push_back(symbolic.A[k]);
    b_of_always.push_back(b[k]);
  }
  symbolic.A = std::move(A);
  const solve::StaticStructure of_always =
      solve::analyze_structure(symbolic, b_of_always, states.inputs, states.values);
  solve::StaticStructure structure;
  structure.generic_rank = of_always.generic_rank;
  structure.is_mass_singular = of_always.is_mass_singular;
  structure.factor.assign(acts.size(), 1.0);
  structure.weights.assign(of_always.is_mass_singular ? acts.size() : 0, 0.0);
  structure.representative.resize(acts.size());
  std::iota(structure.representative.begin(), structure.representative.end(), 0);
  for (std::size_t i = 0; i < always.size(); ++i) {
    const auto place = static_cast<std::size_t>(always[i]);
    const int found = of_always.representative[i];
    structure.representative[place] = found < 0 ? found : always[static_cast<std::size_t>(found)];
    structure.factor[place] = of_always.factor[i];
    if (of_always.is_mass_singular) structure.weights[place] = of_always.weights[i];
  }
  return structure;
}

/// Structure of the given rows, from states that satisfy the constraints. Rows that depend on each other are found with
/// b as the right-hand side. φ and ψ cannot be used for this, because at these states they are only rounding errors.
/// Rows whose gradient is identically zero are left out.
solve::StaticStructure structure_of(const Structure& of, const std::vector<int>& rows, const RandomStates& states,
                                    solve::MassMatrix mass) {
  if (rows.empty()) return {};  // without rows, the guard `contraction` of each solution checks M
  const System& system = *of.system;
  const Expr zero = system.graph->constant(0.0);
  const bool has_mass = of.needs_mass();
  solve::SymbolicSystem symbolic;
  if (has_mass) {
    symbolic = solve::symbolic_system(system, rows, mass);
  } else {  // rows are scaled by the pivots of the articulated bodies
    symbolic.nu = system.nu();
    symbolic.A = solve::gradients(system, rows);
    symbolic.M.assign(system.u.size() * system.u.size(), zero);
    symbolic.acts = solve::acts_of(system, rows);
    const std::vector<Expr> pivots = of.tree->factor->pivots();
    for (std::size_t j = 0; j < pivots.size(); ++j) symbolic.M[j * (pivots.size() + 1)] = pivots[j];
  }
  std::vector<Expr> b;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const auto row = static_cast<std::size_t>(rows[k]);
    if (of.declared.embedding[row] != Embedding::kNone) symbolic.A[k] = expr::SparseRow(*system.graph, system.u.size());
    b.push_back(is_nothing(of.declared.embedding[row]) ? zero : system.rows[row].b);
  }
  solve::StaticStructure structure = analyze_always_acting(std::move(symbolic), std::move(b), states);
  structure.gives_speeds = structure.gives_speeds && has_mass;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    if (is_nothing(of.declared.embedding[static_cast<std::size_t>(rows[k])]))
      structure.representative[k] = solve::StaticStructure::kNothing;
  }
  return structure;
}

/// True if the matrix is positive semidefinite at all states, within rounding errors.
bool is_positive_semidefinite(const System& system, const std::vector<Expr>& M, const RandomStates& states) {
  const int nu = system.nu();
  for (const std::vector<double>& state : states.values) {
    const std::vector<double> values = expr::interpret(M, states.inputs, state);
    const Matrix at = Eigen::Map<const Matrix>(values.data(), nu, nu);
    const Vector eigenvalues = Eigen::SelfAdjointEigenSolver<Matrix>(at, Eigen::EigenvaluesOnly).eigenvalues();
    if (eigenvalues[0] < -tolerance::kZero * eigenvalues.cwiseAbs().maxCoeff()) return false;
  }
  return true;
}

/// Replaces the metric by the identity if the Hessian of a Lagrangian function is indefinite. Lengths of changes are
/// then measured in the units of the speeds.
std::shared_ptr<const System> with_metric(std::shared_ptr<const System> system, const RandomStates& states) {
  const auto is_lagrangian = [](const model::Load& load) {
    return std::holds_alternative<model::LagrangianFunction>(load.what);
  };
  if (std::ranges::none_of(system->model->loads, is_lagrangian) ||
      is_positive_semidefinite(*system, system->metric, states)) {
    return system;
  }
  auto changed = std::make_shared<System>(*system);
  changed->has_indefinite_mass = true;
  const auto nu = system->u.size();
  std::vector<Expr>& metric = changed->metric.own();
  for (std::size_t i = 0; i < nu * nu; ++i) metric[i] = system->graph->constant(i % nu == i / nu ? 1.0 : 0.0);
  return changed;
}

std::shared_ptr<const equations::ArticulatedMotion> tree_of(const System& system) {
  auto tree = solve::bodies_for_solution(system);
  return tree ? std::make_shared<const equations::ArticulatedMotion>(*std::move(tree)) : nullptr;
}

/// True if the guard of the pivots of articulated bodies accepts all states.
bool holds_at(const equations::ArticulatedMotion& tree, const RandomStates& states) {
  const expr::Evaluation contraction(std::vector<Expr>{tree.contraction}, states.inputs);
  return std::ranges::all_of(states.values, [&](const std::vector<double>& state) {
    return contraction.at(state).front() <= solve::StaticLdlt::kTolContraction;
  });
}

/// The members of the structure that follow from the expressions, without evaluating them at states.
Structure structure_of_graph(std::shared_ptr<const System> of) {
  Structure result;
  const System& system = *of;
  result.model = of->model;
  result.system = std::move(of);
  result.position_rows = solve::position_rows(system);
  result.velocity_rows = solve::velocity_rows(system);
  result.has_identity_kinematics = is_identity_kinematics(system);
  const std::vector<Expr> inputs = state_symbols(system);
  for (int i = 0; i < system.nc(); ++i) {
    const equations::Row& row = system.rows[static_cast<std::size_t>(i)];
    const expr::SparseRow& gradient = row.acts.is_valid() ? row.while_acting.A : row.A;
    const bool varies = row.chi.is_valid() ||
                        std::ranges::any_of(gradient.values(), [&](Expr A) { return expr::depends_on(A, inputs); });
    result.gradient_varies.push_back(varies ? 1 : 0);
    if (row.chi.is_valid()) result.nonlinear.push_back(i);
    if (row.acts.is_valid()) result.switched.push_back(i);
  }
  for (const model::StartCondition& start : system.model->starts) {
    result.start_values.push_back(equations::lower(system, start.value).front());
  }
  result.start_gradient = expr::sparse_jacobian(result.start_values, system.q);
  result.nonlinear_speeds = equations::nonlinear_speeds(system);
  for (const model::State& state : system.model->states) {
    result.state_starts.push_back(state.start.is_valid() ? equations::lower(system, state.start).front()
                                                         : system.graph->constant(0.0));
  }
  result.is_moved_by_multipliers = std::ranges::any_of(system.z_dot, [&system](Expr rate) {
    return expr::depends_on(rate, system.lambda) || expr::depends_on(rate, system.slide_direction);
  });
  if (result.has_reaction_forces()) result.dependence = solve::reaction_dependence(system);
  result.forces_hold_reactions = std::ranges::any_of(system.C, [&system](Expr C) {
    return expr::depends_on(C, system.lambda) || expr::depends_on(C, system.lambda_ideal);
  });
  return result;
}

}  // namespace

Structure Structure::with(std::shared_ptr<const System> equations) const {
  Structure changed = *this;
  changed.system = std::move(equations);
  if (tree) changed.tree = tree_of(*changed.system);
  return changed;
}

bool Structure::needs_mass() const { return !system->M.is_deferred() || (nc() > 0 && !tree); }

bool Structure::can_write_accelerations() const {
  if (system->higher || system->has_nonlinear_rows) return false;
  if (!system->slides.empty()) return has_given_friction() && system->directed.empty();
  return !system->has_implicit_nonideal ||
         (system->directed.empty() && dependence.rows.size() <= solve::kMostWrittenMultipliers);
}

std::string Structure::row_name(int row) const {
  const equations::Row& r = system->rows[static_cast<std::size_t>(row)];
  const model::Constraint& constraint = model->constraint(r.constraint);
  return constraint.rows.size() == 1 ? constraint.name : fmt::format("{}[{}]", constraint.name, r.index + 1);
}

RowJudgment Structure::judge_rows(std::span<const double> parameters) const {
  JudgedRows judged = embedding_of_rows(*this, parameters);
  for (const int row : integrals) judged.embedding[static_cast<std::size_t>(row)] = Embedding::kIntegral;
  return {std::move(judged.embedding), std::make_shared<const RowEvidence>(std::move(judged.evidence))};
}

bool Structure::fits(const std::vector<Embedding>& embedding) const {
  const auto fits = [&embedding](const solve::StaticStructure& of, const auto& row_at) {
    for (std::size_t k = 0; k < of.representative.size(); ++k) {
      const Embedding here = embedding[static_cast<std::size_t>(row_at(k))];
      const bool is_nothing = of.representative[k] == solve::StaticStructure::kNothing;
      if (is_nothing != (here == Embedding::kWhole || here == Embedding::kIntegral)) return false;
      if (here == Embedding::kGradient && of.representative[k] != solve::StaticStructure::kDependent) return false;
    }
    return true;
  };
  const auto listed = [](const std::vector<int>& rows) { return [&rows](std::size_t k) { return rows[k]; }; };
  const std::vector<int> ideal = solve::ideal_rows(*system);
  return fits(structure, [](std::size_t k) { return k; }) && fits(of_ideal_rows, listed(ideal)) &&
         fits(of_positions, listed(position_rows)) && fits(of_velocities, listed(velocity_rows));
}

const std::string& Structure::speed_name(int speed) const {
  return model->speeds[static_cast<std::size_t>(speed)].name;
}

std::string Structure::row_unit(int row, model::Level level) const {
  if (!model->has_units) return {};
  const equations::Row& r = system->rows[static_cast<std::size_t>(row)];
  const int derivatives = static_cast<int>(level) - static_cast<int>(r.level);
  const model::Constraint& stated = model->constraint(r.constraint);
  const Dimension own =
      stated.row_dimensions.empty() ? stated.dimension : stated.row_dimensions[static_cast<std::size_t>(r.index)];
  const std::string unit = si_unit(own * make_dimension(0, 0, -derivatives));
  return unit == "1" ? std::string() : " " + unit;
}

std::vector<Expr> state_symbols(const System& system) {
  std::vector<Expr> symbols{system.t};
  for (const auto* some : {&system.q, &system.u, &system.z}) symbols.insert(symbols.end(), some->begin(), some->end());
  return symbols;
}

std::vector<Expr> motion_symbols(const System& system) {
  std::vector<Expr> symbols = state_symbols(system);
  append(symbols, system.slide_direction);
  return symbols;
}

Outcome<std::shared_ptr<System>> derive_all(std::shared_ptr<const model::Model> model,
                                            std::span<equations::HeldForce> held) {
  auto system = equations::derive(std::move(model), held);
  if (!system) return system;
  if (auto failure = refuse_mixtures(**system)) return fail(std::move(*failure));
  return reaction_laws::close(*system);
}

Outcome<Structure> analyse(std::shared_ptr<const System> system, unsigned seed) {
  Structure result = structure_of_graph(std::move(system));
  const std::vector<double> declared = model::declared_values(*result.model);
  result.tree = tree_of(*result.system);  // needed by `random_states`, which does not use M if there is a tree
  result.declared = result.judge_rows(declared);
  const auto states = random_states(result, result.declared.embedding, seed, declared);
  if (!states) return fail(states.error());
  result.integrals = integral_rows(result, declared, *states, seed);
  for (const int row : result.integrals) {
    std::erase(result.velocity_rows, row);
    result.declared.embedding[static_cast<std::size_t>(row)] = Embedding::kIntegral;
  }
  result.system = with_metric(result.system, *states);
  if (result.tree && result.nc() > 0 && !holds_at(*result.tree, *states)) result.tree = nullptr;
  using solve::MassMatrix;
  if (result.can_write_accelerations()) {
    std::vector<int> all(result.system->rows.size());
    std::iota(all.begin(), all.end(), 0);
    result.structure = structure_of(result, all, *states, MassMatrix::kM);
    if (!result.system->directed.empty()) {
      result.of_ideal_rows = structure_of(result, solve::ideal_rows(*result.system), *states, MassMatrix::kM);
    }
  }
  result.of_positions = structure_of(result, result.position_rows, *states, MassMatrix::kMetric);
  result.of_velocities = structure_of(result, result.velocity_rows, *states, MassMatrix::kMetric);
  return result;
}

}  // namespace vinculum::sim
