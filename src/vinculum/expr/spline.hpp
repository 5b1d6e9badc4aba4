#pragma once

#include <span>
#include <string>
#include <vector>

namespace vinculum::expr {

/// Cubic spline through given points, twice continuously differentiable, with not-a-knot ends; with fewer than four
/// points the interpolating polynomial. Immutable after construction; any number of readers.
class Spline {
 public:
  /// \param name shown in failures (the file's name).  \param x strictly increasing, at least 2.  \param y same length.
  Spline(std::string name, std::vector<double> x, std::vector<double> y);

  /// Derivative of `order` 0…3 at x; NaN outside [first, last] knot. Orders above 3 are 0. Allocates nothing.
  [[nodiscard]] double evaluate(double x, int order) const noexcept;
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] double first() const { return x_.front(); }
  [[nodiscard]] double last() const { return x_.back(); }
  [[nodiscard]] std::span<const double> knots() const { return x_; }
  /// [4 × (n−1)] coefficients of (x − x_k)^0…3, one piece after another; used by kernels and hashes.
  [[nodiscard]] std::span<const double> coefficients() const { return coefficients_; }

 private:
  std::string name_;
  std::vector<double> x_;
  std::vector<double> coefficients_;
};

}  // namespace vinculum::expr
