#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>

#include "vinculum/base/index.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/expr/derivative.hpp"
#include "vinculum/model/sliding.hpp"
#include "vinculum/motion/dynamics_impl.hpp"

/// Friction at rest and in motion: velocities of sliding that are held at zero, and the directions of the others
/// (theory.md §4.6).
namespace vinculum::sim {
namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Basis = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 3, 3>;

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

Dynamics::Impl::Sticking::Sticking(const Binding& bound) : lu(bound->slide_size()) {
  const int ns = bound->slide_size(), nu = bound->nu(), nc = bound->nc();
  along = force = Vector::Zero(ns);
  U = Matrix::Zero(nu, ns);
  L = Matrix::Zero(nc, ns);
  K = T = Matrix::Zero(ns, ns);
  owner.assign(static_cast<std::size_t>(ns), 0);
  right = Vector::Zero(nc + ns);
  total = Vector::Zero(nu);
  lambda = lambda_ideal = Vector::Zero(nc);
  C_s = Matrix::Zero(nu, ns);
  coefficients = Vector::Ones(static_cast<Eigen::Index>(bound->system->slides.size()));
  ratios = Vector::Ones(static_cast<Eigen::Index>(bound->system->slides.size()));
  held_factor = Matrix::Zero(ns, ns);
  held.reserve(static_cast<std::size_t>(ns));
  const std::vector<expr::Expr> symbols = motion_symbols(*bound->system);
  has_varying_bounds = std::ranges::any_of(bound->system->slides, [&](const equations::Slide& slide) {
    const expr::Expr stated = slide.coefficient.is_valid() ? slide.coefficient : slide.bound;
    return stated.is_valid() && expr::depends_on(stated, symbols);
  });
  if (bound.stick.kernel) {
    stick.resize(bound.stick.kernel->output_count());
    stick_workspace.resize(bound.stick.kernel->workspace_size());
    push_input.resize(bound.push.kernel->input_count());
  }
  if (bound.locked.kernel) {
    locked_input.resize(bound.locked.kernel->input_count());
    for (const equations::Slide& slide : bound->system->slides)
      locked_speed.push_back(expr::sparse_jacobian(slide.velocity, bound->system->u).front().column);
  }
  result.resize(bound.slide_bound.kernel->output_count());
  workspace.resize(bound.slide_bound.kernel->workspace_size());
}

std::string Dynamics::Impl::slide_name(int slide) const {
  return model::name_of(*at_.compiled->model, nth(at_.compiled->model->slides, slide));
}

Failure Dynamics::Impl::friction_failure(FailureKind kind, int slide, std::string message) const {
  Failure failure;
  failure.kind = kind;
  const model::ConstraintId constraint = nth(at_.compiled->system->slides, slide).constraint;
  for (int row = 0; row < at_.nc && constraint.is_valid(); ++row) {
    if (nth(at_.compiled->system->rows, row).constraint == constraint) failure.rows.push_back(row);
  }
  failure.message = std::move(message);
  return failure;
}

void Dynamics::Impl::set_directions(const Vector& s) {
  // Behind u', λ, λ_ideal, efforts.
  std::copy_n(s.data(), s.size(), implicit->input.data() + 1 + at_.ny + at_.nu + 2 * at_.nc + at_.compiled->effort_count());
}

Outcome<void> Dynamics::Impl::respond_freely(ConstVector r_f, ConstVector r_b, Vector& multipliers) {
  auto done = explicit_route().solve(pieces_.matrices, 0.0, r_f, r_b, implicit->solution);
  if (done) multipliers = implicit->solution.lambda;
  return done;
}

Outcome<void> Dynamics::Impl::factor_sticking() {
  Sticking& k = *implicit->sticking;
  k.size = 0;
  k.is_shared = false;
  if (!at_.slides->has_any) return {};
  k.right.setZero();
  bool has_left_out = false;  // what no motion could set off
  const double mass = pieces_.matrices.metric.diagonal().cwiseAbs().maxCoeff();
  const std::vector<equations::Slide>& slides = at_.compiled->system->slides;
  for (std::size_t i = 0; i < slides.size(); ++i) {
    if (at_.mode->friction.sticks[i] == 0) continue;
    const int first = slides[i].first, count = slides[i].count;
    for (int c = first; c < first + count; ++c) {
      k.total = at_.slides->J.row(c).transpose();
      if (auto done = respond_freely(k.total, k.right.head(at_.nc), k.lambda); !done) return done;
      k.U.col(c) = implicit->solution.u;
      k.L.col(c) = k.lambda;
      k.K.col(c).noalias() = at_.slides->J * implicit->solution.u;
    }
    const Basis basis = directions_of(k.K.block(first, first, count, count), at_.slides->J.middleRows(first, count), mass);
    has_left_out = has_left_out || basis.cols() == 0 || has_free_normal(static_cast<int>(i));
    for (Eigen::Index c = 0; c < basis.cols(); ++c) {
      k.T.col(k.size).setZero();
      k.T.col(k.size).segment(first, count) = basis.col(c);
      k.owner[static_cast<std::size_t>(k.size++)] = static_cast<int>(i);
    }
  }
  MatrixRef system = k.lu.matrix(k.size);
  for (int c = 0; c < k.size; ++c) {
    // Columns of K are those of slides that stick: T is zero elsewhere.
    const equations::Slide& slide = slides[static_cast<std::size_t>(k.owner[static_cast<std::size_t>(c)])];
    k.along.noalias() = k.K.middleCols(slide.first, slide.count) * k.T.col(c).segment(slide.first, slide.count);
    for (int r = 0; r < k.size; ++r) system(r, c) = k.T.col(r).dot(k.along);
  }
  k.lu.factor(tolerance::kDerivedRank);
  k.is_shared = has_left_out || !k.lu.is_regular();
  return {};
}

Outcome<void> Dynamics::Impl::respond_sticking(ConstVector r_f, ConstVector r_b, Vector& multipliers) {
  if (auto done = respond_freely(r_f, r_b.head(at_.nc), multipliers); !done) return done;
  if (!implicit->sticking || implicit->sticking->size == 0) return {};
  Sticking& k = *implicit->sticking;
  k.along = r_b.tail(at_.slides->v.size());
  k.along.noalias() -= at_.slides->J * implicit->solution.u;
  for (int c = 0; c < k.size; ++c) k.force[c] = k.T.col(c).dot(k.along);
  (void)k.lu.solve(k.force.head(k.size));
  k.along.setZero();
  for (int c = 0; c < k.size; ++c) k.along += k.force[c] * k.T.col(c);
  k.force = k.along;
  for (std::size_t i = 0; i < at_.compiled->system->slides.size(); ++i) {
    if (at_.mode->friction.sticks[i] == 0) continue;
    const equations::Slide& slide = at_.compiled->system->slides[i];
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
  at_.read_slides();
  set_directions(at_.slides->s);
  if (auto done = factor_sticking(); !done) return done;
  if (at_.slides->has_any) {
    if (auto done = respond_freely(pieces_.matrices.f, pieces_.matrices.b, k.lambda_ideal); !done) return done;
  }
  k.right.head(at_.nc) = pieces_.matrices.b;
  k.right.tail(at_.slides->v.size()) = -at_.slides->beta;
  if (auto done = implicit->friction.solve(implicit->respond, implicit->evaluate_force, pieces_.matrices.f, k.right); !done) {
    if (done.error().kind == FailureKind::kNonFinite && !at_.slides->s.allFinite()) {
      done.error().message =
          "friction along the direction of sliding has none at rest: nothing says yet whether it sticks";
    }
    return done;
  }
  pieces_.matrices.C = implicit->friction.C();
  if (!at_.slides->has_any) return {};
  k.total = pieces_.matrices.f + pieces_.matrices.C;
  if (auto done = respond_sticking(k.total, k.right, k.lambda); !done) return done;
  for (const equations::Slide& slide : at_.compiled->system->slides) {
    const auto J = at_.slides->J.middleRows(slide.first, slide.count);
    Vector& of = slide.constraint.is_valid() ? pieces_.matrices.C : pieces_.matrices.f;  // a load is a given force
    of.noalias() += J.transpose() * k.force.segment(slide.first, slide.count);
  }
  return {};
}

void Dynamics::Impl::drop_rounding(Vector& u) {
  Sticking& k = *implicit->sticking;
  k.total = pieces_.matrices.f.cwiseAbs();
  for (int row = 0; row < at_.nc; ++row)
    k.total += std::abs(solved.lambda[row]) * pieces_.matrices.A.row(row).transpose().cwiseAbs();
  for (Eigen::Index c = 0; c < k.force.size(); ++c) k.total += std::abs(k.force[c]) * at_.slides->J.row(c).transpose().cwiseAbs();
  for (int i = 0; i < at_.nu; ++i) {
    if (std::abs(u[i]) * pieces_.matrices.metric(i, i) <= tolerance::kRounded * k.total[i]) u[i] = 0.0;
  }
}

Outcome<void> Dynamics::Impl::read_bounds(FrictionReading& reading) {
  Sticking& k = *implicit->sticking;
  const std::vector<equations::Slide>& slides = at_.compiled->system->slides;
  reading.force = k.force;
  reading.bound = reading.static_bound = Vector::Zero(static_cast<Eigen::Index>(slides.size()));
  evaluate_bounds(implicit->friction.lambda());
  const double mass = pieces_.matrices.metric.diagonal().cwiseAbs().maxCoeff();
  const Vector zero = Vector::Zero(at_.nc);
  for (std::size_t i = 0; i < slides.size(); ++i) {
    const auto at = static_cast<Eigen::Index>(i);
    if (k.coefficients[at] < 0.0) return fail(negative_bound(static_cast<int>(i), k.coefficients[at]));
    if (at_.mode->friction.sticks[i] == 0) continue;
    const int first = slides[i].first, count = slides[i].count;
    const Matrix J = at_.slides->J.middleRows(first, count);
    Matrix of_unit(at_.nu, count), of_law(at_.nu, count);
    for (int c = 0; c < count; ++c) {
      k.total = J.row(c).transpose();
      if (auto done = respond_freely(k.total, zero, k.lambda); !done) return done;
      of_unit.col(c) = implicit->solution.u;
      k.total = k.C_s.col(first + c);
      if (auto done = respond_freely(k.total, zero, k.lambda); !done) return done;
      of_law.col(c) = implicit->solution.u;
    }
    const Basis T = directions_of(J * of_unit, J, mass);
    if (T.cols() == 0) continue;
    const Matrix K = T.transpose() * J * of_unit * T, law = T.transpose() * J * of_law * T;
    const double bound = -(law.cwiseProduct(K)).sum() / K.squaredNorm();
    if ((law + bound * K).norm() > tolerance::kRoot * std::abs(bound) * K.norm()) return fail(says_nothing(i));
    if (bound < -tolerance::kAtStates * law.norm() / K.norm()) return fail(negative_bound(static_cast<int>(i), bound));
    reading.bound[at] = std::max(bound, 0.0);
    reading.static_bound[at] = k.ratios[at] * reading.bound[at];
  }
  return {};
}

/// Of a force of friction that is not against the velocity whose direction it takes.
Failure Dynamics::Impl::says_nothing(std::size_t slide) const {
  return friction_failure(FailureKind::kFrictionNoSolution, static_cast<int>(slide),
                          "friction at `" + slide_name(static_cast<int>(slide)) +
                              "` is not against the velocity whose direction it takes: it says nothing about rest");
}

Outcome<void> Dynamics::Impl::fill_directions(Vector& s) {
  Sticking& k = *implicit->sticking;
  s = at_.slides->s;
  if (!at_.slides->has_any) return {};
  FrictionReading reading;
  if (auto done = read_bounds(reading); !done) return done;
  for (std::size_t i = 0; i < at_.compiled->system->slides.size(); ++i) {
    if (at_.mode->friction.sticks[i] == 0) continue;
    const equations::Slide& slide = at_.compiled->system->slides[i];
    const double bound = reading.bound[static_cast<Eigen::Index>(i)];
    if (bound > 0.0) s.segment(slide.first, slide.count) = k.force.segment(slide.first, slide.count) / -bound;
  }
  return {};
}

/// Whether the bound of a contact depends on reactions that rows share.
bool Dynamics::Impl::has_free_normal(int slide) {
  if (directed || at_.nc == 0) return false;
  const std::vector<char>& unique = pivoted.rows().unique();
  return std::ranges::any_of(nth(at_.compiled->dependence.of_slides, slide),
                             [&](int place) { return nth(unique, nth(at_.compiled->dependence.rows, place)) == 0; });
}

Outcome<double> Dynamics::Impl::project_sticking(double t, double* y) {
  if (!implicit || !implicit->sticking) return 0.0;
  Sticking& k = *implicit->sticking;
  if (std::ranges::none_of(at_.mode->friction.sticks, [](char sticks) { return sticks != 0; })) return 0.0;
  if (const auto moved = push_sticking(t, y)) return *moved;
  if (auto done = pieces_.evaluate(t, y, pieces_.matrices); !done) return fail(std::move(done.error()));
  std::copy_n(at_.input.begin(), 1 + at_.ny, implicit->input.begin());
  at_.read_slides();
  auto done = explicit_route().factor(pieces_.matrices, pieces_.rows.seen_by_rows(pieces_.rows.relative_defect(pieces_.matrices)));
  if (done) done = factor_sticking();
  if (!done) return fail(pieces_.named(std::move(done.error()), t, model::Level::kVelocity));
  for (int c = 0; c < k.size; ++c) k.force[c] = -k.T.col(c).dot(at_.slides->v);
  (void)k.lu.solve(k.force.head(k.size));
  k.along.setZero();
  for (int c = 0; c < k.size; ++c) k.along += k.force[c] * k.T.col(c);
  double moved = 0.0;
  for (std::size_t i = 0; i < at_.compiled->system->slides.size(); ++i) {
    if (at_.mode->friction.sticks[i] == 0) continue;
    const equations::Slide& slide = at_.compiled->system->slides[i];
    for (int c = slide.first; c < slide.first + slide.count; ++c) {
      for (int r = 0; r < at_.nu; ++r) {
        const double change = k.along[c] * k.U(r, c);
        y[at_.nq + r] += change;
        moved = std::max(moved, std::abs(change) * at_.sizes.inverse_scale[at_.nq + r]);
      }
    }
  }
  for (std::size_t i = 0; i < k.locked_speed.size(); ++i)
    if (at_.mode->friction.sticks[i] != 0) y[at_.nq + nth(k.locked_speed, i)] = 0.0;  // to the last bit, as u' = 0 keeps it
  return moved;
}

bool Dynamics::has_varying_friction() const {
  return impl_->implicit && impl_->implicit->sticking && impl_->implicit->sticking->has_varying_bounds;
}

void Dynamics::read_stated_friction(const Mode& mode, double t, const double* y, Vector& stated) {
  Impl& d = in_copy(mode);
  d.at_.load(t, y);
  std::copy_n(d.at_.input.begin(), 1 + d.at_.ny, d.implicit->input.begin());
  d.evaluate_bounds(d.implicit->friction.lambda());
  stated = d.implicit->sticking->coefficients;
}

Failure Dynamics::negative_friction(double t, int slide, double stated) const {
  return impl_->pieces_.named(impl_->negative_bound(slide, stated), t, model::Level::kAcceleration);
}

void Dynamics::read_slides(const Mode& mode, double t, const double* y, Vector& v, Vector& size) {
  Impl& d = in_copy(mode);
  d.at_.load(t, y);
  std::copy_n(d.at_.input.begin(), 1 + d.at_.ny, d.implicit->input.begin());
  d.at_.read_slides();
  const SlideMotion& slides = *d.at_.slides;
  v = slides.v;
  size.setZero(static_cast<Eigen::Index>(d.at_.mode->friction.sticks.size()));
  const auto u = Eigen::Map<const Vector>(y + d.at_.nq, d.at_.nu);
  for (Eigen::Index i = 0; i < size.size(); ++i) {
    const equations::Slide& slide = d.at_.compiled->system->slides[static_cast<std::size_t>(i)];
    for (int c = slide.first; c < slide.first + slide.count; ++c) {
      size[i] = std::max(size[i], slides.J.row(c).cwiseAbs().dot(u.cwiseAbs()) + std::abs(slides.v[c] - slides.J.row(c).dot(u)));
    }
  }
}

Outcome<void> Dynamics::read_friction(const Mode& mode, double t, const double* y, FrictionReading& reading) {
  Impl& d = in_copy(mode);
  if (d.read_held_friction(t, y, reading)) return {};
  const auto defect = d.factor_at(t, y);
  if (!defect) return fail(defect.error());
  auto done = d.solve_accelerations(d.pieces_.rows.seen_by_rows(*defect));
  const Vector u_dot = d.solved.u;
  if (done) done = d.read_bounds(reading);
  if (!done) return fail(d.pieces_.named(std::move(done.error()), t, model::Level::kAcceleration));
  reading.v_dot = d.at_.slides->J * u_dot + d.at_.slides->beta;
  if (d.implicit->sticking->is_shared) return d.read_shares(t, y, reading);
  return {};
}

void Dynamics::learn_slide_reach(const Mode& mode, double t, const double* y) { in_copy(mode).learn_slide_reach(t, y); }

Outcome<ContactReading> Dynamics::read_contacts(const Mode& mode, double t, const double* y,
                                                const std::vector<char>& at_rest, const Vector& guess) {
  return in_copy(mode).read_contacts(t, y, at_rest, guess);
}

}  // namespace vinculum::sim
