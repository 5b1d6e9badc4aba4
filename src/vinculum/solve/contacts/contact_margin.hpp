#pragma once

#include <span>
#include <vector>

#include "vinculum/base/linear_algebra.hpp"

namespace vinculum::solve {

/// A value a·z + c that must not be negative, measured relative to `size`.
struct LinearCondition {
  Vector a;
  double c = 0.0, size = 1.0;
  std::size_t contact = 0;
};

/// Condition |T z + t| ≤ a·z + c.
struct ConeCondition {
  Matrix T;
  Vector t;
  LinearCondition bound;
};

/// Affine set of forces z = z₀ + F η for which conditions are given; the conditions can all be met by some z, or by
/// none.
///
/// The margin of a point is the greatest m such that every condition is at least m in units of its size.
class SharedForces {
 public:
  static constexpr double kMost = 1.0;  ///< a margin of this size is sufficient: that of a friction force of 0

  /// \param z  [n] z₀.   \param F  [n × k] its columns are scaled so that each changes some condition by about 1.
  SharedForces(std::span<const LinearCondition> lines, std::span<const ConeCondition> cones, Vector z, Matrix F);

  /// \returns [n] the z with the greatest margin, up to `kMost`. Its margin is within 1e-11 of the greatest. It is a
  /// smooth function of the data.
  /// \cost O(k³) per Newton step, some tens of steps.
  /// Source: Boyd & Vandenberghe, Convex Optimization (2004), §11.3 (barrier method).
  [[nodiscard]] Vector with_greatest_margin() const;
  /// Range of a·z/size over the points that meet all conditions.   \param a  [n]
  /// \param inside  [n] the point with the greatest margin.
  [[nodiscard]] double range(const Vector& a, double size, const Vector& inside) const;
  [[nodiscard]] const Matrix& directions() const { return F_; }  ///< F

 private:
  /// Barrier b(x) − |u(x)| − m ≥ 0 for x = (η, m), with affine b and u. For a LinearCondition there is no u.
  struct Barrier {
    Vector b;
    double b0 = 0.0;
    Matrix U;
    Vector u0;
    double of_margin = 1.0;
  };

  void add(const LinearCondition& line);
  [[nodiscard]] Vector follow(const Vector& gain, Vector x) const;
  [[nodiscard]] bool center(const Vector& gain, Vector& x) const;
  [[nodiscard]] double objective(const Vector& gain, const Vector& x) const;
  void differentiate(const Vector& gain, const Vector& x, Vector& gradient, Matrix& hessian) const;
  [[nodiscard]] double bound(const Barrier& one, const Vector& x) const;
  [[nodiscard]] double slack(const Barrier& one, const Vector& x) const;
  [[nodiscard]] double margin(const Vector& eta) const;

  Vector z_;
  Matrix F_;
  std::vector<Barrier> all_;
};

}  // namespace vinculum::solve
