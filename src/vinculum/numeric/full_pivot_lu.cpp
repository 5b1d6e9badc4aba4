#include "vinculum/numeric/full_pivot_lu.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "vinculum/base/contract.hpp"
#include "vinculum/base/index.hpp"

namespace vinculum::numeric {

FullPivotLu::FullPivotLu(int largest_size)
    : X_(Matrix::Zero(largest_size, largest_size)),
      work_(Vector::Zero(largest_size)),
      row_(static_cast<std::size_t>(largest_size)),
      column_(static_cast<std::size_t>(largest_size)) {}

MatrixRef FullPivotLu::matrix(int size) {
  VINCULUM_EXPECTS(size >= 0 && size <= X_.rows());
  size_ = size;
  return X_.topLeftCorner(size, size);
}

void FullPivotLu::factor(double tolerance) {
  rank_ = 0;
  sign_ = 1;
  double largest = 0.0;
  for (int k = 0; k < size_; ++k) {
    int i_best = k, j_best = k;
    double best = 0.0;
    for (int j = k; j < size_; ++j) {
      for (int i = k; i < size_; ++i) {
        if (std::abs(X_(i, j)) > best) best = std::abs(X_(i_best = i, j_best = j));
      }
    }
    largest = std::max(largest, best);
    if (!(best > tolerance * largest)) return;
    nth(row_, k) = i_best;
    nth(column_, k) = j_best;
    for (int j = 0; i_best != k && j < size_; ++j) std::swap(X_(k, j), X_(i_best, j));
    for (int i = 0; j_best != k && i < size_; ++i) std::swap(X_(i, k), X_(i, j_best));
    for (int i = k + 1; i < size_; ++i) X_(i, k) /= X_(k, k);
    for (int j = k + 1; j < size_; ++j) {
      for (int i = k + 1; i < size_; ++i) X_(i, j) -= X_(i, k) * X_(k, j);
    }
    if ((i_best != k) != (j_best != k)) sign_ = -sign_;
    if (X_(k, k) < 0.0) sign_ = -sign_;
    ++rank_;
  }
}

int FullPivotLu::undetermined() const {
  VINCULUM_EXPECTS(!is_regular());
  // Undoes the exchanges: the original index of the column that is now at `rank`.
  int at = rank_;
  for (int k = rank_ - 1; k >= 0; --k) {
    if (const int other = nth(column_, k); at == k)
      at = other;
    else if (at == other)
      at = k;
  }
  return at;
}

double FullPivotLu::solve(VectorRef x) {
  for (int k = 0; k < rank_; ++k) std::swap(x[k], x[nth(row_, k)]);
  for (int k = 0; k < rank_; ++k) {
    for (int i = k + 1; i < size_; ++i) x[i] -= X_(i, k) * x[k];
  }
  double missed = 0.0;
  for (int k = rank_; k < size_; ++k) {
    missed = std::max(missed, std::abs(x[k]));
    x[k] = 0.0;
  }
  for (int k = rank_ - 1; k >= 0; --k) {
    for (int j = k + 1; j < rank_; ++j) x[k] -= X_(k, j) * x[j];
    x[k] /= X_(k, k);
  }
  for (int k = rank_ - 1; k >= 0; --k) std::swap(x[k], x[nth(column_, k)]);
  return missed;
}

}  // namespace vinculum::numeric
