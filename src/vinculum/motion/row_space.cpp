#include "vinculum/motion/row_space.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "vinculum/numeric/wide.hpp"

namespace vinculum::sim {
namespace {

using numeric::RowTriangle;
using numeric::SparsePattern;
using numeric::SparseRows;

std::vector<int> all_rows(const SparsePattern& pattern) {
  std::vector<int> rows(static_cast<std::size_t>(pattern.rows()));
  std::iota(rows.begin(), rows.end(), 0);
  return rows;
}

/// Multiplies the entries of A by the weights of their columns, and scales the rows to unit length. A row that is zero
/// or not finite becomes 0.
Vector of_unit_rows(const SparseRows& A, const Vector& weight) {
  SparseRows unit = A;
  for (int i = 0; i < A.pattern->rows(); ++i) {
    auto row = unit.row(i);
    for (int at = A.pattern->begin(i); at < A.pattern->end(i); ++at)
      unit.values[at] *= weight[A.pattern->column_of(at)];
    const double length = row.norm();
    if (length > 0.0 && std::isfinite(length)) {
      row /= length;
    } else {
      row.setZero();
    }
  }
  return unit.values;
}

/// Computes a scalar product in four independent sums, which a processor can compute at once.
/// \pre size is a multiple of 4
VINCULUM_WIDE double dot_of_fours(const double* a, const double* b, Eigen::Index size) {
  double sums[4] = {0.0, 0.0, 0.0, 0.0};
  for (Eigen::Index i = 0; i < size; i += 4) {
    for (int k = 0; k < 4; ++k) sums[k] += a[i + k] * b[i + k];
  }
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

/// Subtracts share × a from b.
VINCULUM_WIDE void subtract(double share, const double* __restrict a, double* __restrict b, Eigen::Index size) {
  for (Eigen::Index i = 0; i < size; ++i) b[i] -= share * a[i];
}

}  // namespace

RowSpace::RowSpace(const SparseRows& A, const Vector& weight, double tol_rank) : weight_(weight) {
  if (!choose_in_order(A, tol_rank)) choose_greedily(A, tol_rank);
  triangle_.emplace(*A.pattern, rows_);
  if (triangle_->cost() > 2.0 * rank() * rank() * A.pattern->columns) triangle_.reset();
}

/// \returns false if the length of a remainder is between tol_rank (zero) and kFloor (clearly independent).
bool RowSpace::choose_in_order(const SparseRows& A, double tol_rank) {
  RowTriangle triangle(*A.pattern, all_rows(*A.pattern));
  triangle.factor(of_unit_rows(A, weight_));
  rows_.clear();
  for (int row = 0; row < A.pattern->rows(); ++row) {
    if (triangle.length(row) >= tolerance::kFloor) {
      rows_.push_back(row);
    } else if (triangle.length(row) <= tol_rank) {
      triangle.drop(row);
    } else {
      return false;
    }
  }
  return true;
}

void RowSpace::choose_greedily(const SparseRows& A, double tol_rank) {
  rows_.clear();
  const SparseRows unit{A.pattern, of_unit_rows(A, weight_)};
  Matrix left = unit.dense().transpose();
  Vector lengths = left.colwise().norm();
  while (left.cols() > 0) {
    Eigen::Index best = 0;
    if (!(lengths.maxCoeff(&best) > tol_rank)) break;
    rows_.push_back(static_cast<int>(best));
    const Vector direction = left.col(best).normalized();
    for (Eigen::Index i = 0; i < left.cols(); ++i) {
      const double share = direction.dot(left.col(i));
      if (share == 0.0) continue;
      left.col(i) -= share * direction;
      lengths[i] = left.col(i).norm();
    }
    left.col(best).setZero();
    lengths[best] = 0.0;
    if (static_cast<Eigen::Index>(rows_.size()) == std::min(left.cols(), left.rows())) break;
  }
  std::ranges::sort(rows_);
}

/// Modified Gram–Schmidt. The component along each row is subtracted from all later rows before the next row is used.
void RowSpace::free_one_by_one(const SparseRows& A, Freed& freed) const {
  const Eigen::Index size = (A.pattern->columns + 3) / 4 * 4;
  freed.direction.setZero(size, rank());
  Matrix& left = freed.direction;
  for (int k = 0; k < rank(); ++k) {
    const int row = rows_[static_cast<std::size_t>(k)];
    for (int at = A.pattern->begin(row); at < A.pattern->end(row); ++at) {
      const int j = A.pattern->column_of(at);
      left(j, k) = A.values[at] * weight_[j];
    }
  }
  const auto column = [&](int k) { return left.data() + k * size; };
  for (int k = 0; k < rank(); ++k) freed.own_length[k] = std::sqrt(dot_of_fours(column(k), column(k), size));
  for (int k = 0; k < rank(); ++k) {
    const double length2 = dot_of_fours(column(k), column(k), size);
    freed.length[k] = std::sqrt(length2);
    if (length2 == 0.0) continue;
    const double over_length2 = 1.0 / length2;
    for (int behind = k + 1; behind < rank(); ++behind) {
      const double share = dot_of_fours(column(k), column(behind), size) * over_length2;
      if (share != 0.0) subtract(share, column(k), column(behind), size);
    }
  }
  freed.direction_length = freed.length;
}

void RowSpace::free_rows(const SparseRows& A, Freed& freed) {
  freed.own_length.resize(rank());
  freed.length.resize(rank());
  if (!triangle_) return free_one_by_one(A, freed);
  const SparsePattern& pattern = *A.pattern;
  weighted_.resize(A.values.size());
  for (Eigen::Index at = 0; at < A.values.size(); ++at)
    weighted_[at] = A.values[at] * weight_[pattern.column_of(static_cast<int>(at))];
  triangle_->factor(weighted_);
  freed.direction.resize(RowTriangle::kSketch, rank());
  freed.direction_length.resize(rank());
  for (int k = 0; k < rank(); ++k) {
    const int row = rows_[static_cast<std::size_t>(k)];
    freed.own_length[k] = weighted_.segment(pattern.begin(row), pattern.end(row) - pattern.begin(row)).norm();
    freed.length[k] = triangle_->length(k);
    freed.direction.col(k) = triangle_->sketch(k);
    freed.direction_length[k] = freed.direction.col(k).norm();
  }
}

double RowSpace::cosine(const Freed& a, const Freed& b, Eigen::Index k) {
  const double lengths = a.direction_length[k] * b.direction_length[k];
  if (!(lengths > 0.0)) return -1.0;
  const Eigen::Index size = a.direction.rows();
  return dot_of_fours(a.direction.data() + k * size, b.direction.data() + k * size, size) / lengths;
}

int rank_in_order(const SparseRows& A, const Vector& weight, double tol_rank) {
  RowTriangle triangle(*A.pattern, all_rows(*A.pattern));
  triangle.factor(of_unit_rows(A, weight));
  int rank = 0;
  for (int row = 0; row < A.pattern->rows(); ++row) {
    if (triangle.length(row) > tol_rank) {
      ++rank;
    } else {
      triangle.drop(row);
    }
  }
  return rank;
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
