#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace vinculum::expr {

/// A function by its values at given points: a polynomial of degree ≤ 3 between neighboring points. Immutable after
/// construction; any number of readers.
class Spline {
 public:
  enum class Kind : std::uint8_t {
    kSpline,  ///< cubic, twice continuously differentiable, with not-a-knot ends; a parabola or line for fewer than
              ///< four
    kSmooth,  ///< monotone cubic Hermite interpolant: once continuously differentiable, no overshoot
    kLinear,  ///< straight lines
    kHold,    ///< the value of the last point at or before the argument
    kLookup,  ///< as kHold, with whole numbers as arguments: a list of values, which has no jumps
  };
  /// Values outside the range of the points.
  enum class Reach : std::uint8_t {
    kInside,     ///< none: NaN
    kEndPieces,  ///< the polynomials of the first and of the last piece
    kPeriodic,   ///< the range is one period; each period adds the difference of the last and the first value
  };
  struct Shape {
    Kind kind = Kind::kSpline;
    Reach reach = Reach::kInside;
  };

  /// \param name shown in failures (the file's name).  \param x strictly increasing, at least 2.  \param y same length.
  Spline(std::string name, std::vector<double> x, std::vector<double> y)
      : Spline(std::move(name), std::move(x), std::move(y), Shape()) {}
  Spline(std::string name, std::vector<double> x, std::vector<double> y, Shape shape);

  /// Derivative of `order` ≥ 0 at x; NaN outside a range that ends. At a knot with a jump: the value to the right of
  /// it. Orders above the degree are 0. Allocates nothing.
  [[nodiscard]] double evaluate(double x, int order) const noexcept;
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] Shape shape() const { return shape_; }
  /// Degree of the polynomials: 3, 1 for straight lines, 0 for held values.
  [[nodiscard]] int degree() const;
  /// The lowest order of a derivative that jumps at the knots; 4 if none does.
  [[nodiscard]] int order_of_jump() const;
  [[nodiscard]] bool is_periodic() const { return shape_.reach == Reach::kPeriodic; }
  [[nodiscard]] double first() const { return x_.front(); }
  [[nodiscard]] double last() const { return x_.back(); }
  [[nodiscard]] double period() const { return last() - first(); }
  /// Difference of the last and the first value: increase per period.
  [[nodiscard]] double rise() const { return rise_; }
  /// Number of whole periods between the range and x: ⌊(x − first)/period⌋; 0 if the table is not periodic.
  [[nodiscard]] double turns(double x) const noexcept;
  /// Ends of the pieces. The last piece of held values has no length: it begins at the last point.
  [[nodiscard]] std::span<const double> knots() const { return x_; }
  /// [4 × pieces] coefficients of (x − x_k)^0…3, one piece after another; used by kernels and hashes.
  [[nodiscard]] std::span<const double> coefficients() const { return coefficients_; }

 private:
  std::string name_;
  std::vector<double> x_;
  std::vector<double> coefficients_;
  Shape shape_;
  double rise_ = 0.0;
};

}  // namespace vinculum::expr
