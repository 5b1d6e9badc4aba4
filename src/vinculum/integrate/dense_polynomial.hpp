#pragma once

#include "vinculum/integrate/integrator.hpp"

namespace vinculum::integrate {

/// Dense output of a step, for every method, as a polynomial of degree 8 in Bernstein form. It interpolates the
/// method's dense output at nine instants. The methods in the table have dense outputs of degree up to 7, which it
/// reproduces within rounding errors.
///
/// The least and the greatest coefficient of a component bound that component over the step. Differences of
/// coefficients bound its rate. Halving the interval gives closer bounds (de Casteljau's algorithm).
/// Source: Farouki & Rajan, Computer Aided Geometric Design 4 (1987) 191-216.
class DensePolynomial {
 public:
  static constexpr int kDegree = 8;

  explicit DensePolynomial(int size);
  /// Reads the method's dense output over the whole step. Between the ends of the step that output is not projected
  /// onto the constraints. Fails if the dense output fails.
  [[nodiscard]] Outcome<void> read(const Step& step);
  [[nodiscard]] const Matrix& coefficients() const { return coefficients_; }  ///< [size × 9]

  /// Coefficients over the left and right half, given those over the whole interval. [size × 9]
  static void halve(const Matrix& whole, Matrix& left, Matrix& right);
  /// Value of the polynomial at the fraction s of the interval, 0 ≤ s ≤ 1.
  static void evaluate(const Matrix& coefficients, double s, Vector& y);

 private:
  Matrix to_bernstein_;  ///< [9 × 9] maps values at the nine instants to coefficients
  Matrix values_, coefficients_;
  Vector y_;
};

}  // namespace vinculum::integrate
