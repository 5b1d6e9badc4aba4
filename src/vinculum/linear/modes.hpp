#pragma once

#include <Eigen/Core>
#include <vector>

#include "vinculum/base/linear_algebra.hpp"
#include "vinculum/base/tolerance.hpp"

namespace vinculum::linear {

using ComplexVector = Eigen::VectorXcd;
using ComplexMatrix = Eigen::MatrixXcd;

/// Why ξ' = A ξ has an eigenvalue 0.
struct ZeroEigenvalue {
  enum class Why {
    kIgnorable,  ///< no rate depends on the variable (apart from rates of variables that are listed before)
    kConstant,   ///< the rate of the variable depends on nothing: it keeps each value
    kFamily,     ///< A v = 0: neighboring states in the direction v also stay at rest, or in steady motion
    kDrift,      ///< a generalized eigenvector: a deviation along another direction grows in proportion to time
  } why{};
  Eigen::Index variable = -1;  ///< for kIgnorable and kConstant
  Vector direction;            ///< [n] for kFamily and kDrift
};

/// Eigenvalues of A with their eigenvectors; the zeros are separated from the others first, so multiple zeros are
/// exact.
struct Modes {
  std::vector<ZeroEigenvalue> zeros;
  ComplexVector eigenvalues;  ///< [modes] not zero, by increasing magnitude; of a pair the positive frequency first
  ComplexMatrix right;        ///< [n × modes] A v = λ v
  ComplexMatrix left;         ///< [modes × n] w A = λ w, w v = 1; empty if A has no basis of eigenvectors
  Vector uncertainty;         ///< [modes] [1/s] effect of rounding errors of A on the eigenvalue
  double size = 0.0;          ///< [1/s] size of A in balanced units
};

/// \param A  [n × n]   \param scale  [n] typical sizes > 0 of the variables; entries of A count as zero relative to
/// them   \param rounding  error of A relative to its largest entry in these sizes
/// Source: Golub & Van Loan §7.6 (staircase of a zero eigenvalue); Parlett & Reinsch 1969 (balancing).
/// \param names_variables  false: no zeros of the causes kIgnorable and kConstant
[[nodiscard]] Modes modes_of(const Matrix& A, const Vector& scale, double rounding = tolerance::kZero,
                             bool names_variables = true);

/// D⁻¹ A D, without entries that are rounding errors; D = diag(scale).
[[nodiscard]] Matrix without_rounding(const Matrix& A, const Vector& scale, double rounding = tolerance::kZero);

}  // namespace vinculum::linear
