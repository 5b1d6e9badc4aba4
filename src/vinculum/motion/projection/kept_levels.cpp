#include "vinculum/motion/projection/kept_levels.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "vinculum/base/index.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/compiled/structure.hpp"
#include "vinculum/motion/newton.hpp"
#include "vinculum/motion/projection/corrections.hpp"

namespace vinculum::sim {
namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr int kMostOfLevels = 8;  // most iterations of a projection

}  // namespace

KeptLevels::KeptLevels(StateKernels& at, EquationPieces& pieces, ConstraintProjection& constraints)
    : at_(at),
      pieces_(pieces),
      constraints_(constraints),
      count_(static_cast<int>(at.compiled->level_count())),
      solver_(2 * at.nu,
              static_cast<int>(at.compiled->position_rows.size() + at.compiled->velocity_rows.size()) + count_),
      now_(Vector::Zero(count_)),
      missed_(now_),
      metric_(Matrix::Zero(2 * at.nu, 2 * at.nu)),
      A_(Matrix::Zero(
          static_cast<Eigen::Index>(at.compiled->position_rows.size() + at.compiled->velocity_rows.size()) + count_,
          2 * at.nu)),
      certainty_(Vector::Ones(A_.rows())),
      by_place_(Matrix::Zero(count_, at.nu)),
      by_speed_(by_place_),
      psi_by_place_(Matrix::Zero(static_cast<Eigen::Index>(at.compiled->velocity_rows.size()), at.nu)),
      defect_(Vector::Zero(A_.rows())),
      force_(Vector::Zero(2 * at.nu)),
      change_q_(Vector::Zero(at.nq)) {
  solution_.u = Vector::Zero(2 * at.nu);
  solution_.lambda = Vector::Zero(A_.rows());
  solution_.Q = Vector::Zero(2 * at.nu);
}

void KeptLevels::read(double t, const double* y) {
  at_.load(t, y);
  at_.evaluate(at_.bound->levels);
  const double* r = at_.result.data();
  now_ = Eigen::Map<const Vector>(r, count_);
  r += count_;
  by_place_ = Eigen::Map<const RowMajor>(r, count_, at_.nu);
  r += count_ * at_.nu;
  by_speed_ = Eigen::Map<const RowMajor>(r, count_, at_.nu);
  r += count_ * at_.nu;
  psi_by_place_ = Eigen::Map<const RowMajor>(r, psi_by_place_.rows(), at_.nu);
}

/// Computes the metric ½ (ω² wᵀW w + δuᵀW δu) of a change G w of the coordinates and δu of the speeds. W is
/// `Matrices::metric` with enlarged diagonal entries, so that it is positive definite.
void KeptLevels::measure() {
  const auto s_u = at_.sizes.scale.segment(at_.nq, at_.nu);
  double largest_inertia = 0.0;
  for (int r = 0; r < at_.nu; ++r)
    largest_inertia = std::max(largest_inertia, pieces_.matrices.metric(r, r) * s_u[r] * s_u[r]);
  if (!(largest_inertia > 0.0)) largest_inertia = 1.0 / tolerance::kConditioned;
  auto of_speeds = metric_.bottomRightCorner(at_.nu, at_.nu);
  of_speeds = pieces_.matrices.metric;
  for (int r = 0; r < at_.nu; ++r) of_speeds(r, r) += tolerance::kConditioned * largest_inertia / (s_u[r] * s_u[r]);
  metric_.topLeftCorner(at_.nu, at_.nu) = at_.mode->levels->rate * at_.mode->levels->rate * of_speeds;
}

/// Finds the largest deviation of an invariant from its start value, relative to its gradient times typical changes.
/// Invariants whose gradient has almost vanished, compared with its largest value so far, are left out.
/// \param worst_level  receives the index of that invariant
double KeptLevels::find_missed(int& worst_level) {
  const auto s_u = at_.sizes.scale.segment(at_.nq, at_.nu).cwiseAbs();
  double worst = 0.0;
  for (int k = 0; k < count_; ++k) {
    double& longest = at_.mode->levels->largest[k];
    const double gradient =
        by_place_.row(k).cwiseAbs().dot(s_u) / at_.mode->levels->rate + by_speed_.row(k).cwiseAbs().dot(s_u);
    longest = std::max(longest, gradient);
    const double start = at_.mode->levels->start[k];
    missed_[k] = start - now_[k];
    if (gradient <= tolerance::kRoot * longest || nth(at_.mode->levels->is_kept, k) == 0) {
      missed_[k] = 0.0;
      by_place_.row(k).setZero();
      by_speed_.row(k).setZero();
    }
    const double size = std::max({std::abs(start), std::abs(now_[k]), longest});
    if (const double relative = size > 0.0 ? std::abs(missed_[k]) / size : 0.0; relative > worst) {
      worst = relative;
      worst_level = k;
    }
  }
  return worst;
}

Outcome<double> KeptLevels::step(double t, double* y) {
  if (!pieces_.read_matrices(t, y, pieces_.matrices)) return fail(pieces_.non_finite(t, y));
  measure();
  const std::vector<int>&positions = at_.compiled->position_rows, &speeds = at_.compiled->velocity_rows;
  const auto np = static_cast<Eigen::Index>(positions.size()), nv = static_cast<Eigen::Index>(speeds.size());
  for (Eigen::Index k = 0; k < np; ++k) A_.row(k).head(at_.nu) = pieces_.matrices.A.row(nth(positions, k));
  for (Eigen::Index k = 0; k < nv; ++k) {
    const int row = nth(speeds, k);
    const bool is_row = nth(at_.bound->embedding(), row) == Embedding::kNone;
    A_.row(np + k).head(at_.nu) = psi_by_place_.row(k) * (is_row ? 1.0 : 0.0);
    A_.row(np + k).tail(at_.nu) = pieces_.matrices.A.row(row);
  }
  A_.bottomRows(count_).leftCols(at_.nu) = by_place_;
  A_.bottomRows(count_).rightCols(at_.nu) = by_speed_;
  defect_.setZero();
  defect_.tail(count_) = missed_;
  if (auto done = solver_.factor(metric_, A_, certainty_, pieces_.rows.seen_defect(pieces_.matrices)); !done) {
    return fail(pieces_.named(std::move(done.error()), t, model::Level::kVelocity));
  }
  solver_.solver().solve_least_squares(force_, defect_, solution_);
  change_q_.noalias() = pieces_.matrices.G * solution_.u.head(at_.nu);
  double moved = 0.0;
  add_correction(at_.sizes, y, 0, change_q_, moved);
  add_correction(at_.sizes, y, at_.nq, solution_.u.tail(at_.nu), moved);
  const auto back = constraints_.project(t, y);
  return back ? Outcome<double>(std::max(moved, *back)) : back;
}

Failure KeptLevels::missed(double t, int level) const {
  Failure failure;
  failure.t = t;
  failure.size = std::abs(missed_[level]);
  const auto conserved = static_cast<int>(at_.compiled->model->conserved.size());
  if (level >= conserved) {
    failure.kind = FailureKind::kInconsistent;
    failure.rows = {nth(at_.compiled->integrals, level - conserved)};
    return pieces_.named(std::move(failure), t, model::Level::kVelocity);
  }
  failure.kind = FailureKind::kNotConserved;
  failure.statements = {{StatementId::Kind::kConserved, level}};
  failure.message = "`" + at_.compiled->model->conserved[static_cast<std::size_t>(level)].text +
                    "` cannot be brought back to its value at the start";
  return failure;
}

Outcome<double> KeptLevels::project(double t, double* y) {
  double moved = 0.0;
  int worst_level = 0;
  const auto measure = [&]() -> Outcome<double> {
    read(t, y);
    if (!now_.allFinite() || !by_place_.allFinite() || !by_speed_.allFinite()) return fail(pieces_.non_finite(t, y));
    return find_missed(worst_level);
  };
  const auto stalled = [&](double) { return std::optional<Outcome<void>>(fail(missed(t, worst_level))); };
  const auto correct = [&](double) -> Outcome<bool> {
    const auto by = step(t, y);
    if (!by) return fail(by.error());
    moved = std::max(moved, *by);
    return false;
  };
  const NewtonRule rule{kMostOfLevels, tolerance::kEqual, tolerance::kStagnation};
  if (auto met = iterate_newton(rule, measure, stalled, correct); !met) return fail(std::move(met.error()));
  return moved;
}

Mode::Levels KeptLevels::start_at(double t, const Vector& y, bool with_conserved) {
  (void)pieces_.read_matrices(t, y.data(), pieces_.matrices);
  // ω makes changes of coordinates and speeds comparable. It is the root mean square of typical q' / typical q.
  const Vector q_dot = pieces_.matrices.G.cwiseAbs() * at_.sizes.scale.segment(at_.nq, at_.nu);
  double sum = 0.0;
  for (int i = 0; i < at_.nq; ++i) sum += (q_dot[i] / at_.sizes.scale[i]) * (q_dot[i] / at_.sizes.scale[i]);
  read(t, y.data());
  const auto conserved = static_cast<Eigen::Index>(at_.compiled->model->conserved.size());
  Vector start = now_;
  start.tail(start.size() - conserved).setZero();  // rows that are integrals of the motion: ψ is restored to 0
  std::vector<char> is_kept(static_cast<std::size_t>(count_), 1);
  std::fill_n(is_kept.begin(), conserved, with_conserved ? char{1} : char{0});
  return {std::move(start), Vector::Zero(count_), std::move(is_kept),
          sum > 0.0 && std::isfinite(sum) ? std::sqrt(sum / at_.nq) : 1.0};
}

}  // namespace vinculum::sim
