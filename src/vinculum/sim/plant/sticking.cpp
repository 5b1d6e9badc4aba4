#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>

#include "vinculum/base/tolerance.hpp"
#include "vinculum/sim/plant/dynamics_impl.hpp"

/// Friction at rest and in motion: velocities of sliding that are held at zero, and the directions of the others
/// (theory.md §4.6).
namespace vinculum::sim {
namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Basis = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 3, 3>;

constexpr double kTurnedAbout = -0.9;  // cosine to the direction before: it has passed through zero

/// Orthonormal directions in which v can change, from its response K = J U to forces along its components.
Basis directions_of(ConstMatrix K, ConstMatrix J, double mass) {
  const Eigen::Index n = K.rows();
  Eigen::Matrix3d square = Eigen::Matrix3d::Zero();
  square.topLeftCorner(n, n).noalias() = K * K.transpose();
  Basis all(n, 0);
  const double largest = std::sqrt(square.trace());
  if (!(largest * mass > tolerance::kDerivedRank * J.squaredNorm())) return all;
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> eigen(square);
  for (int k = 2; k >= 0; --k) {
    if (!(std::sqrt(std::max(eigen.eigenvalues()[k], 0.0)) > tolerance::kRoot * largest)) break;
    const Eigen::Index column = all.cols();
    all.conservativeResize(n, column + 1);
    all.col(column) = eigen.eigenvectors().col(k).head(n);
  }
  return all;
}

}  // namespace

Dynamics::Impl::Sticking::Sticking(const CompiledModel& compiled) : lu(compiled.slide_size()) {
  const int ns = compiled.slide_size(), nu = compiled.nu(), nc = compiled.nc();
  v = beta = s = along = force = Vector::Zero(ns);
  J = Matrix::Zero(ns, nu);
  U = Matrix::Zero(nu, ns);
  L = Matrix::Zero(nc, ns);
  K = T = Matrix::Zero(ns, ns);
  owner.assign(static_cast<std::size_t>(ns), 0);
  right = Vector::Zero(nc + ns);
  total = Vector::Zero(nu);
  lambda = lambda_ideal = Vector::Zero(nc);
  for (const BoundKernel* bound : {&compiled.slide_motion, &compiled.slide_bound}) {
    result.resize(std::max(result.size(), bound->kernel->output_count()));
    workspace.resize(std::max(workspace.size(), bound->kernel->workspace_size()));
  }
}

Failure Dynamics::Impl::friction_failure(FailureKind kind, int slide, std::string message) const {
  Failure failure;
  failure.kind = kind;
  const mechanics::ConstraintId constraint = compiled->system->slides[static_cast<std::size_t>(slide)].constraint;
  for (int row = 0; row < nc; ++row) {
    if (compiled->system->rows[static_cast<std::size_t>(row)].constraint == constraint) failure.rows.push_back(row);
  }
  failure.message = std::move(message);
  return failure;
}

void Dynamics::Impl::read_slides() {
  Sticking& k = *implicit->sticking;
  compiled->slide_motion.evaluate(implicit->input.data(), k.result.data(), k.workspace.data());
  const Eigen::Index ns = k.v.size();
  k.v = Eigen::Map<const Vector>(k.result.data(), ns);
  k.J = Eigen::Map<const RowMajor>(k.result.data() + ns, ns, nu);
  k.beta = Eigen::Map<const Vector>(k.result.data() + ns + ns * nu, ns);
  k.has_any = false;
  for (std::size_t i = 0; i < compiled->system->slides.size(); ++i) {
    const dynamics::Slide& slide = compiled->system->slides[i];
    auto s = k.s.segment(slide.first, slide.count);
    if (w.friction.sticks[i] != 0) {
      s.setZero();
      k.has_any = true;
      continue;
    }
    const auto v = k.v.segment(slide.first, slide.count);
    const auto held = w.friction.direction.segment(slide.first, slide.count);
    double size = 0.0;
    for (int c = slide.first; c < slide.first + slide.count; ++c) {
      size = std::max(size, k.J.row(c).cwiseAbs().dot(w.scale.segment(nq, nu)));
    }
    const double speed = v.norm();
    if (!(speed > tolerance::kZero * size)) {
      s = held;
      continue;
    }
    s = v / speed;
    if (s.dot(held) < kTurnedAbout) s = -s;  // smooth through zero, where it is judged
  }
  const auto first =
      static_cast<std::size_t>(nu + 2 * nc + compiled->effort_count());  // behind u', λ, λ_ideal, efforts
  std::copy_n(k.s.data(), ns, implicit->input.data() + input.size() + first);
}

Outcome<void> Dynamics::Impl::respond_freely(ConstVector r_f, ConstVector r_b, Vector& multipliers) {
  auto done = explicit_route().solve(matrices, 0.0, r_f, r_b, implicit->solution);
  if (done) multipliers = implicit->solution.lambda;
  return done;
}

Outcome<void> Dynamics::Impl::factor_sticking() {
  Sticking& k = *implicit->sticking;
  k.size = 0;
  if (!k.has_any) return {};
  k.right.setZero();
  const double mass = matrices.metric.diagonal().cwiseAbs().maxCoeff();
  const std::vector<dynamics::Slide>& slides = compiled->system->slides;
  for (std::size_t i = 0; i < slides.size(); ++i) {
    if (w.friction.sticks[i] == 0) continue;
    const int first = slides[i].first, count = slides[i].count;
    for (int c = first; c < first + count; ++c) {
      k.total = k.J.row(c).transpose();
      if (auto done = respond_freely(k.total, k.right.head(nc), k.lambda); !done) return done;
      k.U.col(c) = implicit->solution.u;
      k.L.col(c) = k.lambda;
      k.K.col(c).noalias() = k.J * implicit->solution.u;
    }
    const Basis basis = directions_of(k.K.block(first, first, count, count), k.J.middleRows(first, count), mass);
    for (Eigen::Index c = 0; c < basis.cols(); ++c) {
      k.T.col(k.size).setZero();
      k.T.col(k.size).segment(first, count) = basis.col(c);
      k.owner[static_cast<std::size_t>(k.size++)] = static_cast<int>(i);
    }
  }
  MatrixRef system = k.lu.matrix(k.size);
  for (int c = 0; c < k.size; ++c) {
    // Columns of K are those of slides that stick: T is zero elsewhere.
    const dynamics::Slide& slide = slides[static_cast<std::size_t>(k.owner[static_cast<std::size_t>(c)])];
    k.along.noalias() = k.K.middleCols(slide.first, slide.count) * k.T.col(c).segment(slide.first, slide.count);
    for (int r = 0; r < k.size; ++r) system(r, c) = k.T.col(r).dot(k.along);
  }
  k.lu.factor(tolerance::kDerivedRank);
  if (k.lu.is_regular()) return {};
  const std::string name = compiled->model->constraint(slides[static_cast<std::size_t>(k.owner[0])].constraint).name;
  return fail(friction_failure(
      FailureKind::kFrictionManySolutions, k.owner[0],
      "contacts stick at once whose forces of friction are not unique, that of `" + name + "` among them"));
}

Outcome<void> Dynamics::Impl::respond_sticking(ConstVector r_f, ConstVector r_b, Vector& multipliers) {
  if (auto done = respond_freely(r_f, r_b.head(nc), multipliers); !done) return done;
  if (!implicit->sticking || implicit->sticking->size == 0) return {};
  Sticking& k = *implicit->sticking;
  k.along = r_b.tail(k.v.size());
  k.along.noalias() -= k.J * implicit->solution.u;
  for (int c = 0; c < k.size; ++c) k.force[c] = k.T.col(c).dot(k.along);
  (void)k.lu.solve(k.force.head(k.size));
  k.along.setZero();
  for (int c = 0; c < k.size; ++c) k.along += k.force[c] * k.T.col(c);
  k.force = k.along;
  for (std::size_t i = 0; i < compiled->system->slides.size(); ++i) {
    if (w.friction.sticks[i] == 0) continue;
    const dynamics::Slide& slide = compiled->system->slides[i];
    for (int c = slide.first; c < slide.first + slide.count; ++c) {
      multipliers += k.force[c] * k.L.col(c);
      implicit->solution.u += k.force[c] * k.U.col(c);
    }
  }
  return {};
}

Outcome<void> Dynamics::Impl::settle_sticking() {
  Sticking& k = *implicit->sticking;
  k.force.setZero();
  read_slides();
  if (auto done = factor_sticking(); !done) return done;
  if (k.has_any) {
    if (auto done = respond_freely(matrices.f, matrices.b, k.lambda_ideal); !done) return done;
  }
  k.right.head(nc) = matrices.b;
  k.right.tail(k.v.size()) = -k.beta;
  if (auto done = implicit->friction.solve(implicit->respond, implicit->evaluate_force, matrices.f, k.right); !done) {
    if (done.error().kind == FailureKind::kNonFinite && !k.s.allFinite()) {
      done.error().message =
          "friction along the direction of sliding has none at rest: nothing says yet whether it sticks";
    }
    return done;
  }
  matrices.C = implicit->friction.C();
  if (!k.has_any) return {};
  k.total = matrices.f + matrices.C;
  if (auto done = respond_sticking(k.total, k.right, k.lambda); !done) return done;
  matrices.C.noalias() += k.J.transpose() * k.force;
  return {};
}

Outcome<void> Dynamics::Impl::read_bounds(FrictionReading& reading, bool of_all) {
  Sticking& k = *implicit->sticking;
  const std::vector<dynamics::Slide>& slides = compiled->system->slides;
  const auto count_of_slides = static_cast<Eigen::Index>(slides.size());
  reading.v = k.v;
  reading.force = k.force;
  reading.bound = reading.static_bound = reading.mobility = Vector::Zero(count_of_slides);
  reading.freedom.assign(slides.size(), 0);
  double* const multipliers = implicit->input.data() + input.size() + static_cast<std::size_t>(nu);
  std::copy_n(implicit->friction.lambda().data(), nc, multipliers);
  std::copy_n((k.has_any ? k.lambda_ideal : implicit->friction.lambda_ideal()).data(), nc, multipliers + nc);
  compiled->slide_bound.evaluate(implicit->input.data(), k.result.data(), k.workspace.data());
  const Matrix C_s = Eigen::Map<const RowMajor>(k.result.data(), nu, k.v.size());
  const Vector ratios = Eigen::Map<const Vector>(k.result.data() + nu * k.v.size(), count_of_slides);
  const double mass = matrices.metric.diagonal().cwiseAbs().maxCoeff();
  const Vector zero = Vector::Zero(nc);
  for (std::size_t i = 0; i < slides.size(); ++i) {
    if (!of_all && w.friction.sticks[i] == 0) continue;
    const auto at = static_cast<Eigen::Index>(i);
    const int first = slides[i].first, count = slides[i].count;
    const Matrix J = k.J.middleRows(first, count);
    Matrix of_unit(nu, count), of_law(nu, count);
    for (int c = 0; c < count; ++c) {
      k.total = J.row(c).transpose();
      if (auto done = respond_freely(k.total, zero, k.lambda); !done) return done;
      of_unit.col(c) = implicit->solution.u;
      k.total = C_s.col(first + c);
      if (!k.total.allFinite()) k.total.setZero();  // no reaction at all
      if (auto done = respond_freely(k.total, zero, k.lambda); !done) return done;
      of_law.col(c) = implicit->solution.u;
    }
    const Basis T = directions_of(J * of_unit, J, mass);
    reading.freedom[i] = static_cast<int>(T.cols());
    if (T.cols() == 0) continue;
    const Matrix K = T.transpose() * J * of_unit * T, law = T.transpose() * J * of_law * T;
    const double bound = -(law.cwiseProduct(K)).sum() / K.squaredNorm();
    if ((law + bound * K).norm() > tolerance::kRoot * std::abs(bound) * K.norm()) {
      return fail(
          friction_failure(FailureKind::kFrictionNoSolution, static_cast<int>(i),
                           "friction at `" + compiled->model->constraint(slides[i].constraint).name +
                               "` is not against the velocity whose direction it takes: it says nothing about rest"));
    }
    reading.bound[at] = std::max(bound, 0.0);
    reading.static_bound[at] = ratios[at] * reading.bound[at];
    reading.mobility[at] = K.trace() / static_cast<double>(T.cols());
  }
  return {};
}

Outcome<void> Dynamics::Impl::fill_directions(Vector& s) {
  Sticking& k = *implicit->sticking;
  s = k.s;
  if (!k.has_any) return {};
  FrictionReading reading;
  if (auto done = read_bounds(reading, false); !done) return done;
  for (std::size_t i = 0; i < compiled->system->slides.size(); ++i) {
    if (w.friction.sticks[i] == 0) continue;
    const dynamics::Slide& slide = compiled->system->slides[i];
    const double bound = reading.bound[static_cast<Eigen::Index>(i)];
    if (bound > 0.0) s.segment(slide.first, slide.count) = k.force.segment(slide.first, slide.count) / -bound;
  }
  return {};
}

Outcome<double> Dynamics::Impl::project_sticking(double t, double* y) {
  if (!implicit || !implicit->sticking) return 0.0;
  Sticking& k = *implicit->sticking;
  if (std::ranges::none_of(w.friction.sticks, [](char sticks) { return sticks != 0; })) return 0.0;
  if (auto done = evaluate_matrices(t, y, matrices); !done) return fail(std::move(done.error()));
  std::copy(input.begin(), input.end(), implicit->input.begin());
  read_slides();
  auto done = explicit_route().factor(matrices, seen_by_rows(relative_defect(matrices)));
  if (done) done = factor_sticking();
  if (!done) return fail(named(std::move(done.error()), t, mechanics::Level::kVelocity));
  for (int c = 0; c < k.size; ++c) k.force[c] = -k.T.col(c).dot(k.v);
  (void)k.lu.solve(k.force.head(k.size));
  k.along.setZero();
  for (int c = 0; c < k.size; ++c) k.along += k.force[c] * k.T.col(c);
  double moved = 0.0;
  for (std::size_t i = 0; i < compiled->system->slides.size(); ++i) {
    if (w.friction.sticks[i] == 0) continue;
    const dynamics::Slide& slide = compiled->system->slides[i];
    for (int c = slide.first; c < slide.first + slide.count; ++c) {
      for (int r = 0; r < nu; ++r) {
        const double change = k.along[c] * k.U(r, c);
        y[nq + r] += change;
        moved = std::max(moved, std::abs(change) * w.inverse_scale[nq + r]);
      }
    }
  }
  return moved;
}

void Dynamics::set_friction(const FrictionState& state) {
  Impl& d = *impl_;
  if (!d.implicit || !d.implicit->sticking) return;
  ++d.changes;
  d.w.friction = state;
  d.implicit->friction.forget();
  if (!d.along) return;
  for (Dynamics& face : d.along->faces()) face.set_friction(state);
}

const FrictionState& Dynamics::friction() const { return impl_->w.friction; }

void Dynamics::read_slides(double t, const double* y, Vector& v, Vector& size) {
  Impl& d = looking();
  d.load(t, y);
  std::copy(d.input.begin(), d.input.end(), d.implicit->input.begin());
  d.read_slides();
  const Impl::Sticking& k = *d.implicit->sticking;
  v = k.v;
  size.setZero(static_cast<Eigen::Index>(d.w.friction.sticks.size()));
  const auto u = Eigen::Map<const Vector>(y + d.nq, d.nu);
  for (Eigen::Index i = 0; i < size.size(); ++i) {
    const dynamics::Slide& slide = d.compiled->system->slides[static_cast<std::size_t>(i)];
    for (int c = slide.first; c < slide.first + slide.count; ++c) {
      size[i] = std::max(size[i], k.J.row(c).cwiseAbs().dot(u.cwiseAbs()) + std::abs(k.v[c] - k.J.row(c).dot(u)));
    }
  }
}

Outcome<void> Dynamics::read_friction(double t, const double* y, FrictionReading& reading) {
  Impl& d = looking();
  const auto defect = d.factor_at(t, y);
  if (!defect) return fail(defect.error());
  auto done = d.solve_accelerations(d.seen_by_rows(*defect));
  const Vector u_dot = d.solved.u;
  if (done) done = d.read_bounds(reading, true);
  if (!done) return fail(d.named(std::move(done.error()), t, mechanics::Level::kAcceleration));
  reading.v_dot = d.implicit->sticking->J * u_dot + d.implicit->sticking->beta;
  return {};
}

Outcome<std::vector<Vector>> Dynamics::rates_of_slides(double t, const double* y) {
  Impl& d = looking();
  const auto defect = d.factor_at(t, y);
  if (!defect) return fail(defect.error());
  const Impl::Sticking& k = *d.implicit->sticking;
  std::vector<Vector> rates;
  const auto done = d.solve_accelerations(d.seen_by_rows(*defect));
  if (done) {
    rates.emplace_back(k.J * d.solved.u + k.beta);
    return rates;
  }
  laws::FrictionSolve& friction = d.implicit->friction;
  if (done.error().kind != FailureKind::kFrictionManySolutions || k.has_any || friction.found() == 0 ||
      !friction.has_all()) {
    return fail(done.error());
  }
  Vector multipliers(d.nc);
  for (int i = 0; i < friction.found(); ++i) {
    friction.take(i, d.implicit->evaluate_force);
    const Vector force_there = d.matrices.f + friction.C().head(d.nu);
    if (auto solved = d.respond_freely(force_there, d.matrices.b, multipliers); !solved) return fail(solved.error());
    rates.emplace_back(k.J * d.implicit->solution.u + k.beta);
  }
  return rates;
}

}  // namespace vinculum::sim
