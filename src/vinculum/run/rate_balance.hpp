#pragma once

#include <vector>

#include "vinculum/base/linear_algebra.hpp"

namespace vinculum::sim {

/// Integral of the rates along a motion, compared with the changes of its state (theory.md §10.5).
struct RateBalance {
  /// A change of a component compared with its expected value, where the difference comes closest to its limit.
  struct Miss {
    double residual = 0.0;
    double limit = 0.0;     ///< allowed by the steps and their tolerance
    double rounding = 0.0;  ///< of the terms, including the error of the quadrature
    double size = 0.0;      ///< of the terms
    double t = 0.0;
    [[nodiscard]] double allowed() const { return limit + rounding; }
  };
  double t_begin = 0.0, t_end = 0.0;
  Vector change;             ///< [q, u, z] ∫ y' dt from t_begin to t_end, plus the impulses between
  Vector limit, rounding;    ///< sums of those of the stretches and events
  Vector size;               ///< ∫ |y'| dt
  std::vector<Miss> motion;  ///< [q, u, z] from the begin to the time where each component is worst
  std::vector<Miss> jumps;   ///< [q, u, z] the worst change at an event that ends a stretch
  long stretches = 0;
  long unread = 0;    ///< stretches without rates somewhere along them; they are not compared
  long impulses = 0;  ///< changes of u by impulses
};

}  // namespace vinculum::sim
