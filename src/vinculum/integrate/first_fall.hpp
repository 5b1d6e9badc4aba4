#pragma once

#include <functional>
#include <optional>

#include "vinculum/integrate/event.hpp"

namespace vinculum::integrate {

/// Whether, and where, a margin that is smooth ceases to be positive between two instants, however briefly.
struct FirstFall {
  std::optional<Crossing> at;  ///< where it does
  double shown = 0.0;          ///< else: up to where it does not, short of the end where so many parts were not enough
};

/// The margin is interpolated in Chebyshev's points of the second kind, of degree 8, on parts that are halved until the
/// last coefficients, which bound what the interpolant misses, leave it no room to vanish, or show where it does. At
/// most `parts` of them are looked at, nine readings each.
///
/// What varies within less than a part and leaves no trace in nine values is not seen: such terms are others' to bound
/// (Look).   \param margin  of t.   \returns the failure of a reading.
/// Source: Trefethen, Approximation Theory and Practice (2013), ch. 4, 8; the grid on which a polynomial is bounded:
/// Ehlich & Zeller, Math. Z. 86 (1964) 41–44.
[[nodiscard]] Outcome<FirstFall> find_first_fall(const std::function<Outcome<double>(double t)>& margin, double begin,
                                                 double end, int parts);

}  // namespace vinculum::integrate
