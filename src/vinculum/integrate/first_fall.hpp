#pragma once

#include <functional>
#include <optional>

#include "vinculum/integrate/event.hpp"

namespace vinculum::integrate {

/// Result of a search: whether and where a smooth margin ceases to be positive between two instants, even briefly.
struct FirstFall {
  std::optional<Crossing> at;  ///< where the margin ceases to be positive, if it does
  /// If `at` is empty: the instant up to which the margin is proved positive. It is before the end of the interval if
  /// the permitted number of subintervals was not sufficient.
  double shown = 0.0;
};

/// Interpolates the margin in Chebyshev points of the second kind with degree 8, on subintervals. Each subinterval is
/// halved until the sign of the margin in it is decided. The last coefficients bound the interpolation error, so the
/// interpolant shows that the margin cannot vanish, or where it vanishes. At most `parts` subintervals are examined,
/// with nine evaluations each.
///
/// Variations that are shorter than a subinterval and do not affect the nine values are not detected. Such terms must
/// be bounded by other means, for example the enclosure check (class Look of module hybrid).
/// \param margin  function of t.   \returns the failure of an evaluation, if one fails.
/// Source: Trefethen, Approximation Theory and Practice (2013), ch. 4, 8; the grid on which a polynomial is bounded:
/// Ehlich & Zeller, Math. Z. 86 (1964) 41–44.
[[nodiscard]] Outcome<FirstFall> find_first_fall(const std::function<Outcome<double>(double t)>& margin, double begin,
                                                 double end, int parts);

}  // namespace vinculum::integrate
