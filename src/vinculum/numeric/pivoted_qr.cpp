#include "vinculum/numeric/pivoted_qr.hpp"

#include <algorithm>
#include <cmath>

#include "vinculum/base/index.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/numeric/wide.hpp"

namespace vinculum::numeric {
namespace {

constexpr int kLanes = PivotedQr::kLanes;

/// Distance between rows: a multiple of the vector register. If it were a multiple of 64 doubles, the rows would
/// compete for the same cache lines, so it then is one register longer.
std::ptrdiff_t stride_of(int columns) {
  constexpr std::ptrdiff_t kOfAPage = 64;
  const std::ptrdiff_t least = (columns + kLanes - 1) / kLanes * kLanes;
  return least > 0 && least % kOfAPage == 0 ? least + kLanes : least;
}

/// The Householder vector of step k: 1 at row `k`, `v[i]` at the `count` rows i in `support`, 0 elsewhere.
struct Reflection {
  const double* v;
  const int* support;
  int count;
  int k;
  double tau;
};

/// Four doubles at any address, an extension of gcc and clang; each operation acts on the doubles separately.
typedef double Lanes __attribute__((vector_size(kLanes * sizeof(double)), aligned(sizeof(double)), may_alias));

/// X ← (1 − τ v vᵀ) X for `kVectors × kLanes` adjacent columns. The pointer `X` points to the first of them, in row 0.
template <int kVectors>
inline __attribute__((always_inline)) void reflect_columns(const Reflection& by, double* X, std::ptrdiff_t stride) {
  Lanes dot[kVectors];
  Lanes* top = reinterpret_cast<Lanes*>(X + by.k * stride);
  for (int c = 0; c < kVectors; ++c) dot[c] = top[c];
  for (const int* i = by.support; i != by.support + by.count; ++i) {
    const Lanes* x = reinterpret_cast<const Lanes*>(X + *i * stride);
    for (int c = 0; c < kVectors; ++c) dot[c] += x[c] * by.v[*i];
  }
  for (int c = 0; c < kVectors; ++c) dot[c] *= by.tau;
  for (const int* i = by.support; i != by.support + by.count; ++i) {
    Lanes* x = reinterpret_cast<Lanes*>(X + *i * stride);
    for (int c = 0; c < kVectors; ++c) x[c] -= dot[c] * by.v[*i];
  }
  for (int c = 0; c < kVectors; ++c) top[c] -= dot[c];
}

/// X ← (1 − τ v vᵀ) X for all columns from `first` on; `first` is a multiple of kLanes.
VINCULUM_WIDE void reflect(const Reflection& by, double* X, std::ptrdiff_t first, std::ptrdiff_t stride) {
  std::ptrdiff_t j = first;
  for (; j + 4 * kLanes <= stride; j += 4 * kLanes) reflect_columns<4>(by, X + j, stride);
  for (; j + 2 * kLanes <= stride; j += 2 * kLanes) reflect_columns<2>(by, X + j, stride);
  for (; j < stride; j += kLanes) reflect_columns<1>(by, X + j, stride);
}

/// Adds the sums of squares of the columns, each in the order of its rows.
void add_squares(const double* X, int rows, std::ptrdiff_t stride, int columns, double* __restrict sums) {
  for (int i = 0; i < rows; ++i, X += stride) {
    for (int j = 0; j < columns; ++j) sums[j] += X[j] * X[j];
  }
}

/// Subtracts the solved row k from the rows above it: Y_i −= R_ik Y_k.
VINCULUM_WIDE void subtract_from_rows(const double* R, std::ptrdiff_t stride, int k, int vectors, double* Y) {
  const std::ptrdiff_t width = std::ptrdiff_t{vectors} * kLanes;
  for (std::ptrdiff_t c = 0; c < width; c += kLanes) {
    const Lanes solved = *reinterpret_cast<const Lanes*>(Y + k * width + c);
    for (int i = 0; i < k; ++i) *reinterpret_cast<Lanes*>(Y + i * width + c) -= solved * R[i * stride + k];
  }
}

/// b ← b − share a
VINCULUM_WIDE void subtract(double share, const double* __restrict a, double* __restrict b, int count) {
  for (int j = 0; j < count; ++j) b[j] -= a[j] * share;
}

}  // namespace

PivotedQr::PivotedQr(int rows, int columns)
    : rows_(rows),
      columns_(columns),
      stride_(stride_of(columns)),
      X_(Vector::Zero(rows * stride_)),
      V_(Matrix::Zero(rows, std::min(rows, columns))),
      tau_(Vector::Zero(std::min(rows, columns))),
      inverse_R_(Vector::Zero(std::min(rows, columns))),
      norm2_(Vector::Zero(columns)),
      fresh2_(Vector::Zero(columns)),
      permutation_(static_cast<std::size_t>(columns)),
      support_(static_cast<std::size_t>(rows)) {}

void PivotedQr::measure_columns() {
  norm2_.setZero();
  add_squares(X_.data(), rows_, stride_, columns_, norm2_.data());
  fresh2_ = norm2_;
}

double PivotedQr::measure_rest(int best, int k) {
  double* v = V_.data() + static_cast<std::ptrdiff_t>(k) * rows_;
  const double* x = row(k) + best;
  double sum = 0.0;
  for (int i = k; i < rows_; ++i, x += stride_) {
    v[i] = *x;
    sum += *x * *x;
  }
  return std::sqrt(sum);
}

void PivotedQr::take(int best, int k, double norm) {
  if (best != k) {
    for (int i = 0; i < k; ++i) std::swap(row(i)[k], row(i)[best]);
    double* moved = row(k);
    for (int i = k; i < rows_; ++i, moved += stride_) moved[best] = moved[k];  // the old column `best` is already in v
    std::swap(nth(permutation_, k), nth(permutation_, best));
    norm2_[best] = norm2_[k];
    fresh2_[best] = fresh2_[k];
  }
  double* v = V_.data() + static_cast<std::ptrdiff_t>(k) * rows_;
  const double alpha = v[k];
  const double beta = alpha > 0.0 ? -norm : norm;
  const double scale = 1.0 / (alpha - beta);
  tau_[k] = (beta - alpha) / beta;
  inverse_R_[k] = 1.0 / beta;
  int* const support = support_.data();
  int count = 0;
  double* x = row(k) + k;
  for (int i = k + 1; i < rows_; ++i) {
    *(x += stride_) = 0.0;
    v[i] *= scale;
    support[count] = i;
    count += v[i] != 0.0 ? 1 : 0;
  }
  if (k + 1 < columns_) {
    // Columns up to k that share this register change below the diagonal only, where no entry is read any more.
    const std::ptrdiff_t first = (k + 1) / kLanes * kLanes;
    reflect({v, support, count, k, tau_[k]}, X_.data(), first, stride_);
  }
  X_[k * stride_ + k] = beta;
}

void PivotedQr::downdate_norms(int k) {
  const double* entries = row(k);
  for (int j = k + 1; j < columns_; ++j) {
    norm2_[j] -= entries[j] * entries[j];
    if (!(norm2_[j] < tolerance::kHalfDigits * fresh2_[j])) continue;
    double sum = 0.0;
    for (int i = k + 1; i < rows_; ++i) sum += X_[i * stride_ + j] * X_[i * stride_ + j];
    norm2_[j] = fresh2_[j] = sum;
  }
}

void PivotedQr::factor(double threshold) {
  rank_ = factored_ = 0;
  for (int j = 0; j < columns_; ++j) nth(permutation_, j) = j;
  measure_columns();
  const int steps = std::min(rows_, columns_);
  for (int k = 0; k < steps; ++k) {
    int best = k;
    for (int j = k + 1; j < columns_; ++j) {
      if (norm2_[j] > norm2_[best]) best = j;
    }
    const double norm = measure_rest(best, k);
    if (norm == 0.0 || (k > 0 && norm <= threshold * std::abs(X_[0]))) return;
    take(best, k, norm);
    downdate_norms(k);
    rank_ = factored_ = k + 1;
  }
}

void PivotedQr::decide_rank(double threshold) {
  rank_ = std::min(factored_, 1);
  while (rank_ < factored_ && !(std::abs(R(rank_, rank_)) <= threshold * std::abs(X_[0]))) ++rank_;
}

double PivotedQr::conditioning() const {
  if (rank_ == 0) return 1.0;
  double smallest = std::abs(X_[0]);
  double largest = smallest;
  for (int k = 1; k < rank_; ++k) {
    smallest = std::min(smallest, std::abs(R(k, k)));
    largest = std::max(largest, std::abs(R(k, k)));
  }
  return smallest / largest;
}

void PivotedQr::solve_R(double* y) const {
  for (int k = rank_ - 1; k >= 0; --k) {
    const double value = y[k] *= inverse_R_[k];
    const double* R = X_.data() + k;
    for (int i = 0; i < k; ++i, R += stride_) y[i] -= value * *R;
  }
}

void PivotedQr::solve_R_rows(double* Y, int vectors) const {
  const std::ptrdiff_t width = std::ptrdiff_t{vectors} * kLanes;
  for (int k = rank_ - 1; k >= 0; --k) {
    for (std::ptrdiff_t c = 0; c < width; ++c) Y[k * width + c] *= inverse_R_[k];
    subtract_from_rows(X_.data(), stride_, k, vectors, Y);
  }
}

void PivotedQr::solve_R_transposed(double* y) const {
  for (int k = 0; k < rank_; ++k) {
    const double value = y[k] *= inverse_R_[k];
    const int first = k + 1;
    subtract(value, X_.data() + k * stride_ + first, y + first, rank_ - first);
  }
}

void PivotedQr::multiply_Q(double* x) const {
  for (int k = rank_ - 1; k >= 0; --k) {
    const double* v = V_.data() + static_cast<std::ptrdiff_t>(k) * rows_;
    double dot = x[k];
    for (int i = k + 1; i < rows_; ++i) dot += v[i] * x[i];
    dot *= tau_[k];
    x[k] -= dot;
    for (int i = k + 1; i < rows_; ++i) x[i] -= dot * v[i];
  }
}

}  // namespace vinculum::numeric
