#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "vinculum/base/index.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/compiled/scales.hpp"
#include "vinculum/model/calculus.hpp"
#include "vinculum/model/evaluate.hpp"
#include "vinculum/start/assembly_higher.hpp"
#include "vinculum/start/assembly_impl.hpp"

namespace vinculum::sim {
namespace {

using model::Level;
using Condition = StartConditions::Condition;

// Number of times that guesses are evaluated if their right-hand sides depend on other coordinates.
constexpr int kPassesOfGuesses = 3;

}  // namespace

/// Writes the stated values into the problem, and records which unknowns they fix. Two different `=` values for one
/// unknown are an error.
Outcome<void> Assembly::state(StartProblem& problem, const std::vector<Condition>& conditions, const Vector& values,
                              bool only_constants) {
  for (const Condition& condition : conditions) {
    if (only_constants && condition.uses_q) continue;
    const double value = values[condition.start];
    int& holder = nth(problem.held, condition.target);
    if (condition.is_held && holder >= 0) {
      const double other = values[holder];
      if (std::abs(value - other) <= tolerance::kZero * std::max(std::abs(value), std::abs(other))) continue;
      Failure failure = assembly_failure(options_.t0);
      failure.coordinates = {condition.target};
      failure.statements = {start_statement(condition.start), start_statement(holder)};
      failure.size = std::abs(value - other);
      failure.message =
          fmt::format("the held values `{}` and `{}` contradict each other", condition_text(bound_, holder, other),
                      condition_text(bound_, condition.start, value));
      return fail(std::move(failure));
    }
    if (holder >= 0) continue;
    problem.z[condition.target] = value;
    if (condition.is_held) holder = condition.start;
    if (!condition.is_held) nth(problem.guess, condition.target) = condition.start;
  }
  return {};
}

void Assembly::note_what_takes_part(StartProblem& problem) const {
  const int nq = bound_->nq();
  problem.takes_part.assign(static_cast<std::size_t>(nq), 0);
  for (const int row : bound_->position_rows) {
    for (const auto& [j, slope] : nth(bound_->system->rows, row).phi_q) problem.takes_part[j] = 1;
  }
  for (const Condition& condition : conditions_.coordinates) {
    if (condition.uses_q && condition.is_held) nth(problem.takes_part, condition.target) = 1;
  }
  for (const expr::Entry& entry : bound_->start_gradient) nth(problem.takes_part, entry.column) = 1;
  for (const StartEquation& equation : problem.equations) {
    if (equation.functional >= 0) std::ranges::fill(problem.takes_part, char{1});
    if (equation.quaternion < 0) continue;
    for (const int i : quaternion(equation)) nth(problem.takes_part, i) = 1;
  }
}

/// Finds the conditions on the start that follow from constraints whose relation contains states. Such a relation is
/// enforced as a row by one of its derivatives; the relation and its lower derivatives are the conditions. They depend
/// only on positions, states and time.
void Assembly::find_functional_conditions() {
  const model::Model& model = *bound_->model;
  for (std::size_t c = 0; c < model.constraints.size(); ++c) {
    for (std::size_t row = 0; row < model.constraints[c].rows.size(); ++row) {
      const model::Term relation = model.constraints[c].rows[row];
      if (!model::holds_state(relation)) continue;
      const int count = model::order_of_accelerations(model, relation).value_or(0) - 1;
      for (int order = 0; order < count; ++order) functional_.push_back({model::ConstraintId(c), row, order});
    }
  }
}

double Assembly::functional_value(const FunctionalCondition& condition, const Vector& q) const {
  model::Instant instant;
  instant.t = options_.t0;
  instant.q.assign(q.begin(), q.end());
  instant.q_dot.assign(instant.q.size(), 0.0);
  instant.q_ddot = instant.q_dot;
  const Vector z = changed(evaluate_state_starts(bound_, options_.t0, q), change_.state, change_.change);
  instant.z.assign(z.begin(), z.begin() + static_cast<std::ptrdiff_t>(bound_->model->states.size()));
  instant.parameters = bound_.parameters;
  const model::Term relation = bound_->model->constraint(condition.constraint).rows[condition.row];
  const model::Jet jet = model::TermValues(*bound_->model, std::move(instant)).scalar(relation);
  return condition.order == 0 ? jet.value : condition.order == 1 ? jet.rate : jet.second;
}

bool Assembly::evaluate_positions(const std::vector<StartEquation>& equations, const Vector& q, Vector& r, Matrix& J) {
  at(q, Vector::Zero(bound_->nu()));
  const auto count = static_cast<Eigen::Index>(equations.size());
  r.resize(count);
  J.setZero(count, q.size());
  Vector values;
  Matrix gradient;
  if (std::ranges::any_of(equations, [](const StartEquation& one) { return one.start >= 0; })) {
    values = start_values(q);
    gradient = evaluate_start_gradient(bound_, options_.t0, q);
  }
  for (Eigen::Index k = 0; k < count; ++k) {
    const StartEquation& equation = nth(equations, k);
    if (equation.row >= 0) {
      r[k] = m_.phi[equation.row];
      J.row(k) = m_.phi_q.row(equation.row);
    } else if (equation.functional >= 0) {
      const FunctionalCondition& condition = nth(functional_, equation.functional);
      r[k] = functional_value(condition, q);
      for (Eigen::Index j = 0; j < q.size(); ++j) {
        const double step = tolerance::kDifference * std::max(1.0, std::abs(q[j]));
        Vector before = q, behind = q;
        before[j] -= step, behind[j] += step;
        J(k, j) = (functional_value(condition, behind) - functional_value(condition, before)) / (2.0 * step);
      }
    } else if (equation.quaternion >= 0) {
      r[k] = -0.5;
      for (const int i : quaternion(equation)) {
        r[k] += 0.5 * q[i] * q[i];
        J(k, i) = q[i];
      }
    } else {
      const auto target = static_cast<Eigen::Index>(nth(bound_->model->starts, equation.start).index);
      r[k] = q[target] - values[equation.start];
      J.row(k) = -gradient.row(equation.start);
      J(k, target) += 1.0;
    }
  }
  return r.allFinite() && J.allFinite();
}

Outcome<StartProblem> Assembly::position_problem() {
  const int nq = bound_->nq();
  StartProblem problem;
  problem.level = Level::kPosition;
  problem.z = Vector::Zero(nq);
  for (const std::array<int, 4>& e : bound_->system->quaternions) problem.z[e[0]] = 1.0;
  problem.held.assign(static_cast<std::size_t>(nq), -1);
  problem.guess = problem.held;
  problem.fixed.assign(static_cast<std::size_t>(nq), 0);
  if (auto done = state(problem, conditions_.coordinates, start_values(problem.z), true); !done) {
    return fail(done.error());
  }
  for (int pass = 0; pass < kPassesOfGuesses; ++pass) {
    const Vector values = start_values(problem.z);
    for (const Condition& condition : conditions_.coordinates) {
      const double value = values[condition.start];
      if (condition.uses_q && nth(problem.held, condition.target) < 0 && std::isfinite(value)) {
        problem.z[condition.target] = value;
        nth(problem.guess, condition.target) = condition.start;
      }
    }
  }
  if (auto done = prepare_quaternions(problem); !done) return fail(std::move(done.error()));
  for (const int row : bound_->position_rows) problem.equations.push_back({row});
  for (const Condition& condition : conditions_.coordinates) {
    if (!condition.uses_q || !condition.is_held) continue;
    problem.equations.push_back({.start = condition.start});
  }
  find_functional_conditions();
  for (std::size_t k = 0; k < functional_.size(); ++k) problem.equations.push_back({.functional = static_cast<int>(k)});
  note_what_takes_part(problem);
  problem.evaluate = [this, equations = problem.equations](const Vector& q, Vector& r, Matrix& J) {
    return evaluate_positions(equations, q, r, J);
  };
  problem.reach = coordinate_reach(bound_, problem.z);
  problem.scale = problem.reach;
  problem.metric = [weight = weights_of(problem)]() -> Matrix { return weight.asDiagonal(); };
  meet_rows_alone(problem);
  let_unstated_follow(problem);
  return problem;
}

std::string Assembly::quaternion_text(int quaternion) const {
  std::vector<std::string> names;
  for (const int i : nth(bound_->system->quaternions, quaternion)) {
    names.push_back(nth(bound_->model->coordinates, i).name);
  }
  return fmt::format("the quaternion `{}`", fmt::join(names, ", "));
}

/// Prepares quaternions whose stated values do not have unit norm, since their norm has no physical meaning. Values
/// stated with `=` normally keep their values, and the other components are scaled so that the norm becomes 1. There is
/// one exception. If the values stated with `=` alone have unit norm to within the digits in which they are written,
/// they define the orientation: they are scaled to exactly unit norm, and the other components become 0.
Outcome<void> Assembly::prepare_quaternions(StartProblem& problem) const {
  const auto& quaternions = bound_->system->quaternions;
  for (std::size_t k = 0; k < quaternions.size(); ++k) {
    double of_held = 0.0, of_free = 0.0;
    int free_count = 0;
    Failure failure = assembly_failure(options_.t0);
    std::vector<std::string> held;
    for (const int i : quaternions[k]) {
      const double e = problem.z[i];
      if (const int holder = nth(problem.held, i); holder >= 0) {
        of_held += e * e;
        failure.statements.push_back(start_statement(holder));
        failure.coordinates.push_back(i);
        held.push_back("`" + condition_text(bound_, holder, e) + "`");
      } else {
        of_free += e * e;
        ++free_count;
      }
    }
    const bool is_theirs = !held.empty() && std::abs(of_held - 1.0) <= tolerance::kWritten;
    if (is_theirs) {
      const double factor = 1.0 / std::sqrt(of_held);
      for (const int i : quaternions[k]) {
        const bool is_held = nth(problem.held, i) >= 0;
        problem.z[i] = is_held ? factor * problem.z[i] : 0.0;
        nth(problem.fixed, i) = 1;
      }
      continue;
    }
    if (of_held > 1.0 || (!held.empty() && (free_count == 0 || of_free == 0.0))) {
      failure.size = std::abs(std::sqrt(of_held) - 1.0);
      failure.message =
          fmt::format("the held {} {} the norm {:.6g}, and {} has unit norm{}", joined(held),
                      held.size() == 1 ? "has" : "have", std::sqrt(of_held), quaternion_text(static_cast<int>(k)),
                      of_held > 1.0 || free_count == 0 ? "" : ": nothing says how the rest is shared");
      return fail(std::move(failure));
    }
    if (of_free == 0.0) {
      problem.z[quaternions[k][0]] = 1.0;
      of_free = 1.0;
    }
    const double factor = std::sqrt((1.0 - of_held) / of_free);
    for (const int i : quaternions[k]) {
      if (nth(problem.held, i) < 0) problem.z[i] *= factor;
    }
    problem.equations.push_back({.quaternion = static_cast<int>(k)});
  }
  return {};
}

/// Computes the residual of a start condition on a function of the speeds, and its gradient.   \pre the matrices have
/// been evaluated at the current q.
void Assembly::rate_missed(int start, const Vector& u, const Vector& values, double& missed,
                           Eigen::Ref<Eigen::RowVectorXd, 0, Eigen::InnerStride<>> by_u) {
  const model::StartCondition& condition = nth(bound_->model->starts, start);
  const auto target = static_cast<Eigen::Index>(condition.index);
  if (condition.on != model::StartCondition::On::kNonlinearSpeed) {
    const double rest = m_.q_dot[target] - m_.G.row(target).dot(y_.segment(bound_->nq(), bound_->nu()));
    missed = m_.G.row(target).dot(u) + rest - values[start];
    by_u = m_.G.row(target);
    return;
  }
  Vector y = y_;
  y.segment(bound_->nq(), bound_->nu()) = u;
  const NonlinearSpeeds::At at = nonlinear_->at(options_.t0, y.data());
  missed = at.value[target] - values[start];
  by_u = at.by_u.row(target);
}

/// Finds the speeds nearest to the directly stated speeds for which functions of the speeds have their stated values.
Vector Assembly::matching_speeds(const StartProblem& problem, const std::vector<Condition>& conditions,
                                 const Vector& values) {
  Equations equations;
  std::vector<int> free = problem.free;
  equations.scale = Vector(static_cast<Eigen::Index>(free.size()));
  for (std::size_t j = 0; j < free.size(); ++j) nth(equations.scale, j) = problem.scale[free[j]];
  equations.metric = [&equations]() -> Matrix { return equations.scale.cwiseAbs2().cwiseInverse().asDiagonal(); };
  Vector u = problem.z;
  equations.evaluate = [&](const Vector& x, Vector& r, Matrix& J) {
    for (std::size_t j = 0; j < free.size(); ++j) u[free[j]] = nth(x, j);
    const auto count = static_cast<Eigen::Index>(conditions.size());
    r.resize(count);
    J.resize(count, x.size());
    Eigen::RowVectorXd row(u.size());
    for (Eigen::Index k = 0; k < count; ++k) {
      rate_missed(nth(conditions, k).start, u, values, r[k], row);
      for (std::size_t j = 0; j < free.size(); ++j) J(k, static_cast<Eigen::Index>(j)) = row[free[j]];
    }
    return r.allFinite() && J.allFinite();
  };
  Vector x0(static_cast<Eigen::Index>(free.size()));
  for (std::size_t j = 0; j < free.size(); ++j) nth(x0, j) = problem.z[free[j]];
  const LeastChange found = solve_by_least_change(equations, x0);
  u = problem.z;
  for (std::size_t j = 0; j < free.size(); ++j) u[free[j]] = nth(found.x, j);
  return u;
}

Outcome<StartProblem> Assembly::speed_problem(const Vector& q) {
  const int nu = bound_->nu();
  StartProblem problem;
  problem.level = Level::kVelocity;
  problem.z = Vector::Zero(nu);
  problem.held.assign(static_cast<std::size_t>(nu), -1);
  problem.guess = problem.held;
  problem.fixed.assign(static_cast<std::size_t>(nu), 0);
  const Vector values = start_values(q);
  if (auto done = state(problem, conditions_.speeds, values, false); !done) return fail(done.error());
  for (const int row : rows_of_speeds()) problem.equations.push_back({row});
  std::vector<Condition> conditions = conditions_.rates;
  conditions.insert(conditions.end(), conditions_.nonlinear.begin(), conditions_.nonlinear.end());
  for (const Condition& condition : conditions) {
    if (condition.is_held) problem.equations.push_back({.start = condition.start});
  }
  problem.takes_part.assign(static_cast<std::size_t>(nu), 0);
  for (const int row : rows_of_speeds()) {
    for (const auto& [j, entry] : nth(bound_->system->rows, row).A) problem.takes_part[j] = 1;
  }
  for (int j = 0; j < nu; ++j) {
    for (const Condition& condition : conditions_.nonlinear) {
      if (condition.is_held && !nth(nth(bound_->nonlinear_speeds, condition.target).by_u, j).is_zero())
        nth(problem.takes_part, j) = 1;
    }
  }
  problem.evaluate = [this, q, values, equations = problem.equations](const Vector& u, Vector& r, Matrix& J) {
    at(q, u);
    const auto count = static_cast<Eigen::Index>(equations.size());
    r.resize(count);
    J.resize(count, u.size());
    for (Eigen::Index k = 0; k < count; ++k) {
      const StartEquation& equation = nth(equations, k);
      if (equation.row >= 0) {
        r[k] = m_.psi[equation.row];
        J.row(k) = m_.A.row(equation.row);
      } else {
        rate_missed(equation.start, u, values, r[k], J.row(k));
      }
    }
    return r.allFinite() && J.allFinite();
  };
  if (!problem.equations.empty() || !conditions.empty()) at(q, problem.z);
  problem.metric = [this, q, u = problem.z] {
    at(q, u, WithMass::kYes);
    return m_.metric;
  };
  const Vector q_reach = coordinate_reach(bound_, q);
  problem.reach = speed_reach(bound_, problem.z, coordinate_reach(bound_, q));
  problem.scale = problem.reach;
  for (int j = 0; j < nu; ++j) {
    if (nth(problem.held, j) < 0) problem.free.push_back(j);
  }
  if (!conditions.empty()) problem.z = matching_speeds(problem, conditions, values);
  return problem;
}

Outcome<Start> Assembly::run() {
  start_.t0 = options_.t0;
  auto positions = position_problem();
  if (!positions) return fail(std::move(positions.error()));
  auto q = solve(*positions);
  if (!q) return fail(std::move(q.error()));
  note_far_guesses(*positions, q->x);
  start_.iterations = q->iterations;
  start_.q = q->x;
  y_.head(bound_->nq()) = start_.q;

  auto speeds = speed_problem(start_.q);
  if (!speeds) return fail(std::move(speeds.error()));
  auto u = solve(*speeds);
  if (!u) return fail(std::move(u.error()));
  start_.u = u->x;
  start_.z = changed(evaluate_state_starts(bound_, options_.t0, start_.q), change_.state, change_.change);
  if (bound_->system->higher) {
    if (auto done = assemble_higher(bound_, options_, start_); !done) return fail(std::move(done.error()));
  }
  return start_;
}

Outcome<Start> assemble(Dynamics& dynamics, const AssemblyOptions& options) {
  return Assembly(dynamics, options).run();
}

Outcome<Start> assemble_changed(Dynamics& dynamics, const StartChange& change) {
  const AssemblyOptions options;
  return Assembly(dynamics, options, change).run();
}

}  // namespace vinculum::sim
