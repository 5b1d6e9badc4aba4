#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <random>

#include "vinculum/base/index.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/compiled/scales.hpp"
#include "vinculum/start/assembly_impl.hpp"

namespace vinculum::sim {
namespace {

using model::Level;

constexpr double kFirstPerturbation = 0.1;
constexpr double kReachOfOthers = 2.0;  // other solutions are searched for within this multiple of the plausible range

/// Returns advice for a failed start in which the conflict involves no `=` value.
std::string advice_where_nothing_is_held(Level level) {
  const std::string correct = "no held value is in conflict: correct the constraints, or ";
  return correct + (level == Level::kPosition ? "guess a place nearer to one that satisfies them (`start NAME ~ VALUE`)"
                                              : "start at a place where velocities can satisfy them");
}

}  // namespace

std::string Assembly::joined(const std::vector<std::string>& parts) {
  constexpr std::size_t kMost = 8;  // limit for readability
  const std::size_t shown = parts.size() > kMost + 1 ? kMost : parts.size();
  std::string text;
  for (std::size_t i = 0; i < shown; ++i) {
    text += (i == 0 ? "" : i + 1 == parts.size() ? " and " : ", ") + parts[i];
  }
  return shown == parts.size() ? text : fmt::format("{} and {} more", text, parts.size() - shown);
}

Vector Assembly::sizes_without_gradient(const StartProblem& problem) const {
  const model::Model& model = *bound_->model;
  const model::ModelUnits units(model, bound_.parameters, model::stated_places(model, bound_.parameters));
  const int rates = problem.level == model::Level::kVelocity ? 1 : 0;
  Vector sizes = Vector::Ones(static_cast<Eigen::Index>(problem.equations.size()));
  for (Eigen::Index k = 0; k < sizes.size(); ++k) {
    const StartEquation& equation = nth(problem.equations, k);
    if (equation.row >= 0) sizes[k] = row_scale(bound_, {equation.row}, problem.level)[0];
    if (equation.start < 0) continue;
    const model::StartCondition& start = nth(model.starts, equation.start);
    sizes[k] = units.of(start.on == model::StartCondition::On::kNonlinearSpeed
                            ? nth(model.nonlinear_speeds, start.index).speed.dimension
                            : nth(model.coordinates, start.index).dimension * make_dimension(0, 0, -rates));
  }
  return sizes;
}

LeastChange Assembly::attempt(const StartProblem& problem, const Vector& z) const {
  const auto count = static_cast<Eigen::Index>(problem.free.size());
  Equations equations;
  equations.scale.resize(count);
  Vector x0(count);
  for (Eigen::Index i = 0; i < count; ++i) {
    const int row = nth(problem.free, i);
    equations.scale[i] = problem.scale[row];
    x0[i] = z[row];
  }
  equations.metric = [&] { return Matrix(problem.metric()(problem.free, problem.free)); };
  Vector full = z;
  Matrix J_full;
  equations.evaluate = [&](const Vector& x, Vector& r, Matrix& J) {
    for (Eigen::Index j = 0; j < count; ++j) full[nth(problem.free, j)] = x[j];
    if (!problem.evaluate(full, r, J_full)) return false;
    J.resize(J_full.rows(), count);
    for (Eigen::Index j = 0; j < count; ++j) J.col(j) = J_full.col(nth(problem.free, j));
    return true;
  };
  // Scales of the equations; terms of fixed values are included.
  Vector r_full;
  if (problem.evaluate(full, r_full, J_full)) {
    equations.of_row = J_full.cwiseAbs() * problem.scale.cwiseMax(full.cwiseAbs());
    if (equations.of_row.size() > 0 && !(equations.of_row.minCoeff() > 0.0))
      equations.of_row = (equations.of_row.array() > 0.0).select(equations.of_row, sizes_without_gradient(problem));
  }
  LeastChange found = solve_by_least_change(equations, x0);
  full = z;
  for (Eigen::Index j = 0; j < count; ++j) full[nth(problem.free, j)] = found.x[j];
  found.x = full;
  return found;
}

/// True if the start as stated satisfies all equations, although a gradient is not finite there (for example, at the
/// tip of a cone, or at rest). The start is then consistent; whether a motion can continue from it is decided later.
bool Assembly::holds_without_gradient(const StartProblem& problem) const {
  Vector r;
  Matrix J;
  return !problem.evaluate(problem.z, r, J) && r.allFinite() &&
         (r.size() == 0 || r.cwiseQuotient(sizes_without_gradient(problem)).cwiseAbs().maxCoeff() <= tolerance::kZero);
}

Outcome<LeastChange> Assembly::solve(StartProblem& problem) {
  problem.free.clear();
  for (std::size_t j = 0; j < problem.held.size(); ++j) {
    if (problem.held[j] < 0 && problem.fixed[j] == 0) problem.free.push_back(static_cast<int>(j));
  }
  if (problem.equations.empty()) {
    LeastChange as_stated;
    as_stated.outcome = LeastChange::Outcome::kSolved;
    as_stated.x = problem.z;
    return as_stated;
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
        if (nth(problem.takes_part, j) != 0) z[j] += amplitude * problem.reach[j] * uniform(random);
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
      if (k > 0) look_for_another(problem, found.x);
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
  // No attempt gave finite values, so the failure at the start as stated is reported.
  Vector y = y_;
  (problem.level == Level::kPosition ? y.head(problem.z.size()) : y.segment(bound_->nq(), problem.z.size())) =
      problem.z;
  Matrices m;
  if (auto done = dynamics_.matrices(dynamics_.mode(), options_.t0, y.data(), m); !done)
    return fail(std::move(done.error()));
  Failure failure = assembly_failure(options_.t0);
  failure.kind = FailureKind::kNonFinite;
  failure.message = "the start conditions are not finite";
  return fail(std::move(failure));
}

void Assembly::look_for_another(const StartProblem& problem, const Vector& found) {
  const model::Model& model = *bound_->model;
  const auto name = [&](int j) {
    return problem.level == Level::kPosition ? nth(model.coordinates, j).name : bound_->speed_name(j);
  };
  const auto listed = [&](const Vector& z, const std::vector<int>& which, const char* sign) {
    std::vector<std::string> parts;
    for (const int j : which) parts.push_back(fmt::format("`{} {} {:.6g}`", name(j), sign, z[j]));
    return joined(parts);
  };
  std::mt19937_64 random(options_.seed + 1);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  for (int k = 1; k < options_.attempts; ++k) {
    Vector z = found;
    for (const int j : problem.free) {
      if (nth(problem.takes_part, j) != 0) z[j] = kReachOfOthers * problem.reach[j] * uniform(random);
    }
    const LeastChange other = attempt(problem, z);
    if (other.outcome != LeastChange::Outcome::kSolved) continue;
    std::vector<int> differ;
    for (const int j : problem.free) {
      if (std::abs(other.x[j] - found[j]) > tolerance::kRoot * problem.reach[j]) differ.push_back(j);
    }
    if (differ.empty()) continue;
    start_.by_chance.push_back(fmt::format(
        "the start {} was found by chance: {} would do as well; a start such as `{} ~ {:.3g}` says which",
        listed(found, differ, "="), listed(other.x, differ, "="), name(differ.front()), found[differ.front()]));
    return;
  }
}

Failure Assembly::explain(const StartProblem& problem, const LeastChange& best) const {
  Failure failure = assembly_failure(options_.t0);
  const double worst = best.relative.maxCoeff();
  std::vector<int> order(problem.equations.size());
  for (std::size_t k = 0; k < order.size(); ++k) order[k] = static_cast<int>(k);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return best.relative[a] > best.relative[b]; });

  std::vector<std::string> missed;
  for (const int k : order) {
    if (best.relative[k] < tolerance::kNamed * worst) continue;
    const StartEquation& equation = nth(problem.equations, k);
    if (equation.row >= 0) {
      failure.rows.push_back(equation.row);
      missed.push_back(fmt::format("`{}` by {:.3g}{}", bound_->row_name(equation.row), std::abs(best.r[k]),
                                   bound_->row_unit(equation.row, problem.level)));
      if (failure.size == 0.0) failure.size = std::abs(best.r[k]);
    } else if (equation.functional >= 0) {
      const FunctionalCondition& condition = nth(functional_, equation.functional);
      failure.constraints.push_back(static_cast<int>(condition.constraint.index()));
      missed.push_back(fmt::format("{}`{}` by {:.3g}",
                                   condition.order == 0   ? ""
                                   : condition.order == 1 ? "the first derivative of "
                                                          : "the second derivative of ",
                                   bound_->model->constraint(condition.constraint).name, std::abs(best.r[k])));
      if (failure.size == 0.0) failure.size = std::abs(best.r[k]);
    } else if (equation.quaternion >= 0) {
      missed.push_back(
          fmt::format("the unit norm of {} by {:.3g}", quaternion_text(equation.quaternion), std::abs(best.r[k])));
    } else {
      const Vector q = problem.level == Level::kPosition ? best.x : Vector(y_.head(bound_->nq()));
      const Vector values = start_values(q);
      missed.push_back(fmt::format("the held `{}`", condition_text(bound_, equation.start, values[equation.start])));
      failure.statements.push_back(start_statement(equation.start));
    }
  }

  // A fixed value is part of the conflict if a change of this value would reduce the residual.
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
      const double own = std::abs(nth(share, j));
      if (problem.held[j] < 0 || largest == 0.0 || own < tolerance::kNamed * largest) continue;
      failure.coordinates.push_back(static_cast<int>(j));
      const double value = nth(problem.z, j);
      held.push_back(fmt::format("`{}`", condition_text(bound_, problem.held[j], value)));
    }
  }
  const char* what = problem.level == Level::kPosition ? "positions" : "velocities";
  failure.message = fmt::format("no start {} satisfy everything: missed are {}", what, joined(missed));
  if (!held.empty()) failure.message += fmt::format("; in conflict with the held {}", joined(held));
  if (held.empty() && failure.statements.empty()) failure.advice = advice_where_nothing_is_held(problem.level);
  return failure;
}

}  // namespace vinculum::sim
