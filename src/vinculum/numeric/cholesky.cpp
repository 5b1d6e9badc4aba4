#include "vinculum/numeric/cholesky.hpp"

#include <cmath>

#include "vinculum/base/index.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/numeric/wide.hpp"

namespace vinculum::numeric {
namespace {

/// X_i ← X_i − L_i row, for the rows i of X from `first` to `end` − 1.
VINCULUM_WIDE void subtract_from_rows(const double* __restrict L, int first, int end, const double* __restrict row,
                                      double* __restrict X, std::ptrdiff_t stride, int columns) {
  for (int i = first; i < end; ++i) {
    const double factor = L[i];
    if (factor == 0.0) continue;
    double* x = X + i * stride;
    for (int c = 0; c < columns; ++c) x[c] -= row[c] * factor;
  }
}

}  // namespace

Cholesky::Cholesky(int n)
    : n_(n), L_(Matrix::Zero(n, n)), inverse_diagonal_(Vector::Zero(n)), end_(static_cast<std::size_t>(n), 0) {}

double Cholesky::rounding(int n) { return n * tolerance::kPerStep; }

int Cholesky::factor(ConstMatrix M, double tol_pivot) {
  double* L = L_.data();
  for (int j = 0; j < n_; ++j) {
    const double* source = M.data() + j * M.outerStride();
    for (int i = j; i < n_; ++i) L[j * n_ + i] = source[i];
  }
  for (int k = 0; k < n_; ++k) {
    double* column = L + k * n_;
    const double pivot = column[k];
    if (!(pivot > tol_pivot * M(k, k))) return k;  // also for NaN
    const double root = std::sqrt(pivot);
    const double inverse = 1.0 / root;
    inverse_diagonal_[k] = inverse;
    column[k] = root;
    int end = n_;
    while (end > k + 1 && column[end - 1] == 0.0) --end;
    nth(end_, k) = end;
    for (int i = k + 1; i < end; ++i) column[i] *= inverse;
    for (int j = k + 1; j < end; ++j) {
      const double factor = column[j];
      if (factor == 0.0) continue;
      double* target = L + j * n_;
      for (int i = j; i < end; ++i) target[i] -= factor * column[i];
    }
  }
  return -1;
}

void Cholesky::solve_lower(double* x) const {
  const double* L = L_.data();
  for (int j = 0; j < n_; ++j) {
    const double value = x[j] *= inverse_diagonal_[j];
    if (value == 0.0) continue;
    const double* column = L + j * n_;
    for (int i = j + 1; i < nth(end_, j); ++i) x[i] -= value * column[i];
  }
}

void Cholesky::solve_lower_rows(double* X, std::ptrdiff_t stride, int columns) const {
  for (int j = 0; j < n_; ++j) {
    double* row = X + j * stride;
    for (int c = 0; c < columns; ++c) row[c] *= inverse_diagonal_[j];
    subtract_from_rows(L_.data() + static_cast<std::ptrdiff_t>(j) * n_, j + 1, nth(end_, j), row, X, stride, columns);
  }
}

void Cholesky::solve_lower_transposed(double* x) const {
  const double* L = L_.data();
  for (int j = n_ - 1; j >= 0; --j) {
    const double* column = L + j * n_;
    double value = x[j];
    for (int i = j + 1; i < nth(end_, j); ++i) value -= column[i] * x[i];
    x[j] = value * inverse_diagonal_[j];
  }
}

void Cholesky::multiply_lower(double* x) const {
  const double* L = L_.data();
  for (int j = n_ - 1; j >= 0; --j) {
    const double* column = L + j * n_;
    const double value = x[j];
    x[j] = value * column[j];
    for (int i = j + 1; i < nth(end_, j); ++i) x[i] += value * column[i];
  }
}

}  // namespace vinculum::numeric
