#include "vinculum/motion/projection/row_projection.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "vinculum/base/index.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/motion/accelerations/near_singular.hpp"
#include "vinculum/motion/newton.hpp"
#include "vinculum/motion/projection/corrections.hpp"
#include "vinculum/numeric/finite.hpp"
#include "vinculum/solve/generated/static_ldlt.hpp"

namespace vinculum::sim {
namespace {

constexpr int kMaxNewton = 12;  // most iterations of a projection
// A row counts as short if its length is at most this multiple of kNearSingular × its typical length. (At kNearSingular
// × its typical length, a row is left out.)
constexpr double kShort = 10.0;

}  // namespace

RowProjection::RowProjection(Of of, StateKernels& at, EquationPieces& pieces, SparseSolver& sparse)
    : at_(at),
      pieces_(pieces),
      sparse_(sparse),
      is_of_positions_(of == Of::kPositions),
      count_(is_of_positions_ ? at.nq : at.nu),
      rows_(is_of_positions_ ? at.compiled->position_rows : at.compiled->velocity_rows),
      solver_(at.nu, static_cast<int>(rows_.size())),
      certainty_(Vector::Ones(static_cast<Eigen::Index>(rows_.size()))),
      defect_(Vector::Zero(certainty_.size())),
      no_force_(Vector::Zero(at.nu)),
      correction_(Vector::Zero(count_)) {
  solution_.u = Vector::Zero(at.nu);
  solution_.lambda = Vector::Zero(certainty_.size());
  solution_.Q = Vector::Zero(at.nu);
}

Outcome<double> RowProjection::measure(double t, const double* y) {
  const Binding& bound = *at_.bound;
  const BoundKernel& reduced = is_of_positions_ ? bound.reduced_position : bound.reduced_velocity;
  at_.load(t, y);
  at_.evaluate(reduced.kernel ? reduced : is_of_positions_ ? bound.position : bound.velocity);
  const double* const missed = violation();
  const Vector& sizes = size();
  double worst = 0.0;
  for (Eigen::Index k = 0; k < defect_.size(); ++k) {
    const double relative = std::abs(missed[k]) / sizes[k];
    if (!(relative <= worst)) worst = relative;
  }
  if (!std::isfinite(worst)) return fail(pieces_.non_finite(t, y));
  return worst;
}

/// Whether the correction by generated code may be applied, judged by its pivots. Its residual is not checked, because
/// the next iteration measures the violation that remains.
bool RowProjection::is_trusted(double worst) const {
  const double* const change = at_.result.data();
  const double contraction = violation()[rows_.size()];
  return at_.bound->trusts_generated && contraction <= solve::StaticLdlt::kTolContraction &&
         numeric::is_finite(change, count_) && (at_.mode->calls_on_constraints == 0 || !goes_far(change, worst));
}

bool RowProjection::is_generated(double worst) {
  if (is_trusted(worst)) return true;
  const Binding& bound = *at_.bound;
  if (!(is_of_positions_ ? bound.reduced_position : bound.reduced_velocity).kernel) return false;
  at_.evaluate(is_of_positions_ ? bound.position : bound.velocity);
  return is_trusted(worst);
}

/// Whether a correction by generated code is suspicious: it is large enough to matter, and it may consist of rounding
/// errors of nearly vanishing rows. Then the pivoted solver could compute another correction, because it leaves out
/// rows that are too short, or because the violation makes the rank uncertain. In both cases the ratio of correction to
/// violation is large. The limits are 10 and 1000 times stricter than necessary, because rows may change faster than
/// the state (`RowConditioning::seen_by_rows`).
bool RowProjection::goes_far(const double* change, double worst) const {
  const auto scale = at_.sizes.scale.segment(is_of_positions_ ? 0 : at_.nq, count_);
  const Eigen::Map<const Vector> by(change, count_);
  const double moved = by.cwiseQuotient(scale).cwiseAbs().maxCoeff();
  if (moved * kNearlyDependent <= worst || moved <= tolerance::kFloor * at_.sizes.tolerance) return false;
  return worst < kShort * tolerance::kNearSingular * moved || moved > tolerance::kNearSingular;
}

/// Whether all violations are rounding errors, compared with the terms of their rows at typical size. If the gradient
/// of a row is short, even such a violation may correspond to a long distance along the gradient.
bool RowProjection::is_rounding_of_terms() const {
  const Vector& usual = is_of_positions_ ? at_.sizes.usual_gradient : at_.sizes.usual_row;
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    const double most = tolerance::kStagnation * std::max(nth(size(), k), usual[rows_[k]]);
    if (!(std::abs(violation()[k]) <= most)) return false;
  }
  return true;
}

Failure RowProjection::contradiction(double t) const {
  const auto relative = [&](std::size_t k) { return std::abs(violation()[k]) / nth(size(), k); };
  std::size_t worst = 0;
  for (std::size_t k = 1; k < rows_.size(); ++k)
    if (relative(k) > relative(worst)) worst = k;
  Failure failure;
  failure.kind = FailureKind::kInconsistent;
  failure.rows = {rows_[worst]};
  for (std::size_t k = 0; k < rows_.size(); ++k)
    if (k != worst && relative(k) > tolerance::kNamed * relative(worst)) failure.rows.push_back(rows_[k]);
  failure.size = std::abs(violation()[worst]);
  return pieces_.named(std::move(failure), t, is_of_positions_ ? model::Level::kPosition : model::Level::kVelocity);
}

Outcome<void> RowProjection::correct_by_pivots(double t, const double* y, double worst) {
  ++at_.mode->counts.fallbacks;
  if (sparse_.correct(t, y, rows_, is_of_positions_, worst, defect_, correction_)) return {};
  Matrices& m = pieces_.matrices;
  if (auto done = pieces_.evaluate(t, y, m); !done) return done;
  if (defect_.size() == at_.nc) {
    A_ = m.A;
  } else {
    A_.resize(defect_.size(), at_.nu);
    for (std::size_t k = 0; k < rows_.size(); ++k) A_.row(static_cast<Eigen::Index>(k)) = m.A.row(rows_[k]);
  }
  lengths_.setZero(defect_.size());
  for (int j = 0; j < at_.nu; ++j) lengths_ += at_.sizes.scale[at_.nq + j] * A_.col(j).cwiseAbs();
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    const auto row = static_cast<Eigen::Index>(k);
    certainty_[row] = m.certainty[rows_[k]];
    // If the gradient of a row is this short compared with its typical length, the rounding error of φ or ψ would give
    // a large correction. So the row is left out, and the other rows correct the state.
    if (lengths_[row] <= tolerance::kNearSingular * at_.sizes.usual_row[rows_[k]]) A_.row(row).setZero();
    defect_[row] = -(is_of_positions_ ? m.phi : m.psi)[rows_[k]];
  }
  if (auto done = solver_.factor(m.metric, A_, certainty_, pieces_.rows.seen_by_rows(worst)); !done) {
    return fail(pieces_.named(std::move(done.error()), t, model::Level::kAcceleration));
  }
  solver_.solver().solve_least_squares(no_force_, defect_, solution_);
  if (is_of_positions_) {
    correction_.noalias() = m.G * solution_.u;
  } else {
    correction_ = solution_.u;
  }
  return {};
}

Outcome<double> RowProjection::project(double t, double* y) {
  double moved = 0.0;
  bool with_all_rows = false;  // generated code corrects by independent rows only
  std::optional<std::pair<Vector, Vector>> sizes_before;
  const auto stalled = [&](double) -> std::optional<Outcome<void>> {
    if (is_rounding_of_terms()) return Outcome<void>();
    if (!std::exchange(with_all_rows, true)) return std::nullopt;
    // A gradient may have grown since the sizes of rows were determined. Example: a bead on a wire that is flat at the
    // start and steep at this state.
    if (!sizes_before) {
      sizes_before.emplace(at_.mode->position_size, at_.mode->velocity_size);
      pieces_.learn_sizes_at(t, y);
      return std::nullopt;
    }
    return fail(contradiction(t));
  };
  const auto correct = [&](double worst) -> Outcome<bool> {
    if (!with_all_rows && is_generated(worst)) {
      ++at_.mode->counts.static_solves;
      std::copy_n(at_.result.data(), count_, correction_.data());
    } else if (auto done = correct_by_pivots(t, y, worst); !done) {
      return fail(std::move(done.error()));
    }
    const double relative = add_correction(at_.sizes, y, is_of_positions_ ? 0 : at_.nq, correction_, moved);
    // To first order the violation is A dq, with dq the correction. So it cannot exceed the correction if the rows can
    // be made zero.
    return relative < tolerance::kQuadratic && worst <= 4.0 * relative;
  };
  const NewtonRule rule{kMaxNewton, tolerance::kRounding, tolerance::kStagnation};
  auto met = iterate_newton(rule, [&] { return measure(t, y); }, stalled, correct);
  if (sizes_before) std::tie(at_.mode->position_size, at_.mode->velocity_size) = std::move(*sizes_before);
  if (!met) return fail(std::move(met.error()));
  return moved;
}

}  // namespace vinculum::sim
