// Levels of invariants kept by projection: after the constraints, (q, u) moves onto them by the least change.
#include "vinculum/sim/invariants/conserve.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "vinculum/expr/derivative.hpp"
#include "vinculum/sim/plant/dynamics_impl.hpp"

namespace vinculum::sim {
namespace {

using expr::Expr;
using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr double kUlp = std::numeric_limits<double>::epsilon();
constexpr int kMostOfLevels = 8;
// A level missed by this many roundings of its size is met; one that Newton no longer lowers is rounding up to the
// second.
constexpr double kLevelRoundings = 4.0;
constexpr double kLevelStagnation = 1e-11;
// Part of the largest gradient of an invariant so far below which it has all but vanished (an equilibrium): rounding of
// its value over so short a gradient would be a long way.
constexpr double kVanishedGradient = 1e-6;
// Mass matrices may be singular: this part of the largest inertia stands in for what is missing.
constexpr double kLeastInertia = 1e-9;

void append(std::vector<Expr>& all, const std::vector<Expr>& more) { all.insert(all.end(), more.begin(), more.end()); }

}  // namespace

std::vector<Expr> level_outputs(const dynamics::System& system, const std::vector<Expr>& values,
                                const std::vector<int>& velocity_rows) {
  const std::size_t nu = system.u.size();
  const auto along_speeds = [&](Expr value) {  // ∂/∂q G
    const std::vector<Expr> slope = expr::gradient(value, system.q);
    std::vector<Expr> row(nu, system.graph->constant(0.0));
    for (std::size_t i = 0; i < slope.size(); ++i) {
      if (slope[i].is_zero()) continue;
      for (std::size_t r = 0; r < nu; ++r) row[r] += slope[i] * system.G[i][r];
    }
    return row;
  };
  std::vector<Expr> all = values;
  for (const Expr value : values) append(all, along_speeds(value));
  for (const Expr value : values) append(all, expr::gradient(value, system.u));
  for (const int row : velocity_rows) append(all, along_speeds(system.rows[static_cast<std::size_t>(row)].psi));
  return all;
}

Dynamics::Impl::Levels::Levels(const CompiledModel& compiled)
    : count(static_cast<int>(compiled.model->conserved.size())),
      solver(2 * compiled.nu(),
             static_cast<int>(compiled.position_rows.size() + compiled.velocity_rows.size()) + count),
      start(Vector::Zero(count)),
      now(start),
      missed(start),
      largest(start),
      metric(Matrix::Zero(2 * compiled.nu(), 2 * compiled.nu())),
      A(Matrix::Zero(static_cast<Eigen::Index>(compiled.position_rows.size() + compiled.velocity_rows.size()) + count,
                     2 * compiled.nu())),
      by_place(Matrix::Zero(count, compiled.nu())),
      by_speed(by_place),
      psi_by_place(Matrix::Zero(static_cast<Eigen::Index>(compiled.velocity_rows.size()), compiled.nu())),
      defect(Vector::Zero(A.rows())),
      force(Vector::Zero(2 * compiled.nu())),
      change_q(Vector::Zero(compiled.nq())) {
  solution.u = Vector::Zero(2 * compiled.nu());
  solution.lambda = Vector::Zero(A.rows());
  solution.Q = Vector::Zero(2 * compiled.nu());
}

void Dynamics::Impl::read_levels(double t, const double* y) {
  Levels& l = *levels;
  load(t, y);
  evaluate(compiled->levels);
  const double* r = result.data();
  l.now = Eigen::Map<const Vector>(r, l.count);
  r += l.count;
  l.by_place = Eigen::Map<const RowMajor>(r, l.count, nu);
  r += l.count * nu;
  l.by_speed = Eigen::Map<const RowMajor>(r, l.count, nu);
  r += l.count * nu;
  l.psi_by_place = Eigen::Map<const RowMajor>(r, l.psi_by_place.rows(), nu);
}

/// ½ (ω² wᵀW w + δuᵀW δu) of a change G w of the places and δu of the speeds, W the metric made definite.
void Dynamics::Impl::measure_levels() {
  Levels& l = *levels;
  const auto s_u = scale.segment(nq, nu);
  double largest_inertia = 0.0;
  for (int r = 0; r < nu; ++r) largest_inertia = std::max(largest_inertia, matrices.metric(r, r) * s_u[r] * s_u[r]);
  if (!(largest_inertia > 0.0)) largest_inertia = 1.0 / kLeastInertia;
  auto of_speeds = l.metric.bottomRightCorner(nu, nu);
  of_speeds = matrices.metric;
  for (int r = 0; r < nu; ++r) of_speeds(r, r) += kLeastInertia * largest_inertia / (s_u[r] * s_u[r]);
  l.metric.topLeftCorner(nu, nu) = l.rate * l.rate * of_speeds;
}

Outcome<double> Dynamics::Impl::keep_levels(double t, double* y) {
  Levels& l = *levels;
  const auto s_u = scale.segment(nq, nu).cwiseAbs();
  double moved = 0.0, previous = std::numeric_limits<double>::infinity();
  for (int iteration = 0; iteration < kMostOfLevels; ++iteration) {
    read_levels(t, y);
    if (!l.now.allFinite() || !l.by_place.allFinite() || !l.by_speed.allFinite()) return fail(non_finite(t, y));
    double worst = 0.0;
    int worst_level = 0;
    for (int k = 0; k < l.count; ++k) {
      const double gradient = l.by_place.row(k).cwiseAbs().dot(s_u) / l.rate + l.by_speed.row(k).cwiseAbs().dot(s_u);
      l.largest[k] = std::max(l.largest[k], gradient);
      const bool is_flat = gradient <= kVanishedGradient * l.largest[k];
      l.missed[k] = is_flat ? 0.0 : l.start[k] - l.now[k];
      if (is_flat) {
        l.by_place.row(k).setZero();
        l.by_speed.row(k).setZero();
      }
      const double size = std::max({std::abs(l.start[k]), std::abs(l.now[k]), l.largest[k]});
      if (const double relative = size > 0.0 ? std::abs(l.missed[k]) / size : 0.0; relative > worst) {
        worst = relative;
        worst_level = k;
      }
    }
    if (worst <= kLevelRoundings * kUlp) return moved;
    if (worst > 0.5 * previous) {
      if (worst <= kLevelStagnation) return moved;
      Failure failure;
      failure.kind = FailureKind::kNotConserved;
      failure.t = t;
      failure.statements = {{StatementId::Kind::kConserved, worst_level}};
      failure.size = std::abs(l.missed[worst_level]);
      failure.message = "`" + compiled->model->conserved[static_cast<std::size_t>(worst_level)].text +
                        "` cannot be brought back to its value at the start";
      return fail(std::move(failure));
    }
    previous = worst;
    if (!read_matrices(t, y, matrices)) return fail(non_finite(t, y));
    measure_levels();
    const auto np = static_cast<Eigen::Index>(positions.rows.size()),
               nv = static_cast<Eigen::Index>(speeds.rows.size());
    for (Eigen::Index k = 0; k < np; ++k)
      l.A.row(k).head(nu) = matrices.A.row(positions.rows[static_cast<std::size_t>(k)]);
    for (Eigen::Index k = 0; k < nv; ++k) {
      l.A.row(np + k).head(nu) = l.psi_by_place.row(k);
      l.A.row(np + k).tail(nu) = matrices.A.row(speeds.rows[static_cast<std::size_t>(k)]);
    }
    l.A.bottomRows(l.count).leftCols(nu) = l.by_place;
    l.A.bottomRows(l.count).rightCols(nu) = l.by_speed;
    l.defect.setZero();
    l.defect.tail(l.count) = l.missed;
    if (auto done = l.solver.factor(l.metric, l.A, relative_defect(matrices)); !done) {
      return fail(named(std::move(done.error()), t, mechanics::Level::kVelocity));
    }
    l.solver.solver().solve_least_squares(l.force, l.defect, l.solution);
    l.change_q.noalias() = matrices.G * l.solution.u.head(nu);
    for (int i = 0; i < nq; ++i) {
      y[i] += l.change_q[i];
      moved = std::max(moved, std::abs(l.change_q[i]) * inverse_scale[i]);
    }
    for (int r = 0; r < nu; ++r) {
      y[nq + r] += l.solution.u[nu + r];
      moved = std::max(moved, std::abs(l.solution.u[nu + r]) * inverse_scale[nq + r]);
    }
    const auto back = project_onto_constraints(t, y);
    if (!back) return back;
    moved = std::max(moved, *back);
  }
  return moved;
}

void Dynamics::keep_levels(double t, const Vector& y) {
  Impl& d = *impl_;
  if (d.compiled->model->conserved.empty()) return;
  if (!d.levels) d.levels.emplace(*d.compiled);
  Impl::Levels& l = *d.levels;
  (void)d.read_matrices(t, y.data(), d.matrices);
  // A rate that makes changes of places and speeds alike: typical q' over typical q.
  const Vector q_dot = d.matrices.G.cwiseAbs() * d.scale.segment(d.nq, d.nu);
  double sum = 0.0;
  for (int i = 0; i < d.nq; ++i) sum += (q_dot[i] / d.scale[i]) * (q_dot[i] / d.scale[i]);
  l.rate = sum > 0.0 && std::isfinite(sum) ? std::sqrt(sum / d.nq) : 1.0;
  l.largest.setZero();
  d.read_levels(t, y.data());
  l.start = l.now;
}

void Dynamics::release_levels() { impl_->levels.reset(); }

}  // namespace vinculum::sim
