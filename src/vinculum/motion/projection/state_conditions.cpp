#include "vinculum/motion/projection/state_conditions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "vinculum/base/index.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/motion/newton.hpp"
#include "vinculum/motion/projection/corrections.hpp"

namespace vinculum::sim {
namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr int kMostOfConditions = 12;  // most iterations of a projection
// Weight of a change of an extra state relative to a change of a coordinate, both in typical sizes. The weight is
// large, so that coordinates are corrected rather than extra states if a constraint contains coordinates: extra states
// result from the motion.
constexpr double kWeightOfStates = 1e4;

int count_of_conditions(const CompiledModel& compiled) {
  std::size_t count = 0;
  for (const equations::Row& row : compiled.system->rows) count += row.conditions.size();
  return static_cast<int>(count);
}

}  // namespace

StateConditions::StateConditions(StateKernels& at, EquationPieces& pieces)
    : at_(at),
      pieces_(pieces),
      count_(count_of_conditions(*at.compiled)),
      places_(static_cast<int>(at.compiled->position_rows.size())),
      solver_(at.nu + at.nz, places_ + count_),
      metric_(Matrix::Zero(at.nu + at.nz, at.nu + at.nz)),
      A_(Matrix::Zero(places_ + count_, metric_.cols())),
      certainty_(Vector::Ones(places_ + count_)),
      missed_(Vector::Zero(places_ + count_)),
      size_(Vector::Ones(metric_.cols())),
      force_(Vector::Zero(metric_.cols())),
      change_q_(Vector::Zero(at.nq)) {
  solution_.u = solution_.Q = Vector::Zero(metric_.cols());
  solution_.lambda = Vector::Zero(places_ + count_);
}

void StateConditions::read(const Sample& sample) {
  at_.input[0] = sample.t;
  double* place = at_.input.data() + 1;
  for (const Vector* part : {&sample.q, &sample.u, &sample.z}) place = std::copy_n(part->data(), part->size(), place);
  at_.evaluate(at_.bound->conditions);
}

Outcome<double> StateConditions::measure(double t, const double* y) {
  if (!pieces_.read_matrices(t, y, pieces_.matrices)) return fail(pieces_.non_finite(t, y));
  for (int k = 0; k < places_; ++k) {
    A_.row(k).head(at_.nu) = pieces_.matrices.A.row(nth(at_.compiled->position_rows, k));
    certainty_[k] = pieces_.matrices.certainty[nth(at_.compiled->position_rows, k)];
    missed_[k] = pieces_.matrices.phi[nth(at_.compiled->position_rows, k)];
  }
  at_.load(t, y);
  at_.evaluate(at_.bound->conditions);
  missed_.tail(count_) = Eigen::Map<const Vector>(at_.result.data(), count_);
  A_.bottomRows(count_) = Eigen::Map<const RowMajor>(at_.result.data() + count_, count_, at_.nu + at_.nz);
  if (!missed_.allFinite() || !A_.allFinite()) return fail(pieces_.non_finite(t, y));
  double worst = 0.0;
  for (Eigen::Index k = 0; k < missed_.size(); ++k) {
    const double size = A_.row(k).cwiseAbs().dot(size_);
    worst = std::max(worst, size > 0.0 ? std::abs(missed_[k]) / size : 0.0);
  }
  return worst;
}

Failure StateConditions::missed(double t, double worst) const {
  Failure failure;
  failure.kind = FailureKind::kInconsistent;
  failure.t = t;
  failure.size = worst;
  Eigen::Index at = 0;
  missed_.cwiseAbs().maxCoeff(&at);
  for (int row = 0, next = places_; row < at_.nc; ++row) {
    const auto count = static_cast<int>(nth(at_.compiled->system->rows, row).conditions.size());
    const bool is_it = at < places_ ? nth(at_.compiled->position_rows, at) == row : at >= next && at < next + count;
    if (is_it) failure.rows = {row};
    next += count;
  }
  failure.message = fmt::format("constraint `{}` cannot be met any more: it is missed by {:.3g}",
                                at_.compiled->row_name(failure.rows.front()), std::abs(missed_[at]));
  return failure;
}

Outcome<double> StateConditions::project(double t, double* y) {
  double moved = 0.0;
  size_.head(at_.nu) = at_.sizes.displacement;
  size_.tail(at_.nz) = at_.sizes.scale.tail(at_.nz);
  const auto correct = [&](double worst) -> Outcome<bool> {
    metric_.topLeftCorner(at_.nu, at_.nu) = pieces_.matrices.metric;
    double largest = 0.0;
    for (int r = 0; r < at_.nu; ++r) largest = std::max(largest, pieces_.matrices.metric(r, r) * size_[r] * size_[r]);
    if (!(largest > 0.0)) largest = 1.0;
    for (int r = 0; r < at_.nu; ++r) metric_(r, r) += tolerance::kConditioned * largest / (size_[r] * size_[r]);
    for (int j = at_.nu; j < at_.nu + at_.nz; ++j) metric_(j, j) = kWeightOfStates * largest / (size_[j] * size_[j]);
    if (auto done = solver_.factor(metric_, A_, certainty_, pieces_.rows.seen_by_rows(worst)); !done)
      return fail(pieces_.named(std::move(done.error()), t, model::Level::kPosition));
    missed_ = -missed_;
    solver_.solver().solve_least_squares(force_, missed_, solution_);
    change_q_.noalias() = pieces_.matrices.G * solution_.u.head(at_.nu);
    add_correction(at_.sizes, y, 0, change_q_, moved);
    add_correction(at_.sizes, y, at_.nq + at_.nu, solution_.u.tail(at_.nz), moved);
    return false;
  };
  const auto stalled = [&](double worst) -> std::optional<Outcome<void>> {
    return Outcome<void>(fail(missed(t, worst)));
  };
  const NewtonRule rule{kMostOfConditions, tolerance::kEqual, tolerance::kStagnation, 3};
  auto met = iterate_newton(rule, [&] { return measure(t, y); }, stalled, correct);
  return met ? Outcome<double>(moved) : fail(std::move(met.error()));
}

}  // namespace vinculum::sim
