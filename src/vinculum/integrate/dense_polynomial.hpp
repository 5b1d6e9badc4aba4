#pragma once

#include "vinculum/integrate/integrator.hpp"

namespace vinculum::integrate {

/// Dense output of a step as a polynomial of degree 8 in Bernstein form, for every method: the interpolant of the
/// values at nine instants. The dense outputs of the methods in the table have degrees up to 7 and are reproduced
/// within rounding errors.
///
/// The least and the greatest coefficient of a component are bounds of it over the step; differences of coefficients
/// bound its rate. Halving the interval gives closer bounds (de Casteljau).
/// Source: Farouki & Rajan, Computer Aided Geometric Design 4 (1987) 191-216.
class DensePolynomial {
 public:
  static constexpr int kDegree = 8;

  explicit DensePolynomial(int size);
  /// Reads the dense output of the whole step; between the ends it is not projected. Fails if the dense output fails.
  [[nodiscard]] Outcome<void> read(const Step& step);
  [[nodiscard]] const Matrix& coefficients() const { return coefficients_; }  ///< [size × 9]

  /// Coefficients over the left and right half, given those over the whole interval. [size × 9]
  static void halve(const Matrix& whole, Matrix& left, Matrix& right);
  /// Value of the polynomial at the fraction s of the interval, 0 ≤ s ≤ 1.
  static void evaluate(const Matrix& coefficients, double s, Vector& y);

 private:
  Matrix to_bernstein_;  ///< [9 × 9] transformation from values at the instants to coefficients
  Matrix values_, coefficients_;
  Vector y_;
};

}  // namespace vinculum::integrate
