#include "vinculum/motion/dynamics.hpp"

#include <algorithm>
#include <utility>

#include "vinculum/base/contract.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/motion/dynamics_impl.hpp"
#include "vinculum/motion/surface_motion.hpp"
#include "vinculum/numeric/finite.hpp"

namespace vinculum::sim {
namespace {

constexpr int kCallsUntilTold = 1'000'000'000;

double largest(const Vector& v) { return v.size() > 0 ? v.maxCoeff() : 0.0; }

}  // namespace

Dynamics::Impl::RowSet::RowSet(const std::vector<int>& of, int nu)
    : rows(of),
      solver(nu, static_cast<int>(of.size())),
      certainty(Vector::Ones(static_cast<Eigen::Index>(of.size()))),
      defect(Vector::Zero(certainty.size())) {
  solution.u = Vector::Zero(nu);
  solution.lambda = Vector::Zero(certainty.size());
  solution.Q = Vector::Zero(nu);
}

Dynamics::Impl::Impl(const std::shared_ptr<const Binding>& bound, const Mode& start)
    : at_(bound),
      pieces_(at_, start),
      report_input(static_cast<std::size_t>(1 + at_.ny + at_.nu + 2 * at_.nc + bound->compiled->effort_count() +
                                            bound->compiled->slide_size()) +
                       bound->compiled->system->top().size() + bound->compiled->system->vectors.size(),
                   0.0),
      pivoted(at_.nu, at_.nc),
      force(Vector::Zero(at_.nu)),
      positions(bound->compiled->position_rows, at_.nu),
      speeds(bound->compiled->velocity_rows, at_.nu),
      correction(Vector::Zero(std::max(at_.nq, at_.nu))),
      projected(Vector::Zero(at_.ny)),
      lambda(Vector::Zero(at_.nc)),
      state_input(static_cast<std::size_t>(1 + at_.ny + at_.nc + bound->compiled->slide_size()), 0.0) {
  if (!at_.compiled->system->directed.empty()) directed = std::make_unique<Directed>(*at_.compiled->system);
  if (takes_augmented()) augmented = std::make_unique<Augmented>(*at_.compiled->system);
  if (at_.compiled->is_implicit()) make_implicit();
  if (at_.compiled->system->higher) higher = std::make_unique<Higher>(*bound);
  if (bound->conditions.kernel) conditions = std::make_unique<Conditions>(*bound);
  for (Vector* v : {&solved.u, &solved.Q}) v->setZero(at_.nu);
  solved.lambda.setZero(at_.nc);
  solved.effort.setZero(at_.compiled->effort_count());
}

/// Nothing restores a row that the coordinates hold, and nothing needs to.
Outcome<double> Dynamics::Impl::factor_at(double t, const double* y) {
  if (auto done = pieces_.evaluate(t, y, pieces_.matrices); !done) return fail(std::move(done.error()));
  const double defect = pieces_.rows.relative_defect(pieces_.matrices);
  // Positions are what they were when speeds were corrected, so mostly A and M are, too.
  if (&route() == &pivoted) pivoted.take_factor_of(pieces_.matrices, speeds.solver);
  if (auto done = route().factor(pieces_.matrices, pieces_.rows.seen_by_rows(defect)); !done) {
    return fail(pieces_.named(std::move(done.error()), t, model::Level::kAcceleration));
  }
  return defect;
}

Outcome<void> Dynamics::Impl::pivoted_derivative(double t, const double* y, double* y_dot, bool is_on_constraints) {
  if (formulation == equations::Formulation::kExplicit) ++at_.mode->counts.fallbacks;
  if (derivative_by_entries(t, y, y_dot)) return {};
  bool is_projected = is_on_constraints;
  auto defect = factor_at(t, is_projected ? projected.data() : y);
  // Off the constraints a small inertia cannot be told from none; on them its pivots are known to rounding.
  const bool is_hidden = !is_projected && !defect && defect.error().kind == FailureKind::kSingularByMultipliers &&
                         pieces_.rows.relative_defect(pieces_.matrices) > tolerance::kRounded;
  if (!defect && !is_hidden) return fail(defect.error());
  const bool is_off = is_hidden || is_projected || *defect > tolerance::kRounded;
  const bool is_explicit = &route() == &pivoted;
  bool is_to_project = is_hidden;
  if (is_off && !is_hidden && is_explicit && pivoted.rows().conditioning() < kNearlyDependent) {
    at_.mode->calls_on_constraints = kCallsNearSingular;
    is_to_project = !is_projected;
  }
  if (formulation != equations::Formulation::kExplicit && !is_hidden) {
    is_to_project = is_off;  // always on the manifold: pivots of theirs are squared, or those of one choice of speeds
    at_.mode->calls_on_constraints = std::max(0, at_.mode->calls_on_constraints - 1);
    const bool is_near =
        pivoted.factor(pieces_.matrices, pieces_.rows.seen_by_rows(*defect)) && pivoted.rows().conditioning() < kNearlyDependent;
    if (is_near) at_.mode->calls_on_constraints = kCallsNearSingular;
  }
  if (is_off && !is_projected && !is_to_project && pieces_.rows.has_doubtful_row(pieces_.matrices, *defect)) {
    at_.mode->calls_on_constraints = kCallsNearSingular;
    is_to_project = true;
  }
  while (true) {
    if (std::exchange(is_to_project, false)) {
      is_projected = true;
      projected = Eigen::Map<const Vector>(y, at_.ny);
      if (auto done = project_onto_constraints(t, projected.data()); !done) return fail(std::move(done.error()));
      defect = factor_at(t, projected.data());
      if (!defect) return fail(defect.error());
    }
    auto done = solve_accelerations(pieces_.rows.seen_by_rows(*defect));
    if (done) break;
    // Rows that depend on each other contradict each other off the manifold; what persists on it is a failure.
    if (is_projected || !is_off || done.error().kind != FailureKind::kInconsistent) {
      return fail(pieces_.named(std::move(done.error()), t, model::Level::kAcceleration));
    }
    is_to_project = true;
  }
  if (is_explicit) {
    const int rank = pivoted.rows().rank();
    at_.mode->counts.lowest_rank = at_.mode->counts.lowest_rank < 0 ? rank : std::min(at_.mode->counts.lowest_rank, rank);
  }
  std::copy_n(pieces_.matrices.q_dot.data(), at_.nq, y_dot);
  if (implicit && implicit->sticking && at_.slides->has_any) drop_rounding(solved.u);
  std::copy_n(solved.u.data(), at_.nu, y_dot + at_.nq);
  if (at_.nz > 0) state_rates(t, is_projected ? projected.data() : y, y_dot + at_.nq + at_.nu);
  if (!at_.compiled->nonlinear.empty()) pieces_.nonlinear->follow(t);
  return {};
}

Dynamics::Dynamics(const std::shared_ptr<const Binding>& bound)
    : bound_(bound), mode_(mode_at_start(*bound)), impl_(std::make_unique<Impl>(bound, mode_)) {}
Dynamics::~Dynamics() = default;
Dynamics::Dynamics(Dynamics&&) noexcept = default;
Dynamics& Dynamics::operator=(Dynamics&&) noexcept = default;

void Dynamics::Impl::go_by(Mode& in) {
  at_.go_by(in);
  if (in.levels && !levels) levels = std::make_unique<Levels>(*at_.bound);
  if (minimal) minimal->remember_in(in);
  if (implicit) implicit->friction.remember_in(in.reaction);
  if (pieces_.nonlinear) pieces_.nonlinear->remember_in(in.branch);
}

Dynamics::Impl& Dynamics::in(Mode& mode) {
  impl_->go_by(mode);
  return *impl_;
}

Dynamics::Impl& Dynamics::in_copy(const Mode& mode) {
  copy_ = mode;
  return in(copy_);
}

std::shared_ptr<const Binding> Dynamics::binding_of(const Mode& mode) { return in_copy(mode).at_.bound; }

/// By generated code, where its guards accept it.
bool Dynamics::Impl::generated_derivative(double t, const double* y, double* y_dot) {
  const bool has_friction = at_.compiled->slide_size() > 0;
  if (has_friction) at_.load(t, y);
  const auto is_found_by = [&](const BoundKernel& kernel) {
    if (has_friction && !is_found_with_friction(kernel)) return false;
    if (!has_friction) kernel.evaluate_at(t, y, at_.result.data(), at_.workspace.data());
    return numeric::copy_finite(at_.result.data(), at_.ny, y_dot) && is_accepted(at_.result.data() + at_.ny) &&
           (!at_.compiled->compares_rows || pieces_.rows.do_left_out_agree());
  };
  if (!(at_.bound->reduced_accelerations.kernel && is_found_by(at_.bound->reduced_accelerations)) &&
      !is_found_by(at_.bound->accelerations))
    return false;
  ++at_.mode->counts.static_solves;
  return true;
}

Outcome<void> Dynamics::Impl::derivative(double t, const double* y, double* y_dot) {
  const bool is_near = formulation == equations::Formulation::kExplicit && at_.mode->calls_on_constraints > 0;
  if (is_near) --at_.mode->calls_on_constraints;
  bool is_on_constraints = false;
  if (takes_generated()) {
    const double* const at = is_near ? state_for_generated_code(t, y) : y;
    if (at != nullptr && generated_derivative(t, at, y_dot)) return {};
    is_on_constraints = is_near && at != nullptr;
  }
  if (higher) return derivative_of_higher(t, y, y_dot);
  return pivoted_derivative(t, y, y_dot, is_on_constraints);
}

Outcome<void> Dynamics::derivative(Mode& mode, double t, const double* y, double* y_dot) {
  if (mode.faces.empty()) return in(mode).derivative(t, y, y_dot);
  SurfaceMotion& surfaces = along(mode);
  if (auto done = surfaces.read(*this, mode, t, y); !done) return done;
  std::copy_n(surfaces.y_dot().data(), surfaces.y_dot().size(), y_dot);
  return {};
}

Outcome<void> Dynamics::derivative(const Mode& mode, double t, const double* y, double* y_dot) {
  copy_ = mode;
  return derivative(copy_, t, y, y_dot);
}

Outcome<void> Dynamics::matrices(const Mode& mode, double t, const double* y, Matrices& matrices) {
  Impl& d = in_copy(mode);
  if (!bound_->compiled->has_reaction_forces()) {
    if (auto done = d.pieces_.evaluate(t, y, matrices); !done) return done;
    d.pieces_.show_integrals(t, y, matrices);
    return {};
  }
  if (auto done = d.factor_for_report(t, y); !done) return done;
  matrices = d.pieces_.matrices;
  return {};
}

void Dynamics::show_integrals(double t, const double* y, Matrices& matrices) {
  in(mode_).pieces_.show_integrals(t, y, matrices);
}

void Dynamics::matrices_as_they_are(const Mode& mode, double t, const double* y, Matrices& matrices,
                                    WithMass with_mass) {
  (void)in_copy(mode).pieces_.read_matrices(t, y, matrices, with_mass);
}

void Dynamics::gradients(const Mode& mode, double t, const double* y, numeric::SparseRows& A, Vector& residual) {
  in_copy(mode).pieces_.gradients(t, y, A, residual);
}

void Dynamics::learn_row_sizes(Mode& mode, double t, const Vector& y) { in(mode).pieces_.learn_usual_sizes(t, y); }

void Dynamics::set_scale(const Vector& scale, double tolerance) {
  VINCULUM_EXPECTS(scale.size() == impl_->at_.ny && largest(-scale) < 0.0);
  impl_->at_.set_scale(scale, tolerance);
  mode_.knows_sizes = false;
}

const Vector& Dynamics::scale() const { return impl_->at_.sizes.scale; }

void Dynamics::set_near_singular(Mode& mode, Near what) const {
  if (impl_->formulation == equations::Formulation::kMinimal) return;  // which changes its speeds by itself
  const bool has_short_rows = what == Near::kShortRows;
  int calls = mode.calls_on_constraints;  // of the second routes, which are on the manifold always, their solves'
  if (impl_->formulation == equations::Formulation::kExplicit)
    calls = what != Near::kNothing ? kCallsUntilTold : std::min(calls, kCallsNearSingular);
  mode.calls_on_constraints = calls;
  mode.has_short_rows = has_short_rows;
}

}  // namespace vinculum::sim
