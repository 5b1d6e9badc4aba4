#pragma once

#include <cstddef>
#include <vector>

#include "vinculum/base/linear_algebra.hpp"

namespace vinculum::numeric {

/// Cholesky factor M = L Lᵀ of one size, kept with its scratch: after construction nothing allocates.
/// Sizes are a few tens at most, so plain loops over columns beat blocked kernels.
/// Source: Golub & Van Loan §4.2.
class Cholesky {
 public:
  explicit Cholesky(int n);

  /// \param M [n×n] only the lower triangle is read.
  /// \param tol_pivot  size relative to its diagonal entry below which a pivot is not accepted, at least `rounding(n)`.
  /// \returns −1, or the first index whose pivot is not accepted: there M is singular (to that tolerance) or
  /// indefinite.
  ///          The test does not depend on the units of the coordinates. \cost O(n³/3).
  [[nodiscard]] int factor(ConstMatrix M, double tol_pivot);
  /// Relative size of a pivot that is nothing but rounding: 10 n ε.
  [[nodiscard]] static double rounding(int n);

  void solve_lower(double* x) const;  ///< x ← L⁻¹ x, [n]
  /// X ← L⁻¹ X [n×columns], of which row i begins at X + i stride. Bits as for each column alone.
  void solve_lower_rows(double* X, std::ptrdiff_t stride, int columns) const;
  void solve_lower_transposed(double* x) const;  ///< x ← L⁻ᵀ x, [n]
  void multiply_lower(double* x) const;          ///< x ← L x, [n]
  /// Lower triangle; what stands above it is undefined.
  [[nodiscard]] const Matrix& L() const { return L_; }
  /// Behind the last entry of column j of L that is not 0.
  [[nodiscard]] int end_of_column(int j) const { return end_[static_cast<std::size_t>(j)]; }

 private:
  int n_;
  Matrix L_;
  Vector inverse_diagonal_;
  std::vector<int> end_;  // of each column of L: behind its last entry that is not 0; mass matrices are mostly zeros
};

}  // namespace vinculum::numeric
