#pragma once

#include <cstddef>
#include <vector>

#include "vinculum/base/linear_algebra.hpp"

namespace vinculum::numeric {

/// Householder QR with column pivoting, X P = Q R, of one size, kept with its scratch: after construction nothing
/// allocates. Stops at the rank, so the columns behind it hold R12 and a remainder that is rounding.
///
/// Own kernel instead of Eigen's ColPivHouseholderQR: the matrix is built in place, the rank is decided while it
/// runs, and for the few rows of a mechanism it is several times faster.
/// X is stored row by row. A reflection changes all columns at once, so vector instructions work on adjacent columns,
/// and the sum of each column keeps its order: the bits do not depend on the width of a vector.
/// Reflections skip the zeros of their vectors, which leaves every bit as it is: rows of a long mechanism act on a few
/// speeds each. Column norms are down-dated and computed afresh once cancellation has cost half their digits.
/// Source: Golub & Van Loan §5.4.2; Drmač & Bujanović 2008 on down-dating; numerics in docs/numerics.md.
class PivotedQr {
 public:
  static constexpr int kLanes = 4;  ///< doubles of a vector
  using Column = Eigen::Map<Vector, 0, Eigen::InnerStride<>>;

  PivotedQr(int rows, int columns);

  /// Storage of X [rows×columns]: fill it by columns or by rows, then call `factor`, which overwrites it.
  [[nodiscard]] Column column(int j) { return {X_.data() + j, rows_, Eigen::InnerStride<>(stride_)}; }
  /// Row i, whose columns are adjacent. Rows are `stride()` apart; the entries after the last column stay 0.
  [[nodiscard]] double* row(int i) { return X_.data() + i * stride_; }
  [[nodiscard]] std::ptrdiff_t stride() const { return stride_; }

  /// \param threshold  column k ends the factorization where |R_kk| ≤ threshold × |R_00|. \cost O(rows columns rank),
  /// and as much less as Householder vectors have zeros.
  void factor(double threshold);
  /// The rank of the factor at hand for another threshold: the factorization with a larger threshold is the beginning
  /// of this one.   \pre threshold is at least that of `factor`
  void decide_rank(double threshold);

  [[nodiscard]] int rank() const { return rank_; }
  /// Column k of X P is column `permutation()[k]` of X.
  [[nodiscard]] const std::vector<int>& permutation() const { return permutation_; }
  /// Entry of R, row < rank.
  [[nodiscard]] double R(int row, int k) const { return X_[row * stride_ + k]; }
  [[nodiscard]] double conditioning() const;  ///< smallest over largest kept |R_kk|, 1 for rank 0

  void solve_R(double* y) const;  ///< y ← R11⁻¹ y, [rank]
  /// Y ← R11⁻¹ Y, of whose rows [rank] the numbers are adjacent and `kLanes × vectors`, bits as for each column alone.
  void solve_R_rows(double* Y, int vectors) const;
  void solve_R_transposed(double* y) const;  ///< y ← R11⁻ᵀ y, [rank]
  void multiply_Q(double* x) const;          ///< x ← Q x, [rows]

 private:
  void measure_columns();
  /// R_kk of the column `best`, which becomes column k, and its Householder vector. \returns |R_kk|
  [[nodiscard]] double measure_rest(int best, int k);
  void take(int best, int k, double norm);
  void downdate_norms(int k);

  int rows_, columns_;
  std::ptrdiff_t stride_;  // of rows of X, a multiple of a vector
  int rank_ = 0;
  int factored_ = 0;       // columns that are reduced: the rank for the threshold of `factor`
  Vector X_;               // [rows×stride] R on and above the diagonal, 0 below it and after the last column
  Matrix V_;               // [rows×min(rows, columns)] Householder vectors, from behind their first entry, which is 1
  Vector tau_;             // Householder coefficients
  Vector inverse_R_;       // 1/R_kk
  Vector norm2_, fresh2_;  // down-dated squared norms, and their value when last computed afresh
  std::vector<int> permutation_;
  std::vector<int> support_;  // scratch: where the Householder vector at hand is not 0, below its first entry
};

}  // namespace vinculum::numeric
