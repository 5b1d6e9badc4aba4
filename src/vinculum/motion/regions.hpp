#pragma once

#include <map>
#include <span>
#include <utility>
#include <vector>

#include "vinculum/compiled/watches.hpp"
#include "vinculum/motion/dynamics.hpp"

namespace vinculum::sim {

/// Regions of nested switches: where one surface is passed, those that hold it in x or y change with it, by the truth
/// of their conditions beyond it and not by the sign of x − y on it.
///
///   d = max(-y, 0),  d > 0:  for y > 0 d is 0 and x − y is 0 all over the region (a plateau): equals decide.
///   Where y falls through 0 the state beyond has d > 0: true from there on.
///
/// Whether x and y are one expression in a region is decided by algebra, with the sides in force for constants
/// (expr::Graph); the truth beyond a surface by numbers, at a state a little off it.   Law:
/// tests/hybrid/nested_switches_test.cpp.
class Regions {
 public:
  /// \param of  parameters and scale; outlives this.   \param duration  [s] size of the time; 0: states alone are moved
  Regions(const Dynamics& of, double duration);

  /// Whether anything here has something to say.
  [[nodiscard]] bool are_nested() const { return watches_.switches.has_nested(); }
  /// Whether x and y of a surface are one expression on the sides of its inner surfaces.
  [[nodiscard]] bool is_plateau(std::size_t surface, std::span<const double> sides);
  /// A way off a surface that a state lies on, along the gradient of x − y.
  struct Way {
    double t = 0.0;
    Vector y;              ///< on the surface
    double by_time = 0.0;  ///< in units of the sizes of the state
    Vector direction;      ///< the same; 0 where x − y does not change
    double least = 0.0;    ///< of these units: where x − y is above its rounding
  };
  /// \param upward  to x > y; floor: to x above the whole number.
  [[nodiscard]] Way beyond(std::size_t surface, bool upward, std::span<const double> sides, double t, const Vector& y);
  /// Sides of all surfaces that hold one of `changed`, by the truth along a way, where x − y first is above its
  /// rounding (d^3 of a way d is so later than d).   \param sides  changed
  void complete(std::vector<double>& sides, std::span<const std::size_t> changed, const Way& way);
  /// The same where one surface has changed: by the truth beyond it.
  void complete_beyond(std::vector<double>& sides, std::size_t surface, bool upward, double t, const Vector& y);

 private:
  void evaluate(std::span<const double> sides, double t, const Vector& y);
  [[nodiscard]] double difference(std::size_t surface) const;
  [[nodiscard]] double miss_of(std::size_t surface) const;
  [[nodiscard]] double side_along(const Way& way, std::size_t surface, std::span<const double> sides);

  const Dynamics& dynamics_;
  const Watches& watches_;
  double duration_;
  std::vector<double> constants_, input_, output_, workspace_;            ///< of `Watches::levels`
  std::map<std::pair<std::size_t, std::vector<double>>, bool> plateaus_;  ///< known so far
};

}  // namespace vinculum::sim
