#pragma once

#include <cmath>
#include <vector>

#include "vinculum/base/linear_algebra.hpp"

namespace vinculum::numeric {

/// Gaussian elimination with full pivoting, P X R = L U (P and R are permutations), of square matrices up to a given
/// size; allocates nothing after construction. Used for the solution and the rank of small systems that are not
/// symmetric or are indefinite, for example if forces depend on reactions.
/// Source: Golub & Van Loan §3.4.8.
class FullPivotLu {
 public:
  explicit FullPivotLu(int largest_size);

  /// Storage of X [size×size]: fill it, then call `factor`, which overwrites it.
  [[nodiscard]] MatrixRef matrix(int size);
  /// Factors X. \param tolerance  the elimination ends at the first pivot ≤ tolerance × the largest pivot so far.
  /// \cost O(size³)
  void factor(double tolerance);

  [[nodiscard]] int rank() const { return rank_; }
  /// |last pivot| / |first pivot|, a measure of conditioning.   \pre X is regular, size > 0
  [[nodiscard]] double last_pivot() const { return std::abs(X_(size_ - 1, size_ - 1) / X_(0, 0)); }
  /// Sign of det X, −1 or 1; 0 if X is not regular.
  [[nodiscard]] int determinant_sign() const { return is_regular() ? sign_ : 0; }
  /// Index of a column of X (an unknown) without a pivot.   \pre not regular
  [[nodiscard]] int undetermined() const;
  [[nodiscard]] bool is_regular() const { return rank_ == size_; }
  /// Solves X y = x and overwrites x [size] by y; unknowns beyond the rank are 0.
  /// \returns the largest |residual| of the equations without a pivot; 0 for a regular matrix.
  [[nodiscard]] double solve(VectorRef x);

 private:
  Matrix X_;
  Vector work_;
  std::vector<int> row_, column_;  // [largest_size] row and column that step k exchanges with row and column k
  int size_ = 0;
  int rank_ = 0;
  int sign_ = 1;
};

}  // namespace vinculum::numeric
