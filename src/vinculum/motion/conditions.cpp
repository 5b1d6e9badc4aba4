// Relations with states (theory.md §6.10): their derivatives below the one that is a row are kept along the motion like
// rows of position level, by the least change of q and z.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "vinculum/base/index.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/motion/dynamics_impl.hpp"
#include "vinculum/motion/newton.hpp"

namespace vinculum::sim {
namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr int kMostOfConditions = 12;
// Weight of a change of a state relative to a change of a coordinate, both over their typical sizes. States follow from
// the motion, so coordinates are corrected wherever the relation holds them.
constexpr double kWeightOfStates = 1e4;

int count_of_conditions(const CompiledModel& compiled) {
  std::size_t count = 0;
  for (const equations::Row& row : compiled.system->rows) count += row.conditions.size();
  return static_cast<int>(count);
}

}  // namespace

Dynamics::Impl::Conditions::Conditions(const Binding& bound)
    : count(count_of_conditions(bound)),
      places(static_cast<int>(bound->position_rows.size())),
      solver(bound->nu() + bound->nz(), places + count),
      metric(Matrix::Zero(bound->nu() + bound->nz(), bound->nu() + bound->nz())),
      A(Matrix::Zero(places + count, metric.cols())),
      certainty(Vector::Ones(places + count)),
      missed(Vector::Zero(places + count)),
      size(Vector::Ones(metric.cols())),
      force(Vector::Zero(metric.cols())),
      change_q(Vector::Zero(bound->nq())) {
  solution.u = solution.Q = Vector::Zero(metric.cols());
  solution.lambda = Vector::Zero(places + count);
}

void Dynamics::Impl::read_conditions(const Sample& sample) {
  at_.input[0] = sample.t;
  double* place = at_.input.data() + 1;
  for (const Vector* part : {&sample.q, &sample.u, &sample.z}) place = std::copy_n(part->data(), part->size(), place);
  at_.evaluate(at_.bound->conditions);
}

Outcome<double> Dynamics::Impl::measure_conditions(double t, const double* y) {
  Conditions& c = *conditions;
  if (!pieces_.read_matrices(t, y, pieces_.matrices)) return fail(pieces_.non_finite(t, y));
  for (int k = 0; k < c.places; ++k) {
    c.A.row(k).head(at_.nu) = pieces_.matrices.A.row(nth(positions.rows, k));
    c.certainty[k] = pieces_.matrices.certainty[nth(positions.rows, k)];
    c.missed[k] = pieces_.matrices.phi[nth(positions.rows, k)];
  }
  at_.load(t, y);
  at_.evaluate(at_.bound->conditions);
  c.missed.tail(c.count) = Eigen::Map<const Vector>(at_.result.data(), c.count);
  c.A.bottomRows(c.count) = Eigen::Map<const RowMajor>(at_.result.data() + c.count, c.count, at_.nu + at_.nz);
  if (!c.missed.allFinite() || !c.A.allFinite()) return fail(pieces_.non_finite(t, y));
  double worst = 0.0;
  for (Eigen::Index k = 0; k < c.missed.size(); ++k) {
    const double size = c.A.row(k).cwiseAbs().dot(c.size);
    worst = std::max(worst, size > 0.0 ? std::abs(c.missed[k]) / size : 0.0);
  }
  return worst;
}

Outcome<double> Dynamics::Impl::project_onto_conditions(double t, double* y) {
  Conditions& c = *conditions;
  double moved = 0.0;
  c.size.head(at_.nu) = at_.sizes.displacement;
  c.size.tail(at_.nz) = at_.sizes.scale.tail(at_.nz);
  const auto correct = [&](double worst) -> Outcome<bool> {
    c.metric.topLeftCorner(at_.nu, at_.nu) = pieces_.matrices.metric;
    double largest = 0.0;
    for (int r = 0; r < at_.nu; ++r) largest = std::max(largest, pieces_.matrices.metric(r, r) * c.size[r] * c.size[r]);
    if (!(largest > 0.0)) largest = 1.0;
    for (int r = 0; r < at_.nu; ++r) c.metric(r, r) += tolerance::kConditioned * largest / (c.size[r] * c.size[r]);
    for (int j = at_.nu; j < at_.nu + at_.nz; ++j) c.metric(j, j) = kWeightOfStates * largest / (c.size[j] * c.size[j]);
    if (auto done = c.solver.factor(c.metric, c.A, c.certainty, pieces_.rows.seen_by_rows(worst)); !done)
      return fail(pieces_.named(std::move(done.error()), t, model::Level::kPosition));
    c.missed = -c.missed;
    c.solver.solver().solve_least_squares(c.force, c.missed, c.solution);
    c.change_q.noalias() = pieces_.matrices.G * c.solution.u.head(at_.nu);
    add_correction(y, 0, c.change_q, moved);
    add_correction(y, at_.nq + at_.nu, c.solution.u.tail(at_.nz), moved);
    return false;
  };
  const auto stalled = [&](double worst) -> std::optional<Outcome<void>> {
    Failure failure;
    failure.kind = FailureKind::kInconsistent;
    failure.t = t;
    failure.size = worst;
    Eigen::Index at = 0;
    c.missed.cwiseAbs().maxCoeff(&at);
    for (int row = 0, next = c.places; row < at_.nc; ++row) {
      const auto count = static_cast<int>(nth(at_.compiled->system->rows, row).conditions.size());
      const bool is_it = at < c.places ? nth(positions.rows, at) == row : at >= next && at < next + count;
      if (is_it) failure.rows = {row};
      next += count;
    }
    failure.message = fmt::format("constraint `{}` cannot be met any more: it is missed by {:.3g}",
                                  at_.compiled->row_name(failure.rows.front()), std::abs(c.missed[at]));
    return Outcome<void>(fail(std::move(failure)));
  };
  const NewtonRule rule{kMostOfConditions, tolerance::kEqual, tolerance::kStagnation, 3};
  auto met = iterate_newton(rule, [&] { return measure_conditions(t, y); }, stalled, correct);
  return met ? Outcome<double>(moved) : fail(std::move(met.error()));
}

}  // namespace vinculum::sim
