#pragma once

#include <vector>

#include "vinculum/base/linear_algebra.hpp"

namespace vinculum::sim {

/// What the rates along a motion add up to beside the changes of its state (theory.md §10.5).
struct RateBalance {
  /// A change of a component beside what it should be, where that comes closest to its limit.
  struct Miss {
    double residual = 0.0;
    double limit = 0.0;     ///< that steps and their tolerance leave
    double rounding = 0.0;  ///< of the terms, with the quadrature's own error
    double size = 0.0;      ///< of the terms
    double t = 0.0;
    [[nodiscard]] double allowed() const { return limit + rounding; }
  };
  double t_begin = 0.0, t_end = 0.0;
  Vector change;             ///< [q, u, z] ∫ y' dt from one to the other, and the impulses between
  Vector limit, rounding;    ///< that its stretches and events leave, added up
  Vector size;               ///< ∫ |y'| dt
  std::vector<Miss> motion;  ///< [q, u, z] from the begin to where each component is worst
  std::vector<Miss> jumps;   ///< [q, u, z] the worst change where an event ends a stretch
  long stretches = 0;
  long unread = 0;    ///< of these without rates somewhere along them, which say nothing
  long impulses = 0;  ///< changes of u by them
};

}  // namespace vinculum::sim
