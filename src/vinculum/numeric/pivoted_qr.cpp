#include "vinculum/numeric/pivoted_qr.hpp"

#include <algorithm>
#include <cmath>

#include "vinculum/base/index.hpp"
#include "vinculum/base/tolerance.hpp"

namespace vinculum::numeric {
namespace {

double squared_norm(const double* x, int from, int to) {
  double sum = 0.0;
  for (int i = from; i < to; ++i) sum += x[i] * x[i];
  return sum;
}

constexpr std::size_t kWorthAnIndex = 4;  // entries for each that is not 0

}  // namespace

PivotedQr::PivotedQr(int rows, int columns)
    : rows_(rows),
      columns_(columns),
      X_(Matrix::Zero(rows, columns)),
      tau_(Vector::Zero(std::min(rows, columns))),
      inverse_R_(Vector::Zero(std::min(rows, columns))),
      norm2_(Vector::Zero(columns)),
      fresh2_(Vector::Zero(columns)),
      permutation_(static_cast<std::size_t>(columns)),
      support_(static_cast<std::size_t>(rows)) {
  support_.clear();
}

void PivotedQr::find_support(const double* v, int k) {
  support_.clear();
  for (int i = k + 1; i < rows_; ++i) {
    if (v[i] != 0.0) support_.push_back(i);
  }
  is_sparse_ = kWorthAnIndex * support_.size() <= static_cast<std::size_t>(rows_ - k - 1);
}

/// x ← (1 − τ v vᵀ) x, v 1 at k.   \returns x_k
double PivotedQr::reflect(const double* v, int k, double tau, double* x) const {
  double dot = x[k];
  if (is_sparse_) {
    for (const int i : support_) dot += v[i] * x[i];
    dot *= tau;
    if (dot != 0.0) {
      for (const int i : support_) x[i] -= dot * v[i];
    }
  } else {
    for (int i = k + 1; i < rows_; ++i) dot += v[i] * x[i];
    dot *= tau;
    for (int i = k + 1; i < rows_; ++i) x[i] -= dot * v[i];
  }
  return x[k] -= dot;
}

void PivotedQr::factor(double threshold) {
  rank_ = 0;
  for (int j = 0; j < columns_; ++j) {
    nth(permutation_, j) = j;
    norm2_[j] = fresh2_[j] = squared_norm(column(j), 0, rows_);
  }
  const int steps = std::min(rows_, columns_);
  for (int k = 0; k < steps; ++k) {
    int best = k;
    for (int j = k + 1; j < columns_; ++j) {
      if (norm2_[j] > norm2_[best]) best = j;
    }
    const double norm = std::sqrt(squared_norm(column(best), k, rows_));
    if (norm == 0.0 || (k > 0 && norm <= threshold * std::abs(X_(0, 0)))) return;
    if (best != k) {
      std::swap_ranges(column(k), column(k) + rows_, column(best));
      std::swap(nth(permutation_, k), nth(permutation_, best));
      norm2_[best] = norm2_[k];
      fresh2_[best] = fresh2_[k];
    }
    double* v = column(k);
    const double alpha = v[k];
    const double beta = alpha > 0.0 ? -norm : norm;
    const double scale = 1.0 / (alpha - beta);
    const double tau = (beta - alpha) / beta;
    for (int i = k + 1; i < rows_; ++i) v[i] *= scale;
    v[k] = beta;
    tau_[k] = tau;
    inverse_R_[k] = 1.0 / beta;
    find_support(v, k);
    for (int j = k + 1; j < columns_; ++j) {
      double* x = column(j);
      const double entry = reflect(v, k, tau, x);
      norm2_[j] -= entry * entry;
      if (norm2_[j] < tolerance::kHalfDigits * fresh2_[j]) norm2_[j] = fresh2_[j] = squared_norm(x, k + 1, rows_);
    }
    rank_ = k + 1;
  }
}

double PivotedQr::conditioning() const {
  if (rank_ == 0) return 1.0;
  double smallest = std::abs(X_(0, 0));
  double largest = smallest;
  for (int k = 1; k < rank_; ++k) {
    smallest = std::min(smallest, std::abs(X_(k, k)));
    largest = std::max(largest, std::abs(X_(k, k)));
  }
  return smallest / largest;
}

void PivotedQr::solve_R(double* y) const {
  for (int k = rank_ - 1; k >= 0; --k) {
    const double value = y[k] *= inverse_R_[k];
    const double* R = X_.data() + static_cast<std::ptrdiff_t>(k) * rows_;
    for (int i = 0; i < k; ++i) y[i] -= value * R[i];
  }
}

void PivotedQr::solve_R_transposed(double* y) const {
  for (int k = 0; k < rank_; ++k) {
    const double* R = X_.data() + static_cast<std::ptrdiff_t>(k) * rows_;
    double value = y[k];
    for (int i = 0; i < k; ++i) value -= R[i] * y[i];
    y[k] = value * inverse_R_[k];
  }
}

void PivotedQr::multiply_Q(double* x) const {
  for (int k = rank_ - 1; k >= 0; --k) {
    const double* v = X_.data() + static_cast<std::ptrdiff_t>(k) * rows_;
    double dot = x[k];
    for (int i = k + 1; i < rows_; ++i) dot += v[i] * x[i];
    dot *= tau_[k];
    x[k] -= dot;
    for (int i = k + 1; i < rows_; ++i) x[i] -= dot * v[i];
  }
}

}  // namespace vinculum::numeric
