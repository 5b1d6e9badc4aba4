#pragma once

#include "vinculum/integrate/integrator.hpp"

namespace vinculum::integrate {

/// The dense output of a step as a polynomial in Bernstein form, whatever the method: of degree 8, through the values
/// at nine instants. Dense outputs of methods of the table have degrees up to 7, and are met to rounding.
///
/// What lies between the least and the greatest coefficient of a component bounds it over the step, their differences
/// bound its rate; halves have coefficients of their own (de Casteljau), which are closer.
/// Source: Farouki & Rajan, Computer Aided Geometric Design 4 (1987) 191-216.
class DensePolynomial {
 public:
  static constexpr int kDegree = 8;

  explicit DensePolynomial(int size);
  /// Those of the whole step, without its projection between the ends. Fails where the dense output does.
  [[nodiscard]] Outcome<void> read(const Step& step);
  [[nodiscard]] const Matrix& coefficients() const { return coefficients_; }  ///< [size × 9]

  /// The coefficients over both halves of what `whole` is the coefficients of. [size × 9]
  static void halve(const Matrix& whole, Matrix& left, Matrix& right);
  /// The polynomial at s of the way, 0 ≤ s ≤ 1.
  static void evaluate(const Matrix& coefficients, double s, Vector& y);

 private:
  Matrix to_bernstein_;  ///< [9 × 9] from values at the instants
  Matrix values_, coefficients_;
  Vector y_;
};

}  // namespace vinculum::integrate
