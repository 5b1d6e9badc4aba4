#include "vinculum/integrate/dense_polynomial.hpp"

#include <cmath>
#include <numbers>

#include "vinculum/numeric/full_pivot_lu.hpp"

namespace vinculum::integrate {
namespace {

constexpr int kCount = DensePolynomial::kDegree + 1;

/// Interpolation instant i as a fraction of the step. The instants are Chebyshev points; the first and the last are the
/// ends of the step.
double node(int i) { return 0.5 * (1.0 - std::cos(std::numbers::pi * i / DensePolynomial::kDegree)); }

double binomial(int n, int k) {
  double value = 1.0;
  for (int i = 1; i <= k; ++i) value = value * (n - k + i) / i;
  return value;
}

}  // namespace

DensePolynomial::DensePolynomial(int size)
    : to_bernstein_(kCount, kCount), values_(size, kCount), coefficients_(size, kCount), y_(size) {
  // Row i contains the Bernstein polynomials at instant i; the inverse matrix maps values to coefficients.
  numeric::FullPivotLu lu(kCount);
  MatrixRef at = lu.matrix(kCount);
  for (int i = 0; i < kCount; ++i) {
    for (int k = 0; k < kCount; ++k)
      at(i, k) = binomial(kDegree, k) * std::pow(node(i), k) * std::pow(1.0 - node(i), kDegree - k);
  }
  lu.factor(0.0);
  for (int i = 0; i < kCount; ++i) {
    Vector unit = Vector::Unit(kCount, i);
    (void)lu.solve(unit);
    to_bernstein_.row(i) = unit.transpose();
  }
}

Outcome<void> DensePolynomial::read(const Step& step) {
  const double begin = step.t_begin(), length = step.t_end() - begin;
  for (int i = 0; i < kCount; ++i) {
    if (auto done = step.interpolate(i == kDegree ? step.t_end() : begin + node(i) * length, y_); !done) return done;
    values_.col(i) = y_ - step.y_begin();
  }
  coefficients_.noalias() = values_ * to_bernstein_;
  coefficients_.colwise() += step.y_begin();
  coefficients_.col(0) = step.y_begin();
  coefficients_.col(kDegree) = step.y_end();
  return {};
}

void DensePolynomial::halve(const Matrix& whole, Matrix& left, Matrix& right) {
  right = whole;
  for (int k = 0; k < kCount; ++k) {
    left.col(k) = right.col(0);
    for (int i = 0; i + k < kDegree; ++i) right.col(i) = 0.5 * (right.col(i) + right.col(i + 1));
  }
}

void DensePolynomial::evaluate(const Matrix& coefficients, double s, Vector& y) {
  y.setZero(coefficients.rows());
  for (int k = 0; k < kCount; ++k)
    y += binomial(kDegree, k) * std::pow(s, k) * std::pow(1.0 - s, kDegree - k) * coefficients.col(k);
}

}  // namespace vinculum::integrate
