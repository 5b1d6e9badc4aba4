#pragma once

#include <cmath>
#include <vector>

#include "vinculum/base/linear_algebra.hpp"

namespace vinculum::numeric {

/// Gaussian elimination with full pivoting, P X R = L U, of square matrices up to one size, kept with its scratch:
/// after construction nothing allocates. For the small non-symmetric or indefinite systems of laws that depend on their
/// own reactions, and for their rank. Source: Golub & Van Loan §3.4.8.
class FullPivotLu {
 public:
  explicit FullPivotLu(int largest_size);

  /// Storage of X [size×size] in its upper left corner: fill it, then call `factor`, which overwrites it.
  [[nodiscard]] MatrixRef matrix(int size);
  /// \param tolerance  a pivot ≤ tolerance × the largest one ends the elimination. \cost O(size³)
  void factor(double tolerance);

  [[nodiscard]] int rank() const { return rank_; }
  /// |last pivot| / |first pivot|, a measure of conditioning.   \pre regular, size > 0
  [[nodiscard]] double last_pivot() const { return std::abs(X_(size_ - 1, size_ - 1) / X_(0, 0)); }
  /// −1 or 1, the sign of det X; 0 for a matrix that is not regular.
  [[nodiscard]] int determinant_sign() const { return is_regular() ? sign_ : 0; }
  /// Column of X that the elimination left without a pivot.   \pre not regular
  [[nodiscard]] int undetermined() const;
  [[nodiscard]] bool is_regular() const { return rank_ == size_; }
  /// x ← a solution of X x = x; unknowns beyond the rank are 0. [size]
  /// \returns by how much the equations beyond the rank are missed, 0 for a regular matrix.
  [[nodiscard]] double solve(VectorRef x);

 private:
  Matrix X_;
  Vector work_;
  std::vector<int> row_, column_;  // transpositions
  int size_ = 0;
  int rank_ = 0;
  int sign_ = 1;
};

}  // namespace vinculum::numeric
