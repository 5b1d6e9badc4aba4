#include "vinculum/numeric/cholesky.hpp"

#include <cmath>

#include "vinculum/base/tolerance.hpp"

namespace vinculum::numeric {

Cholesky::Cholesky(int n) : n_(n), L_(Matrix::Zero(n, n)), inverse_diagonal_(Vector::Zero(n)) {}

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
    for (int i = k + 1; i < n_; ++i) column[i] *= inverse;
    for (int j = k + 1; j < n_; ++j) {
      const double factor = column[j];
      if (factor == 0.0) continue;  // mass matrices are mostly zeros
      double* target = L + j * n_;
      for (int i = j; i < n_; ++i) target[i] -= factor * column[i];
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
    for (int i = j + 1; i < n_; ++i) x[i] -= value * column[i];
  }
}

void Cholesky::solve_lower_transposed(double* x) const {
  const double* L = L_.data();
  for (int j = n_ - 1; j >= 0; --j) {
    const double* column = L + j * n_;
    double value = x[j];
    for (int i = j + 1; i < n_; ++i) value -= column[i] * x[i];
    x[j] = value * inverse_diagonal_[j];
  }
}

void Cholesky::multiply_lower(double* x) const {
  const double* L = L_.data();
  for (int j = n_ - 1; j >= 0; --j) {
    const double* column = L + j * n_;
    const double value = x[j];
    x[j] = value * column[j];
    for (int i = j + 1; i < n_; ++i) x[i] += value * column[i];
  }
}

}  // namespace vinculum::numeric
