#pragma once

#include <map>
#include <span>
#include <utility>
#include <vector>

#include "vinculum/compiled/watches.hpp"
#include "vinculum/motion/dynamics.hpp"

namespace vinculum::sim {

/// Sides of nested switches. If a surface is crossed, the switches that contain it in x or y change with it. Their new
/// side follows from the truth of their conditions beyond the surface, not from the sign of x − y on it. Example:
///
///   d = max(-y, 0),  d > 0:  for y > 0, d is 0 and x − y = 0 in the whole region (a plateau); the rule for equality
///   decides. If y falls through 0, the state beyond has d > 0: the condition is true from there on.
///
/// Algebra decides whether x and y are one expression in a region, with the sides of inner surfaces as constants
/// (expr::Graph). The truth beyond a surface is decided by numbers, at a state slightly off the surface.
/// Test: tests/hybrid/nested_switches_test.cpp.
class Regions {
 public:
  /// \param of  provides parameters and scale; must outlive this object.
  /// \param duration  [s] typical size of the time; 0: only states are perturbed, not the time
  Regions(const Dynamics& of, double duration);

  /// Whether the model has nested switches; without them nothing here changes a side.
  [[nodiscard]] bool are_nested() const { return watches_.switches.has_nested(); }
  /// Whether x and y of a surface are one expression on these sides of its inner surfaces.
  [[nodiscard]] bool is_plateau(std::size_t surface, std::span<const double> sides);
  /// A line that leaves a surface along the gradient of x − y, from a state on the surface.
  struct Way {
    double t = 0.0;
    Vector y;              ///< on the surface
    double by_time = 0.0;  ///< component of the unit direction along the time, in s
    Vector direction;      ///< components along y; 0 if x − y does not change
    double least = 0.0;    ///< shortest distance, in units of the typical sizes, at which x − y exceeds its rounding
                           ///< error
  };
  /// The line from the surface to the side x > y if `upward`, else to x < y; for a floor, to x above the whole number.
  [[nodiscard]] Way beyond(std::size_t surface, bool upward, std::span<const double> sides, double t, const Vector& y);
  /// Updates the sides of all surfaces that contain one of `changed`, by the truth of their conditions along the line,
  /// at the first distance where x − y exceeds its rounding error. (A condition such as d³ > 0 needs a larger distance
  /// d.)
  /// \param sides  updated in place
  void complete(std::vector<double>& sides, std::span<const std::size_t> changed, const Way& way);
  /// The same if one surface has changed: by the truth beyond it.
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
