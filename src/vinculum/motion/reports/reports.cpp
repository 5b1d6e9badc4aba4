#include "vinculum/motion/reports/reports.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "vinculum/base/tolerance.hpp"
#include "vinculum/motion/accelerations/guards.hpp"
#include "vinculum/motion/table_advice.hpp"

namespace vinculum::sim {
namespace {

using model::Level;

}  // namespace

Reports::Reports(StateKernels& at, EquationPieces& pieces, Routes& routes, DependentForces* forces,
                 HighestDerivatives* highest, StateConditions* conditions, LinearProblem& problem)
    : reactions(pieces, routes, forces, problem),
      vectors(at, pieces, reactions, highest),
      at_(at),
      pieces_(pieces),
      routes_(routes),
      forces_(forces),
      highest_(highest),
      conditions_(conditions),
      problem_(problem),
      input_(at),
      unique_(at, routes, input_) {}

void Reports::note_residual(int row, double value, Sample& sample) const {
  const auto constraint = at_.compiled->system->rows[static_cast<std::size_t>(row)].constraint.index();
  double& worst = sample.residual[static_cast<Eigen::Index>(constraint)];
  worst = std::max(worst, std::abs(value));
}

/// \pre if constraints are of higher order, `ReportInput::fill` was called with the sample
void Reports::fill_residuals(Sample& sample) {
  const Matrices& m = pieces_.matrices;
  sample.residual.setZero(static_cast<Eigen::Index>(at_.compiled->model->constraints.size()));
  if (conditions_ != nullptr) conditions_->read(sample);
  for (int row = 0, next = 0; row < at_.nc; ++row) {
    const equations::Row& r = at_.compiled->system->rows[static_cast<std::size_t>(row)];
    double value = 0.0;
    if (conditions_ != nullptr && !r.conditions.empty()) {
      note_residual(row, at_.result[static_cast<std::size_t>(next)], sample);
      next += static_cast<int>(r.conditions.size());
      continue;
    }
    switch (r.level) {
      case Level::kPosition: value = m.phi[row]; break;
      case Level::kVelocity: value = m.psi[row]; break;
      case Level::kAcceleration: value = m.A.row(row).dot(sample.reaction.u_dot()) - m.b[row]; break;
      case Level::kThird: break;  // constraints of this level have no row in the System
    }
    note_residual(row, value, sample);
  }
  if (highest_ == nullptr) return;
  input_.evaluate(at_.bound->relations);
  for (std::size_t a = 0; a < highest_->structure().constraint_of_mu.size(); ++a) {
    double& worst = sample.residual[static_cast<Eigen::Index>(highest_->structure().constraint_of_mu[a].index())];
    worst = std::max(worst, std::abs(at_.result[a]));
  }
}

void Reports::note_acting(Sample& sample) const {
  sample.acts.clear();
  if (at_.compiled->switched.empty()) return;
  for (const Embedding one : at_.bound->embedding()) sample.acts.push_back(one == Embedding::kNotActing ? 0 : 1);
}

bool Reports::is_generated(double t, const double* y, Sample& sample) {
  const equations::System& system = *at_.compiled->system;
  const bool has_friction = !system.slides.empty();
  if (at_.compiled->is_implicit() && !(has_friction && forces_->contacts->held.is_generated())) return false;
  if (system.has_nonideal || !system.vectors.empty() || !system.changes.empty()) return false;
  if (at_.nc > 0 && !at_.bound->reactions.kernel) return false;
  if (!routes_.is_explicit() || !at_.bound->trusts_generated) return false;
  at_.load(t, y);
  const BoundKernel& kernel = at_.nc > 0 ? at_.bound->reactions : at_.bound->accelerations;
  if (!has_friction)
    at_.evaluate(kernel);
  else if (!forces_->contacts->held.is_found_by(kernel))
    return false;
  const auto found = Eigen::Map<const Vector>(at_.result.data(), at_.ny);
  if (!found.allFinite() || !is_accepted(at_.result.data() + at_.ny)) return false;
  sample.q_dot = found.head(at_.nq);
  sample.z_dot = found.tail(at_.nz);
  solve::Reaction& reaction = sample.reaction;
  reaction.total.u = found.segment(at_.nq, at_.nu);
  reaction.total.lambda = Eigen::Map<const Vector>(at_.result.data() + at_.ny + 2, at_.nc);
  if (at_.nc > 0) at_.evaluate(at_.bound->gradients);
  const numeric::SparsePattern& pattern = at_.compiled->gradient_pattern;
  reaction.total.Q.setZero(at_.nu);
  for (int row = 0; row < at_.nc; ++row) {
    for (int at = pattern.begin(row); at < pattern.end(row); ++at)
      reaction.total.Q[pattern.column_of(at)] += at_.result[static_cast<std::size_t>(at)] * reaction.total.lambda[row];
  }
  reaction.ideal = reaction.total;
  reaction.Q_c = reaction.total.Q;
  reaction.Q_nonideal.setZero(at_.nu);
  reaction.effort.resize(0);
  sample.residual.setZero(static_cast<Eigen::Index>(at_.compiled->model->constraints.size()));
  for (int row = 0; row < at_.nc; ++row)
    note_residual(row, at_.result[pattern.column.size() + static_cast<std::size_t>(row)], sample);
  if (has_friction) {
    sample.friction.sticks = at_.mode->friction.sticks;
    sample.friction.direction = Eigen::Map<const Vector>(at_.input.data() + 1 + at_.ny, at_.compiled->slide_size());
  }
  sample.rank = at_.nc - static_cast<int>(std::ranges::count(sample.acts, char{0}));
  sample.row_unique.assign(static_cast<std::size_t>(at_.nc), 1);
  unique_.note_all(sample);
  input_.fill(t, y, sample);
  return true;
}

Outcome<void> Reports::report(double t, const double* y, Sample& sample) {
  sample.t = t;
  sample.q = Eigen::Map<const Vector>(y, at_.nq);
  sample.u = Eigen::Map<const Vector>(y + at_.nq, at_.nu);
  sample.z = Eigen::Map<const Vector>(y + at_.nq + at_.nu, at_.nz);
  note_acting(sample);
  if (highest_ != nullptr) return report_of_higher(t, y, sample);
  if (is_generated(t, y, sample)) return fill_results(sample);
  return report_by_pivots(t, y, sample);
}

Outcome<void> Reports::react(double t, const double* y, Sample& sample) {
  if (highest_ != nullptr) return highest_->report(t, y, sample);
  if (is_generated(t, y, sample)) return {};
  if (auto done = reactions.factor(t, y); !done) return done;
  if (auto done = reactions.react(sample.reaction); !done)
    return fail(pieces_.named(std::move(done.error()), t, Level::kAcceleration));
  return {};
}

Outcome<void> Reports::report_of_higher(double t, const double* y, Sample& sample) {
  if (auto done = highest_->report(t, y, sample); !done) return done;
  unique_.note_all(sample);
  if (auto done = vectors.fill(sample); !done) return done;
  input_.fill(t, y, sample);
  fill_residuals(sample);
  return fill_results(sample);
}

Outcome<void> Reports::report_by_pivots(double t, const double* y, Sample& sample) {
  const auto named = [&](Failure failure) { return fail(pieces_.named(std::move(failure), t, Level::kAcceleration)); };
  if (auto done = reactions.factor(t, y); !done) return done;
  sample.q_dot = pieces_.matrices.q_dot;
  if (auto done = reactions.react(sample.reaction); !done) return named(std::move(done.error()));
  if (at_.slides) {
    sample.friction.sticks = at_.mode->friction.sticks;
    if (auto done = reactions.fill_directions(sample.friction.direction); !done) return named(std::move(done.error()));
  }
  if (auto done = vectors.fill(sample); !done) return done;
  input_.fill(t, y, sample);
  sample.z_dot.resize(at_.nz);
  if (at_.nz > 0) problem_.write_state_rates(t, y, sample.reaction.lambda(), sample.z_dot.data());
  fill_residuals(sample);
  unique_.fill(reactions.free_forces(), sample);
  return fill_results(sample);
}

Outcome<void> Reports::fill_results_at(double t, const double* y, Sample& sample) {
  input_.fill(t, y, sample);
  return fill_results(sample);
}

Outcome<void> Reports::fill_results(Sample& sample) {
  for (std::size_t i = 0; i < at_.compiled->output_columns.size(); ++i) {
    if (sample.is_free_motion_unique || at_.compiled->output_is_of_free_motion[i] == 0) continue;
    const auto [first, count] = at_.compiled->output_columns[i];
    std::fill_n(sample.output_unique.begin() + first, count, char{0});
  }
  input_.evaluate(at_.bound->outputs);
  sample.outputs = Eigen::Map<const Vector>(at_.result.data(), at_.compiled->output_size);
  input_.evaluate(at_.bound->expectations);
  sample.expectations = Eigen::Map<const Vector>(
      at_.result.data(), static_cast<Eigen::Index>(at_.bound->expectations.kernel->output_count()));
  return check_results(sample);
}

/// Fails if an output, or an expectation of kind `always`, is not finite; they must be finite at every reported
/// instant.
Outcome<void> Reports::check_results(const Sample& sample) const {
  using Kind = StatementId::Kind;
  const model::Model& model = *at_.compiled->model;
  if (!sample.outputs.allFinite()) {
    for (std::size_t i = 0; i < model.outputs.size(); ++i) {
      const auto [first, count] = at_.compiled->output_columns[i];
      if (sample.outputs.segment(first, count).allFinite()) continue;
      return fail(non_finite_result({Kind::kOutput, static_cast<int>(i)}, "output `" + model.outputs[i].name + "`",
                                    std::span(at_.compiled->output_values).subspan(first, count)));
    }
  }
  if (sample.expectations.allFinite()) return {};
  for (std::size_t i = 0; i < model.expectations.size(); ++i) {
    if (model.expectations[i].when != model::Expectation::When::kAlways) continue;
    const ExpectationColumns& columns = at_.compiled->expectation_columns[i];
    const int count = columns.total();
    if (sample.expectations.segment(columns.first, count).allFinite()) continue;
    return fail(non_finite_result({Kind::kExpectation, static_cast<int>(i)}, "`" + model.expectations[i].text + "`",
                                  std::span(at_.compiled->expectation_values).subspan(columns.first, count)));
  }
  return {};
}

Failure Reports::non_finite_result(StatementId statement, const std::string& what,
                                   std::span<const expr::Expr> values) const {
  Failure failure;
  failure.kind = FailureKind::kNonFinite;
  failure.t = input_.t();
  failure.statements = {statement};
  failure.message = fmt::format("{} is not finite: {}", what, input_.explain_non_finite(values));
  failure.advice = advice_of_table(failure.message);
  return failure;
}

}  // namespace vinculum::sim
