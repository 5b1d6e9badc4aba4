#pragma once

#include <vector>

#include "vinculum/base/linear_algebra.hpp"

namespace vinculum::numeric {

/// Householder QR with column pivoting, X P = Q R, of one size, kept with its scratch: after construction nothing
/// allocates. Stops at the rank, so the columns behind it hold R12 and a remainder that is rounding.
///
/// Own kernel instead of Eigen's ColPivHouseholderQR: the columns are built in place, the rank is decided while it
/// runs, and for the few rows of a mechanism it is several times faster.
/// Reflections skip the zeros of their vectors, which leaves every bit as it is: rows of a long mechanism act on a few
/// speeds each. Column norms are down-dated and computed afresh once cancellation has cost half their digits.
/// Source: Golub & Van Loan §5.4.2; Drmač & Bujanović 2008 on down-dating; numerics in docs/numerics.md.
class PivotedQr {
 public:
  PivotedQr(int rows, int columns);

  /// Storage of X, column by column, [rows×columns]: fill it, then call `factor`, which overwrites it.
  [[nodiscard]] double* column(int j) { return X_.data() + static_cast<std::ptrdiff_t>(j) * rows_; }

  /// \param threshold  column k ends the factorization where |R_kk| ≤ threshold × |R_00|. \cost O(rows columns rank),
  /// and as much less as Householder vectors have zeros.
  void factor(double threshold);

  [[nodiscard]] int rank() const { return rank_; }
  /// Column k of X P is column `permutation()[k]` of X.
  [[nodiscard]] const std::vector<int>& permutation() const { return permutation_; }
  /// Entry of R, row < rank.
  [[nodiscard]] double R(int row, int k) const { return X_(row, k); }
  [[nodiscard]] double conditioning() const;  ///< smallest over largest kept |R_kk|, 1 for rank 0

  void solve_R(double* y) const;             ///< y ← R11⁻¹ y, [rank]
  void solve_R_transposed(double* y) const;  ///< y ← R11⁻ᵀ y, [rank]
  void multiply_Q(double* x) const;          ///< x ← Q x, [rows]

 private:
  void find_support(const double* v, int k);
  [[nodiscard]] double reflect(const double* v, int k, double tau, double* x) const;

  int rows_, columns_;
  int rank_ = 0;
  Matrix X_;               // R on and above the diagonal, Householder vectors (first entry 1) below
  Vector tau_;             // Householder coefficients
  Vector inverse_R_;       // 1/R_kk
  Vector norm2_, fresh2_;  // down-dated squared norms, and their value when last computed afresh
  std::vector<int> permutation_;
  std::vector<int> support_;  // where the Householder vector at hand is not 0, below its first entry
  bool is_sparse_ = false;    // so few that they are worth an index
};

}  // namespace vinculum::numeric
