// Back onto the constraints: positions, then speeds, each by Newton's iteration (newton.hpp).
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <tuple>
#include <utility>

#include "vinculum/base/index.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/motion/dynamics_impl.hpp"
#include "vinculum/motion/newton.hpp"
#include "vinculum/motion/surface_motion.hpp"
#include "vinculum/numeric/finite.hpp"

namespace vinculum::sim {
namespace {

constexpr int kMaxNewton = 12;
constexpr int kMostReturns = 3;  // to surfaces that are not flat
constexpr double kShort = 10.0;  // times as long as a row that is left out
// Hundred times what generated accelerations err by where their guards accept them.
constexpr double kLeavesRoom = tolerance::kQuadratic;

}  // namespace

void Dynamics::Impl::normalize_quaternions(double* y) const {
  for (const std::array<int, 4>& e : at_.compiled->system->quaternions) {
    double norm2 = 0.0;
    for (const int i : e) norm2 += y[i] * y[i];
    if (std::abs(norm2 - 1.0) <= 4.0 * tolerance::kRounding || !(norm2 > 0.0)) continue;
    const double factor = 1.0 / std::sqrt(norm2);
    for (const int i : e) y[i] *= factor;
  }
}

Outcome<void> Dynamics::Impl::pivoted_correction(double t, const double* y, RowSet& set, bool of_positions,
                                                 double worst) {
  ++at_.mode->counts.fallbacks;
  if (correction_by_entries(t, y, set, of_positions, worst)) return {};
  if (auto done = pieces_.evaluate(t, y, pieces_.matrices); !done) return done;
  if (set.defect.size() == at_.nc) {
    set.A = pieces_.matrices.A;
  } else {
    set.A.resize(set.defect.size(), at_.nu);
    for (std::size_t k = 0; k < set.rows.size(); ++k)
      set.A.row(static_cast<Eigen::Index>(k)) = pieces_.matrices.A.row(set.rows[k]);
  }
  set.lengths.setZero(set.defect.size());
  for (int j = 0; j < at_.nu; ++j) set.lengths += at_.sizes.scale[at_.nq + j] * set.A.col(j).cwiseAbs();
  for (std::size_t k = 0; k < set.rows.size(); ++k) {
    const auto at = static_cast<Eigen::Index>(k);
    set.certainty[at] = pieces_.matrices.certainty[set.rows[k]];
    // Rounding of a violation over so short a gradient would be a long way: the other rows lead where it holds.
    if (set.lengths[at] <= tolerance::kNearSingular * at_.sizes.usual_row[set.rows[k]]) set.A.row(at).setZero();
    set.defect[at] = -(of_positions ? pieces_.matrices.phi : pieces_.matrices.psi)[set.rows[k]];
  }
  if (auto done = set.solver.factor(pieces_.matrices.metric, set.A, set.certainty, pieces_.rows.seen_by_rows(worst)); !done) {
    return fail(pieces_.named(std::move(done.error()), t, model::Level::kAcceleration));
  }
  force.setZero();
  set.solver.solver().solve_least_squares(force, set.defect, set.solution);
  if (of_positions) {
    correction.head(at_.nq).noalias() = pieces_.matrices.G * set.solution.u;
  } else {
    correction.head(at_.nu) = set.solution.u;
  }
  return {};
}

double Dynamics::Impl::add_correction(double* y, int first, ConstVector change, double& moved) const {
  double largest = 0.0;
  for (Eigen::Index i = 0; i < change.size(); ++i) {
    y[first + i] += change[i];
    largest = std::max(largest, std::abs(change[i]) * at_.sizes.inverse_scale[first + i]);
  }
  moved = std::max(moved, largest);
  return at_.sizes.tolerance > 0.0 ? at_.sizes.tolerance * largest : largest;  // before a run there is none in the inverse
}

/// Whether a correction by all rows follows what may be rounding of those that are about to vanish, far enough to
/// matter, and the pivoted solver might lead elsewhere: that it does where it leaves rows out, as they are so short
/// that little of them is known, or where the distance from the constraints leaves their rank in doubt. Both show in
/// how far the correction goes, ten times as short as it would have to be for one, a thousand for the other, as rows
/// may turn by so many times what the state moves (`turning`).
bool Dynamics::Impl::goes_far(const double* change, bool of_positions, double violation) const {
  const auto size = of_positions ? at_.sizes.scale.head(at_.nq) : at_.sizes.scale.segment(at_.nq, at_.nu);
  const Eigen::Map<const Vector> by(change, size.size());
  const double moved = by.cwiseQuotient(size).cwiseAbs().maxCoeff();
  if (moved * kNearlyDependent <= violation || moved <= tolerance::kFloor * at_.sizes.tolerance) return false;
  return violation < kShort * tolerance::kNearSingular * moved || moved > tolerance::kNearSingular;
}

/// By its pivots. What it misses of the rows is measured behind it.
bool Dynamics::Impl::is_correction_accepted(const double* change, int count, double contraction) const {
  return at_.bound->trusts_generated && contraction <= solve::StaticLdlt::kTolContraction &&
         numeric::is_finite(change, count);
}

/// Terms of a violation are as large as those of its row usually are: near a pose where its gradient is short it is
/// rounding of them, however far that is along the gradient.
bool Dynamics::Impl::is_rounding_of_terms(const RowSet& set, const double* violation, bool of_positions) const {
  const Vector& size = of_positions ? at_.mode->position_size : at_.mode->velocity_size;
  const Vector& usual = of_positions ? at_.sizes.usual_gradient : at_.sizes.usual_row;
  for (std::size_t k = 0; k < set.rows.size(); ++k) {
    const double most = tolerance::kStagnation * std::max(nth(size, k), usual[set.rows[k]]);
    if (!(std::abs(violation[k]) <= most)) return false;
  }
  return true;
}

Failure Dynamics::Impl::contradiction(double t, const RowSet& set, const double* violation, bool of_positions) const {
  const Vector& size = of_positions ? at_.mode->position_size : at_.mode->velocity_size;
  const auto relative = [&](std::size_t k) { return std::abs(violation[k]) / nth(size, k); };
  std::size_t worst = 0;
  for (std::size_t k = 1; k < set.rows.size(); ++k)
    if (relative(k) > relative(worst)) worst = k;
  Failure failure;
  failure.kind = FailureKind::kInconsistent;
  failure.rows = {set.rows[worst]};
  for (std::size_t k = 0; k < set.rows.size(); ++k)
    if (k != worst && relative(k) > tolerance::kNamed * relative(worst)) failure.rows.push_back(set.rows[k]);
  failure.size = std::abs(violation[worst]);
  return pieces_.named(std::move(failure), t, of_positions ? model::Level::kPosition : model::Level::kVelocity);
}

Outcome<double> Dynamics::Impl::project_rows(double t, double* y, RowSet& set, const BoundKernel& reduced,
                                             const BoundKernel& whole, bool of_positions) {
  const int count = of_positions ? at_.nq : at_.nu;
  const int row_count = static_cast<int>(set.rows.size());
  const Vector& size = of_positions ? at_.mode->position_size : at_.mode->velocity_size;
  const double* const violation = at_.result.data() + count;
  double moved = 0.0;
  bool with_all_rows = false;  // the static correction is by the kept rows
  std::optional<std::pair<Vector, Vector>> sizes_before;
  const auto measure = [&]() -> Outcome<double> {
    at_.load(t, y);
    at_.evaluate(reduced.kernel ? reduced : whole);
    double worst = 0.0;
    for (int k = 0; k < row_count; ++k) {
      const double relative = std::abs(violation[k]) / size[k];
      if (!(relative <= worst)) worst = relative;
    }
    if (!std::isfinite(worst)) return fail(pieces_.non_finite(t, y));
    return worst;
  };
  const auto stalled = [&](double) -> std::optional<Outcome<void>> {
    if (is_rounding_of_terms(set, violation, of_positions)) return Outcome<void>();
    if (!std::exchange(with_all_rows, true)) return std::nullopt;
    // A gradient may have grown since rows were measured: a wire that lay flat at the start and is steep here.
    if (!sizes_before) {
      sizes_before.emplace(at_.mode->position_size, at_.mode->velocity_size);
      pieces_.learn_sizes_at(t, y);
      return std::nullopt;
    }
    return fail(contradiction(t, set, violation, of_positions));
  };
  const auto is_trusted = [&](double worst) {
    return is_correction_accepted(at_.result.data(), count, violation[row_count]) &&
           (at_.mode->calls_on_constraints == 0 || !goes_far(at_.result.data(), of_positions, worst));
  };
  const auto is_generated = [&](double worst) {
    if (with_all_rows) return false;
    if (is_trusted(worst)) return true;
    if (!reduced.kernel) return false;
    at_.evaluate(whole);
    return is_trusted(worst);
  };
  const auto correct = [&](double worst) -> Outcome<bool> {
    if (is_generated(worst)) {
      ++at_.mode->counts.static_solves;
      std::copy_n(at_.result.data(), count, correction.data());
    } else if (auto done = pivoted_correction(t, y, set, of_positions, worst); !done) {
      return fail(std::move(done.error()));
    }
    const double relative = add_correction(y, of_positions ? 0 : at_.nq, correction.head(count), moved);
    // φ = A dq bounds the violation by the correction where the rows can be met at all.
    return relative < tolerance::kQuadratic && worst <= 4.0 * relative;
  };
  const NewtonRule rule{kMaxNewton, tolerance::kRounding, tolerance::kStagnation};
  auto met = iterate_newton(rule, measure, stalled, correct);
  if (sizes_before) std::tie(at_.mode->position_size, at_.mode->velocity_size) = std::move(*sizes_before);
  if (!met) return fail(std::move(met.error()));
  return moved;
}

Outcome<double> Dynamics::Impl::project(double t, double* y) {
  normalize_quaternions(y);
  auto moved = project_onto_constraints(t, y);
  if (!moved) return moved;
  if (at_.mode->levels) {
    const auto further = keep_levels(t, y);
    if (!further) return further;
    moved = std::max(*moved, *further);
  }
  normalize_quaternions(y);  // positions move along rotations: off by the square of what they moved
  return moved;
}

/// Norms of quaternions are left as they are: stages of a step that had other norms would be taken for more exact than
/// they are.
Outcome<double> Dynamics::Impl::project_onto_constraints(double t, double* y) {
  double moved = 0.0;
  // The second routes have squared pivots, or those of one choice: what is off the constraints counts by the rows
  // there.
  if (formulation != equations::Formulation::kExplicit) at_.mode->knows_sizes = false;
  if (!at_.mode->knows_sizes && at_.nc > 0) pieces_.learn_sizes_at(t, y);
  if (higher) return project_hidden(t, y);
  if (conditions) {
    const auto done = project_onto_conditions(t, y);
    if (!done) return done;
    moved = *done;
  } else if (!positions.rows.empty()) {
    const auto done = project_rows(t, y, positions, at_.bound->reduced_position, at_.bound->position, true);
    if (!done) return done;
    moved = *done;
  }
  if (!speeds.rows.empty()) {
    const auto done = project_rows(t, y, speeds, at_.bound->reduced_velocity, at_.bound->velocity, false);
    if (!done) return done;
    moved = std::max(moved, *done);
  }
  // All speeds have changed least, which leaves the motion as it is; the dependent ones follow from the rows to
  // rounding. Where rows are close to dependent no choice of speeds determines the others.
  if (formulation == equations::Formulation::kMinimal && at_.mode->calls_on_constraints == 0) {
    const auto done = project_minimal(t, y);
    if (!done) return done;
    moved = std::max(moved, *done);
  }
  const auto done = project_sticking(t, y);
  if (!done) return done;
  return std::max(moved, *done);
}

/// The state on the constraints where generated code is to be asked near a singular pose; null where it is not.
const double* Dynamics::Impl::state_for_generated_code(double t, const double* y) {
  if (!at_.mode->has_short_rows && !(at_.sizes.tolerance >= kLeavesRoom)) return nullptr;
  projected = Eigen::Map<const Vector>(y, at_.ny);
  return project_onto_constraints(t, projected.data()) ? projected.data() : nullptr;
}

/// The motion along surfaces returns to them, too.
Outcome<double> Dynamics::project(Mode& mode, double t, double* y) {
  const auto moved = in(mode).project(t, y);
  if (!moved || mode.faces.empty()) return moved;
  SurfaceMotion& surfaces = along(mode);
  if (&mode != &copy_) copy_ = mode;  // the faces are looked at
  double further = 0.0;
  for (int i = 0; i < kMostReturns; ++i) {
    if (auto done = surfaces.read(*this, copy_, t, y); !done) return fail(std::move(done.error()));
    const Vector& change = surfaces.correction();
    Eigen::Map<Vector>(y, change.size()) += change;
    const double by = change.cwiseAbs().dot(impl_->at_.sizes.inverse_scale);
    further += by;
    if (by <= 1.0) break;  // a tolerance, whose square is left
  }
  return std::max(*moved, further);
}

Outcome<double> Dynamics::project(const Mode& mode, double t, double* y) {
  copy_ = mode;
  return project(copy_, t, y);
}

}  // namespace vinculum::sim
