#include "vinculum/sim/plant/dynamics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <utility>

#include "vinculum/base/contract.hpp"
#include "vinculum/base/index.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/sim/plant/dynamics_impl.hpp"
#include "vinculum/sim/plant/scales.hpp"
#include "vinculum/sim/plant/watches.hpp"

namespace vinculum::sim {
namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// Where rows are this close to dependent, accelerations are taken on the constraint manifold: off it by δ they err by δ
// over the conditioning, which step control would chase into the singular pose. All stages of the next steps alike, as
// the order conditions want one function.
constexpr double kNearlyDependent = 0.02;
constexpr int kCallsNearSingular = 40;

// Error in the direction of a row, as a part of the tolerance of rank, up to which none is mistaken for a rank.
constexpr double kCertain = 0.1;

// By which part of its size a number of the state is changed to see what rows owe to it: differences are right to half
// of their digits.
constexpr double kStir = tolerance::kHalfDigits;
// Changes seen so fall short of the largest possible; and states are off their constraints by a few roundings.
constexpr double kStirred = 10.0;
// Stirs of coordinates are as unlike as the fractions of multiples of the golden section: none hides another.
constexpr double kGolden = 0.6180339887498949;

// States around the start, this part of typical sizes away.
constexpr double kPerturbationOfStart = 0.05;
constexpr int kNeighboursOfStart = 4;

std::size_t needed(const CompiledModel& compiled, std::size_t (codegen::Kernel::*count)() const) {
  std::size_t most = 1;
  for (const auto kernel : kKernels) {
    if (const auto& bound = compiled.*kernel; bound.kernel) most = std::max(most, ((*bound.kernel).*count)());
  }
  return most;
}

double largest(const Vector& v) { return v.size() > 0 ? v.maxCoeff() : 0.0; }

// What violations of a row are relative to: its size here, or its usual one where it vanishes.
double size_of_row(double here, double usual, double without_gradient) {
  if (here > tolerance::kVanished * usual) return here;
  return usual > 0.0 ? usual : without_gradient;
}

}  // namespace

Dynamics::Impl::RowSet::RowSet(const std::vector<int>& of, int nu)
    : rows(of),
      solver(nu, static_cast<int>(of.size())),
      A(Matrix::Zero(static_cast<Eigen::Index>(of.size()), nu)),
      certainty(Vector::Ones(A.rows())),
      defect(Vector::Zero(A.rows())) {
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
                       compiled->system->top().size() + compiled->system->vectors.size(),
                   0.0),
      pivoted(nu, nc),
      positions(compiled->position_rows, nu),
      speeds(compiled->velocity_rows, nu),
      correction(Vector::Zero(std::max(nq, nu))),
      projected(Vector::Zero(ny)),
      lambda(Vector::Zero(nc)),
      state_input(static_cast<std::size_t>(1 + ny + nc + compiled->slide_size()), 0.0) {
  w.scale = stated_scale(*compiled);
  w.inverse_scale = w.scale.cwiseInverse();
  w.displacement = displacement_scale(*compiled, w.scale.head(nq));
  w.usual_row = w.usual_gradient = Vector::Zero(nc);
  w.position_size = positions.size_without_gradient = row_scale(*compiled, positions.rows, mechanics::Level::kPosition);
  w.velocity_size = speeds.size_without_gradient = row_scale(*compiled, speeds.rows, mechanics::Level::kVelocity);
  result.resize(needed(*compiled, &codegen::Kernel::output_count));
  workspace.resize(needed(*compiled, &codegen::Kernel::workspace_size));
  matrices.q_dot = Vector::Zero(nq);
  matrices.G = Matrix::Zero(nq, nu);
  matrices.M = matrices.metric = Matrix::Zero(nu, nu);
  matrices.f = matrices.C = force = Vector::Zero(nu);
  matrices.A = Matrix::Zero(nc, nu);
  matrices.certainty = Vector::Ones(nc);
  matrices.b = matrices.doubt = matrices.phi = matrices.psi = Vector::Zero(nc);
  matrices.phi_q = Matrix::Zero(nc, nq);
  matrices.Gamma = Matrix::Zero(compiled->effort_count(), nu);
  if (!compiled->system->directed.empty()) directed = std::make_unique<Directed>(*compiled->system);
  if (takes_augmented()) augmented = std::make_unique<Augmented>(*compiled->system);
  if (compiled->is_implicit()) make_implicit();
  if (compiled->system->higher) higher = std::make_unique<Higher>(*compiled);
  for (Vector* v : {&solved.u, &solved.Q}) v->setZero(nu);
  solved.lambda.setZero(nc);
  solved.effort.setZero(compiled->effort_count());
}

void Dynamics::Impl::load(double t, const double* y) {
  input[0] = t;
  std::copy_n(y, ny, input.data() + 1);
}

void Dynamics::Impl::evaluate(const BoundKernel& kernel) {
  kernel.evaluate(input.data(), result.data(), workspace.data());
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
  drop_embedded_rows(m);
  const bool is_finite = std::all_of(r, r + at.size, [](double x) { return std::isfinite(x); });
  drop_rounded_rows(m);
  stir_state(t, y, m);
  return is_finite;
}

Outcome<void> Dynamics::Impl::evaluate_matrices(double t, const double* y, Matrices& m) {
  if (!read_matrices(t, y, m)) return fail(non_finite(t, y));
  return compiled->nonlinear.empty() ? Outcome<void>() : settle_rows(m);
}

/// Nothing restores a row that the coordinates hold, and nothing needs to.
double Dynamics::Impl::size_in_place_of(int row, double size) const {
  return nth(compiled->embedding, row) == Embedding::kWhole ? std::numeric_limits<double>::infinity() : size;
}

void Dynamics::Impl::learn_sizes(const Matrices& m) {
  for (std::size_t k = 0; k < positions.rows.size(); ++k) {
    const int row = positions.rows[k];
    const double sum = m.phi_q.row(row).cwiseAbs().dot(w.scale.head(nq));
    const auto at = static_cast<Eigen::Index>(k);
    const double size = size_of_row(sum, w.usual_gradient[row], positions.size_without_gradient[at]);
    w.position_size[at] = size_in_place_of(row, size / m.certainty[row]);
  }
  for (std::size_t k = 0; k < speeds.rows.size(); ++k) {
    const int row = speeds.rows[k];
    const double sum = m.A.row(row).cwiseAbs().dot(w.scale.segment(nq, nu));
    const auto at = static_cast<Eigen::Index>(k);
    const double size = size_of_row(sum, w.usual_row[row], speeds.size_without_gradient[at]);
    w.velocity_size[at] = size_in_place_of(row, size / m.certainty[row]);
  }
  w.knows_sizes = true;
}

void Dynamics::Impl::drop_embedded_rows(Matrices& m) const {
  for (int i = 0; i < nc; ++i) {
    const Embedding embedding = nth(compiled->embedding, i);
    if (embedding == Embedding::kNone) continue;
    m.A.row(i).setZero();
    m.phi_q.row(i).setZero();
    if (embedding == Embedding::kWhole) m.b[i] = m.phi[i] = m.psi[i] = 0.0;
  }
}

void Dynamics::Impl::drop_rounded_rows(Matrices& m) const {
  const auto s_u = w.scale.segment(nq, nu);
  m.certainty.setOnes(nc);
  const double defect = nc > 1 && w.knows_sizes ? relative_defect(m) : 0.0;
  const double known = std::max(tolerance::kRounding, defect);
  const double certain = kCertain * std::max(tolerance::kRank, tolerance::kDoubt * defect);
  for (int i = 0; i < nc; ++i) {
    const double here = m.A.row(i).cwiseAbs().dot(s_u), error = known * w.usual_row[i];
    if (here <= tolerance::kRounded * w.usual_row[i]) {
      m.A.row(i).setZero();
    } else if (error > certain * here) {
      m.certainty[i] = certain * here / error;
    }
  }
}

/// An angle of many turns rounds beside its turns, its sine beside 1; the terms of b may cancel. So what rows owe to
/// the numbers of the state is measured.
void Dynamics::Impl::stir_state(double t, const double* y, Matrices& m) {
  turning = 1.0;
  m.doubt.setZero(nc);
  if (nc < 2) return;
  const double known = kStirred * std::max(tolerance::kRounding, w.knows_sizes ? relative_defect(m) : 0.0);
  const auto s_u = w.scale.segment(nq, nu);
  double part = 0.0;
  for (int i = 0; i < nq + nu; ++i) {
    part += kGolden;
    part -= std::floor(part);
    input[static_cast<std::size_t>(1 + i)] += kStir * (part - 0.5) * std::max(std::abs(y[i]), w.scale[i]);
  }
  evaluate(compiled->matrices);
  load(t, y);
  const MatricesLayout& at = compiled->layout;
  const Eigen::Map<const RowMajor> A(result.data() + at.A, nc, nu);
  const Eigen::Map<const Vector> b(result.data() + at.b, nc);
  for (int i = 0; i < nc; ++i) {
    const double here = m.A.row(i).cwiseAbs().dot(s_u);
    const double by = (A.row(i) - m.A.row(i)).cwiseAbs().dot(s_u) / kStir, of_b = std::abs(b[i] - m.b[i]) / kStir;
    if (nth(compiled->embedding, i) != Embedding::kNone) continue;
    if (here > 0.0 && std::isfinite(by)) turning = std::max(turning, m.certainty[i] * by / here);
    if (std::isfinite(of_b)) m.doubt[i] = known * of_b;
  }
}

double Dynamics::Impl::seen_by_rows(double defect) const {
  return turning > 1.0 ? turning * std::max(defect, tolerance::kRounding) : defect;
}

bool Dynamics::Impl::has_doubtful_row(const Matrices& m, double defect) const {
  const auto s_u = w.scale.segment(nq, nu);
  for (int i = 0; i < nc; ++i) {
    if (w.usual_row[i] > 0.0 && m.A.row(i).cwiseAbs().dot(s_u) <= tolerance::kDoubt * defect * w.usual_row[i])
      return true;
  }
  return false;
}

bool Dynamics::Impl::do_rows_agree() const {
  const double* place = result.data() + ny + 2;
  const double disagreement = *place++;
  if (disagreement <= tolerance::kConsistency) return true;
  double defect = 0.0;
  for (const Vector* sizes : {&w.position_size, &w.velocity_size}) {
    for (const double magnitude : *sizes) defect = std::max(defect, std::abs(*place++) / magnitude);
  }
  return disagreement <= tolerance::kPerDefect * defect;
}

Outcome<double> Dynamics::Impl::factor_at(double t, const double* y) {
  if (auto done = evaluate_matrices(t, y, matrices); !done) return fail(std::move(done.error()));
  const double defect = relative_defect(matrices);
  if (auto done = route().factor(matrices, seen_by_rows(defect)); !done) {
    return fail(named(std::move(done.error()), t, mechanics::Level::kAcceleration));
  }
  return defect;
}

Outcome<void> Dynamics::Impl::derivative_by_tier_q(double t, const double* y, double* y_dot) {
  if (formulation == dynamics::Formulation::kExplicit) ++w.counts.fallbacks;
  auto defect = factor_at(t, y);
  if (!defect) return fail(defect.error());
  const bool is_off = *defect > tolerance::kRounded;
  const bool is_explicit = &route() == &pivoted;
  bool is_projected = false;
  if (is_off && is_explicit && pivoted.rows().conditioning() < kNearlyDependent) {
    w.near_singular_calls = kCallsNearSingular;
    is_projected = true;
  }
  if (formulation != dynamics::Formulation::kExplicit) {
    is_projected = is_off;  // always on the manifold: pivots of theirs are squared, or those of one choice of speeds
    w.near_singular_calls = std::max(0, w.near_singular_calls - 1);
    const bool is_near =
        pivoted.factor(matrices, seen_by_rows(*defect)) && pivoted.rows().conditioning() < kNearlyDependent;
    if (is_near) w.near_singular_calls = kCallsNearSingular;
  }
  if (is_off && !is_projected && has_doubtful_row(matrices, *defect)) {
    w.near_singular_calls = kCallsNearSingular;
    is_projected = true;
  }
  while (true) {
    if (is_projected) {
      projected = Eigen::Map<const Vector>(y, ny);
      if (auto done = project_onto_constraints(t, projected.data()); !done) return fail(std::move(done.error()));
      defect = factor_at(t, projected.data());
      if (!defect) return fail(defect.error());
    }
    auto done = solve_accelerations(seen_by_rows(*defect));
    if (done) break;
    // Rows that depend on each other contradict each other off the manifold; what persists on it is a failure.
    if (is_projected || !is_off || done.error().kind != FailureKind::kInconsistent) {
      return fail(named(std::move(done.error()), t, mechanics::Level::kAcceleration));
    }
    is_projected = true;
  }
  if (is_explicit) {
    const int rank = pivoted.rows().rank();
    w.counts.lowest_rank = w.counts.lowest_rank < 0 ? rank : std::min(w.counts.lowest_rank, rank);
  }
  std::copy_n(matrices.q_dot.data(), nq, y_dot);
  std::copy_n(solved.u.data(), nu, y_dot + nq);
  if (nz > 0) state_rates(t, is_projected ? projected.data() : y, y_dot + nq + nu);
  if (!compiled->nonlinear.empty()) implicit->gauss.follow(t);
  return {};
}

Dynamics::Dynamics(std::shared_ptr<const CompiledModel> compiled) {
  auto own = compiled->sides.empty() ? nullptr : std::make_shared<CompiledModel>(*compiled);
  impl_ = std::make_unique<Impl>(own ? own : std::move(compiled));
  impl_->own = std::move(own);
}
Dynamics::~Dynamics() = default;
Dynamics::Dynamics(Dynamics&&) noexcept = default;
Dynamics& Dynamics::operator=(Dynamics&&) noexcept = default;

void Dynamics::Impl::save(Workspace& to) const {
  // What solvers remember is not in w: its room in the copy is used again.
  auto reaction = std::move(to.reaction);
  auto branch = std::move(to.branch);
  auto speeds = std::move(to.speeds), accelerations = std::move(to.accelerations);
  to = w;
  to.reaction = std::move(reaction);
  to.branch = std::move(branch);
  to.speeds = std::move(speeds);
  to.accelerations = std::move(accelerations);
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
  if (w.levels && !levels) levels = std::make_unique<Levels>(*compiled);
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
void Dynamics::restore(const Workspace& workspace) { impl_->restore(workspace); }

Dynamics::Impl& Dynamics::looking() {
  if (!looking_) looking_ = std::make_unique<Impl>(impl_->compiled);
  if (looking_->formulation != impl_->formulation) looking_->set_formulation(impl_->formulation);
  impl_->save(impl_->saved);
  looking_->restore(impl_->saved);
  return *looking_;
}

Outcome<void> Dynamics::Impl::derivative(double t, const double* y, double* y_dot) {
  if (higher) return derivative_of_higher(t, y, y_dot);
  if (formulation != dynamics::Formulation::kExplicit) return derivative_by_tier_q(t, y, y_dot);
  if (w.near_singular_calls > 0) {
    --w.near_singular_calls;
    return derivative_by_tier_q(t, y, y_dot);
  }
  if (implicit || !compiled->trusts_generated) return derivative_by_tier_q(t, y, y_dot);
  load(t, y);
  evaluate(compiled->accelerations);
  const int size = ny;
  double sum = 0.0;
  for (int i = 0; i < size; ++i) sum += y_dot[i] = result[static_cast<std::size_t>(i)];
  if (!std::isfinite(sum) || !is_accepted(result.data() + size) || (compiled->compares_rows && !do_rows_agree())) {
    return derivative_by_tier_q(t, y, y_dot);
  }
  ++w.counts.static_solves;
  return {};
}

Outcome<void> Dynamics::derivative(double t, const double* y, double* y_dot) { return impl_->derivative(t, y, y_dot); }

Outcome<void> Dynamics::look_at_derivative(double t, const double* y, double* y_dot) {
  return looking().derivative(t, y, y_dot);
}

Outcome<double> Dynamics::look_at_projection(double t, double* y) { return looking().project(t, y); }

Outcome<void> Dynamics::matrices(double t, const double* y, Matrices& matrices) {
  Impl& d = looking();
  if (!d.compiled->system->has_implicit_nonideal) return d.evaluate_matrices(t, y, matrices);
  if (auto done = d.factor_for_report(t, y); !done) return done;
  matrices = d.matrices;
  return {};
}

void Dynamics::matrices_as_they_are(double t, const double* y, Matrices& matrices) {
  (void)looking().read_matrices(t, y, matrices);
}

void Dynamics::gradients(double t, const double* y, Matrix& A, Vector& residual) {
  Impl& d = looking();
  A.resize(d.nc, d.nu);
  residual.resize(d.nc);
  if (d.nc == 0) return;
  d.load(t, y);
  d.evaluate(d.compiled->gradients);
  A = Eigen::Map<const RowMajor>(d.result.data(), d.nc, d.nu);
  residual = Eigen::Map<const Vector>(d.result.data() + d.nc * d.nu, d.nc).cwiseAbs();
  for (int i = 0; i < d.nc; ++i) {
    const Embedding embedding = nth(d.compiled->embedding, i);
    if (embedding != Embedding::kNone) A.row(i).setZero();
    if (embedding == Embedding::kWhole) residual[i] = 0.0;
  }
  if (d.compiled->nonlinear.empty()) return;
  // Where the branch cannot be followed to, accelerations say so.
  const Matrix& of_rows = d.evaluate_matrices(t, y, d.matrices) ? d.matrices.A : d.implicit->gauss.followed_A();
  for (const int row : d.compiled->nonlinear) A.row(row) = of_rows.row(row);
}

void Dynamics::set_scale(const Vector& scale, double tolerance) {
  VINCULUM_EXPECTS(scale.size() == impl_->ny && largest(-scale) < 0.0);
  impl_->w.scale = scale;
  impl_->w.inverse_scale = (tolerance * scale).cwiseInverse();
  impl_->w.displacement = displacement_scale(*impl_->compiled, scale.head(impl_->nq));
  impl_->w.knows_sizes = false;
}

void Dynamics::learn_row_sizes(double t, const Vector& y) {
  Impl& d = *impl_;
  d.w.usual_row.setZero();
  d.w.usual_gradient.setZero();
  if (d.nc == 0) return;
  Vector row = d.w.usual_row, gradient = d.w.usual_gradient, near = y;
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  for (int neighbour = 0; neighbour <= kNeighboursOfStart; ++neighbour) {
    if (d.read_matrices(t, near.data(), d.matrices)) {
      row = row.cwiseMax(d.matrices.A.cwiseAbs() * d.w.scale.segment(d.nq, d.nu));
      gradient = gradient.cwiseMax(d.matrices.phi_q.cwiseAbs() * d.w.scale.head(d.nq));
    }
    for (Eigen::Index i = 0; i < y.size(); ++i) near[i] = y[i] + kPerturbationOfStart * d.w.scale[i] * uniform(random);
  }
  d.w.usual_row = std::move(row);
  d.w.usual_gradient = std::move(gradient);
  if (d.read_matrices(t, y.data(), d.matrices)) d.learn_sizes(d.matrices);
}

void Dynamics::set_sides(std::span<const double> sides) {
  const std::shared_ptr<CompiledModel>& own = impl_->own;
  if (!own) return;
  own->sides = sides.empty() ? own->watches->switches.live_values() : Switches::values(sides);
  const std::vector<double> values = own->bound_values();
  for (const auto kernel : kKernels) {
    BoundKernel& bound = (*own).*kernel;
    if (bound.kernel) bound.constants = bound.kernel->prepare(values);
  }
}

const Vector& Dynamics::scale() const { return impl_->w.scale; }
bool Dynamics::is_near_singular() const { return impl_->w.near_singular_calls > 0; }
const SolveCounts& Dynamics::counts() const { return impl_->w.counts; }
const CompiledModel& Dynamics::compiled() const { return *impl_->compiled; }
const std::shared_ptr<const CompiledModel>& Dynamics::shared_compiled() const { return impl_->compiled; }

}  // namespace vinculum::sim
