#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "vinculum/base/linear_algebra.hpp"
#include "vinculum/base/tolerance.hpp"

namespace vinculum {

/// A number and a bound of what rounding has done to it: the error of a computation in double precision, carried along
/// with it (running error analysis). A number alone is taken to be exact.
///
///   a + b: e_a + e_b + u|a + b|,   a b: |a| e_b + |b| e_a + e_a e_b + u|a b|, …      u = ε/2
///
/// Source: Higham, Accuracy and stability of numerical algorithms (2002), §3.3.
struct Rounded {
  double value = 0.0, error = 0.0;
  constexpr Rounded(double exact = 0.0) : value(exact) {}
  constexpr Rounded(double of, double by) : value(of), error(by) {}
  [[nodiscard]] bool is_zero() const { return value == 0.0 && error == 0.0; }
  /// Whether 0 is as good a value. What is 0 by an identity has no other; in whatever units, and however small its
  /// terms are.
  [[nodiscard]] bool may_be_zero() const { return std::abs(value) <= error; }
  /// Sum of its size and its error.
  [[nodiscard]] double largest() const { return std::abs(value) + error; }

  friend Rounded operator+(Rounded a, Rounded b) {
    const double sum = a.value + b.value;
    const bool is_exact = a.value == 0.0 || b.value == 0.0;
    return {sum, a.error + b.error + (is_exact ? 0.0 : kUnit * std::abs(sum))};
  }
  friend Rounded operator-(Rounded a) { return {-a.value, a.error}; }
  friend Rounded operator-(Rounded a, Rounded b) { return a + -b; }
  friend Rounded operator*(Rounded a, Rounded b) {
    const double product = a.value * b.value;
    return {product, std::abs(a.value) * b.error + a.error * b.largest() + kUnit * std::abs(product)};
  }
  friend Rounded operator/(Rounded a, Rounded b) {
    const double quotient = a.value / b.value, least = std::abs(b.value) - b.error;
    const double error = a.error + std::abs(quotient) * b.error;
    return {quotient, (error == 0.0  ? 0.0
                       : least > 0.0 ? error / least
                                     : std::numeric_limits<double>::infinity()) +
                          kUnit * std::abs(quotient)};
  }
  Rounded& operator+=(Rounded b) { return *this = *this + b; }
  Rounded& operator-=(Rounded b) { return *this = *this - b; }
  Rounded& operator*=(Rounded b) { return *this = *this * b; }
  Rounded& operator/=(Rounded b) { return *this = *this / b; }
  friend bool operator==(Rounded, Rounded) = default;

 private:
  static constexpr double kUnit = tolerance::kRounding / 2.0;
};

/// A number of a text, or of a program: exact where a float holds it (2, 0.5), else known as well as it can be written,
/// as it is decimal or made of others.
[[nodiscard]] inline Rounded as_stated(double number) {
  const bool is_short = static_cast<double>(static_cast<float>(number)) == number;
  return {number, is_short ? 0.0 : tolerance::kEqual * std::abs(number)};
}

/// a + b, 0 where what is left of them is rounding, of the two or of what they are made of: 0.3 − 3·0.1. Once they have
/// met nobody can tell by what they are small.
[[nodiscard]] inline Rounded met(const Rounded& a, const Rounded& b) {
  const Rounded sum = a + b;
  const double rounding = std::max(sum.error, tolerance::kEqual * std::max(std::abs(a.value), std::abs(b.value)));
  return std::abs(sum.value) <= rounding && std::isfinite(rounding) ? Rounded() : sum;
}

/// Errors by trial, where bounds say little. Bounds add up the worst of every operation: along a chain of turned frames
/// they grow by a factor of about 1.3 a frame and exceed the values from a hundred frames on, where errors grow with
/// the square root of their number. So something is computed again, what it is made of changed by about its last place
/// in some draws, and its error is taken to be so many times the largest difference seen. Source: Vignes, A stochastic
/// arithmetic for reliable scientific computation (1993); Parker, Monte Carlo arithmetic (1997).
struct RoundingTrials {
  static constexpr int kDraws = 4;
  static constexpr double kTimesSeen = 1e3;
};

[[nodiscard]] inline Rounded abs(Rounded x) { return {std::abs(x.value), x.error}; }
[[nodiscard]] inline Rounded sqrt(Rounded x) {
  const double root = std::sqrt(x.value), least = std::sqrt(std::max(x.value - x.error, 0.0));
  const double error = least > 0.0 ? x.error / (root + least) : std::sqrt(std::max(x.value + x.error, 0.0));
  return {root, (x.error == 0.0 ? 0.0 : error) + tolerance::kRounding * root};
}

using RoundedVector = Eigen::Matrix<Rounded, Eigen::Dynamic, 1>;
using RoundedMatrix = Eigen::Matrix<Rounded, Eigen::Dynamic, Eigen::Dynamic>;

/// Values and errors of all entries.
template <class Derived>
[[nodiscard]] auto values_of(const Eigen::MatrixBase<Derived>& all) {
  return all.unaryExpr([](const Rounded& x) { return x.value; });
}
template <class Derived>
[[nodiscard]] auto errors_of(const Eigen::MatrixBase<Derived>& all) {
  return all.unaryExpr([](const Rounded& x) { return x.error; });
}

}  // namespace vinculum

namespace Eigen {
template <>
struct NumTraits<vinculum::Rounded> : NumTraits<double> {
  using Real = vinculum::Rounded;
  using NonInteger = vinculum::Rounded;
  using Nested = vinculum::Rounded;
  using Literal = double;
  enum {
    IsComplex = 0,
    IsInteger = 0,
    IsSigned = 1,
    RequireInitialization = 1,
    ReadCost = 2,
    AddCost = 4,
    MulCost = 8
  };
};
}  // namespace Eigen
