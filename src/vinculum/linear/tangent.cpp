#include "vinculum/linear/tangent.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "vinculum/base/tolerance.hpp"

namespace vinculum::linear {
namespace {

using Index = Eigen::Index;

constexpr int kMostToMeet = 20;  // Newton steps; they converge quadratically from a neighboring state

/// Gauss–Jordan elimination of the conditions, in units of the typical sizes.
class Elimination {
 public:
  Elimination(const Matrix& c_y, const Preference& preference)
      : preference_(preference), rows_(c_y * preference.scale.asDiagonal()), is_open_(rows(), 1) {
    for (Index j = 0; j < rows_.cols(); ++j) {
      if (preference.is_held[static_cast<std::size_t>(j)] != 0) rows_.col(j).setZero();
    }
    const double largest = rows_.size() == 0 ? 0.0 : rows_.rowwise().norm().maxCoeff();
    for (Index i = 0; i < rows_.rows(); ++i) {
      const double size = rows_.row(i).norm();
      size > tolerance::kZero* largest ? rows_.row(i) /= size : rows_.row(i).setZero();
    }
  }

  /// Solves the rows that `takes` accepts for components first … last − 1. \param closes  rows that could not be solved
  /// depend on others and are left out
  template <class Takes>
  void solve(Index first, Index last, const Takes& takes, bool closes) {
    std::vector<Index> pending;
    for (Index i = 0; i < rows_.rows(); ++i) {
      if (is_open_[static_cast<std::size_t>(i)] != 0 && takes(i)) pending.push_back(i);
    }
    while (pivot(pending, first, last)) continue;
    if (!closes) return;
    for (const Index i : pending) is_open_[static_cast<std::size_t>(i)] = 0, rows_.row(i).setZero();
  }
  [[nodiscard]] std::vector<Index> solved() const {
    std::vector<Index> sorted = solved_;
    std::ranges::sort(sorted);
    return sorted;
  }

 private:
  [[nodiscard]] std::size_t rows() const { return static_cast<std::size_t>(rows_.rows()); }
  [[nodiscard]] bool pivot(std::vector<Index>& pending, Index first, Index last) {
    double best = 0.0;
    std::size_t at = 0;
    Index column = -1;
    for (std::size_t k = 0; k < pending.size(); ++k) {
      for (Index j = first; j < last; ++j) {
        const double size = std::abs(rows_(pending[k], j));
        if (size <= tolerance::kAtStates || size * preference_.weight[j] <= best) continue;
        best = size * preference_.weight[j], at = k, column = j;
      }
    }
    if (column < 0) return false;
    const Index row = pending[at];
    rows_.row(row) /= rows_(row, column);
    for (Index i = 0; i < rows_.rows(); ++i) {
      if (i != row) rows_.row(i) -= rows_(i, column) * rows_.row(row).eval();
    }
    rows_.col(column).setZero();
    rows_(row, column) = 1.0;
    is_open_[static_cast<std::size_t>(row)] = 0;
    solved_.push_back(column);
    pending.erase(pending.begin() + static_cast<std::ptrdiff_t>(at));
    return true;
  }

  const Preference& preference_;
  Matrix rows_;
  std::vector<char> is_open_;  ///< [rows] 1: neither solved nor left out
  std::vector<Index> solved_;
};

}  // namespace

Tangent choose_tangent(const LinearEquations& equations, const Matrix& c_y, const Preference& preference) {
  const Index nq = equations.nq(), nu = equations.nu(), ny = equations.ny();
  Elimination elimination(c_y, preference);
  const auto is_position = [&](Index row) { return equations.is_position()[static_cast<std::size_t>(row)] != 0; };
  const auto is_any = [](Index) { return true; };
  elimination.solve(0, nq, is_position, false);
  elimination.solve(nq + nu, ny, is_position, true);
  elimination.solve(nq, nq + nu, is_any, false);
  elimination.solve(0, ny, is_any, true);
  Tangent tangent;
  tangent.dependent = elimination.solved();
  for (Index j = 0; j < ny; ++j) {
    if (preference.is_held[static_cast<std::size_t>(j)] == 0 && !std::ranges::binary_search(tangent.dependent, j))
      tangent.independent.push_back(j);
  }
  compute_tangent(c_y, preference.scale, tangent);
  return tangent;
}

void compute_tangent(const Matrix& c_y, const Vector& scale, Tangent& tangent) {
  const auto n = static_cast<Index>(tangent.independent.size());
  tangent.T = Matrix::Zero(c_y.cols(), n);
  tangent.T(tangent.independent, Eigen::all).setIdentity();
  if (tangent.dependent.empty()) return;
  Matrix rows = c_y * scale.asDiagonal();
  for (Index i = 0; i < rows.rows(); ++i) {
    if (const double size = rows.row(i).norm(); size > 0.0) rows.row(i) /= size;
  }
  const Matrix by_dependent = rows(Eigen::all, tangent.dependent);
  const Matrix change = -by_dependent.completeOrthogonalDecomposition().solve(rows(Eigen::all, tangent.independent));
  const Vector dependent = scale(tangent.dependent), independent = scale(tangent.independent);
  tangent.T(tangent.dependent, Eigen::all) = dependent.asDiagonal() * change * independent.cwiseInverse().asDiagonal();
}

bool meet_conditions(LinearEquations& equations, const Tangent& tangent, const Vector& scale, double t, Vector& y,
                     NearState& near) {
  for (int step = 0; step < kMostToMeet; ++step) {
    const Vector u_dot = near.F.segment(equations.nq(), equations.nu());
    if (!equations.at(t, y, u_dot, near)) return false;
    if (tangent.dependent.empty()) return true;
    const Vector dependent = scale(tangent.dependent);
    const Matrix rows = near.c_y(Eigen::all, tangent.dependent) * dependent.asDiagonal();
    const Vector change = rows.completeOrthogonalDecomposition().solve(-near.c);
    if (!change.allFinite()) return false;
    y(tangent.dependent) += dependent.cwiseProduct(change);
    if (change.cwiseAbs().maxCoeff() <= tolerance::kStagnation) return equations.at(t, y, u_dot, near).has_value();
  }
  return false;
}

}  // namespace vinculum::linear
