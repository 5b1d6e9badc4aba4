#include "vinculum/sim/start/assembly.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <optional>
#include <random>

#include "vinculum/sim/plant/least_change.hpp"
#include "vinculum/sim/plant/scales.hpp"
#include "vinculum/sim/start/assembly_higher.hpp"
#include "vinculum/sim/start/start_conditions.hpp"

namespace vinculum::sim {
namespace {

using mechanics::Level;
using Condition = StartConditions::Condition;

constexpr int kPassesOfGuesses = 3;  // right sides of guesses that use other coordinates
constexpr double kFirstPerturbation = 0.1;
constexpr double kShareNamed = 0.1;  // of the largest share in a conflict
constexpr double kTolSameValue = 1e-12;
// Components of a quaternion written with three digits or more have unit norm.
constexpr double kTolWrittenNorm = 2e-3;

/// One equation of the start: a constraint row, a held condition that is not a value for one unknown, or the unit norm
/// of a quaternion.
struct Equation {
  int row = -1;         ///< constraint row, or −1
  int start = -1;       ///< start condition, or −1
  int quaternion = -1;  ///< of System::quaternions, or −1
};

/// A level of the start in the free unknowns x of z (z = q or u): held ones keep their values.
struct Problem {
  Level level = Level::kPosition;
  Vector z;                 ///< as stated, held values in place
  std::vector<int> held;    ///< for each unknown the start condition that holds it, −1 when free
  std::vector<char> fixed;  ///< for each unknown: keeps its value though no condition holds it
  std::vector<int> free;
  std::vector<char> takes_part;  ///< for each unknown: some equation depends on it
  std::vector<Equation> equations;
  /// Residuals and full Jacobian [equations × size of z]. \returns false where they are not finite.
  std::function<bool(const Vector& z, Vector& r, Matrix& J)> evaluate;
  Matrix metric;        ///< of z
  Vector scale, reach;  ///< of z
};

Failure assembly_failure(double t) {
  Failure failure;
  failure.kind = FailureKind::kAssembly;
  failure.t = t;
  return failure;
}

StatementId statement(int start) { return {StatementId::Kind::kStart, start}; }

std::string joined(const std::vector<std::string>& parts) {
  std::string text;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    text += (i == 0 ? "" : i + 1 == parts.size() ? " and " : ", ") + parts[i];
  }
  return text;
}

class Assembly {
 public:
  Assembly(Dynamics& dynamics, const AssemblyOptions& options)
      : dynamics_(dynamics),
        compiled_(dynamics.compiled()),
        options_(options),
        conditions_(sort_start_conditions(compiled_)),
        y_(Vector::Zero(compiled_.nq() + compiled_.nu() + compiled_.nz())) {}
  [[nodiscard]] Outcome<Start> run();

 private:
  [[nodiscard]] Outcome<void> state(Problem& problem, const std::vector<Condition>& conditions, const Vector& values,
                                    bool only_constants);
  [[nodiscard]] Outcome<Problem> position_problem();
  [[nodiscard]] Outcome<void> prepare_quaternions(Problem& problem) const;
  [[nodiscard]] std::string quaternion_text(int quaternion) const;
  [[nodiscard]] Outcome<Problem> speed_problem(const Vector& q);
  [[nodiscard]] Outcome<LeastChange> solve(Problem& problem);
  [[nodiscard]] bool holds_without_gradient(const Problem& problem) const;
  [[nodiscard]] LeastChange attempt(const Problem& problem, const Vector& z) const;
  [[nodiscard]] Failure explain(const Problem& problem, const LeastChange& best) const;
  [[nodiscard]] Vector matching_speeds(const Problem& problem, const Vector& values) const;
  [[nodiscard]] const std::array<int, 4>& quaternion(const Equation& equation) const {
    return compiled_.system->quaternions[static_cast<std::size_t>(equation.quaternion)];
  }
  void at(const Vector& q, const Vector& u) {
    y_.head(compiled_.nq()) = q;
    y_.segment(compiled_.nq(), compiled_.nu()) = u;
    if (compiled_.nz() > 0) y_.tail(compiled_.nz()) = evaluate_state_starts(compiled_, options_.t0, q);
    dynamics_.matrices_as_they_are(options_.t0, y_.data(), m_);
  }

  Dynamics& dynamics_;
  const CompiledModel& compiled_;
  const AssemblyOptions& options_;
  StartConditions conditions_;
  Vector y_;
  Matrices m_;
  Start start_;
};

/// Puts stated values where they belong and notes which are held; two different values held for one thing are an error.
Outcome<void> Assembly::state(Problem& problem, const std::vector<Condition>& conditions, const Vector& values,
                              bool only_constants) {
  for (const Condition& condition : conditions) {
    if (only_constants && condition.uses_q) continue;
    const double value = values[condition.start];
    int& holder = problem.held[static_cast<std::size_t>(condition.target)];
    if (condition.is_held && holder >= 0) {
      const double other = values[holder];
      if (std::abs(value - other) <= kTolSameValue * std::max(std::abs(value), std::abs(other))) continue;
      Failure failure = assembly_failure(options_.t0);
      failure.coordinates = {condition.target};
      failure.statements = {statement(condition.start), statement(holder)};
      failure.size = std::abs(value - other);
      failure.message =
          fmt::format("the held values `{}` and `{}` contradict each other", condition_text(compiled_, holder, other),
                      condition_text(compiled_, condition.start, value));
      return fail(std::move(failure));
    }
    if (holder >= 0) continue;
    problem.z[condition.target] = value;
    if (condition.is_held) holder = condition.start;
  }
  return {};
}

Outcome<Problem> Assembly::position_problem() {
  const int nq = compiled_.nq();
  const double t0 = options_.t0;
  Problem problem;
  problem.level = Level::kPosition;
  problem.z = Vector::Zero(nq);
  for (const std::array<int, 4>& e : compiled_.system->quaternions) problem.z[e[0]] = 1.0;
  problem.held.assign(static_cast<std::size_t>(nq), -1);
  problem.fixed.assign(static_cast<std::size_t>(nq), 0);
  if (auto done = state(problem, conditions_.coordinates, evaluate_start_values(compiled_, t0, problem.z), true);
      !done) {
    return fail(done.error());
  }
  for (int pass = 0; pass < kPassesOfGuesses; ++pass) {
    const Vector values = evaluate_start_values(compiled_, t0, problem.z);
    for (const Condition& condition : conditions_.coordinates) {
      const double value = values[condition.start];
      if (condition.uses_q && problem.held[static_cast<std::size_t>(condition.target)] < 0 && std::isfinite(value)) {
        problem.z[condition.target] = value;
      }
    }
  }
  if (auto done = prepare_quaternions(problem); !done) return fail(std::move(done.error()));
  for (const int row : compiled_.position_rows) problem.equations.push_back({row});
  bool has_relations = false;
  for (const Condition& condition : conditions_.coordinates) {
    if (!condition.uses_q || !condition.is_held) continue;
    problem.equations.push_back({.start = condition.start});
    has_relations = true;
  }
  problem.takes_part.assign(static_cast<std::size_t>(nq), 0);
  for (int j = 0; j < nq; ++j) {
    char& takes_part = problem.takes_part[static_cast<std::size_t>(j)];
    for (const int row : compiled_.position_rows) {
      if (!compiled_.system->rows[static_cast<std::size_t>(row)].phi_q[static_cast<std::size_t>(j)].is_zero())
        takes_part = 1;
    }
    for (const Condition& condition : conditions_.coordinates) {
      if (condition.uses_q && condition.is_held && condition.target == j) takes_part = 1;
    }
    for (const expr::Entry& entry : compiled_.start_gradient) {
      if (entry.column == j) takes_part = 1;
    }
  }
  for (const Equation& equation : problem.equations) {
    if (equation.quaternion < 0) continue;
    for (const int i : quaternion(equation)) problem.takes_part[static_cast<std::size_t>(i)] = 1;
  }
  problem.evaluate = [this, has_relations, equations = problem.equations](const Vector& q, Vector& r, Matrix& J) {
    at(q, Vector::Zero(compiled_.nu()));
    const auto count = static_cast<Eigen::Index>(equations.size());
    r.resize(count);
    J.setZero(count, q.size());
    Vector values;
    Matrix gradient;
    if (has_relations) {
      values = evaluate_start_values(compiled_, options_.t0, q);
      gradient = evaluate_start_gradient(compiled_, options_.t0, q);
    }
    for (Eigen::Index k = 0; k < count; ++k) {
      const Equation& equation = equations[static_cast<std::size_t>(k)];
      if (equation.row >= 0) {
        r[k] = m_.phi[equation.row];
        J.row(k) = m_.phi_q.row(equation.row);
      } else if (equation.quaternion >= 0) {
        r[k] = -0.5;
        for (const int i : quaternion(equation)) {
          r[k] += 0.5 * q[i] * q[i];
          J(k, i) = q[i];
        }
      } else {
        const auto target =
            static_cast<Eigen::Index>(compiled_.model->starts[static_cast<std::size_t>(equation.start)].index);
        r[k] = q[target] - values[equation.start];
        J.row(k) = -gradient.row(equation.start);
        J(k, target) += 1.0;
      }
    }
    return r.allFinite() && J.allFinite();
  };
  problem.reach = coordinate_reach(compiled_, problem.z);
  problem.scale = problem.reach;
  problem.metric = problem.scale.cwiseAbs2().cwiseInverse().asDiagonal();
  return problem;
}

std::string Assembly::quaternion_text(int quaternion) const {
  std::vector<std::string> names;
  for (const int i : compiled_.system->quaternions[static_cast<std::size_t>(quaternion)]) {
    names.push_back(compiled_.model->coordinates[static_cast<std::size_t>(i)].name);
  }
  return fmt::format("the quaternion `{}`", fmt::join(names, ", "));
}

/// Its norm is a gauge: guesses are scaled to unit norm, held components stay. Where these have unit norm but for the
/// digits they were written with, the orientation is theirs, the others are 0 and all are scaled; otherwise the others
/// make up the norm.
Outcome<void> Assembly::prepare_quaternions(Problem& problem) const {
  const auto& quaternions = compiled_.system->quaternions;
  for (std::size_t k = 0; k < quaternions.size(); ++k) {
    double of_held = 0.0, of_free = 0.0;
    int free_count = 0;
    Failure failure = assembly_failure(options_.t0);
    std::vector<std::string> held;
    for (const int i : quaternions[k]) {
      const double e = problem.z[i];
      if (const int holder = problem.held[static_cast<std::size_t>(i)]; holder >= 0) {
        of_held += e * e;
        failure.statements.push_back(statement(holder));
        failure.coordinates.push_back(i);
        held.push_back("`" + condition_text(compiled_, holder, e) + "`");
      } else {
        of_free += e * e;
        ++free_count;
      }
    }
    const bool is_theirs = !held.empty() && std::abs(of_held - 1.0) <= kTolWrittenNorm;
    if (is_theirs) {
      const double factor = 1.0 / std::sqrt(of_held);
      for (const int i : quaternions[k]) {
        const bool is_held = problem.held[static_cast<std::size_t>(i)] >= 0;
        problem.z[i] = is_held ? factor * problem.z[i] : 0.0;
        problem.fixed[static_cast<std::size_t>(i)] = 1;
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
      if (problem.held[static_cast<std::size_t>(i)] < 0) problem.z[i] *= factor;
    }
    problem.equations.push_back({.quaternion = static_cast<int>(k)});
  }
  return {};
}

/// Speeds that come nearest to the q' stated as combinations of them, from those stated directly.
Vector Assembly::matching_speeds(const Problem& problem, const Vector& values) const {
  Equations equations;
  std::vector<int> free = problem.free;
  equations.scale = Vector(static_cast<Eigen::Index>(free.size()));
  for (std::size_t j = 0; j < free.size(); ++j) equations.scale[static_cast<Eigen::Index>(j)] = problem.scale[free[j]];
  equations.metric = equations.scale.cwiseAbs2().cwiseInverse().asDiagonal();
  const Vector g = m_.q_dot - m_.G * y_.segment(compiled_.nq(), compiled_.nu());
  Vector u = problem.z;
  equations.evaluate = [&](const Vector& x, Vector& r, Matrix& J) {
    for (std::size_t j = 0; j < free.size(); ++j) u[free[j]] = x[static_cast<Eigen::Index>(j)];
    const auto count = static_cast<Eigen::Index>(conditions_.rates.size());
    r.resize(count);
    J.resize(count, x.size());
    for (Eigen::Index k = 0; k < count; ++k) {
      const Condition& condition = conditions_.rates[static_cast<std::size_t>(k)];
      r[k] = m_.G.row(condition.target).dot(u) + g[condition.target] - values[condition.start];
      for (std::size_t j = 0; j < free.size(); ++j)
        J(k, static_cast<Eigen::Index>(j)) = m_.G(condition.target, free[j]);
    }
    return r.allFinite() && J.allFinite();
  };
  Vector x0(static_cast<Eigen::Index>(free.size()));
  for (std::size_t j = 0; j < free.size(); ++j) x0[static_cast<Eigen::Index>(j)] = problem.z[free[j]];
  const LeastChange found = solve_by_least_change(equations, x0);
  u = problem.z;
  for (std::size_t j = 0; j < free.size(); ++j) u[free[j]] = found.x[static_cast<Eigen::Index>(j)];
  return u;
}

Outcome<Problem> Assembly::speed_problem(const Vector& q) {
  const int nu = compiled_.nu();
  Problem problem;
  problem.level = Level::kVelocity;
  problem.z = Vector::Zero(nu);
  problem.held.assign(static_cast<std::size_t>(nu), -1);
  problem.fixed.assign(static_cast<std::size_t>(nu), 0);
  const Vector values = evaluate_start_values(compiled_, options_.t0, q);
  if (auto done = state(problem, conditions_.speeds, values, false); !done) return fail(done.error());
  for (const int row : compiled_.velocity_rows) problem.equations.push_back({row});
  for (const Condition& condition : conditions_.rates) {
    if (condition.is_held) problem.equations.push_back({.start = condition.start});
  }
  problem.takes_part.assign(static_cast<std::size_t>(nu), 0);
  for (int j = 0; j < nu; ++j) {
    for (const int row : compiled_.velocity_rows) {
      if (!compiled_.system->rows[static_cast<std::size_t>(row)].A[static_cast<std::size_t>(j)].is_zero()) {
        problem.takes_part[static_cast<std::size_t>(j)] = 1;
      }
    }
  }
  problem.evaluate = [this, q, values, equations = problem.equations](const Vector& u, Vector& r, Matrix& J) {
    at(q, u);
    const auto count = static_cast<Eigen::Index>(equations.size());
    r.resize(count);
    J.resize(count, u.size());
    for (Eigen::Index k = 0; k < count; ++k) {
      const Equation& equation = equations[static_cast<std::size_t>(k)];
      if (equation.row >= 0) {
        r[k] = m_.psi[equation.row];
        J.row(k) = m_.A.row(equation.row);
      } else {
        const auto target =
            static_cast<Eigen::Index>(compiled_.model->starts[static_cast<std::size_t>(equation.start)].index);
        r[k] = m_.q_dot[target] - values[equation.start];
        J.row(k) = m_.G.row(target);
      }
    }
    return r.allFinite() && J.allFinite();
  };
  at(q, problem.z);
  problem.metric = m_.metric;
  const Vector q_reach = coordinate_reach(compiled_, q);
  problem.reach = speed_scale(compiled_, problem.z, Vector::Zero(nu), q_reach);
  const bool same_size = compiled_.has_identity_kinematics;
  for (int j = 0; j < nu; ++j) {
    const double in_a_second = same_size ? q_reach[j] : (q_reach.size() > 0 ? q_reach.maxCoeff() : 1.0);
    problem.reach[j] = std::max(problem.reach[j], in_a_second);
  }
  problem.scale = problem.reach;
  for (int j = 0; j < nu; ++j) {
    if (problem.held[static_cast<std::size_t>(j)] < 0) problem.free.push_back(j);
  }
  if (!conditions_.rates.empty()) problem.z = matching_speeds(problem, values);
  return problem;
}

LeastChange Assembly::attempt(const Problem& problem, const Vector& z) const {
  const auto count = static_cast<Eigen::Index>(problem.free.size());
  Equations equations;
  equations.metric.resize(count, count);
  equations.scale.resize(count);
  Vector x0(count);
  for (Eigen::Index i = 0; i < count; ++i) {
    const int row = problem.free[static_cast<std::size_t>(i)];
    for (Eigen::Index j = 0; j < count; ++j) {
      equations.metric(i, j) = problem.metric(row, problem.free[static_cast<std::size_t>(j)]);
    }
    equations.scale[i] = problem.scale[row];
    x0[i] = z[row];
  }
  Vector full = z;
  Matrix J_full;
  equations.evaluate = [&](const Vector& x, Vector& r, Matrix& J) {
    for (Eigen::Index j = 0; j < count; ++j) full[problem.free[static_cast<std::size_t>(j)]] = x[j];
    if (!problem.evaluate(full, r, J_full)) return false;
    J.resize(J_full.rows(), count);
    for (Eigen::Index j = 0; j < count; ++j) J.col(j) = J_full.col(problem.free[static_cast<std::size_t>(j)]);
    return true;
  };
  LeastChange found = solve_by_least_change(equations, x0);
  full = z;
  for (Eigen::Index j = 0; j < count; ++j) full[problem.free[static_cast<std::size_t>(j)]] = found.x[j];
  found.x = full;
  return found;
}

/// Whether everything holds as stated though a gradient is not finite there (the tip of a cone, at rest): then the
/// start is consistent, and whether a motion goes on from it is for others to say.
bool Assembly::holds_without_gradient(const Problem& problem) const {
  Vector r;
  Matrix J;
  return !problem.evaluate(problem.z, r, J) && r.allFinite() &&
         (r.size() == 0 || r.cwiseAbs().maxCoeff() <= kTolSameValue);
}

Outcome<LeastChange> Assembly::solve(Problem& problem) {
  problem.free.clear();
  for (std::size_t j = 0; j < problem.held.size(); ++j) {
    if (problem.held[j] < 0 && problem.fixed[j] == 0) problem.free.push_back(static_cast<int>(j));
  }
  std::mt19937_64 random(options_.seed);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  std::optional<LeastChange> best;
  double best_size = 0.0;
  double amplitude = kFirstPerturbation;
  for (int k = 0; k < options_.attempts; ++k) {
    Vector z = problem.z;
    if (k > 0) {
      for (const int j : problem.free) {
        if (problem.takes_part[static_cast<std::size_t>(j)] != 0)
          z[j] += amplitude * problem.reach[j] * uniform(random);
      }
      amplitude *= 2.0;
    }
    if (k == 0 && holds_without_gradient(problem)) {
      LeastChange found;
      found.outcome = LeastChange::Outcome::kSolved;
      found.x = problem.z;
      return found;
    }
    LeastChange found = attempt(problem, z);
    if (found.outcome == LeastChange::Outcome::kSolved) {
      start_.attempt = std::max(start_.attempt, k);
      return found;
    }
    if (found.outcome == LeastChange::Outcome::kNotFinite) continue;
    const double size = found.relative.norm();
    if (!best || size < best_size) {
      best = std::move(found);
      best_size = size;
    }
  }
  if (best) return fail(explain(problem, *best));
  // Nothing was finite anywhere: say what is not, where the user put the start.
  Vector y = y_;
  (problem.level == Level::kPosition ? y.head(problem.z.size()) : y.segment(compiled_.nq(), problem.z.size())) =
      problem.z;
  Matrices m;
  if (auto done = dynamics_.matrices(options_.t0, y.data(), m); !done) return fail(std::move(done.error()));
  Failure failure = assembly_failure(options_.t0);
  failure.kind = FailureKind::kNonFinite;
  failure.message = "the start conditions are not finite";
  return fail(std::move(failure));
}

Failure Assembly::explain(const Problem& problem, const LeastChange& best) const {
  Failure failure = assembly_failure(options_.t0);
  const double worst = best.relative.maxCoeff();
  std::vector<int> order(problem.equations.size());
  for (std::size_t k = 0; k < order.size(); ++k) order[k] = static_cast<int>(k);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return best.relative[a] > best.relative[b]; });

  std::vector<std::string> missed;
  for (const int k : order) {
    if (best.relative[k] < kShareNamed * worst) continue;
    const Equation& equation = problem.equations[static_cast<std::size_t>(k)];
    if (equation.row >= 0) {
      failure.rows.push_back(equation.row);
      missed.push_back(fmt::format("`{}` by {:.3g}{}", compiled_.row_name(equation.row), std::abs(best.r[k]),
                                   compiled_.row_unit(equation.row, problem.level)));
      if (failure.size == 0.0) failure.size = std::abs(best.r[k]);
    } else if (equation.quaternion >= 0) {
      missed.push_back(
          fmt::format("the unit norm of {} by {:.3g}", quaternion_text(equation.quaternion), std::abs(best.r[k])));
    } else {
      const Vector q = problem.level == Level::kPosition ? best.x : Vector(y_.head(compiled_.nq()));
      const Vector values = evaluate_start_values(compiled_, options_.t0, q);
      missed.push_back(fmt::format("the held `{}`", condition_text(compiled_, equation.start, values[equation.start])));
      failure.statements.push_back(statement(equation.start));
    }
  }

  // A held value is part of the conflict where moving it would lower the residual.
  Vector r;
  Matrix J;
  std::vector<std::string> held;
  if (problem.z.size() > 0 && problem.evaluate(best.x, r, J)) {
    Vector share = Vector::Zero(problem.z.size());
    for (std::size_t j = 0; j < problem.held.size(); ++j) {
      if (problem.held[j] < 0) continue;
      for (Eigen::Index k = 0; k < r.size(); ++k) {
        if (r[k] != 0.0) {
          const double weight = std::abs(r[k]) / best.relative[k];
          const auto column = static_cast<Eigen::Index>(j);
          share[column] += r[k] * J(k, column) * problem.scale[column] / (weight * weight);
        }
      }
    }
    const double largest = share.cwiseAbs().maxCoeff();
    for (std::size_t j = 0; j < problem.held.size(); ++j) {
      const double own = std::abs(share[static_cast<Eigen::Index>(j)]);
      if (problem.held[j] < 0 || largest == 0.0 || own < kShareNamed * largest) continue;
      failure.coordinates.push_back(static_cast<int>(j));
      const double value = problem.z[static_cast<Eigen::Index>(j)];
      held.push_back(fmt::format("`{}`", condition_text(compiled_, problem.held[j], value)));
    }
  }
  const char* what = problem.level == Level::kPosition ? "positions" : "velocities";
  failure.message = fmt::format("no start {} satisfy everything: missed are {}", what, joined(missed));
  if (!held.empty()) failure.message += fmt::format("; in conflict with the held {}", joined(held));
  return failure;
}

Outcome<Start> Assembly::run() {
  start_.t0 = options_.t0;
  auto positions = position_problem();
  if (!positions) return fail(std::move(positions.error()));
  auto q = solve(*positions);
  if (!q) return fail(std::move(q.error()));
  start_.iterations = q->iterations;
  start_.q = q->x;
  y_.head(compiled_.nq()) = start_.q;

  auto speeds = speed_problem(start_.q);
  if (!speeds) return fail(std::move(speeds.error()));
  auto u = solve(*speeds);
  if (!u) return fail(std::move(u.error()));
  start_.u = u->x;
  start_.z = evaluate_state_starts(compiled_, options_.t0, start_.q);
  if (compiled_.system->higher) {
    if (auto done = assemble_higher(compiled_, options_, start_); !done) return fail(std::move(done.error()));
  }
  return start_;
}

}  // namespace

Outcome<Start> assemble(Dynamics& dynamics, const AssemblyOptions& options) {
  return Assembly(dynamics, options).run();
}

}  // namespace vinculum::sim
