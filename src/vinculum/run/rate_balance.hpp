#pragma once

#include <vector>

#include "vinculum/base/linear_algebra.hpp"

namespace vinculum::sim {

/// Compares the integral of the rates along a motion with the change of the state (theory.md §10.5).
struct RateBalance {
  /// A change of a component compared with the integral of its rate, at the time at which the difference comes closest
  /// to its limit.
  struct Miss {
    double residual = 0.0;
    double limit = 0.0;     ///< permitted by the steps and their tolerance
    double rounding = 0.0;  ///< rounding error of the terms, and error of the quadrature
    double size = 0.0;      ///< magnitude of the terms
    double t = 0.0;
    [[nodiscard]] double allowed() const { return limit + rounding; }
  };
  double t_begin = 0.0, t_end = 0.0;
  Vector change;             ///< [q, u, z] ∫ y' dt from t_begin to t_end, plus the impulses in this interval
  Vector limit, rounding;    ///< sums of the limits and rounding errors of all stretches and events
  Vector size;               ///< [q, u, z] ∫ |y'| dt, the scale of `change`
  std::vector<Miss> motion;  ///< [q, u, z] change since t_begin, at the time closest to its limit
  std::vector<Miss> jumps;   ///< [q, u, z] the change closest to its limit, among changes at events that end a stretch
  long stretches = 0;
  long unread = 0;    ///< number of stretches on which some rate could not be evaluated; they are not compared
  long impulses = 0;  ///< number of changes of u by impulses
};

}  // namespace vinculum::sim
