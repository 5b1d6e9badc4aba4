#include "vinculum/integrate/radau.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "vinculum/base/tolerance.hpp"

namespace vinculum::integrate {
namespace {

constexpr int kMostIterations = 20;

/// ∂y'/∂y at the start of the step, by finite differences.
bool jacobian(double h, const Vector& y, const RateInStep& rate, Matrix& J) {
  Vector base, moved;
  if (!rate(0.0, y, base)) return false;
  for (Eigen::Index j = 0; j < y.size(); ++j) {
    Vector shifted = y;
    const double step =
        tolerance::kDifference * std::max(std::fabs(y[j]), std::max(tolerance::kFloor, std::fabs(h * base[j])));
    shifted[j] += step;
    if (!rate(0.0, shifted, moved)) return false;
    J.col(j) = (moved - base) / step;
  }
  return true;
}

}  // namespace

bool radau_step(double h, Vector& y, const RateInStep& rate) {
  const double w = std::sqrt(6.0);
  const double c[3] = {(4.0 - w) / 10.0, (4.0 + w) / 10.0, 1.0};
  const double weights[3][3] = {{(88.0 - 7.0 * w) / 360.0, (296.0 - 169.0 * w) / 1800.0, (-2.0 + 3.0 * w) / 225.0},
                                {(296.0 + 169.0 * w) / 1800.0, (88.0 + 7.0 * w) / 360.0, (-2.0 - 3.0 * w) / 225.0},
                                {(16.0 - w) / 36.0, (16.0 + w) / 36.0, 1.0 / 9.0}};
  const Eigen::Index m = y.size();
  if (!(h > 0.0)) return h == 0.0;
  Matrix J(m, m);
  if (!jacobian(h, y, rate, J)) return false;
  Matrix system = Matrix::Identity(3 * m, 3 * m);
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) system.block(i * m, j * m, m, m) -= h * weights[i][j] * J;
  }
  const Eigen::PartialPivLU<Matrix> factor(system);
  Vector stages = y.replicate(3, 1), rates(3 * m), defect(3 * m), one;
  for (int iteration = 0; iteration < kMostIterations; ++iteration) {
    for (int i = 0; i < 3; ++i) {
      if (!rate(c[i], stages.segment(i * m, m), one)) return false;
      rates.segment(i * m, m) = one;
    }
    for (int i = 0; i < 3; ++i) {
      defect.segment(i * m, m) = y - stages.segment(i * m, m);
      for (int j = 0; j < 3; ++j) defect.segment(i * m, m) += h * weights[i][j] * rates.segment(j * m, m);
    }
    const Vector change = factor.solve(defect);
    if (!change.allFinite()) return false;
    stages += change;
    if (change.cwiseAbs().maxCoeff() <= tolerance::kConverged * (tolerance::kFloor + stages.cwiseAbs().maxCoeff())) {
      y = stages.tail(m);
      return true;
    }
  }
  return false;
}

}  // namespace vinculum::integrate
