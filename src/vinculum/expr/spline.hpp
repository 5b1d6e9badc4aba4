#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace vinculum::expr {

/// A function given by its values at points: a polynomial of degree ≤ 3 between neighboring points ("knots"). Immutable
/// after construction; any number of threads may read it.
class Spline {
 public:
  enum class Kind : std::uint8_t {
    /// cubic, twice continuously differentiable, with not-a-knot ends; for three points a parabola, for two a line
    kSpline,
    kSmooth,  ///< monotone cubic Hermite interpolant: once continuously differentiable, no overshoot
    kLinear,  ///< straight lines
    kHold,    ///< the value of the last point at or before the argument
    kLookup,  ///< the values of kHold for whole numbers as arguments: a list of values, so it has no jumps
  };
  /// Value of the function outside the range of the points.
  enum class Reach : std::uint8_t {
    kInside,     ///< undefined: NaN
    kEndPieces,  ///< the polynomial of the first or of the last piece
    kPeriodic,   ///< the range is one period; each further period adds (last value − first value)
  };
  struct Shape {
    Kind kind = Kind::kSpline;
    Reach reach = Reach::kInside;
  };

  /// \param name  shown in failures (the file's name)   \param x  strictly increasing, at least 2   \param y  as many
  ///   as x
  Spline(std::string name, std::vector<double> x, std::vector<double> y)
      : Spline(std::move(name), std::move(x), std::move(y), Shape()) {}
  Spline(std::string name, std::vector<double> x, std::vector<double> y, Shape shape);

  /// Derivative of `order` ≥ 0 at x; NaN outside the range if the function is undefined there. At a point with a jump
  /// it is the value to the right of it. Orders above the degree are 0. Allocates nothing.
  [[nodiscard]] double evaluate(double x, int order) const noexcept;
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] Shape shape() const { return shape_; }
  /// Degree of the polynomials: 3 for cubics, 1 for straight lines, 0 for held values.
  [[nodiscard]] int degree() const;
  /// The lowest order of a derivative that jumps at the points; 4 if no derivative jumps.
  [[nodiscard]] int order_of_jump() const;
  [[nodiscard]] bool is_periodic() const { return shape_.reach == Reach::kPeriodic; }
  [[nodiscard]] double first() const { return x_.front(); }
  [[nodiscard]] double last() const { return x_.back(); }
  [[nodiscard]] double period() const { return last() - first(); }
  /// Last value minus first value: the increase per period.
  [[nodiscard]] double rise() const { return rise_; }
  /// Number of whole periods from the range of the points to x: ⌊(x − first)/period⌋; 0 if the table is not periodic.
  [[nodiscard]] double turns(double x) const noexcept;
  /// The points at which the pieces end. The last piece of held values has no length: it begins at the last point.
  [[nodiscard]] std::span<const double> knots() const { return x_; }
  /// [4 × pieces] coefficients of (x − x_k)^0…3, one piece after another. Kernels and hashes use them.
  [[nodiscard]] std::span<const double> coefficients() const { return coefficients_; }

 private:
  std::string name_;
  std::vector<double> x_;
  std::vector<double> coefficients_;
  Shape shape_;
  double rise_ = 0.0;
};

}  // namespace vinculum::expr
