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
  /// \param tol_pivot  size relative to its diagonal entry below which a pivot is not accepted, at least `rounding(n)`.
  /// \returns −1, or the first index whose pivot is not accepted: there M is singular (to that tolerance) or
  /// indefinite.
  ///          The test does not depend on the units of the coordinates. \cost O(n³/3).
  [[nodiscard]] int factor(ConstMatrix M, double tol_pivot);
  /// Relative size of a pivot that is nothing but rounding: 10 n ε.
  [[nodiscard]] static double rounding(int n);

  void solve_lower(double* x) const;                    ///< x ← L⁻¹ x, [n]
  void solve_lower_transposed(double* x) const;         ///< x ← L⁻ᵀ x, [n]
  void multiply_lower(double* x) const;                 ///< x ← L x, [n]
  [[nodiscard]] const Matrix& L() const { return L_; }  ///< lower triangle; what stands above it is undefined

 private:
  int n_;
  Matrix L_;
  Vector inverse_diagonal_;
};

}  // namespace vinculum::numeric
