#include "vinculum/sim/plant/row_space.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>

namespace vinculum::sim {
RowSpace::RowSpace(const Matrix& A, const Vector& weight, double tol_rank) : weight_(weight) {
  Matrix left = (A * weight.asDiagonal()).transpose();
  for (Eigen::Index i = 0; i < left.cols(); ++i) {
    const double length = left.col(i).norm();
    if (length > 0.0 && std::isfinite(length)) {
      left.col(i) /= length;
    } else {
      left.col(i).setZero();
    }
  }
  while (left.cols() > 0) {
    Eigen::Index best = 0;
    if (!(left.colwise().norm().maxCoeff(&best) > tol_rank)) break;
    rows_.push_back(static_cast<int>(best));
    const Vector direction = left.col(best).normalized();
    left -= direction * (direction.transpose() * left).eval();
    left.col(best).setZero();
    if (static_cast<Eigen::Index>(rows_.size()) == std::min(left.cols(), left.rows())) break;
  }
}

void RowSpace::free_rows(const Matrix& A, Freed& freed) const {
  const auto rank = static_cast<Eigen::Index>(rows_.size());
  const Eigen::Index n = A.cols();
  freed.rows.resize(n, rank);
  freed.own_length.resize(rank);
  freed.length.resize(rank);
  for (Eigen::Index k = 0; k < rank; ++k) {
    const Eigen::Index row = rows_[static_cast<std::size_t>(k)];
    auto left = freed.rows.col(k);
    for (Eigen::Index j = 0; j < n; ++j) left[j] = A(row, j) * weight_[j];
    freed.own_length[k] = left.norm();
    for (Eigen::Index before = 0; before < k; ++before) {
      const double length2 = freed.length[before] * freed.length[before];
      if (length2 == 0.0) continue;
      const double share = freed.rows.col(before).dot(left) / length2;
      for (Eigen::Index j = 0; j < n; ++j) left[j] -= share * freed.rows(j, before);
    }
    freed.length[k] = left.norm();
  }
}

std::vector<int> rows_that_make(const Matrix& A, const Vector& weight, int k) {
  Matrix others = weight.asDiagonal() * A.transpose();
  Vector lengths = others.colwise().norm();
  const Vector whole = others.col(k);
  others.col(k).setZero();
  for (Eigen::Index j = 0; j < others.cols(); ++j)
    if (lengths[j] > 0.0) others.col(j) /= lengths[j];
  Eigen::CompleteOrthogonalDecomposition<Matrix> solver;
  solver.setThreshold(tolerance::kNearSingular);
  const Vector shares = solver.compute(others).solve(whole);
  std::vector<int> rows;
  if (!((others * shares - whole).norm() <= tolerance::kFloor * whole.norm())) return rows;
  for (int j = 0; j < shares.size(); ++j)
    if (std::abs(shares[j]) > tolerance::kFloor * whole.norm()) rows.push_back(j);
  return rows;
}

}  // namespace vinculum::sim
