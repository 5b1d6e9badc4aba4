#pragma once

#include <span>
#include <vector>

#include "vinculum/base/linear_algebra.hpp"

namespace vinculum::solve {

/// The condition a·z + c ≥ 0 on forces z. Its value is measured in units of `size`.
struct LinearCondition {
  Vector a;
  double c = 0.0, size = 1.0;
  std::size_t contact = 0;
};

/// The condition |T z + t| ≤ a·z + c on forces z, with a and c from `bound`.
struct ConeCondition {
  Matrix T;
  Vector t;
  LinearCondition bound;
};

/// Forces that are not unique, z = z₀ + F η with arbitrary η, and conditions that z should satisfy. It is possible that
/// no z satisfies all conditions.
///
/// The margin of a z is the smallest value of the conditions (right minus left side), each in units of its size.
class SharedForces {
 public:
  static constexpr double kMost = 1.0;  ///< a friction force of 0 has this margin; larger margins are not sought

  /// \param z  [n] z₀.   \param F  [n × k] basis; the constructor scales each column so that it changes some condition
  /// by about 1.
  SharedForces(std::span<const LinearCondition> lines, std::span<const ConeCondition> cones, Vector z, Matrix F);

  /// \returns [n] the z with the greatest margin, up to `kMost`. Its margin differs from the greatest by at most 1e-11.
  /// The z is a smooth function of the conditions.
  /// \cost O(k³) per Newton step, some tens of steps; O(n²) for one direction and n conditions without cones.
  /// Source: Boyd & Vandenberghe, Convex Optimization (2004), §11.3 (barrier method).
  [[nodiscard]] Vector with_greatest_margin() const;
  /// \returns the largest minus the smallest a·z/size over all z that satisfy the conditions.   \param a  [n]
  /// \param inside  [n] the z with the greatest margin.
  [[nodiscard]] double range(const Vector& a, double size, const Vector& inside) const;
  [[nodiscard]] const Matrix& directions() const { return F_; }  ///< F after scaling

 private:
  /// Barrier function of the condition b(x) − |u(x)| ≥ 0 for x = (η, m), with affine b and u.
  struct Barrier {
    Vector b;
    double b0 = 0.0;
    Matrix U;
    Vector u0;
  };

  [[nodiscard]] Vector slope(const LinearCondition& line) const;
  [[nodiscard]] double value(const LinearCondition& line) const;
  void scale_columns();
  [[nodiscard]] bool is_on_a_line() const { return F_.cols() == 1 && cones_.empty(); }
  [[nodiscard]] double best_on_the_line() const;
  [[nodiscard]] Vector follow(const Vector& gain, Vector x) const;
  [[nodiscard]] bool center(const Vector& gain, Vector& x) const;
  [[nodiscard]] double objective(const Vector& gain, const Vector& x) const;
  void differentiate(const Vector& gain, const Vector& x, Vector& gradient, Matrix& hessian) const;
  [[nodiscard]] static double slack(const Barrier& cone, const Vector& x);
  [[nodiscard]] double margin(const Vector& eta) const;

  Vector z_;
  Matrix F_;
  Matrix lines_;  // [lines × (k + 1)] slopes of the conditions without cones along x; the last line is m ≤ kMost
  Vector lines0_;
  std::vector<Barrier> cones_;
};

/// Far from the bounds least forces are used. Near the bounds the forces of greatest margin are used, because they
/// decide whether admissible forces exist. Between them the two are blended, so that the margin is continuous.
/// \returns the part of the forces of greatest margin, 0 … 1.   \param margin  of the least forces
[[nodiscard]] double part_near_bounds(double margin);

}  // namespace vinculum::solve
