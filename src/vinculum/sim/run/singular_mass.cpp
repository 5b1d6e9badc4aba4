#include "vinculum/sim/run/singular_mass.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/SVD>
#include <algorithm>

namespace vinculum::sim {
namespace {

constexpr double kTolRank = 1e-10;
constexpr double kTolTime = 1e-9;    // of the step
constexpr double kCollapsed = 1e-3;  // of the inertia without multipliers

Eigen::Index count_negative(const Vector& inertia) { return (inertia.array() < 0.0).count(); }

}  // namespace

Vector relative_inertia(const Matrices& m) {
  Matrix Z = Matrix::Identity(m.M.rows(), m.M.cols());
  if (m.A.rows() > 0) {
    Eigen::JacobiSVD<Matrix> svd(m.A, Eigen::ComputeFullV);
    svd.setThreshold(kTolRank);
    Z = svd.matrixV().rightCols(m.A.cols() - svd.rank()).eval();
  }
  if (Z.cols() == 0 || !m.M.allFinite()) return Vector();
  const Matrix M = Z.transpose() * Matrix(m.M.selfadjointView<Eigen::Lower>()) * Z;
  const Matrix metric = Z.transpose() * Matrix(m.metric.selfadjointView<Eigen::Lower>()) * Z;
  return Eigen::GeneralizedSelfAdjointEigenSolver<Matrix>(M, metric, Eigen::EigenvaluesOnly).eigenvalues();
}

std::vector<int> rows_with_inertia(const dynamics::System& system) {
  std::vector<int> rows;
  for (int row = 0; row < system.nc(); ++row) {
    const auto concerns = [&](const dynamics::LawChange& change) {
      return !change.M.empty() && change.constraint == system.rows[static_cast<std::size_t>(row)].constraint;
    };
    if (std::ranges::any_of(system.changes, concerns)) rows.push_back(row);
  }
  return rows;
}

Vector InertiaMonitor::inertia_at(double t, const Vector& y) {
  dynamics_.matrices_as_they_are(t, y.data(), m_);
  return relative_inertia(m_);
}

Eigen::Index InertiaMonitor::negative_at(double t, const Vector& y) {
  if (is_of_higher_order()) return dynamics_.regularity(t, y.data()).sign < 0 ? 1 : 0;
  return count_negative(inertia_at(t, y));
}

Failure InertiaMonitor::failure(double t) const {
  if (is_of_higher_order()) return dynamics_.singular(t);
  Failure failure;
  failure.kind = FailureKind::kVakonomicSingular;
  failure.t = t;
  failure.rows = rows_with_inertia(*dynamics_.compiled().system);
  failure.message =
      "the inertia along the constraints passes through zero: with these multipliers the accelerations are not "
      "determined";
  return failure;
}

void InertiaMonitor::begin(double t, const Vector& y) {
  if (is_watched()) negative_ = negative_at(t, y);
}

std::optional<Failure> InertiaMonitor::check(const integrate::Step& step) {
  if (!is_watched()) return std::nullopt;
  const Eigen::Index negative = negative_at(step.t_end(), step.y_end());
  if (negative == negative_) return std::nullopt;
  double before = step.t_begin(), after = step.t_end();
  while (after - before > kTolTime * (step.t_end() - step.t_begin())) {
    const double middle = 0.5 * (before + after);
    if (!step.interpolate(middle, y_)) break;
    (negative_at(middle, y_) == negative_ ? before : after) = middle;
  }
  return failure(after);
}

std::optional<Failure> InertiaMonitor::explain(double t, const Vector& y) {
  if (!is_watched()) return std::nullopt;
  if (is_of_higher_order())
    return dynamics_.regularity(t, y.data()).pivot > kCollapsed * kCollapsed ? std::nullopt : std::optional(failure(t));
  const Vector inertia = inertia_at(t, y);
  if (inertia.size() == 0 || inertia.cwiseAbs().minCoeff() > kCollapsed) return std::nullopt;
  return failure(t);
}

}  // namespace vinculum::sim
