#pragma once

#include <cstddef>
#include <vector>

#include "vinculum/base/linear_algebra.hpp"

namespace vinculum::numeric {

/// Cholesky factor M = L Lᵀ for one size n; allocates nothing after construction. n is a few tens at most, so plain
/// loops over columns are faster than blocked kernels. Source: Golub & Van Loan §4.2.
class Cholesky {
 public:
  explicit Cholesky(int n);

  /// Factors M.
  /// \param M [n×n] only the lower triangle is read.
  /// \param tol_pivot  a pivot smaller than this fraction of its diagonal entry is refused; at least `rounding(n)`.
  /// \returns −1, or the first index whose pivot is refused: M is singular (to that tolerance) or indefinite there. The
  ///          test does not depend on the units of the coordinates. \cost O(n³/3).
  [[nodiscard]] int factor(ConstMatrix M, double tol_pivot);
  /// Relative size up to which a pivot can be a rounding error: 10 n ε.
  [[nodiscard]] static double rounding(int n);

  void solve_lower(double* x) const;  ///< x ← L⁻¹ x, [n]
  /// X ← L⁻¹ X [n×columns]; row i begins at X + i stride. Each column has the same bits as if it were solved alone.
  void solve_lower_rows(double* X, std::ptrdiff_t stride, int columns) const;
  void solve_lower_transposed(double* x) const;  ///< x ← L⁻ᵀ x, [n]
  void multiply_lower(double* x) const;          ///< x ← L x, [n]
  /// Lower triangle; the entries above it are undefined.
  [[nodiscard]] const Matrix& L() const { return L_; }
  /// One plus the row of the last nonzero entry in column j of L.
  [[nodiscard]] int end_of_column(int j) const { return end_[static_cast<std::size_t>(j)]; }

 private:
  int n_;
  Matrix L_;
  Vector inverse_diagonal_;
  // for each column of L, one plus the row of its last nonzero entry; mass matrices are mostly zeros
  std::vector<int> end_;
};

}  // namespace vinculum::numeric
