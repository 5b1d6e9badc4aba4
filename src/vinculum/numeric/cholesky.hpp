#pragma once

#include "vinculum/base/linear_algebra.hpp"

namespace vinculum::numeric {

/// Cholesky factor M = L Lᵀ of one size, kept with its scratch: after construction nothing allocates.
/// Sizes are a few tens at most, so plain loops over columns beat blocked kernels.
/// Source: Golub & Van Loan §4.2.
class Cholesky {
 public:
  explicit Cholesky(int n);

  /// \param M [n×n] only the lower triangle is read.
  /// \returns −1, or the first index whose pivot is not above `tol_pivot()` × its diagonal entry: there M is singular or
  ///          indefinite. The test does not depend on the units of the coordinates. \cost O(n³/3).
  [[nodiscard]] int factor(ConstMatrix M);

  void solve_lower(double* x) const;             ///< x ← L⁻¹ x, [n]
  void solve_lower_transposed(double* x) const;  ///< x ← L⁻ᵀ x, [n]
  void multiply_lower(double* x) const;          ///< x ← L x, [n]
  [[nodiscard]] const Matrix& L() const { return L_; }  ///< lower triangle; what stands above it is undefined
  /// Relative size below which a pivot is rounding: 10 n ε.
  [[nodiscard]] double tol_pivot() const { return tol_pivot_; }

 private:
  int n_;
  double tol_pivot_;
  Matrix L_;
  Vector inverse_diagonal_;
};

}  // namespace vinculum::numeric
