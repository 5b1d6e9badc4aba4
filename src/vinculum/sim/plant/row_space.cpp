#include "vinculum/sim/plant/row_space.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <cstdint>

namespace vinculum::sim {
namespace {

constexpr Eigen::Index kBits = 64;

bool overlap(const std::uint64_t* a, const std::uint64_t* b, Eigen::Index words) {
  for (Eigen::Index i = 0; i < words; ++i) {
    if ((a[i] & b[i]) != 0) return true;
  }
  return false;
}

}  // namespace

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

/// \param own  bits of row k itself: it has parts along those rows alone that it shares a speed with, whatever these
/// take along.
void RowSpace::free_from_before(Eigen::Index k, std::uint64_t* own, Freed& freed) const {
  const Eigen::Index n = freed.rows.rows(), words = (n + kBits - 1) / kBits;
  std::uint64_t* const grown = freed.support.data() + k * words;
  std::copy_n(own, words, grown);
  auto left = freed.rows.col(k);
  for (Eigen::Index before = 0; before < k; ++before) {
    const std::uint64_t* const other = freed.support.data() + before * words;
    const double length2 = freed.length[before] * freed.length[before];
    if (length2 == 0.0 || !overlap(own, other, words)) continue;
    const double share = freed.rows.col(before).dot(left) / length2;
    for (Eigen::Index i = 0; i < words; ++i) {
      if (other[i] == 0) continue;
      const Eigen::Index first = i * kBits, count = std::min(kBits, n - first);
      left.segment(first, count) -= share * freed.rows.col(before).segment(first, count);
      grown[i] |= other[i];
    }
  }
}

void RowSpace::free_rows(const Matrix& A, Freed& freed) const {
  const auto rank = static_cast<Eigen::Index>(rows_.size());
  const Eigen::Index n = A.cols(), words = (n + kBits - 1) / kBits;
  freed.rows.resize(n, rank);
  freed.own_length.resize(rank);
  freed.length.resize(rank);
  freed.support.resize(static_cast<std::size_t>(words * (rank + 1)));
  std::uint64_t* const own = freed.support.data() + words * rank;
  for (Eigen::Index k = 0; k < rank; ++k) {
    const Eigen::Index row = rows_[static_cast<std::size_t>(k)];
    auto left = freed.rows.col(k);
    std::fill_n(own, words, std::uint64_t{0});
    for (Eigen::Index j = 0; j < n; ++j) {
      left[j] = A(row, j) * weight_[j];
      if (left[j] != 0.0) own[j / kBits] |= std::uint64_t{1} << (j % kBits);
    }
    freed.own_length[k] = left.norm();
    free_from_before(k, own, freed);
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
