#pragma once

#include <cstddef>
#include <vector>

#include "vinculum/base/linear_algebra.hpp"

namespace vinculum::numeric {

/// Householder QR with column pivoting, X P = Q R, for one size; allocates nothing after construction. The
/// factorization stops at the rank. The columns after the rank contain R12 (above) and rounding errors (below).
///
/// Used instead of Eigen's ColPivHouseholderQR because the matrix is built in place, the rank is decided during the
/// factorization, and it is several times faster for the few rows of a mechanism.
///
/// X is stored row by row. A reflection changes all columns at once, so vector instructions work on adjacent columns.
/// Each column is summed in the order of its rows, so the bits do not depend on the vector width. Reflections skip the
/// zeros of their Householder vectors, which changes no bits. Column norms are updated by subtraction, and recomputed
/// when cancellation has cost half their digits.
///
/// Source: Golub & Van Loan §5.4.2; Drmač & Bujanović 2008 on updated norms; docs/numerics.md.
class PivotedQr {
 public:
  static constexpr int kLanes = 4;  ///< doubles per vector register
  using Column = Eigen::Map<Vector, 0, Eigen::InnerStride<>>;

  PivotedQr(int rows, int columns);

  /// Storage of X [rows×columns]: fill it by columns or rows, then call `factor`, which overwrites it.
  [[nodiscard]] Column column(int j) { return {X_.data() + j, rows_, Eigen::InnerStride<>(stride_)}; }
  /// Row i; its entries are adjacent. Rows are `stride()` apart; the entries after the last column stay 0.
  [[nodiscard]] double* row(int i) { return X_.data() + i * stride_; }
  [[nodiscard]] std::ptrdiff_t stride() const { return stride_; }

  /// Factors X. \param threshold  the factorization ends at the first column k with |R_kk| ≤ threshold × |R_00|. \cost
  /// O(rows columns rank), reduced by zeros in the Householder vectors.
  void factor(double threshold);
  /// Sets the rank for a larger threshold without factoring again, because a factorization with that threshold would
  /// consist of the first columns of this one.   \pre threshold is at least that of `factor`
  void decide_rank(double threshold);

  [[nodiscard]] int rank() const { return rank_; }
  /// Column k of X P is column `permutation()[k]` of X.
  [[nodiscard]] const std::vector<int>& permutation() const { return permutation_; }
  /// Entry (row, k) of R.   \pre row < rank, row ≤ k
  [[nodiscard]] double R(int row, int k) const { return X_[row * stride_ + k]; }
  [[nodiscard]] double conditioning() const;  ///< smallest |R_kk| within the rank, divided by the largest; 1 for rank 0

  void solve_R(double* y) const;  ///< y ← R11⁻¹ y, [rank]
  /// Y ← R11⁻¹ Y. Y has `rank` rows of `kLanes × vectors` adjacent numbers. Each column has the same bits as from
  /// `solve_R`.
  void solve_R_rows(double* Y, int vectors) const;
  void solve_R_transposed(double* y) const;  ///< y ← R11⁻ᵀ y, [rank]
  void multiply_Q(double* x) const;          ///< x ← Q x, [rows]

 private:
  void measure_columns();
  /// Copies the entries of column `best` from row k on into V_. \returns their norm, which is |R_kk| if this column
  /// becomes column k
  [[nodiscard]] double measure_rest(int best, int k);
  /// Exchanges columns k and `best`, and applies the reflection that reduces column k. \param norm  |R_kk|
  void take(int best, int k, double norm);
  void downdate_norms(int k);

  int rows_, columns_;
  std::ptrdiff_t stride_;  // distance between rows of X, a multiple of kLanes
  int rank_ = 0;
  int factored_ = 0;       // number of reduced columns: the rank for the threshold of `factor`
  Vector X_;               // [rows×stride] R on and above the diagonal; 0 after the last column
  Matrix V_;               // [rows×min(rows, columns)] Householder vectors, without their first entry, which is 1
  Vector tau_;             // Householder coefficients
  Vector inverse_R_;       // 1/R_kk
  Vector norm2_, fresh2_;  // updated squared norms of the columns, and their last recomputed values
  std::vector<int> permutation_;
  std::vector<int> support_;  // scratch: rows below k in which the current Householder vector is not 0
};

}  // namespace vinculum::numeric
