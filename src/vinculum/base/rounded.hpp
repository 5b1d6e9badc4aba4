#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "vinculum/base/linear_algebra.hpp"
#include "vinculum/base/tolerance.hpp"

namespace vinculum {

/// A number with a bound of its rounding error, which every operation updates (running error analysis in double
/// precision). A number without a bound is taken as exact. With e_a, e_b the error bounds of a and b, and u = ε/2, the
/// bounds of results are
///
///   a + b: e_a + e_b + u|a + b|,   a b: |a| e_b + |b| e_a + e_a e_b + u|a b|, …
///
/// Source: Higham, Accuracy and stability of numerical algorithms (2002), §3.3.
struct Rounded {
  double value = 0.0, error = 0.0;
  constexpr Rounded(double exact = 0.0) : value(exact) {}
  constexpr Rounded(double of, double by) : value(of), error(by) {}
  [[nodiscard]] bool is_zero() const { return value == 0.0 && error == 0.0; }
  /// Whether 0 is within the error bound. True for every value that is 0 by an algebraic identity, whatever its units
  /// and however small its terms.
  [[nodiscard]] bool may_be_zero() const { return std::abs(value) <= error; }
  /// Largest possible magnitude of the true number: |value| + error.
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

/// A number that a model text or the program states. If a float can represent it (2, 0.5), it is exact. Otherwise its
/// relative error is `tolerance::kEqual`, because it was written as a decimal or computed from other numbers.
[[nodiscard]] inline Rounded as_stated(double number) {
  const bool is_short = static_cast<double>(static_cast<float>(number)) == number;
  return {number, is_short ? 0.0 : tolerance::kEqual * std::abs(number)};
}

/// a + b, or exactly 0 if the sum is no larger than the rounding error of a and b, or of the numbers from which they
/// were computed. Example: 0.3 − 3·0.1 gives 0. The decision must be made here, because a small sum alone does not show
/// whether it is a rounding error.
[[nodiscard]] inline Rounded met(const Rounded& a, const Rounded& b) {
  const Rounded sum = a + b;
  const double rounding = std::max(sum.error, tolerance::kEqual * std::max(std::abs(a.value), std::abs(b.value)));
  return std::abs(sum.value) <= rounding && std::isfinite(rounding) ? Rounded() : sum;
}

/// Constants for rounding errors that are measured by random perturbation, where error bounds are too coarse. Bounds
/// add the worst case of every operation. Along a chain of rotated frames they grow by a factor of about 1.3 per frame,
/// and exceed the values after a hundred frames. True errors grow only as the square root of the number of operations.
/// So a quantity is computed again in kDraws draws, with its inputs changed by about one unit in the last place. Its
/// error is taken as kTimesSeen times the largest difference between a draw and the original value.
///
/// Sources: Vignes, A stochastic arithmetic for reliable scientific computation (1993); Parker, Monte Carlo arithmetic
/// (1997).
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

/// The values (`values_of`) and the error bounds (`errors_of`) of all entries of a matrix.
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
