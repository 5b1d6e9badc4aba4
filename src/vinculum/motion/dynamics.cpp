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
#include "vinculum/motion/surface_motion.hpp"
#include "vinculum/numeric/finite.hpp"

namespace vinculum::sim {
namespace {

constexpr int kCallsUntilTold = 1'000'000'000;
constexpr std::size_t kMostSidesKnown = 16;

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

Dynamics::Impl::Impl(std::shared_ptr<const Binding> binding, const Mode& start)
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
  sizes.scale = stated_scale(*bound);
  sizes.inverse_scale = sizes.scale.cwiseInverse();
  sizes.displacement = displacement_scale(*bound, sizes.scale.head(nq));
  sizes.usual_row = sizes.usual_gradient = Vector::Zero(nc);
  positions.size_without_gradient = start.position_size;
  speeds.size_without_gradient = start.velocity_size;
  known_sides.push_back({{}, {}, bound, {}});
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
  BoundKernel& late = known_sides[in_force].late;
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
    row_sums[i] = A.absolute_row_sum(i, sizes.scale.segment(nq, nu));
    gradient_sums[i] = phi_q.absolute_row_sum(i, sizes.scale.head(nq));
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

Outcome<void> Dynamics::Impl::pivoted_derivative(double t, const double* y, double* y_dot, bool is_on_constraints) {
  if (formulation == equations::Formulation::kExplicit) ++mode->counts.fallbacks;
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
    mode->calls_on_constraints = kCallsNearSingular;
    is_to_project = !is_projected;
  }
  if (formulation != equations::Formulation::kExplicit && !is_hidden) {
    is_to_project = is_off;  // always on the manifold: pivots of theirs are squared, or those of one choice of speeds
    mode->calls_on_constraints = std::max(0, mode->calls_on_constraints - 1);
    const bool is_near =
        pivoted.factor(matrices, seen_by_rows(*defect)) && pivoted.rows().conditioning() < kNearlyDependent;
    if (is_near) mode->calls_on_constraints = kCallsNearSingular;
  }
  if (is_off && !is_projected && !is_to_project && has_doubtful_row(matrices, *defect)) {
    mode->calls_on_constraints = kCallsNearSingular;
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
    mode->counts.lowest_rank = mode->counts.lowest_rank < 0 ? rank : std::min(mode->counts.lowest_rank, rank);
  }
  std::copy_n(matrices.q_dot.data(), nq, y_dot);
  if (implicit && implicit->sticking && implicit->sticking->has_any) drop_rounding(solved.u);
  std::copy_n(solved.u.data(), nu, y_dot + nq);
  if (nz > 0) state_rates(t, is_projected ? projected.data() : y, y_dot + nq + nu);
  if (!compiled->nonlinear.empty()) implicit->gauss.follow(t);
  return {};
}

Dynamics::Dynamics(const std::shared_ptr<const Binding>& bound)
    : bound_(bound), mode_(mode_at_start(*bound)), impl_(std::make_unique<Impl>(bound, mode_)) {}
Dynamics::~Dynamics() = default;
Dynamics::Dynamics(Dynamics&&) noexcept = default;
Dynamics& Dynamics::operator=(Dynamics&&) noexcept = default;

/// Has the constants on these sides in force.
void Dynamics::Impl::take_sides(const Mode& in) {
  const auto is_of_it = [&](const OnSides& one) { return one.sides == in.sides && one.along == in.along; };
  if (is_of_it(known_sides[in_force])) return;
  const auto found = std::find_if(known_sides.rbegin(), known_sides.rend(), is_of_it);  // the last ones take turns
  if (found == known_sides.rend()) {
    auto own = std::make_shared<Binding>(*bound);
    const Switches& switches = compiled->watches->switches;
    own->sides = in.sides.empty() ? switches.live_values() : switches.values(in.sides, in.along);
    own->prepare_kernels();
    if (known_sides.size() == kMostSidesKnown) known_sides.erase(known_sides.begin() + 1);
    known_sides.push_back({in.sides, in.along, std::move(own), {}});
    in_force = known_sides.size() - 1;
  } else {
    in_force = static_cast<std::size_t>(known_sides.rend() - found) - 1;
  }
  bound = known_sides[in_force].bound;
}

void Dynamics::Impl::go_by(Mode& in) {
  mode = &in;
  if (!in.sides.empty() || in_force != 0) take_sides(in);
  if (in.levels && !levels) levels = std::make_unique<Levels>(*bound);
  if (minimal) minimal->remember_in(in);
  if (!implicit) return;
  implicit->friction.remember_in(in.reaction);
  if (!compiled->nonlinear.empty()) implicit->gauss.remember_in(in.branch);
}

Dynamics::Impl& Dynamics::in(Mode& mode) {
  impl_->go_by(mode);
  return *impl_;
}

Dynamics::Impl& Dynamics::in_copy(const Mode& mode) {
  copy_ = mode;
  return in(copy_);
}

std::shared_ptr<const Binding> Dynamics::binding_of(const Mode& mode) { return in_copy(mode).bound; }

/// By generated code, where its guards accept it.
bool Dynamics::Impl::generated_derivative(double t, const double* y, double* y_dot) {
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
  ++mode->counts.static_solves;
  return true;
}

Outcome<void> Dynamics::Impl::derivative(double t, const double* y, double* y_dot) {
  const bool is_near = formulation == equations::Formulation::kExplicit && mode->calls_on_constraints > 0;
  if (is_near) --mode->calls_on_constraints;
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
  in(mode_).show_integrals(t, y, matrices);
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

void Dynamics::matrices_as_they_are(const Mode& mode, double t, const double* y, Matrices& matrices,
                                    WithMass with_mass) {
  (void)in_copy(mode).read_matrices(t, y, matrices, with_mass);
}

void Dynamics::gradients(const Mode& mode, double t, const double* y, numeric::SparseRows& A, Vector& residual) {
  Impl& d = in_copy(mode);
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
  impl_->sizes.scale = scale;
  impl_->sizes.tolerance = tolerance;
  impl_->sizes.inverse_scale = (tolerance * scale).cwiseInverse();
  impl_->sizes.displacement = displacement_scale(*impl_->bound, scale.head(impl_->nq));
  mode_.knows_sizes = false;
}

const Vector& Dynamics::scale() const { return impl_->sizes.scale; }
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
