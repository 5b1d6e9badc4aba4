// Levels of invariants kept by projection: after the constraints, (q, u) moves onto them by the least change.

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "vinculum/base/index.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/compiled/structure.hpp"
#include "vinculum/motion/dynamics_impl.hpp"
#include "vinculum/motion/newton.hpp"

namespace vinculum::sim {
namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr int kMostOfLevels = 8;
// A level missed by this many roundings of its size is met; one that Newton no longer lowers is rounding up to the
// second.

}  // namespace

Dynamics::Impl::Levels::Levels(const Binding& bound)
    : count(static_cast<int>(bound->level_count())),
      solver(2 * bound->nu(), static_cast<int>(bound->position_rows.size() + bound->velocity_rows.size()) + count),
      now(Vector::Zero(count)),
      missed(now),
      metric(Matrix::Zero(2 * bound->nu(), 2 * bound->nu())),
      A(Matrix::Zero(static_cast<Eigen::Index>(bound->position_rows.size() + bound->velocity_rows.size()) + count,
                     2 * bound->nu())),
      certainty(Vector::Ones(A.rows())),
      by_place(Matrix::Zero(count, bound->nu())),
      by_speed(by_place),
      psi_by_place(Matrix::Zero(static_cast<Eigen::Index>(bound->velocity_rows.size()), bound->nu())),
      defect(Vector::Zero(A.rows())),
      force(Vector::Zero(2 * bound->nu())),
      change_q(Vector::Zero(bound->nq())) {
  solution.u = Vector::Zero(2 * bound->nu());
  solution.lambda = Vector::Zero(A.rows());
  solution.Q = Vector::Zero(2 * bound->nu());
}

void Dynamics::Impl::read_levels(double t, const double* y) {
  Levels& l = *levels;
  at_.load(t, y);
  at_.evaluate(at_.bound->levels);
  const double* r = at_.result.data();
  l.now = Eigen::Map<const Vector>(r, l.count);
  r += l.count;
  l.by_place = Eigen::Map<const RowMajor>(r, l.count, at_.nu);
  r += l.count * at_.nu;
  l.by_speed = Eigen::Map<const RowMajor>(r, l.count, at_.nu);
  r += l.count * at_.nu;
  l.psi_by_place = Eigen::Map<const RowMajor>(r, l.psi_by_place.rows(), at_.nu);
}

/// ½ (ω² wᵀW w + δuᵀW δu) of a change G w of the places and δu of the speeds, W the metric made definite.
void Dynamics::Impl::measure_levels() {
  Levels& l = *levels;
  const auto s_u = at_.sizes.scale.segment(at_.nq, at_.nu);
  double largest_inertia = 0.0;
  for (int r = 0; r < at_.nu; ++r) largest_inertia = std::max(largest_inertia, pieces_.matrices.metric(r, r) * s_u[r] * s_u[r]);
  if (!(largest_inertia > 0.0)) largest_inertia = 1.0 / tolerance::kConditioned;
  auto of_speeds = l.metric.bottomRightCorner(at_.nu, at_.nu);
  of_speeds = pieces_.matrices.metric;
  for (int r = 0; r < at_.nu; ++r) of_speeds(r, r) += tolerance::kConditioned * largest_inertia / (s_u[r] * s_u[r]);
  l.metric.topLeftCorner(at_.nu, at_.nu) = at_.mode->levels->rate * at_.mode->levels->rate * of_speeds;
}

/// The largest miss of a level relative to its size, with rows that have all but vanished left out.
double Dynamics::Impl::find_missed_levels(int& worst_level) {
  Levels& l = *levels;
  const auto s_u = at_.sizes.scale.segment(at_.nq, at_.nu).cwiseAbs();
  double worst = 0.0;
  for (int k = 0; k < l.count; ++k) {
    double& longest = at_.mode->levels->largest[k];
    const double gradient =
        l.by_place.row(k).cwiseAbs().dot(s_u) / at_.mode->levels->rate + l.by_speed.row(k).cwiseAbs().dot(s_u);
    longest = std::max(longest, gradient);
    const double start = at_.mode->levels->start[k];
    l.missed[k] = start - l.now[k];
    if (gradient <= tolerance::kRoot * longest || nth(at_.mode->levels->is_kept, k) == 0) {
      l.missed[k] = 0.0;
      l.by_place.row(k).setZero();
      l.by_speed.row(k).setZero();
    }
    const double size = std::max({std::abs(start), std::abs(l.now[k]), longest});
    if (const double relative = size > 0.0 ? std::abs(l.missed[k]) / size : 0.0; relative > worst) {
      worst = relative;
      worst_level = k;
    }
  }
  return worst;
}

/// One step back onto the levels, and onto the constraints after it.
Outcome<double> Dynamics::Impl::correct_levels(double t, double* y) {
  Levels& l = *levels;
  if (!pieces_.read_matrices(t, y, pieces_.matrices)) return fail(pieces_.non_finite(t, y));
  measure_levels();
  const auto np = static_cast<Eigen::Index>(positions.rows.size()), nv = static_cast<Eigen::Index>(speeds.rows.size());
  for (Eigen::Index k = 0; k < np; ++k)
    l.A.row(k).head(at_.nu) = pieces_.matrices.A.row(positions.rows[static_cast<std::size_t>(k)]);
  for (Eigen::Index k = 0; k < nv; ++k) {
    const int row = speeds.rows[static_cast<std::size_t>(k)];
    const bool is_row = nth(at_.bound->embedding(), row) == Embedding::kNone;
    l.A.row(np + k).head(at_.nu) = l.psi_by_place.row(k) * (is_row ? 1.0 : 0.0);
    l.A.row(np + k).tail(at_.nu) = pieces_.matrices.A.row(row);
  }
  l.A.bottomRows(l.count).leftCols(at_.nu) = l.by_place;
  l.A.bottomRows(l.count).rightCols(at_.nu) = l.by_speed;
  l.defect.setZero();
  l.defect.tail(l.count) = l.missed;
  if (auto done = l.solver.factor(l.metric, l.A, l.certainty, pieces_.rows.seen_by_rows(pieces_.rows.relative_defect(pieces_.matrices))); !done) {
    return fail(pieces_.named(std::move(done.error()), t, model::Level::kVelocity));
  }
  l.solver.solver().solve_least_squares(l.force, l.defect, l.solution);
  l.change_q.noalias() = pieces_.matrices.G * l.solution.u.head(at_.nu);
  double moved = 0.0;
  add_correction(y, 0, l.change_q, moved);
  add_correction(y, at_.nq, l.solution.u.tail(at_.nu), moved);
  const auto back = project_onto_constraints(t, y);
  return back ? Outcome<double>(std::max(moved, *back)) : back;
}

Outcome<double> Dynamics::Impl::keep_levels(double t, double* y) {
  Levels& l = *levels;
  double moved = 0.0;
  int worst_level = 0;
  const auto measure = [&]() -> Outcome<double> {
    read_levels(t, y);
    if (!l.now.allFinite() || !l.by_place.allFinite() || !l.by_speed.allFinite()) return fail(pieces_.non_finite(t, y));
    return find_missed_levels(worst_level);
  };
  const auto stalled = [&](double) -> std::optional<Outcome<void>> {
    Failure failure;
    failure.t = t;
    failure.size = std::abs(l.missed[worst_level]);
    const auto conserved = static_cast<int>(at_.compiled->model->conserved.size());
    if (worst_level >= conserved) {
      failure.kind = FailureKind::kInconsistent;
      failure.rows = {nth(at_.compiled->integrals, worst_level - conserved)};
      return fail(pieces_.named(std::move(failure), t, model::Level::kVelocity));
    }
    failure.kind = FailureKind::kNotConserved;
    failure.statements = {{StatementId::Kind::kConserved, worst_level}};
    failure.message = "`" + at_.compiled->model->conserved[static_cast<std::size_t>(worst_level)].text +
                      "` cannot be brought back to its value at the start";
    return fail(std::move(failure));
  };
  const auto correct = [&](double) -> Outcome<bool> {
    const auto by = correct_levels(t, y);
    if (!by) return fail(by.error());
    moved = std::max(moved, *by);
    return false;
  };
  const NewtonRule rule{kMostOfLevels, tolerance::kEqual, tolerance::kStagnation};
  if (auto met = iterate_newton(rule, measure, stalled, correct); !met) return fail(std::move(met.error()));
  return moved;
}

void Dynamics::keep_levels(Mode& mode, double t, const Vector& y, bool with_conserved) {
  Impl& d = in(mode);
  if (d.at_.compiled->level_count() == 0) return;
  if (!d.levels) d.levels = std::make_unique<Impl::Levels>(*d.at_.bound);
  (void)d.pieces_.read_matrices(t, y.data(), d.pieces_.matrices);
  // A rate that makes changes of places and speeds alike: typical q' over typical q.
  const Vector q_dot = d.pieces_.matrices.G.cwiseAbs() * d.at_.sizes.scale.segment(d.at_.nq, d.at_.nu);
  double sum = 0.0;
  for (int i = 0; i < d.at_.nq; ++i) sum += (q_dot[i] / d.at_.sizes.scale[i]) * (q_dot[i] / d.at_.sizes.scale[i]);
  d.read_levels(t, y.data());
  const auto conserved = static_cast<Eigen::Index>(d.at_.compiled->model->conserved.size());
  Vector start = d.levels->now;
  start.tail(start.size() - conserved).setZero();  // ψ = 0
  std::vector<char> is_kept(static_cast<std::size_t>(d.levels->count), 1);
  std::fill_n(is_kept.begin(), conserved, with_conserved ? char{1} : char{0});
  mode.levels = {std::move(start), Vector::Zero(d.levels->count), std::move(is_kept),
                 sum > 0.0 && std::isfinite(sum) ? std::sqrt(sum / d.at_.nq) : 1.0};
}

}  // namespace vinculum::sim
