#pragma once

#include <map>
#include <span>
#include <utility>
#include <vector>

#include "vinculum/compiled/watches.hpp"
#include "vinculum/motion/dynamics.hpp"

namespace vinculum::sim {

/// Determines the sides of nested switches. A switch compares two expressions x and y; its surface is x − y = 0. A
/// switch is nested if its x or y contains another (inner) switch. If the motion crosses the inner surface, the side of
/// the outer switch may change too. The new side is the truth value of the outer condition beyond the inner surface,
/// not the sign of x − y on the inner surface. Example:
///
///   d = max(-h, 0), condition d > 0:  for h > 0, d is 0, so x − y = 0 in the whole region (a plateau). The condition
///   then has its value for equality (false). If h falls through 0, d > 0 beyond the surface: the condition becomes
///   true.
///
/// Whether x and y are one expression in a region is decided by algebra, with the sides of inner surfaces as constants
/// (expr::Graph). The truth beyond a surface is evaluated numerically, at a state at a small distance from the surface.
/// Test: tests/hybrid/nested_switches_test.cpp.
class Regions {
 public:
  /// \param of  provides parameters and typical sizes; must outlive this object.
  /// \param duration  [s] typical size of the time; 0: only states are perturbed, not the time
  Regions(const Dynamics& of, double duration);

  /// Whether the model has nested switches. If not, `complete` and `complete_beyond` do nothing.
  [[nodiscard]] bool are_nested() const { return watches_.switches.has_nested(); }
  /// Whether x and y of a surface are the same expression if the inner surfaces have these sides.
  [[nodiscard]] bool is_plateau(std::size_t surface, std::span<const double> sides);
  /// A line in the space of (t, y) that begins on a surface and has the direction of the gradient of x − y.
  struct Way {
    double t = 0.0;
    Vector y;              ///< state on the surface
    double by_time = 0.0;  ///< component of the direction along the time, in s
    Vector direction;      ///< [ny] components along y; 0 if x − y does not change. In typical sizes the length is 1
    double least = 0.0;    ///< shortest distance, in units of the typical sizes, at which x − y exceeds its rounding
                           ///< error
  };
  /// Returns the line from the surface to the side x > y if `upward`, else to the side x < y. For a floor (largest
  /// whole number ≤ x) it leads to x above or below the whole number.
  [[nodiscard]] Way beyond(std::size_t surface, bool upward, std::span<const double> sides, double t, const Vector& y);
  /// Updates the sides of all surfaces that contain one of the surfaces `changed`. Their conditions are evaluated on
  /// the line `way`, at the first distance d where x − y exceeds its rounding error. (For x − y = d³ this distance is
  /// larger than for x − y = d.)
  /// \param sides  updated in place
  void complete(std::vector<double>& sides, std::span<const std::size_t> changed, const Way& way);
  /// Updates the sides of all surfaces that contain the given one, after its side has changed: `complete` along the
  /// line `beyond`.
  void complete_beyond(std::vector<double>& sides, std::size_t surface, bool upward, double t, const Vector& y);

 private:
  void evaluate(std::span<const double> sides, double t, const Vector& y);
  [[nodiscard]] double difference(std::size_t surface) const;
  [[nodiscard]] double miss_of(std::size_t surface) const;
  [[nodiscard]] double side_along(const Way& way, std::size_t surface, std::span<const double> sides);

  const Dynamics& dynamics_;
  const Watches& watches_;
  double duration_;
  std::vector<double> constants_, input_, output_, workspace_;  ///< constants and scratch of `Watches::levels`
  std::map<std::pair<std::size_t, std::vector<double>>, bool> plateaus_;  ///< answers of `is_plateau` so far
};

}  // namespace vinculum::sim
