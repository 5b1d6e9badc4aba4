#include "vinculum/motion/dynamics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "vinculum/base/contract.hpp"
#include "vinculum/base/index.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/compiled/late_matrices.hpp"
#include "vinculum/compiled/scales.hpp"
#include "vinculum/compiled/watches.hpp"
#include "vinculum/motion/dynamics_impl.hpp"
#include "vinculum/numeric/finite.hpp"

namespace vinculum::sim {
namespace {

constexpr int kCallsUntilTold = 1'000'000'000;

std::size_t needed(const Binding& bound_kernels, std::size_t (codegen::Kernel::*count)() const) {
  std::size_t most = 1;
  for (const auto kernel : kKernels) {
    if (const auto& bound = bound_kernels.*kernel; bound.kernel) most = std::max(most, ((*bound.kernel).*count)());
  }
  return most;
}

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

Dynamics::Impl::Impl(std::shared_ptr<Binding> binding)
    : bound(std::move(binding)),
      compiled(bound->compiled),
      nq(compiled->nq()),
      nu(compiled->nu()),
      nc(compiled->nc()),
      nz(compiled->nz()),
      ny(nq + nu + nz),
      input(static_cast<std::size_t>(1 + ny + compiled->slide_size()), 0.0),
      report_input(static_cast<std::size_t>(1 + ny + nu + 2 * nc + compiled->effort_count() + compiled->slide_size()) +
                       compiled->system->top().size() + compiled->system->vectors.size(),
                   0.0),
      layout(compiled->layout),
      pivoted(nu, nc),
      positions(compiled->position_rows, nu),
      speeds(compiled->velocity_rows, nu),
      correction(Vector::Zero(std::max(nq, nu))),
      projected(Vector::Zero(ny)),
      lambda(Vector::Zero(nc)),
      state_input(static_cast<std::size_t>(1 + ny + nc + compiled->slide_size()), 0.0) {
  w.scale = stated_scale(*bound);
  w.inverse_scale = w.scale.cwiseInverse();
  w.displacement = displacement_scale(*bound, w.scale.head(nq));
  w.usual_row = w.usual_gradient = Vector::Zero(nc);
  w.position_size = positions.size_without_gradient = row_scale(*bound, positions.rows, model::Level::kPosition);
  w.velocity_size = speeds.size_without_gradient = row_scale(*bound, speeds.rows, model::Level::kVelocity);
  result.resize(needed(*bound, &codegen::Kernel::output_count));
  workspace.resize(needed(*bound, &codegen::Kernel::workspace_size));
  matrices.q_dot = Vector::Zero(nq);
  matrices.f = matrices.C = force = Vector::Zero(nu);
  matrices.certainty = Vector::Ones(nc);
  matrices.b = matrices.doubt = matrices.phi = matrices.psi = Vector::Zero(nc);
  if (!compiled->system->directed.empty()) directed = std::make_unique<Directed>(*compiled->system);
  if (takes_augmented()) augmented = std::make_unique<Augmented>(*compiled->system);
  if (compiled->is_implicit()) make_implicit();
  if (compiled->system->higher) higher = std::make_unique<Higher>(*bound);
  if (bound->conditions.kernel) conditions = std::make_unique<Conditions>(*bound);
  for (Vector* v : {&solved.u, &solved.Q}) v->setZero(nu);
  solved.lambda.setZero(nc);
  solved.effort.setZero(compiled->effort_count());
}

void Dynamics::Impl::load(double t, const double* y) {
  input[0] = t;
  std::copy_n(y, ny, input.data() + 1);
  if (implicit && implicit->sticking) load_directions();
}

void Dynamics::Impl::evaluate(const BoundKernel& kernel) {
  kernel.evaluate(input.data(), result.data(), workspace.data());
}

const BoundKernel& Dynamics::Impl::kernel_of_matrices() {
  if (!compiled->late_matrices) return bound->matrices;
  if (!late.kernel) {
    const LateMatrices::Compiled& found = compiled->late_matrices->get();
    late = {found.kernel, found.kernel->prepare(bound->bound_values())};
    layout = found.layout;
    result.resize(std::max(result.size(), late.kernel->output_count()));
    workspace.resize(std::max(workspace.size(), late.kernel->workspace_size()));
  }
  return late;
}

const MatricesLayout& Dynamics::Impl::layout_of(WithMass with_mass) const {
  return with_mass == WithMass::kYes || !bound->matrices.kernel ? layout : compiled->layout;
}

bool Dynamics::Impl::read_matrices(double t, const double* y, Matrices& m, WithMass with_mass) {
  const bool is_finite = read_pieces(t, y, m, with_mass);
  judge_rows(m);
  for (int i = 0; i < nc; ++i)
    if (is_rounding(i)) m.A.row(i).setZero();
  if (with_mass == WithMass::kYes) forget_rounding_of_massless(m);
  stir_state(t, y, m);
  return is_finite;
}

bool Dynamics::Impl::read_vectors(double t, const double* y, Matrices& m, WithMass with_mass) {
  load(t, y);
  const bool has_all = with_mass == WithMass::kYes || !bound->matrices.kernel;
  evaluate(has_all ? kernel_of_matrices() : bound->matrices);
  const MatricesLayout& at = layout_of(with_mass);
  const double* r = result.data();
  m.q_dot = Eigen::Map<const Vector>(r + at.q_dot, nq);
  m.f = Eigen::Map<const Vector>(r + at.f, nu);
  m.C = Eigen::Map<const Vector>(r + at.C, nu);
  m.b = Eigen::Map<const Vector>(r + at.b, nc);
  m.phi = Eigen::Map<const Vector>(r + at.phi, nc);
  m.psi = Eigen::Map<const Vector>(r + at.psi, nc);
  const auto entries = [r](const MatricesLayout::Entries& of, numeric::SparseRows& rows) {
    rows.pattern = &of.pattern;
    rows.values = Eigen::Map<const Vector>(r + of.first, static_cast<Eigen::Index>(of.pattern.column.size()));
  };
  entries(at.A, A);
  entries(at.phi_q, phi_q);
  row_sums.resize(nc);
  gradient_sums.resize(nc);
  for (int i = 0; i < nc; ++i) {
    const Embedding embedding = nth(bound->embedding(), i);
    if (embedding != Embedding::kNone) {
      A.row(i).setZero();
      phi_q.row(i).setZero();
    }
    if (embedding == Embedding::kWhole) m.b[i] = m.phi[i] = m.psi[i] = 0.0;
    if (embedding == Embedding::kIntegral) m.b[i] = 0.0;
    row_sums[i] = A.absolute_row_sum(i, w.scale.segment(nq, nu));
    gradient_sums[i] = phi_q.absolute_row_sum(i, w.scale.head(nq));
  }
  return std::all_of(r, r + at.size, [](double x) { return std::isfinite(x); });
}

bool Dynamics::Impl::read_pieces(double t, const double* y, Matrices& m, WithMass with_mass) {
  const bool is_finite = read_vectors(t, y, m, with_mass);
  const MatricesLayout& at = layout_of(with_mass);
  const double* r = result.data();
  at.G.read(r + at.G.first, m.G);
  if (at.M) at.M->read(r + at.M->first, m.M);
  if (at.metric) at.metric->read(r + at.metric->first, m.metric);
  at.A.read(A.values.data(), m.A);
  at.phi_q.read(phi_q.values.data(), m.phi_q);
  at.Gamma.read(r + at.Gamma.first, m.Gamma);
  for (const int row : compiled->nonlinear) m.A.row(row).setZero();  // until they are settled
  return is_finite;
}

Outcome<void> Dynamics::Impl::evaluate_matrices(double t, const double* y, Matrices& m) {
  if (!read_matrices(t, y, m)) return fail(non_finite(t, y));
  return compiled->nonlinear.empty() ? Outcome<void>() : settle_rows(m);
}

/// Nothing restores a row that the coordinates hold, and nothing needs to.
Outcome<double> Dynamics::Impl::factor_at(double t, const double* y) {
  if (auto done = evaluate_matrices(t, y, matrices); !done) return fail(std::move(done.error()));
  const double defect = relative_defect(matrices);
  // Positions are what they were when speeds were corrected, so mostly A and M are, too.
  if (&route() == &pivoted) pivoted.take_factor_of(matrices, speeds.solver);
  if (auto done = route().factor(matrices, seen_by_rows(defect)); !done) {
    return fail(named(std::move(done.error()), t, model::Level::kAcceleration));
  }
  return defect;
}

Outcome<void> Dynamics::Impl::derivative_by_tier_q(double t, const double* y, double* y_dot, bool is_on_constraints) {
  if (formulation == equations::Formulation::kExplicit) ++w.counts.fallbacks;
  if (derivative_by_entries(t, y, y_dot)) return {};
  bool is_projected = is_on_constraints;
  auto defect = factor_at(t, is_projected ? projected.data() : y);
  // Off the constraints a small inertia cannot be told from none; on them its pivots are known to rounding.
  const bool is_hidden = !is_projected && !defect && defect.error().kind == FailureKind::kSingularByMultipliers &&
                         relative_defect(matrices) > tolerance::kRounded;
  if (!defect && !is_hidden) return fail(defect.error());
  const bool is_off = is_hidden || is_projected || *defect > tolerance::kRounded;
  const bool is_explicit = &route() == &pivoted;
  bool is_to_project = is_hidden;
  if (is_off && !is_hidden && is_explicit && pivoted.rows().conditioning() < kNearlyDependent) {
    w.near_singular_calls = kCallsNearSingular;
    is_to_project = !is_projected;
  }
  if (formulation != equations::Formulation::kExplicit && !is_hidden) {
    is_to_project = is_off;  // always on the manifold: pivots of theirs are squared, or those of one choice of speeds
    w.near_singular_calls = std::max(0, w.near_singular_calls - 1);
    const bool is_near =
        pivoted.factor(matrices, seen_by_rows(*defect)) && pivoted.rows().conditioning() < kNearlyDependent;
    if (is_near) w.near_singular_calls = kCallsNearSingular;
  }
  if (is_off && !is_projected && !is_to_project && has_doubtful_row(matrices, *defect)) {
    w.near_singular_calls = kCallsNearSingular;
    is_to_project = true;
  }
  while (true) {
    if (std::exchange(is_to_project, false)) {
      is_projected = true;
      projected = Eigen::Map<const Vector>(y, ny);
      if (auto done = project_onto_constraints(t, projected.data()); !done) return fail(std::move(done.error()));
      defect = factor_at(t, projected.data());
      if (!defect) return fail(defect.error());
    }
    auto done = solve_accelerations(seen_by_rows(*defect));
    if (done) break;
    // Rows that depend on each other contradict each other off the manifold; what persists on it is a failure.
    if (is_projected || !is_off || done.error().kind != FailureKind::kInconsistent) {
      return fail(named(std::move(done.error()), t, model::Level::kAcceleration));
    }
    is_to_project = true;
  }
  if (is_explicit) {
    const int rank = pivoted.rows().rank();
    w.counts.lowest_rank = w.counts.lowest_rank < 0 ? rank : std::min(w.counts.lowest_rank, rank);
  }
  std::copy_n(matrices.q_dot.data(), nq, y_dot);
  if (implicit && implicit->sticking && implicit->sticking->has_any) drop_rounding(solved.u);
  std::copy_n(solved.u.data(), nu, y_dot + nq);
  if (nz > 0) state_rates(t, is_projected ? projected.data() : y, y_dot + nq + nu);
  if (!compiled->nonlinear.empty()) implicit->gauss.follow(t);
  return {};
}

Dynamics::Dynamics(const std::shared_ptr<const Binding>& bound)
    : impl_(std::make_unique<Impl>(std::make_shared<Binding>(*bound))) {}
Dynamics::~Dynamics() = default;
Dynamics::Dynamics(Dynamics&&) noexcept = default;
Dynamics& Dynamics::operator=(Dynamics&&) noexcept = default;

void Dynamics::Impl::save(Workspace& to) const {
  // What solvers remember is not in w: its room in the copy is used again.
  auto reaction = std::move(to.reaction);
  auto branch = std::move(to.branch);
  auto of_speeds = std::move(to.speeds), of_accelerations = std::move(to.accelerations);
  to = w;
  to.reaction = std::move(reaction);
  to.branch = std::move(branch);
  to.speeds = std::move(of_speeds);
  to.accelerations = std::move(of_accelerations);
  if (implicit) {
    to.reaction = implicit->friction.memory();
    to.branch = implicit->gauss.branch();
  }
  if (minimal) {
    to.speeds = minimal->speeds.memory();
    to.accelerations = minimal->accelerations.memory();
  }
}

void Dynamics::Impl::restore(const Workspace& from) {
  w = from;
  if (w.levels && !levels) levels = std::make_unique<Levels>(*bound);
  if (implicit) {
    implicit->friction.set_memory(from.reaction);
    implicit->gauss.set_branch(from.branch);
  }
  if (minimal) {
    minimal->speeds.set_memory(from.speeds);
    minimal->accelerations.set_memory(from.accelerations);
  }
}

void Dynamics::save(Workspace& workspace) const { impl_->save(workspace); }
void Dynamics::restore(const Workspace& workspace) {
  ++impl_->changes;
  impl_->restore(workspace);
}

Dynamics::Impl& Dynamics::looking() {
  if (!looking_) looking_ = std::make_unique<Impl>(impl_->bound);
  if (looking_->formulation != impl_->formulation) {
    looking_->set_formulation(impl_->formulation);
    looking_->handed = -1;
  }
  const bool is_new = looking_->handed != impl_->changes;
  if (is_new) impl_->save(impl_->saved);
  if (is_new || !looking_->is_as_handed) looking_->restore(impl_->saved);
  looking_->handed = impl_->changes;
  looking_->is_as_handed = false;
  return *looking_;
}

/// By tier S, where its guards accept it.
bool Dynamics::Impl::derivative_by_tier_s(double t, const double* y, double* y_dot) {
  const bool has_friction = compiled->slide_size() > 0;
  if (has_friction) load(t, y);
  const auto is_found_by = [&](const BoundKernel& kernel) {
    if (has_friction && !is_found_with_friction(kernel)) return false;
    if (!has_friction) kernel.evaluate_at(t, y, result.data(), workspace.data());
    return numeric::copy_finite(result.data(), ny, y_dot) && is_accepted(result.data() + ny) &&
           (!compiled->compares_rows || do_rows_agree());
  };
  if (!(bound->reduced_accelerations.kernel && is_found_by(bound->reduced_accelerations)) &&
      !is_found_by(bound->accelerations))
    return false;
  ++w.counts.static_solves;
  return true;
}

Outcome<void> Dynamics::Impl::derivative(double t, const double* y, double* y_dot) {
  const bool is_near = formulation == equations::Formulation::kExplicit && w.near_singular_calls > 0;
  if (is_near) {
    --w.near_singular_calls;
    ++changes;
  }
  bool is_on_constraints = false;
  if (takes_generated()) {
    const double* const at = is_near ? state_for_tier_s(t, y) : y;
    if (at != nullptr && derivative_by_tier_s(t, at, y_dot)) return {};
    is_on_constraints = is_near && at != nullptr;
  }
  ++changes;
  if (higher) return derivative_of_higher(t, y, y_dot);
  return derivative_by_tier_q(t, y, y_dot, is_on_constraints);
}

Outcome<void> Dynamics::derivative(double t, const double* y, double* y_dot) {
  return impl_->along ? impl_->derivative_along(t, y, y_dot, SurfaceMotion::Use::kMoves)
                      : impl_->derivative(t, y, y_dot);
}

Outcome<void> Dynamics::look_at_derivative(double t, const double* y, double* y_dot) {
  if (impl_->along) return impl_->derivative_along(t, y, y_dot, SurfaceMotion::Use::kLooks);
  Impl& d = looking();
  const long before = d.changes;
  auto done = d.derivative(t, y, y_dot);
  d.is_as_handed = d.changes == before;
  return done;
}

Outcome<void> Dynamics::look_at_derivatives(std::span<const double> t, const Matrix& y, Matrix& y_dot) {
  Impl* const d = impl_->along ? nullptr : &looking();
  for (std::size_t k = 0; k < t.size(); ++k) {
    const double* const state = y.col(static_cast<Eigen::Index>(k)).data();
    double* const rate = y_dot.col(static_cast<Eigen::Index>(k)).data();
    auto done = d != nullptr ? d->derivative(t[k], state, rate) : look_at_derivative(t[k], state, rate);
    if (!done) return done;
  }
  return {};
}

Outcome<void> Dynamics::matrices(double t, const double* y, Matrices& matrices) {
  Impl& d = looking();
  if (!d.compiled->has_reaction_forces()) {
    if (auto done = d.evaluate_matrices(t, y, matrices); !done) return done;
    d.show_integrals(t, y, matrices);
    return {};
  }
  if (auto done = d.factor_for_report(t, y); !done) return done;
  matrices = d.matrices;
  return {};
}

void Dynamics::show_integrals(double t, const double* y, Matrices& matrices) {
  looking().show_integrals(t, y, matrices);
}

void Dynamics::Impl::show_integrals(double t, const double* y, Matrices& m) {
  if (compiled->integrals.empty()) return;
  load(t, y);
  evaluate(bound->matrices);
  const MatricesLayout& at = compiled->layout;
  for (const int row : compiled->integrals) {
    m.b[row] = result[static_cast<std::size_t>(at.b + row)];
    for (int entry = at.A.pattern.begin(row); entry < at.A.pattern.end(row); ++entry)
      m.A(row, at.A.pattern.column_of(entry)) = result[static_cast<std::size_t>(at.A.first + entry)];
  }
}

void Dynamics::matrices_as_they_are(double t, const double* y, Matrices& matrices, WithMass with_mass) {
  (void)looking().read_matrices(t, y, matrices, with_mass);
}

void Dynamics::gradients(double t, const double* y, numeric::SparseRows& A, Vector& residual) {
  // Only where a branch is followed they depend on more than the state.
  Impl& d = impl_->compiled->nonlinear.empty() ? *impl_ : looking();
  const numeric::SparsePattern& pattern = d.compiled->gradient_pattern;
  const auto entries = static_cast<Eigen::Index>(pattern.column.size());
  A.pattern = &pattern;
  A.values.resize(entries);
  residual.resize(d.nc);
  if (d.nc == 0) return;
  d.load(t, y);
  d.evaluate(d.bound->gradients);
  A.values = Eigen::Map<const Vector>(d.result.data(), entries);
  residual = Eigen::Map<const Vector>(d.result.data() + entries, d.nc).cwiseAbs();
  for (int i = 0; i < d.nc; ++i) {
    const Embedding embedding = nth(d.bound->embedding(), i);
    if (embedding != Embedding::kNone) A.row(i).setZero();
    if (embedding == Embedding::kWhole) residual[i] = 0.0;
  }
  if (d.compiled->nonlinear.empty()) return;
  // Where the branch cannot be followed to, accelerations say so.
  const Matrix& of_rows = d.evaluate_matrices(t, y, d.matrices) ? d.matrices.A : d.implicit->gauss.followed_A();
  for (const int row : d.compiled->nonlinear)
    for (int at = pattern.begin(row); at < pattern.end(row); ++at) A.values[at] = of_rows(row, pattern.column_of(at));
}

void Dynamics::set_scale(const Vector& scale, double tolerance) {
  VINCULUM_EXPECTS(scale.size() == impl_->ny && largest(-scale) < 0.0);
  ++impl_->changes;
  impl_->w.scale = scale;
  impl_->w.tolerance = tolerance;
  impl_->w.inverse_scale = (tolerance * scale).cwiseInverse();
  impl_->w.displacement = displacement_scale(*impl_->bound, scale.head(impl_->nq));
  impl_->w.knows_sizes = false;
}

const Vector& Dynamics::scale() const { return impl_->w.scale; }
bool Dynamics::is_near_singular() const { return impl_->w.near_singular_calls > 0 || impl_->w.has_short_rows; }
void Dynamics::set_near_singular(Near what) {
  Workspace& w = impl_->w;
  if (impl_->formulation == equations::Formulation::kMinimal) return;  // which changes its speeds by itself
  const bool has_short_rows = what == Near::kShortRows;
  int calls = w.near_singular_calls;  // of the second routes, which are on the manifold always, their solves'
  if (impl_->formulation == equations::Formulation::kExplicit)
    calls = what != Near::kNothing ? kCallsUntilTold : std::min(calls, kCallsNearSingular);
  if (calls != w.near_singular_calls || has_short_rows != w.has_short_rows) ++impl_->changes;
  w.near_singular_calls = calls;
  w.has_short_rows = has_short_rows;
}
const SolveCounts& Dynamics::counts() const { return impl_->w.counts; }
const Binding& Dynamics::binding() const { return *impl_->bound; }
std::shared_ptr<const Binding> Dynamics::shared_binding() const { return impl_->bound; }

}  // namespace vinculum::sim
