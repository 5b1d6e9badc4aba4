#include "vinculum/start/assembly_higher.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>

#include "vinculum/base/index.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/compiled/scales.hpp"
#include "vinculum/expr/interpreter.hpp"
#include "vinculum/motion/least_change.hpp"
#include "vinculum/start/start_conditions.hpp"

namespace vinculum::sim {
namespace {

constexpr double kFirstHigherPerturbation = 0.1;

class HigherAssembly {
 public:
  HigherAssembly(const Binding& bound, const AssemblyOptions& options, Start& start)
      : bound_(bound),
        higher_(*bound->system->higher),
        options_(options),
        start_(start),
        first_(static_cast<Eigen::Index>(bound->model->states.size())),
        count_(bound->nz() - first_),
        columns_(2 * bound->nu() + bound->nz()) {
    const equations::System& system = *bound->system;
    symbols_.push_back(system.t);
    for (const auto* more : {&system.q, &system.u, &system.z, &system.parameters})
      symbols_.insert(symbols_.end(), more->begin(), more->end());
  }
  Outcome<void> run();

 private:
  [[nodiscard]] std::vector<double> evaluate(const std::vector<expr::Expr>& roots, const Vector& z) const;
  [[nodiscard]] Outcome<void> read_conditions();
  [[nodiscard]] LeastChange solve(const Vector& x0, bool with_hidden, bool with_guesses) const;
  [[nodiscard]] Vector reach_of(const Vector& x) const {
    return state_reach(*bound_->system, bound_.parameters, start_.q, with(x)).tail(count_);
  }
  [[nodiscard]] Vector with(const Vector& x) const {
    Vector z = start_.z;
    z.tail(count_) = x;
    return z;
  }
  /// True if the equation depends on a derivative whose value is not fixed.
  [[nodiscard]] bool is_open(std::size_t hidden) const {
    for (Eigen::Index j = 0; j < count_; ++j) {
      if (!higher_
               .hidden_gradient[hidden * static_cast<std::size_t>(columns_) +
                                static_cast<std::size_t>(columns_ - count_ + j)]
               .is_zero())
        return true;
    }
    return false;
  }
  [[nodiscard]] Failure explain(const LeastChange& best) const;
  [[nodiscard]] Outcome<void> judge_rest() const;
  void name(Failure& failure, int equation) const;

  struct Condition {
    int start;
    bool is_held;
    double value;
    expr::Expr rate;
    const std::vector<expr::Expr>* gradient;  ///< [nz] derivatives of the rate
  };

  const Binding& bound_;
  const equations::HigherOrder& higher_;
  const AssemblyOptions& options_;
  Start& start_;
  Eigen::Index first_, count_;
  int columns_;
  std::vector<expr::Expr> symbols_;
  std::vector<Condition> conditions_;
};

std::vector<double> HigherAssembly::evaluate(const std::vector<expr::Expr>& roots, const Vector& z) const {
  std::vector<double> values{options_.t0};
  for (const Vector* part : {&std::as_const(start_.q), &std::as_const(start_.u), &z})
    values.insert(values.end(), part->data(), part->data() + part->size());
  values.insert(values.end(), bound_.parameters.begin(), bound_.parameters.end());
  return expr::interpret(roots, symbols_, values);
}

Outcome<void> HigherAssembly::read_conditions() {
  const StartConditions sorted = sort_start_conditions(bound_);
  const Vector values = evaluate_start_values(bound_, options_.t0, start_.q);
  for (const StartConditions::Condition& one : sorted.higher) {
    const model::StartCondition& stated = nth(bound_->model->starts, one.start);
    const auto order = static_cast<std::size_t>(stated.order - 2);
    const auto coordinate = static_cast<std::size_t>(stated.index);
    const bool is_state = order < higher_.rates.size() && higher_.rates[order][coordinate].is_valid();
    if (!is_state) {
      Failure failure;
      failure.kind = FailureKind::kAssembly;
      failure.t = options_.t0;
      failure.statements = {{StatementId::Kind::kStart, one.start}};
      failure.message =
          fmt::format("`{}` is not free to be stated: in this model {}{} follows from the motion",
                      condition_text(bound_, one.start, values[one.start]), bound_->model->coordinates[coordinate].name,
                      std::string(static_cast<std::size_t>(stated.order), '\''));
      return fail(std::move(failure));
    }
    conditions_.push_back({one.start, one.is_held, values[one.start], higher_.rates[order][coordinate],
                           &higher_.rate_gradients[order][coordinate]});
  }
  return {};
}

LeastChange HigherAssembly::solve(const Vector& x0, bool with_hidden, bool with_guesses) const {
  Equations equations;
  equations.scale = reach_of(x0);
  equations.metric = [&equations]() -> Matrix { return equations.scale.cwiseAbs2().cwiseInverse().asDiagonal(); };
  equations.evaluate = [&](const Vector& x, Vector& r, Matrix& J) {
    const Vector z = with(x);
    std::vector<double> residual;
    std::vector<Eigen::RowVectorXd> gradients;
    for (const Condition& condition : conditions_) {
      if (!condition.is_held && !with_guesses) continue;
      residual.push_back(evaluate({condition.rate}, z)[0] - condition.value);
      const std::vector<double> gradient = evaluate(*condition.gradient, z);
      gradients.emplace_back(Eigen::Map<const Eigen::RowVectorXd>(gradient.data() + first_, count_));
    }
    if (with_hidden) {
      const std::vector<double> hidden = evaluate(higher_.hidden, z), gradient = evaluate(higher_.hidden_gradient, z);
      for (std::size_t k = 0; k < hidden.size(); ++k) {
        if (!is_open(k)) continue;
        residual.push_back(hidden[k]);
        gradients.emplace_back(Eigen::Map<const Eigen::RowVectorXd>(
            gradient.data() + static_cast<std::ptrdiff_t>(k) * columns_ + (columns_ - count_), count_));
      }
    }
    r = Eigen::Map<const Vector>(residual.data(), static_cast<Eigen::Index>(residual.size()));
    J.resize(r.size(), count_);
    for (Eigen::Index k = 0; k < r.size(); ++k) J.row(k) = nth(gradients, k);
    return r.allFinite() && J.allFinite();
  };
  return solve_by_least_change(equations, x0);
}

void HigherAssembly::name(Failure& failure, int equation) const {
  const equations::HigherOrder::Equation& of = nth(higher_.equations, equation);
  if (of.kind == equations::HigherOrder::Equation::Kind::kConstraint) {
    const int c = static_cast<int>(nth(higher_.constraint_of_mu, of.index).index());
    if (std::ranges::find(failure.constraints, c) == failure.constraints.end()) failure.constraints.push_back(c);
  } else if (of.kind == equations::HigherOrder::Equation::Kind::kRow) {
    failure.rows.push_back(of.index);
  }
}

Failure HigherAssembly::explain(const LeastChange& best) const {
  Failure failure;
  failure.kind = FailureKind::kAssembly;
  failure.t = options_.t0;
  std::string missed;
  Eigen::Index k = 0;
  const double worst = best.relative.size() > 0 ? best.relative.maxCoeff() : 0.0;
  const auto miss = [&](const std::string& what) {
    if (failure.size == 0.0) failure.size = std::abs(best.r[k]);
    missed += (missed.empty() ? "" : ", ") + fmt::format("{} by {:.3g}", what, std::abs(best.r[k]));
  };
  for (const Condition& condition : conditions_) {
    if (!condition.is_held) continue;
    if (best.relative[k] >= 0.1 * worst) {
      miss("the held `" + condition_text(bound_, condition.start, condition.value) + "`");
      failure.statements.push_back({StatementId::Kind::kStart, condition.start});
    }
    ++k;
  }
  for (std::size_t i = 0; i < higher_.hidden.size(); ++i) {
    if (!is_open(i)) continue;
    if (best.relative[k] >= 0.1 * worst) {
      const int equation = higher_.equation_of_hidden[i];
      const int times = higher_.times_of_hidden[i];
      const std::string of = times == 0   ? ""
                             : times == 1 ? "the first derivative of "
                                          : "derivative " + std::to_string(times) + " of ";
      miss(of + nth(higher_.equations, equation).name);
      name(failure, equation);
    }
    ++k;
  }
  failure.message = "no start of the higher derivatives satisfies everything: missed are " + missed;
  return failure;
}

/// Fails if an equation is violated that does not depend on any derivative whose value may change.
Outcome<void> HigherAssembly::judge_rest() const {
  const std::vector<double> hidden = evaluate(higher_.hidden, start_.z),
                            gradient = evaluate(higher_.hidden_gradient, start_.z);
  const Vector q_reach = coordinate_reach(bound_, start_.q);
  Vector reach(columns_);
  reach << displacement_scale(bound_, q_reach), speed_reach(bound_, start_.u, q_reach),
      state_reach(*bound_->system, bound_.parameters, start_.q, start_.z);
  for (std::size_t k = 0; k < hidden.size(); ++k) {
    if (is_open(k)) continue;
    double size = 0.0;
    for (int j = 0; j < columns_; ++j)
      size += std::abs(gradient[k * static_cast<std::size_t>(columns_) + static_cast<std::size_t>(j)]) * reach[j];
    if (std::abs(hidden[k]) <= tolerance::kConditioned * size) continue;
    const int equation = higher_.equation_of_hidden[k];
    Failure failure;
    failure.kind = FailureKind::kAssembly;
    failure.t = options_.t0;
    failure.size = std::abs(hidden[k]);
    name(failure, equation);
    failure.message = fmt::format(
        "{} is missed by {:.3g} at the start, and no higher derivative enters it: state other coordinates, speeds or "
        "`mu`",
        nth(higher_.equations, equation).name, std::abs(hidden[k]));
    return fail(std::move(failure));
  }
  return {};
}

Outcome<void> HigherAssembly::run() {
  if (auto done = read_conditions(); !done) return done;
  if (count_ == 0) return judge_rest();
  Vector x = Vector::Zero(count_);
  if (!conditions_.empty()) {
    const LeastChange guessed = solve(x, false, true);
    if (guessed.outcome != LeastChange::Outcome::kNotFinite) x = guessed.x;
  }
  std::mt19937_64 random(options_.seed);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  std::optional<LeastChange> best;
  double amplitude = kFirstHigherPerturbation;
  for (int k = 0; k < options_.attempts; ++k) {
    Vector from = x;
    const Vector reach = reach_of(x);
    for (Eigen::Index j = 0; k > 0 && j < count_; ++j) from[j] += amplitude * reach[j] * uniform(random);
    if (k > 0) amplitude *= 2.0;
    LeastChange found = solve(from, true, false);
    if (found.outcome == LeastChange::Outcome::kSolved) {
      start_.z.tail(count_) = found.x;
      return judge_rest();
    }
    if (found.outcome == LeastChange::Outcome::kNotFinite) continue;
    if (!best || found.relative.norm() < best->relative.norm()) best = std::move(found);
  }
  if (best) return fail(explain(*best));
  Failure failure;
  failure.kind = FailureKind::kNonFinite;
  failure.t = options_.t0;
  for (const model::ConstraintId id : higher_.constraint_of_mu)
    failure.constraints.push_back(static_cast<int>(id.index()));
  failure.message = fmt::format("the equations of the higher derivatives are not finite at the start: {}",
                                expr::explain_non_finite(higher_.hidden, symbols_, [&] {
                                  std::vector<double> values{options_.t0};
                                  const Vector z = with(x);
                                  for (const Vector* part : {&std::as_const(start_.q), &std::as_const(start_.u), &z}) {
                                    values.insert(values.end(), part->data(), part->data() + part->size());
                                  }
                                  values.insert(values.end(), bound_.parameters.begin(), bound_.parameters.end());
                                  return values;
                                }()));
  return fail(std::move(failure));
}

}  // namespace

Outcome<void> assemble_higher(const Binding& bound, const AssemblyOptions& options, Start& start) {
  return HigherAssembly(bound, options, start).run();
}

}  // namespace vinculum::sim
