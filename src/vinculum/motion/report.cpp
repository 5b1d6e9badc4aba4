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

std::string quoted(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    text += i == 0 ? "" : i + 1 == names.size() ? " and " : ", ";
    text += "`" + names[i] + "`";
  }
  return text;
}

}  // namespace

void Dynamics::Impl::evaluate_report(const BoundKernel& kernel) {
  kernel.evaluate(report_input.data(), result.data(), workspace.data());
}

void Dynamics::Impl::note_residual(int row, double value, Sample& sample) const {
  const auto constraint = compiled->system->rows[static_cast<std::size_t>(row)].constraint.index();
  double& worst = sample.residual[static_cast<Eigen::Index>(constraint)];
  worst = std::max(worst, std::abs(value));
}

/// \pre `report_input` holds the instant where constraints are of higher order
void Dynamics::Impl::fill_residuals(const Matrices& at, Sample& sample) {
  sample.residual.setZero(static_cast<Eigen::Index>(compiled->model->constraints.size()));
  if (conditions) read_conditions(sample);
  for (int row = 0, next = 0; row < nc; ++row) {
    const equations::Row& r = compiled->system->rows[static_cast<std::size_t>(row)];
    double value = 0.0;
    if (conditions && !r.conditions.empty()) {
      note_residual(row, result[static_cast<std::size_t>(next)], sample);
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
  evaluate_report(bound->relations);
  for (std::size_t a = 0; a < higher->structure.constraint_of_mu.size(); ++a) {
    double& worst = sample.residual[static_cast<Eigen::Index>(higher->structure.constraint_of_mu[a].index())];
    worst = std::max(worst, std::abs(result[a]));
  }
}

/// All pieces at the state, C by its reactions too, and the factor of the pivoted solver.
Outcome<void> Dynamics::Impl::factor_for_report(double t, const double* y) {
  if (auto done = evaluate_matrices(t, y, matrices); !done) return done;
  learn_sizes();
  const double defect = seen_by_rows(relative_defect(matrices));
  const bool is_implicit = compiled->has_reaction_forces();
  auto done = pivoted.factor(matrices, defect);
  if (done && directed && (is_implicit || &truth() == directed.get())) done = directed->factor(matrices, defect);
  if (done && compiled->system->has_indefinite_mass) done = augmented->factor(matrices, defect);
  if (done && is_implicit) done = settle_reaction_forces();
  free_forces = {};
  if (done && implicit && implicit->sticking && implicit->sticking->is_shared) done = share_friction(t, y);
  if (!done) return fail(named(std::move(done.error()), t, Level::kAcceleration));
  return {};
}

/// Of independent rows under the ideal law, or of none: accelerations and multipliers as the motion has them.
/// \returns false where there is more to it, or the generated code is not trusted; then the pivoted solver reports.
bool Dynamics::Impl::generated_report(double t, const double* y, Sample& sample) {
  const equations::System& system = *compiled->system;
  const bool has_friction = !system.slides.empty();
  if (implicit && !(has_friction && (bound->stick.kernel || bound->locked.kernel))) return false;
  if (system.has_nonideal || !system.vectors.empty() || !system.changes.empty()) return false;
  if (nc > 0 && !bound->reactions.kernel) return false;
  if (formulation != equations::Formulation::kExplicit || !bound->trusts_generated) return false;
  load(t, y);
  const BoundKernel& kernel = nc > 0 ? bound->reactions : bound->accelerations;
  if (!has_friction)
    evaluate(kernel);
  else if (!is_found_with_friction(kernel))
    return false;
  const auto found = Eigen::Map<const Vector>(result.data(), ny);
  if (!found.allFinite() || !is_accepted(result.data() + ny)) return false;
  sample.q_dot = found.head(nq);
  sample.z_dot = found.tail(nz);
  solve::Reaction& reaction = sample.reaction;
  reaction.total.u = found.segment(nq, nu);
  reaction.total.lambda = Eigen::Map<const Vector>(result.data() + ny + 2, nc);
  if (nc > 0) evaluate(bound->gradients);
  const numeric::SparsePattern& pattern = compiled->gradient_pattern;
  reaction.total.Q.setZero(nu);
  for (int row = 0; row < nc; ++row) {
    for (int at = pattern.begin(row); at < pattern.end(row); ++at)
      reaction.total.Q[pattern.column_of(at)] += result[static_cast<std::size_t>(at)] * reaction.total.lambda[row];
  }
  reaction.ideal = reaction.total;
  reaction.Q_c = reaction.total.Q;
  reaction.Q_nonideal.setZero(nu);
  reaction.effort.resize(0);
  sample.residual.setZero(static_cast<Eigen::Index>(compiled->model->constraints.size()));
  for (int row = 0; row < nc; ++row)
    note_residual(row, result[pattern.column.size() + static_cast<std::size_t>(row)], sample);
  if (has_friction) {
    sample.friction.sticks = mode->friction.sticks;
    sample.friction.direction = Eigen::Map<const Vector>(input.data() + 1 + ny, compiled->slide_size());
  }
  sample.rank = nc;
  sample.row_unique.assign(static_cast<std::size_t>(nc), 1);
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
  const Matrices& at = d.matrices;
  sample.t = t;
  sample.q = Eigen::Map<const Vector>(y, d.nq);
  sample.u = Eigen::Map<const Vector>(y + d.nq, d.nu);
  sample.z = Eigen::Map<const Vector>(y + d.nq + d.nu, d.nz);
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
  if (auto done = d.react(d.seen_by_rows(d.relative_defect(at)), sample.reaction); !done)
    return fail(d.named(std::move(done.error()), t, Level::kAcceleration));

  if (d.implicit && d.implicit->sticking) {
    sample.friction.sticks = d.mode->friction.sticks;
    if (d.implicit->sticking->is_shared)
      sample.friction.direction = d.implicit->sticking->shared_s;
    else if (auto done = d.fill_directions(sample.friction.direction); !done)
      return fail(d.named(std::move(done.error()), t, Level::kAcceleration));
  }
  if (auto done = d.fill_vectors(sample); !done) return done;
  d.fill_report_input(t, y, sample);
  sample.z_dot.resize(d.nz);
  if (d.nz > 0) {
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
  place = std::copy_n(y, ny, place);
  place = std::copy_n(sample.reaction.u_dot().data(), nu, place);
  place = std::copy_n(sample.reaction.lambda().data(), nc, place);
  place = std::copy_n(sample.reaction.lambda_ideal().data(), nc, place);
  place = std::copy_n(sample.reaction.effort.data(), sample.reaction.effort.size(), place);
  std::copy_n(sample.friction.direction.data(), sample.friction.direction.size(), place);
  place += compiled->slide_size();
  place = std::copy_n(sample.top.data(), sample.top.size(), place);
  std::copy_n(sample.vectors.data(), sample.vectors.size(), place);
}

/// Outputs and expectations.   \pre `report_input` holds the instant
Outcome<void> Dynamics::Impl::fill_results(Sample& sample) {
  for (std::size_t i = 0; i < compiled->output_columns.size(); ++i) {
    if (sample.is_free_motion_unique || compiled->output_is_of_free_motion[i] == 0) continue;
    const auto [first, count] = compiled->output_columns[i];
    std::fill_n(sample.output_unique.begin() + first, count, char{0});
  }
  evaluate_report(bound->outputs);
  sample.outputs = Eigen::Map<const Vector>(result.data(), compiled->output_size);
  evaluate_report(bound->expectations);
  sample.expectations =
      Eigen::Map<const Vector>(result.data(), static_cast<Eigen::Index>(bound->expectations.kernel->output_count()));
  return check_results(sample);
}

/// Outputs must be finite at every instant that is reported, and so must what is expected always.
Outcome<void> Dynamics::Impl::check_results(const Sample& sample) const {
  using Kind = StatementId::Kind;
  const model::Model& model = *compiled->model;
  if (!sample.outputs.allFinite()) {
    for (std::size_t i = 0; i < model.outputs.size(); ++i) {
      const auto [first, count] = compiled->output_columns[i];
      if (sample.outputs.segment(first, count).allFinite()) continue;
      return fail(non_finite_result({Kind::kOutput, static_cast<int>(i)}, "output `" + model.outputs[i].name + "`",
                                    std::span(compiled->output_values).subspan(first, count)));
    }
  }
  if (sample.expectations.allFinite()) return {};
  for (std::size_t i = 0; i < model.expectations.size(); ++i) {
    if (model.expectations[i].when != model::Expectation::When::kAlways) continue;
    const ExpectationColumns& columns = compiled->expectation_columns[i];
    const int count = columns.total();
    if (sample.expectations.segment(columns.first, count).allFinite()) continue;
    return fail(non_finite_result({Kind::kExpectation, static_cast<int>(i)}, "`" + model.expectations[i].text + "`",
                                  std::span(compiled->expectation_values).subspan(columns.first, count)));
  }
  return {};
}

/// \pre `report_input` holds the instant.
Failure Dynamics::Impl::non_finite_result(StatementId statement, const std::string& what,
                                          std::span<const expr::Expr> values) const {
  const equations::System& system = *compiled->system;
  std::vector<expr::Expr> symbols{system.t};
  for (const auto* more : {&system.q, &system.u, &system.z, &system.u_dot, &system.lambda, &system.lambda_ideal,
                           &system.effort, &system.slide_direction}) {
    symbols.insert(symbols.end(), more->begin(), more->end());
  }
  symbols.insert(symbols.end(), system.top().begin(), system.top().end());
  symbols.insert(symbols.end(), system.vectors.begin(), system.vectors.end());
  symbols.insert(symbols.end(), system.parameters.begin(), system.parameters.end());
  std::vector<double> numbers = report_input;
  numbers.insert(numbers.end(), bound->parameters.begin(), bound->parameters.end());
  Failure failure;
  failure.kind = FailureKind::kNonFinite;
  failure.t = report_input.front();
  failure.statements = {statement};
  failure.message = fmt::format("{} is not finite: {}", what, expr::explain_non_finite(values, symbols, numbers));
  return failure;
}

Failure Dynamics::Impl::named(Failure failure, double t, Level level) const {
  failure.t = t;
  std::vector<std::string> names;
  switch (failure.kind) {
    case FailureKind::kInconsistent: {
      for (const int row : failure.rows) names.push_back(compiled->row_name(row));
      if (names.empty()) break;
      if (failure.size == 0.0 && directed) {  // not missed: out of reach
        const equations::Row& first = nth(compiled->system->rows, failure.rows.front());
        const bool is_via = compiled->model->constraint(first.constraint).law->has_named_actuators();
        const bool is_one = names.size() == 1;
        const char* const by =
            is_via ? (is_one ? "its actuators" : "their actuators") : "forces along the stated directions";
        if (!do_efforts_reach(*bound)) {
          failure.message = fmt::format(
              "constraint{} {} cannot be kept by {}, at this place or any other: no efforts give the "
              "accelerations that {} for",
              is_one ? "" : "s", quoted(names), by, is_one ? "it asks" : "they ask");
          failure.advice = fmt::format(
              "let {} act on what the constraint moves; through what lies between (a spring, a rope) it would act on a "
              "higher derivative of the relation only, which is not solved for",
              is_via ? "an actuator" : "the reaction");
          break;
        }
        failure.message = fmt::format("constraint{} {} cannot be kept by {} here: they do not {} {}", is_one ? "" : "s",
                                      quoted(names), by, is_one ? "affect" : "reach", is_one ? "it" : "all of them");
        failure.advice = fmt::format(
            "lead the motion past this pose, end the run before it, or add {} that {} the constraint here too",
            is_via ? "an actuator" : "a direction", is_via ? "moves" : "keeps");
        break;
      }
      const std::string size = fmt::format("{:.3g}{}", failure.size, compiled->row_unit(failure.rows.front(), level));
      const std::string first = "`" + names.front() + "`";
      names.erase(names.begin());
      failure.message = names.empty() ? fmt::format("constraint {} cannot hold here: it is missed by {}", first, size)
                                      : fmt::format("constraint {} contradicts {} by {}", first, quoted(names), size);
      break;
    }
    case FailureKind::kUndetermined: {
      for (const int speed : failure.coordinates) names.push_back(compiled->speed_name(speed));
      if (names.empty()) break;
      failure.message = fmt::format("neither mass nor constraint determines the acceleration of {}", quoted(names));
      if (matrices.M.rows() != nu) break;
      if (auto cause = explain_undetermined_angles(*bound, failure.coordinates, t, input.data() + 1, matrices.M))
        return std::move(*cause);
      break;
    }
    case FailureKind::kFrictionNoSolution:
    case FailureKind::kFrictionManySolutions: {
      for (const int row : failure.rows) names.push_back(compiled->row_name(row));
      if (names.empty() || !failure.message.empty()) break;
      failure.message =
          failure.kind == FailureKind::kFrictionNoSolution
              ? fmt::format("no reaction of {} agrees with the forces that depend on it", quoted(names))
              : fmt::format("several reactions of {} agree with the forces that depend on them", quoted(names));
      break;
    }
    case FailureKind::kNonFinite:
      for (const int row : failure.rows) names.push_back(compiled->row_name(row));
      if (names.empty() || !failure.message.empty()) break;
      failure.message = fmt::format("the force stated by the reaction of {} is not finite", quoted(names));
      break;
    case FailureKind::kSingularByMultipliers: failure.rows = rows_with_inertia(*compiled->system); break;
    default: break;
  }
  return failure;
}

Failure Dynamics::Impl::non_finite(double t, const double* y) const {
  if (auto singular = explain_singular_kinematics(*bound, t, y)) return std::move(*singular);
  const equations::System& system = *compiled->system;
  std::vector<expr::Expr> roots = system.q_dot;
  roots.insert(roots.end(), system.f.begin(), system.f.end());
  // C may be of multipliers too.
  if (!system.has_implicit_nonideal) roots.insert(roots.end(), system.C.begin(), system.C.end());
  if (!compiled->late_matrices) roots.insert(roots.begin() + nq, system.M.begin(), system.M.end());
  std::vector<expr::Expr> symbols{system.t};
  symbols.insert(symbols.end(), system.q.begin(), system.q.end());
  symbols.insert(symbols.end(), system.u.begin(), system.u.end());
  symbols.insert(symbols.end(), system.z.begin(), system.z.end());
  symbols.insert(symbols.end(), system.slide_direction.begin(), system.slide_direction.end());
  symbols.insert(symbols.end(), system.parameters.begin(), system.parameters.end());
  std::vector<double> values{t};
  values.insert(values.end(), y, y + ny);
  values.insert(values.end(), input.end() - compiled->slide_size(), input.end());
  values.insert(values.end(), bound->parameters.begin(), bound->parameters.end());

  Failure failure;
  failure.kind = FailureKind::kNonFinite;
  failure.t = t;
  const bool is_motion_finite = expr::explain_non_finite(system.q_dot, symbols, values).empty();
  for (std::size_t i = 0; is_motion_finite && i < system.rows.size(); ++i) {
    const equations::Row& row = system.rows[i];
    std::vector<expr::Expr> parts;
    if (!row.chi.is_valid()) {  // else A and b are of u' too
      parts = row.A.values();
      parts.push_back(row.b);
    }
    for (const expr::Expr part : {row.phi, row.psi}) {
      if (part.is_valid()) parts.push_back(part);
    }
    const std::string culprit = expr::explain_non_finite(parts, symbols, values);
    if (culprit.empty()) continue;
    failure.rows = {static_cast<int>(i)};
    failure.message =
        fmt::format("constraint `{}` is not finite: {}{}", compiled->row_name(static_cast<int>(i)), culprit,
                    vanishing_divisor(*bound, parts, t, y)
                        ? "; it divides by a vector without a length, or by a matrix that `solve` or "
                          "`pinv` cannot invert"
                        : "");
    return failure;
  }
  const std::string culprit = expr::explain_non_finite(roots, symbols, values);
  failure.message = culprit.empty() ? "the state itself is not finite" : culprit + " is not finite";
  return failure;
}

}  // namespace vinculum::sim
