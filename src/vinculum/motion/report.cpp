#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "vinculum/base/index.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/compiled/effort_reach.hpp"
#include "vinculum/compiled/report_symbols.hpp"
#include "vinculum/compiled/vanishing_divisor.hpp"
#include "vinculum/expr/interpreter.hpp"
#include "vinculum/motion/dynamics_impl.hpp"
#include "vinculum/motion/kinematics_check.hpp"

namespace vinculum::sim {
namespace {

using model::Level;

}  // namespace

void Dynamics::Impl::evaluate_report(const BoundKernel& kernel) {
  kernel.evaluate(report_input.data(), at_.result.data(), at_.workspace.data());
}

void Dynamics::Impl::note_residual(int row, double value, Sample& sample) const {
  const auto constraint = at_.compiled->system->rows[static_cast<std::size_t>(row)].constraint.index();
  double& worst = sample.residual[static_cast<Eigen::Index>(constraint)];
  worst = std::max(worst, std::abs(value));
}

/// \pre `report_input` holds the instant where constraints are of higher order
void Dynamics::Impl::fill_residuals(const Matrices& at, Sample& sample) {
  sample.residual.setZero(static_cast<Eigen::Index>(at_.compiled->model->constraints.size()));
  if (conditions) read_conditions(sample);
  for (int row = 0, next = 0; row < at_.nc; ++row) {
    const equations::Row& r = at_.compiled->system->rows[static_cast<std::size_t>(row)];
    double value = 0.0;
    if (conditions && !r.conditions.empty()) {
      note_residual(row, at_.result[static_cast<std::size_t>(next)], sample);
      next += static_cast<int>(r.conditions.size());
      continue;
    }
    switch (r.level) {
      case Level::kPosition: value = at.phi[row]; break;
      case Level::kVelocity: value = at.psi[row]; break;
      case Level::kAcceleration: value = at.A.row(row).dot(sample.reaction.u_dot()) - at.b[row]; break;
      case Level::kThird: break;  // no row of the System
    }
    note_residual(row, value, sample);
  }
  if (!higher) return;
  evaluate_report(at_.bound->relations);
  for (std::size_t a = 0; a < higher->structure.constraint_of_mu.size(); ++a) {
    double& worst = sample.residual[static_cast<Eigen::Index>(higher->structure.constraint_of_mu[a].index())];
    worst = std::max(worst, std::abs(at_.result[a]));
  }
}

/// All pieces at the state, C by its reactions too, and the factor of the pivoted solver.
Outcome<void> Dynamics::Impl::factor_for_report(double t, const double* y) {
  if (auto done = pieces_.evaluate(t, y, pieces_.matrices); !done) return done;
  pieces_.rows.learn_sizes(pieces_.matrices);
  const double defect = pieces_.rows.seen_by_rows(pieces_.rows.relative_defect(pieces_.matrices));
  const bool is_implicit = at_.compiled->has_reaction_forces();
  auto done = pivoted.factor(pieces_.matrices, defect);
  if (done && directed && (is_implicit || &truth() == directed.get())) done = directed->factor(pieces_.matrices, defect);
  if (done && at_.compiled->system->has_indefinite_mass) done = augmented->factor(pieces_.matrices, defect);
  if (done && is_implicit) done = settle_reaction_forces();
  free_forces = {};
  if (done && implicit && implicit->sticking && implicit->sticking->is_shared) done = share_friction(t, y);
  if (!done) return fail(pieces_.named(std::move(done.error()), t, Level::kAcceleration));
  return {};
}

/// Of independent rows under the ideal law, or of none: accelerations and multipliers as the motion has them.
/// \returns false where there is more to it, or the generated code is not trusted; then the pivoted solver reports.
bool Dynamics::Impl::generated_report(double t, const double* y, Sample& sample) {
  const equations::System& system = *at_.compiled->system;
  const bool has_friction = !system.slides.empty();
  if (implicit && !(has_friction && (at_.bound->stick.kernel || at_.bound->locked.kernel))) return false;
  if (system.has_nonideal || !system.vectors.empty() || !system.changes.empty()) return false;
  if (at_.nc > 0 && !at_.bound->reactions.kernel) return false;
  if (formulation != equations::Formulation::kExplicit || !at_.bound->trusts_generated) return false;
  at_.load(t, y);
  const BoundKernel& kernel = at_.nc > 0 ? at_.bound->reactions : at_.bound->accelerations;
  if (!has_friction)
    at_.evaluate(kernel);
  else if (!is_found_with_friction(kernel))
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
  sample.rank = at_.nc;
  sample.row_unique.assign(static_cast<std::size_t>(at_.nc), 1);
  note_all_unique(sample);
  fill_report_input(t, y, sample);
  return true;
}

Outcome<void> Dynamics::report(const Mode& mode, double t, const double* y, Sample& sample) {
  copy_ = mode;
  if (!copy_.faces.empty()) return report_along(copy_, t, y, sample);
  return in(copy_).report(t, y, sample);
}

Outcome<void> Dynamics::Impl::report(double t, const double* y, Sample& sample) {
  Impl& d = *this;
  const Matrices& at = d.pieces_.matrices;
  sample.t = t;
  sample.q = Eigen::Map<const Vector>(y, d.at_.nq);
  sample.u = Eigen::Map<const Vector>(y + d.at_.nq, d.at_.nu);
  sample.z = Eigen::Map<const Vector>(y + d.at_.nq + d.at_.nu, d.at_.nz);
  if (d.higher) {
    if (auto done = d.report_of_higher(t, y, sample); !done) return done;
    if (auto done = d.fill_vectors(sample); !done) return done;
    d.fill_report_input(t, y, sample);
    d.fill_residuals(at, sample);
    return d.fill_results(sample);
  }
  if (d.generated_report(t, y, sample)) {
    return d.fill_results(sample);
  }
  if (auto done = d.factor_for_report(t, y); !done) return done;
  sample.q_dot = at.q_dot;
  if (auto done = d.react(d.pieces_.rows.seen_by_rows(d.pieces_.rows.relative_defect(at)), sample.reaction); !done)
    return fail(d.pieces_.named(std::move(done.error()), t, Level::kAcceleration));

  if (d.implicit && d.implicit->sticking) {
    sample.friction.sticks = d.at_.mode->friction.sticks;
    if (d.implicit->sticking->is_shared)
      sample.friction.direction = d.implicit->sticking->shared_s;
    else if (auto done = d.fill_directions(sample.friction.direction); !done)
      return fail(d.pieces_.named(std::move(done.error()), t, Level::kAcceleration));
  }
  if (auto done = d.fill_vectors(sample); !done) return done;
  d.fill_report_input(t, y, sample);
  sample.z_dot.resize(d.at_.nz);
  if (d.at_.nz > 0) {
    d.lambda = sample.reaction.lambda();
    d.state_rates(t, y, sample.z_dot.data());
  }

  d.fill_residuals(at, sample);
  d.fill_uniqueness(sample);
  return d.fill_results(sample);
}

void Dynamics::Impl::fill_report_input(double t, const double* y, const Sample& sample) {
  double* place = report_input.data();
  *place++ = t;
  place = std::copy_n(y, at_.ny, place);
  place = std::copy_n(sample.reaction.u_dot().data(), at_.nu, place);
  place = std::copy_n(sample.reaction.lambda().data(), at_.nc, place);
  place = std::copy_n(sample.reaction.lambda_ideal().data(), at_.nc, place);
  place = std::copy_n(sample.reaction.effort.data(), sample.reaction.effort.size(), place);
  std::copy_n(sample.friction.direction.data(), sample.friction.direction.size(), place);
  place += at_.compiled->slide_size();
  place = std::copy_n(sample.top.data(), sample.top.size(), place);
  std::copy_n(sample.vectors.data(), sample.vectors.size(), place);
}

/// Outputs and expectations.   \pre `report_input` holds the instant
Outcome<void> Dynamics::Impl::fill_results(Sample& sample) {
  for (std::size_t i = 0; i < at_.compiled->output_columns.size(); ++i) {
    if (sample.is_free_motion_unique || at_.compiled->output_is_of_free_motion[i] == 0) continue;
    const auto [first, count] = at_.compiled->output_columns[i];
    std::fill_n(sample.output_unique.begin() + first, count, char{0});
  }
  evaluate_report(at_.bound->outputs);
  sample.outputs = Eigen::Map<const Vector>(at_.result.data(), at_.compiled->output_size);
  evaluate_report(at_.bound->expectations);
  sample.expectations =
      Eigen::Map<const Vector>(at_.result.data(), static_cast<Eigen::Index>(at_.bound->expectations.kernel->output_count()));
  return check_results(sample);
}

/// Outputs must be finite at every instant that is reported, and so must what is expected always.
Outcome<void> Dynamics::Impl::check_results(const Sample& sample) const {
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

/// \pre `report_input` holds the instant.
Failure Dynamics::Impl::non_finite_result(StatementId statement, const std::string& what,
                                          std::span<const expr::Expr> values) const {
  const equations::System& system = *at_.compiled->system;
  std::vector<expr::Expr> symbols{system.t};
  for (const auto* more : {&system.q, &system.u, &system.z, &system.u_dot, &system.lambda, &system.lambda_ideal,
                           &system.effort, &system.slide_direction}) {
    symbols.insert(symbols.end(), more->begin(), more->end());
  }
  symbols.insert(symbols.end(), system.top().begin(), system.top().end());
  symbols.insert(symbols.end(), system.vectors.begin(), system.vectors.end());
  symbols.insert(symbols.end(), system.parameters.begin(), system.parameters.end());
  std::vector<double> numbers = report_input;
  numbers.insert(numbers.end(), at_.bound->parameters.begin(), at_.bound->parameters.end());
  Failure failure;
  failure.kind = FailureKind::kNonFinite;
  failure.t = report_input.front();
  failure.statements = {statement};
  failure.message = fmt::format("{} is not finite: {}", what, expr::explain_non_finite(values, symbols, numbers));
  return failure;
}

}  // namespace vinculum::sim
