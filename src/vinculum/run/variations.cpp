#include "vinculum/run/variations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "vinculum/base/tolerance.hpp"
#include "vinculum/compiled/motion_gradient.hpp"
#include "vinculum/compiled/scales.hpp"
#include "vinculum/expr/series.hpp"
#include "vinculum/expr/taylor.hpp"
#include "vinculum/motion/packed_state.hpp"

namespace vinculum::sim {
namespace {

using expr::Expr;

/// Integrates y and the columns of w as one problem.
class BesideMotion {
 public:
  BesideMotion(Dynamics& dynamics, const MotionEquations& equations, Eigen::Index columns)
      : dynamics_(dynamics),
        ny_(static_cast<Eigen::Index>(equations.state.size()) - 1),
        columns_(columns),
        linearised_(equations, dynamics.binding().parameters) {}

  /// \pre the scale of `dynamics` is set
  /// \param w  variations at the start; they determine the scale of each column
  [[nodiscard]] integrate::Problem problem(const Matrix& w) {
    integrate::Problem problem;
    problem.size = static_cast<int>(ny_ * (1 + columns_));
    problem.derivative = [this](double t, const double* y, double* y_dot) -> Outcome<void> {
      if (auto done = dynamics_.derivative(t, y, y_dot); !done) return done;
      const CompiledModel& of = dynamics_.binding();
      const bool exists = linearised_.at(t, y, Eigen::Map<const Vector>(y_dot + of.nq(), of.nu()));
      Eigen::Map<Matrix> rate(y_dot + ny_, ny_, columns_);
      if (exists)
        rate.noalias() = linearised_.F_y() * Eigen::Map<const Matrix>(y + ny_, ny_, columns_);
      else
        rate.setConstant(std::nan(""));  // NaN rejects the step
      return {};
    };
    problem.project = [this](double t, double* y) { return dynamics_.project(t, y); };
    problem.reached.resize(problem.size);
    for (Eigen::Index column = 0; column <= columns_; ++column) {
      double size = 1.0;  // scale of the column relative to the scale of the motion
      if (column > 0) size = w.col(column - 1).cwiseQuotient(dynamics_.scale()).cwiseAbs().maxCoeff();
      problem.reached.segment(column * ny_, ny_) = dynamics_.scale() * (size > 0.0 ? size : 1.0);
    }
    problem.beside = problem.reached;
    return problem;
  }

 private:
  Dynamics& dynamics_;
  Eigen::Index ny_, columns_;
  MotionGradient linearised_;
};

/// Computes the exact derivative of the velocity form ψ of the rows along a displacement of the coordinates. [nc]
Vector rates_of_rows(const Binding& bound, const Start& start, const Vector& y, const Vector& along) {
  const equations::System& system = *bound->system;
  std::vector<expr::Series> numbers{expr::Series(start.t0)};
  for (Eigen::Index i = 0; i < y.size(); ++i)
    numbers.push_back(expr::Series::along(std::array<Rounded, 2>{Rounded(y[i]), Rounded(along[i])}));
  numbers.insert(numbers.end(), bound.parameters.begin(), bound.parameters.end());
  Vector rates = Vector::Zero(bound->nc());
  for (Eigen::Index row = 0; row < rates.size(); ++row) {
    const Expr psi = system.rows[static_cast<std::size_t>(row)].psi;
    if (!psi.is_valid()) continue;
    const std::vector<Expr> symbols = concatenated({{&system.t, 1}, system.q, system.u, system.z, system.parameters});
    rates[row] = expr::interpret_series({&psi, 1}, symbols, numbers)[0].derivative(1).value;
  }
  return rates;
}

/// Returns the failure for a configuration at which rows depend on each other for an instant. The motion passes through
/// it, but neighboring motions separate from it: they continue on another branch, or cannot pass.
Failure no_crossing(const RankDrop& drop) {
  Failure failure;
  failure.kind = FailureKind::kRankDrop;
  failure.t = drop.t;
  failure.message = fmt::format(
      "at t = {:.6g} s the motion passes a singular pose, where the constraints have rank {} instead of {}: "
      "neighbouring motions part there, and variations of it do not exist beyond",
      drop.t, drop.rank, drop.generic_rank);
  return failure;
}

}  // namespace

Matrix variations_from(Dynamics& dynamics, const Start& start, const Matrix& v) {
  const Binding& bound = dynamics.binding();
  const equations::System& system = *bound->system;
  const Vector y = packed_state(start);
  Matrices at;
  Matrix w = Matrix::Zero(y.size(), v.cols());
  if (!dynamics.matrices(dynamics.mode(), start.t0, y.data(), at)) return w;
  w.topRows(bound->nq()) = at.G * v;
  Matrix defect = Matrix::Zero(bound->nc(), v.cols());
  for (Eigen::Index k = 0; k < v.cols(); ++k) defect.col(k) = rates_of_rows(bound, start, y, w.col(k));
  Vector unit = at.metric.diagonal();
  for (double& one : unit) one = one > 0.0 ? 1.0 / std::sqrt(one) : 1.0;
  for (int row = 0; row < bound->nc(); ++row) {
    if (system.rows[static_cast<std::size_t>(row)].level == model::Level::kAcceleration) {
      at.A.row(row).setZero();
      defect.row(row).setZero();
    }
  }
  const Matrix scaled = at.A * unit.asDiagonal();
  if (scaled.rows() > 0)
    w.middleRows(bound->nq(), bound->nu()) =
        unit.asDiagonal() * scaled.completeOrthogonalDecomposition().solve(-defect);
  return w;
}

Outcome<std::vector<Varied>> vary(Dynamics& dynamics, const Start& start, const Matrix& w,
                                  const SimulateOptions& options, int count, std::optional<Failure>& stopped,
                                  Trajectory* motion) {
  const auto equations = motion_equations(dynamics.binding()->model, dynamics.binding().embedding());
  if (!equations) return fail(equations.error());
  // The motion is first computed alone, with its event sources, to find its end and its typical magnitudes.
  SimulateOptions alone = options;
  alone.keeps_samples = false;
  Trajectory trajectory = simulate(dynamics, start, alone);
  stopped = trajectory.stopped;
  if (const auto drops = trajectory.all<RankDrop>(); !drops.empty()) stopped = no_crossing(drops.front());
  if (motion != nullptr) *motion = std::move(trajectory);
  const double end = stopped ? stopped->t : start.t0 + options.duration;

  const Vector y = packed_state(start);
  BesideMotion beside(dynamics, *equations, w.cols());
  const integrate::Problem problem = beside.problem(w);
  integrate::Options how;
  how.method = options.method;
  how.methods = options.methods;
  how.tolerance = options.tolerance;
  double t = start.t0;
  Vector all(y.size() * (1 + w.cols()));
  all << y, w.reshaped();
  std::vector<Varied> samples{{t, y, w}};
  for (int k = 1; k <= count; ++k) {
    const double next = start.t0 + options.duration * k / count;
    if (stopped && next >= end) break;
    const auto done = integrate::integrate(problem, how, t, all, next, {});
    if (!done) {
      if (!stopped) stopped = done.error();
      break;
    }
    how.first_step = done->next_step;
    samples.push_back({t, all.head(y.size()), all.tail(w.size()).reshaped(w.rows(), w.cols())});
  }
  return samples;
}

}  // namespace vinculum::sim
