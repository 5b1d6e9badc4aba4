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
  /// \param tol_pivot  a pivot is refused if it is below this fraction of its diagonal entry. Pass at least
  /// `rounding(n)`.
  /// \returns −1, or the first index whose pivot is refused; M is then singular (to that tolerance) or indefinite. The
  ///          result does not depend on the units of the coordinates. \cost O(n³/3).
  [[nodiscard]] int factor(ConstMatrix M, double tol_pivot);
  /// A pivot below this fraction of its diagonal entry in M may be a rounding error: 10 n ε.
  [[nodiscard]] static double rounding(int n);

  void solve_lower(double* x) const;  ///< x ← L⁻¹ x, [n]
  /// X ← L⁻¹ X [n×columns]; row i begins at X + i stride. Each column has the same bits as from `solve_lower`.
  void solve_lower_rows(double* X, std::ptrdiff_t stride, int columns) const;
  void solve_lower_transposed(double* x) const;  ///< x ← L⁻ᵀ x, [n]
  void multiply_lower(double* x) const;          ///< x ← L x, [n]
  /// The factor L; the entries above its diagonal are undefined.
  [[nodiscard]] const Matrix& L() const { return L_; }
  /// One plus the row of the last nonzero entry in column j of L.
  [[nodiscard]] int end_of_column(int j) const { return end_[static_cast<std::size_t>(j)]; }

 private:
  int n_;
  Matrix L_;
  Vector inverse_diagonal_;
  // [n] for each column of L, one plus the row of its last nonzero entry; loops skip the zeros below that entry
  std::vector<int> end_;
};

}  // namespace vinculum::numeric
