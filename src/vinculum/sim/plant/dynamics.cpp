#include "vinculum/sim/plant/dynamics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <utility>

#include "vinculum/base/contract.hpp"
#include "vinculum/sim/plant/dynamics_impl.hpp"

namespace vinculum::sim {
namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using solve::StaticLdlt;

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
constexpr int kMaxNewton = 12;
// Violations of this many roundings of their terms are zero.
constexpr double kRoundings = 1.0;
// After a relative correction this small the next one, its square, is far below rounding.
constexpr double kQuadratic = 1e-9;
// A violation that Newton no longer lowers is rounding up to here, a contradiction above.
constexpr double kTolStagnation = 1e-11;

// Rows left out of the static solve agree with it to rounding over their conditioning on the constraint manifold, and a
// relative distance δ away from it to a multiple of δ.
constexpr double kTolDisagreement = 1e-10;
constexpr double kDisagreementPerDefect = 100.0;

// Where rows are this close to dependent, accelerations are taken on the constraint manifold: off it by δ they err by δ
// over the conditioning, which step control would chase into the singular pose. All stages of the next steps alike, as
// the order conditions want one function.
constexpr double kNearlyDependent = 0.02;
constexpr double kRoundedDefect = 1e-14;
constexpr int kCallsNearSingular = 40;

// Parts of a row's usual size: what is left is rounding; it counts as vanished; a direction is unknown at so many
// defects.
constexpr double kRoundedRow = 64.0 * kEpsilon;
constexpr double kVanishedRow = 1e-7;
constexpr double kShortRow = 1e-5;  // a violation's rounding over it is no small correction
constexpr double kDefectsOfDoubt = 10.0;
// States around the start, this part of typical sizes away.
constexpr double kPerturbation = 0.05;
constexpr int kNeighbours = 4;

bool is_accepted(const double* guards) {
  return guards[0] <= StaticLdlt::kTolResidual && guards[1] <= StaticLdlt::kTolContraction;
}

std::size_t needed(std::initializer_list<const BoundKernel*> kernels, std::size_t (codegen::Kernel::*count)() const) {
  std::size_t most = 1;
  for (const BoundKernel* bound : kernels) {
    if (bound->kernel) most = std::max(most, ((*bound->kernel).*count)());
  }
  return most;
}

double largest(const Vector& v) { return v.size() > 0 ? v.maxCoeff() : 0.0; }

// What violations of a row are relative to: its size here, or its usual one where it vanishes.
double size_of_row(double here, double usual) {
  if (here > kVanishedRow * usual) return here;
  return usual > 0.0 ? usual : 1.0;
}

}  // namespace

Dynamics::Impl::RowSet::RowSet(const std::vector<int>& of, int nu)
    : rows(of),
      solver(nu, static_cast<int>(of.size())),
      A(Matrix::Zero(static_cast<Eigen::Index>(of.size()), nu)),
      defect(Vector::Zero(A.rows())),
      magnitude(Vector::Ones(A.rows())) {
  solution.u = Vector::Zero(nu);
  solution.lambda = Vector::Zero(A.rows());
  solution.Q = Vector::Zero(nu);
}

Dynamics::Impl::Impl(std::shared_ptr<const CompiledModel> model)
    : compiled(std::move(model)),
      nq(compiled->nq()),
      nu(compiled->nu()),
      nc(compiled->nc()),
      nz(compiled->nz()),
      ny(nq + nu + nz),
      input(static_cast<std::size_t>(1 + ny), 0.0),
      report_input(static_cast<std::size_t>(1 + ny + nu + 2 * nc + compiled->effort_count() + compiled->slide_size()) +
                       compiled->system->top().size(),
                   0.0),
      solver(nu, nc),
      positions(compiled->position_rows, nu),
      speeds(compiled->velocity_rows, nu),
      correction(Vector::Zero(std::max(nq, nu))),
      scale(Vector::Ones(ny)),
      inverse_scale(Vector::Ones(ny)),
      usual_row(Vector::Zero(nc)),
      usual_gradient(Vector::Zero(nc)),
      projected(Vector::Zero(ny)),
      u_dot(Vector::Zero(nu)),
      lambda(Vector::Zero(nc)),
      state_input(static_cast<std::size_t>(1 + ny + nc + compiled->slide_size()), 0.0) {
  const auto all = {&compiled->accelerations, &compiled->position,    &compiled->velocity,        &compiled->gradients,
                    &compiled->matrices,      &compiled->outputs,     &compiled->output_gradient, &compiled->wrenches,
                    &compiled->expectations,  &compiled->state_rates, &compiled->levels,          &compiled->top,
                    &compiled->hidden,        &compiled->relations};
  result.resize(needed(all, &codegen::Kernel::output_count));
  workspace.resize(needed(all, &codegen::Kernel::workspace_size));
  matrices.q_dot = Vector::Zero(nq);
  matrices.G = Matrix::Zero(nq, nu);
  matrices.M = matrices.metric = Matrix::Zero(nu, nu);
  matrices.f = matrices.C = force = Vector::Zero(nu);
  matrices.A = Matrix::Zero(nc, nu);
  matrices.b = matrices.phi = matrices.psi = Vector::Zero(nc);
  matrices.phi_q = Matrix::Zero(nc, nq);
  matrices.Gamma = Matrix::Zero(compiled->effort_count(), nu);
  if (!compiled->system->directed.empty()) directed.emplace(*compiled->system);
  if (takes_augmented()) augmented.emplace(*compiled->system);
  if (compiled->is_implicit()) make_implicit();
  if (compiled->system->higher) higher.emplace(*compiled);
  solution = {Vector::Zero(nu), Vector::Zero(nc), Vector::Zero(nu)};
}

void Dynamics::Impl::load(double t, const double* y) {
  input[0] = t;
  std::copy_n(y, ny, input.data() + 1);
}

void Dynamics::Impl::evaluate(const BoundKernel& kernel) {
  kernel.kernel->evaluate(input.data(), kernel.constants.data(), result.data(), workspace.data());
}

bool Dynamics::Impl::read_matrices(double t, const double* y, Matrices& m) {
  load(t, y);
  evaluate(compiled->matrices);
  const MatricesLayout& at = compiled->layout;
  const double* r = result.data();
  m.q_dot = Eigen::Map<const Vector>(r + at.q_dot, nq);
  m.G = Eigen::Map<const RowMajor>(r + at.G, nq, nu);
  m.M = Eigen::Map<const Matrix>(r + at.M, nu, nu);
  m.metric = Eigen::Map<const Matrix>(r + at.metric, nu, nu);
  m.f = Eigen::Map<const Vector>(r + at.f, nu);
  m.C = Eigen::Map<const Vector>(r + at.C, nu);
  m.A = Eigen::Map<const RowMajor>(r + at.A, nc, nu);
  m.b = Eigen::Map<const Vector>(r + at.b, nc);
  m.phi = Eigen::Map<const Vector>(r + at.phi, nc);
  m.psi = Eigen::Map<const Vector>(r + at.psi, nc);
  m.phi_q = Eigen::Map<const RowMajor>(r + at.phi_q, nc, nq);
  m.Gamma = Eigen::Map<const RowMajor>(r + at.Gamma, compiled->effort_count(), nu);
  drop_rounded_rows(m);
  return std::all_of(r, r + at.size, [](double x) { return std::isfinite(x); });
}

Outcome<void> Dynamics::Impl::evaluate_matrices(double t, const double* y, Matrices& m) {
  if (!read_matrices(t, y, m)) return fail(non_finite(t, y));
  return compiled->nonlinear.empty() ? Outcome<void>() : settle_rows(m);
}

void Dynamics::Impl::remember_magnitudes(const Matrices& m) {
  const auto s_q = scale.head(nq);
  const auto s_u = scale.segment(nq, nu);
  for (std::size_t k = 0; k < positions.rows.size(); ++k) {
    const double sum = m.phi_q.row(positions.rows[k]).cwiseAbs().dot(s_q);
    positions.magnitude[static_cast<Eigen::Index>(k)] = size_of_row(sum, usual_gradient[positions.rows[k]]);
  }
  for (std::size_t k = 0; k < speeds.rows.size(); ++k) {
    const double sum = m.A.row(speeds.rows[k]).cwiseAbs().dot(s_u);
    speeds.magnitude[static_cast<Eigen::Index>(k)] = size_of_row(sum, usual_row[speeds.rows[k]]);
  }
}

void Dynamics::Impl::drop_rounded_rows(Matrices& m) const {
  const auto s_u = scale.segment(nq, nu);
  for (int i = 0; i < nc; ++i) {
    if (m.A.row(i).cwiseAbs().dot(s_u) <= kRoundedRow * usual_row[i]) m.A.row(i).setZero();
  }
}

bool Dynamics::Impl::has_doubtful_row(const Matrices& m, double defect) const {
  const auto s_u = scale.segment(nq, nu);
  for (int i = 0; i < nc; ++i) {
    if (usual_row[i] > 0.0 && m.A.row(i).cwiseAbs().dot(s_u) <= kDefectsOfDoubt * defect * usual_row[i]) return true;
  }
  return false;
}

double Dynamics::Impl::position_defect(const Matrices& m) const {
  double worst = 0.0;
  for (std::size_t k = 0; k < positions.rows.size(); ++k) {
    worst = std::max(worst, std::abs(m.phi[positions.rows[k]]) / positions.magnitude[static_cast<Eigen::Index>(k)]);
  }
  return worst;
}

double Dynamics::Impl::relative_defect(const Matrices& m) const {
  double worst = position_defect(m);
  for (std::size_t k = 0; k < speeds.rows.size(); ++k) {
    worst = std::max(worst, std::abs(m.psi[speeds.rows[k]]) / speeds.magnitude[static_cast<Eigen::Index>(k)]);
  }
  return worst;
}

bool Dynamics::Impl::do_rows_agree() const {
  const double* place = result.data() + ny + 2;
  const double disagreement = *place++;
  if (disagreement <= kTolDisagreement) return true;
  double defect = 0.0;
  for (const RowSet* set : {&positions, &speeds}) {
    for (const double magnitude : set->magnitude) defect = std::max(defect, std::abs(*place++) / magnitude);
  }
  return disagreement <= kDisagreementPerDefect * defect;
}

Outcome<double> Dynamics::Impl::factor_at(double t, const double* y) {
  if (auto done = evaluate_matrices(t, y, matrices); !done) return fail(std::move(done.error()));
  const double defect = relative_defect(matrices);
  if (auto done = factor_by_formulation(defect); !done) {
    return fail(named(std::move(done.error()), t, mechanics::Level::kAcceleration));
  }
  return defect;
}

Outcome<void> Dynamics::Impl::derivative_by_tier_q(double t, const double* y, double* y_dot) {
  if (formulation == dynamics::Formulation::kExplicit) ++counts.fallbacks;
  auto defect = factor_at(t, y);
  if (!defect) return fail(defect.error());
  const bool is_off = *defect > kRoundedDefect;
  const bool is_explicit = formulation == dynamics::Formulation::kExplicit && !directed && !takes_augmented();
  bool is_projected = false;
  if (is_off && is_explicit && solver.solver().conditioning() < kNearlyDependent) {
    near_singular_calls = kCallsNearSingular;
    is_projected = true;
  }
  if (formulation != dynamics::Formulation::kExplicit) {
    is_projected = is_off;  // always on the manifold: pivots of theirs are squared, or those of one choice of speeds
    near_singular_calls = std::max(0, near_singular_calls - 1);
    const bool is_near =
        solver.factor(matrices.metric, matrices.A, *defect) && solver.solver().conditioning() < kNearlyDependent;
    if (is_near) near_singular_calls = kCallsNearSingular;
  }
  if (is_off && !is_projected && has_doubtful_row(matrices, *defect)) {
    near_singular_calls = kCallsNearSingular;
    is_projected = true;
  }
  while (true) {
    if (is_projected) {
      projected = Eigen::Map<const Vector>(y, ny);
      if (auto done = project_onto_constraints(t, projected.data()); !done) return fail(std::move(done.error()));
      defect = factor_at(t, projected.data());
      if (!defect) return fail(defect.error());
    }
    auto done = solve_by_formulation(*defect, u_dot);
    if (done) break;
    // Rows that depend on each other contradict each other off the manifold; what persists on it is a failure.
    if (is_projected || !is_off || done.error().kind != FailureKind::kInconsistent) {
      return fail(named(std::move(done.error()), t, mechanics::Level::kAcceleration));
    }
    is_projected = true;
  }
  if (is_explicit) {
    const int rank = solver.solver().rank();
    counts.lowest_rank = counts.lowest_rank < 0 ? rank : std::min(counts.lowest_rank, rank);
  }
  std::copy_n(matrices.q_dot.data(), nq, y_dot);
  std::copy_n(u_dot.data(), nu, y_dot + nq);
  if (nz > 0) state_rates(t, is_projected ? projected.data() : y, y_dot + nq + nu);
  if (!compiled->nonlinear.empty()) implicit->gauss.follow(t);
  return {};
}

Outcome<void> Dynamics::Impl::correction_by_tier_q(double t, const double* y, RowSet& set, bool of_positions,
                                                   double worst) {
  ++counts.fallbacks;
  if (auto done = evaluate_matrices(t, y, matrices); !done) return done;
  for (std::size_t k = 0; k < set.rows.size(); ++k) {
    const auto at = static_cast<Eigen::Index>(k);
    set.A.row(at) = matrices.A.row(set.rows[k]);
    // Rounding of a violation over so short a gradient would be a long way: the other rows lead where it holds.
    if (matrices.A.row(set.rows[k]).cwiseAbs().dot(scale.segment(nq, nu)) <= kShortRow * usual_row[set.rows[k]])
      set.A.row(at).setZero();
    set.defect[at] = -(of_positions ? matrices.phi : matrices.psi)[set.rows[k]];
  }
  if (auto done = set.solver.factor(matrices.metric, set.A, worst); !done) {
    return fail(named(std::move(done.error()), t, mechanics::Level::kAcceleration));
  }
  force.setZero();
  set.solver.solver().solve_least_squares(force, set.defect, set.solution);
  if (of_positions) {
    correction.head(nq).noalias() = matrices.G * set.solution.u;
  } else {
    correction.head(nu) = set.solution.u;
  }
  return {};
}

Outcome<double> Dynamics::Impl::project_rows(double t, double* y, RowSet& set, const BoundKernel& kernel,
                                             bool of_positions) {
  const int first = of_positions ? 0 : nq;
  const int count = of_positions ? nq : nu;
  const int row_count = static_cast<int>(set.rows.size());
  double moved = 0.0;
  double previous = std::numeric_limits<double>::infinity();
  bool with_all_rows = false;  // the static correction is by the kept rows
  for (int iteration = 0; iteration < kMaxNewton; ++iteration) {
    load(t, y);
    evaluate(kernel);
    const double* violation = result.data() + count;
    double worst = 0.0;
    int worst_row = 0;
    for (int k = 0; k < row_count; ++k) {
      const double relative = std::abs(violation[k]) / set.magnitude[k];
      if (!(relative <= worst)) {
        worst = relative;
        worst_row = k;
      }
    }
    if (!std::isfinite(worst)) return fail(non_finite(t, y));
    if (worst <= kRoundings * kEpsilon) return moved;
    if (worst > 0.5 * previous && worst <= kTolStagnation) return moved;
    if (worst > 0.5 * previous && !with_all_rows) {
      with_all_rows = true;
    } else if (worst > 0.5 * previous) {
      Failure failure;
      failure.kind = FailureKind::kInconsistent;
      for (int k = 0; k < row_count; ++k) {
        const bool is_concerned = std::abs(violation[k]) / set.magnitude[k] > 0.1 * worst;
        if (k != worst_row && is_concerned) failure.rows.push_back(set.rows[static_cast<std::size_t>(k)]);
      }
      failure.rows.insert(failure.rows.begin(), set.rows[static_cast<std::size_t>(worst_row)]);
      failure.size = std::abs(violation[worst_row]);
      return fail(
          named(std::move(failure), t, of_positions ? mechanics::Level::kPosition : mechanics::Level::kVelocity));
    }
    previous = worst;
    if (!with_all_rows && is_accepted(violation + row_count)) {
      ++counts.static_solves;
      std::copy_n(result.data(), count, correction.data());
    } else if (auto done = correction_by_tier_q(t, y, set, of_positions, worst); !done) {
      return fail(std::move(done.error()));
    }
    double relative = 0.0;
    for (int i = 0; i < count; ++i) {
      y[first + i] += correction[i];
      relative = std::max(relative, std::abs(correction[i]) / scale[first + i]);
      moved = std::max(moved, std::abs(correction[i]) * inverse_scale[first + i]);
    }
    // φ = A dq bounds the violation by the correction where the rows can be met at all.
    if (relative < kQuadratic && worst <= 4.0 * relative) return moved;
  }
  return moved;
}

Dynamics::Dynamics(std::shared_ptr<const CompiledModel> compiled)
    : impl_(std::make_unique<Impl>(std::move(compiled))) {}
Dynamics::~Dynamics() = default;
Dynamics::Dynamics(Dynamics&&) noexcept = default;
Dynamics& Dynamics::operator=(Dynamics&&) noexcept = default;

Outcome<void> Dynamics::derivative(double t, const double* y, double* y_dot) {
  Impl& d = *impl_;
  if (d.higher) return d.derivative_of_higher(t, y, y_dot);
  if (d.formulation == dynamics::Formulation::kMinimal) {
    d.minimal->y = Eigen::Map<const Vector>(y, d.ny);
    if (d.near_singular_calls == 0) {
      if (auto done = d.settle_speeds(t, d.minimal->y.data()); !done) return done;
    }
    return d.derivative_by_tier_q(t, d.minimal->y.data(), y_dot);
  }
  if (d.formulation == dynamics::Formulation::kAugmented) return d.derivative_by_tier_q(t, y, y_dot);
  if (d.near_singular_calls > 0) {
    --d.near_singular_calls;
    return d.derivative_by_tier_q(t, y, y_dot);
  }
  if (d.implicit) return d.derivative_by_tier_q(t, y, y_dot);
  d.load(t, y);
  d.evaluate(d.compiled->accelerations);
  const int size = d.ny;
  double sum = 0.0;
  for (int i = 0; i < size; ++i) sum += y_dot[i] = d.result[static_cast<std::size_t>(i)];
  if (!std::isfinite(sum) || !is_accepted(d.result.data() + size) ||
      (d.compiled->compares_rows && !d.do_rows_agree())) {
    return d.derivative_by_tier_q(t, y, y_dot);
  }
  ++d.counts.static_solves;
  return {};
}

Outcome<double> Dynamics::Impl::project(double t, double* y) {
  const auto moved = project_onto_constraints(t, y);
  if (!moved || !levels) return moved;
  const auto further = keep_levels(t, y);
  return further ? Outcome<double>(std::max(*moved, *further)) : further;
}

Outcome<double> Dynamics::Impl::project_onto_constraints(double t, double* y) {
  double moved = 0.0;
  normalize_quaternions(y);
  if (higher) {
    auto done = project_hidden(t, y);
    normalize_quaternions(y);
    return done;
  }
  if (!positions.rows.empty()) {
    const auto done = project_rows(t, y, positions, compiled->position, true);
    if (!done) return done;
    moved = *done;
    normalize_quaternions(y);
  }
  // Where rows are close to dependent no choice of speeds determines the others: all change least.
  if (formulation == dynamics::Formulation::kMinimal && near_singular_calls == 0) {
    const auto done = project_minimal(t, y);
    if (!done) return done;
    moved = std::max(moved, *done);
  } else if (!speeds.rows.empty()) {
    const auto done = project_rows(t, y, speeds, compiled->velocity, false);
    if (!done) return done;
    moved = std::max(moved, *done);
  }
  const auto done = project_sticking(t, y);
  if (!done) return done;
  return std::max(moved, *done);
}

Outcome<double> Dynamics::project(double t, double* y) { return impl_->project(t, y); }

Outcome<void> Dynamics::matrices(double t, const double* y, Matrices& matrices) {
  Impl& d = *impl_;
  if (!d.compiled->system->has_implicit_nonideal) return d.evaluate_matrices(t, y, matrices);
  if (auto done = d.factor_for_report(t, y); !done) return done;
  matrices = d.matrices;
  return {};
}

void Dynamics::matrices_as_they_are(double t, const double* y, Matrices& matrices) {
  (void)impl_->read_matrices(t, y, matrices);
}

void Dynamics::gradients(double t, const double* y, Matrix& A, Vector& residual) {
  Impl& d = *impl_;
  A.resize(d.nc, d.nu);
  residual.resize(d.nc);
  if (d.nc == 0) return;
  d.load(t, y);
  d.evaluate(d.compiled->gradients);
  A = Eigen::Map<const RowMajor>(d.result.data(), d.nc, d.nu);
  residual = Eigen::Map<const Vector>(d.result.data() + d.nc * d.nu, d.nc).cwiseAbs();
  if (d.compiled->nonlinear.empty()) return;
  // Where the branch cannot be followed to, accelerations say so.
  const Matrix& of_rows = d.evaluate_matrices(t, y, d.matrices) ? d.matrices.A : d.implicit->gauss.followed_A();
  for (const int row : d.compiled->nonlinear) A.row(row) = of_rows.row(row);
}

void Dynamics::set_scale(const Vector& scale, double tolerance) {
  VINCULUM_EXPECTS(scale.size() == impl_->ny && largest(-scale) < 0.0);
  impl_->scale = scale;
  impl_->inverse_scale = (tolerance * scale).cwiseInverse();
}

void Dynamics::learn_row_sizes(double t, const Vector& y) {
  Impl& d = *impl_;
  d.usual_row.setZero();
  d.usual_gradient.setZero();
  if (d.nc == 0) return;
  Vector row = d.usual_row, gradient = d.usual_gradient, near = y;
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  for (int neighbour = 0; neighbour <= kNeighbours; ++neighbour) {
    if (d.read_matrices(t, near.data(), d.matrices)) {
      row = row.cwiseMax(d.matrices.A.cwiseAbs() * d.scale.segment(d.nq, d.nu));
      gradient = gradient.cwiseMax(d.matrices.phi_q.cwiseAbs() * d.scale.head(d.nq));
    }
    for (Eigen::Index i = 0; i < y.size(); ++i) near[i] = y[i] + kPerturbation * d.scale[i] * uniform(random);
  }
  d.usual_row = std::move(row);
  d.usual_gradient = std::move(gradient);
}

const Vector& Dynamics::scale() const { return impl_->scale; }
bool Dynamics::is_near_singular() const { return impl_->near_singular_calls > 0; }
const SolveCounts& Dynamics::counts() const { return impl_->counts; }
const CompiledModel& Dynamics::compiled() const { return *impl_->compiled; }
const std::shared_ptr<const CompiledModel>& Dynamics::shared_compiled() const { return impl_->compiled; }

}  // namespace vinculum::sim
