#pragma once

#include <functional>
#include <optional>

#include "vinculum/integrate/event.hpp"

namespace vinculum::integrate {

/// Whether and where a smooth margin ceases to be positive between two instants, even briefly.
struct FirstFall {
  std::optional<Crossing> at;  ///< where it ceases to be positive, if it does
  /// Otherwise: the instant up to which it stays positive; before the end if the number of parts was not sufficient.
  double shown = 0.0;
};

/// Interpolates the margin in Chebyshev points of the second kind with degree 8, on parts that are halved until the
/// result is decided. The last coefficients bound the interpolation error, so they show either that the margin cannot
/// vanish or where it does. At most `parts` parts are examined, with nine evaluations each.
///
/// Variations that are shorter than a part and leave no trace in nine values are not detected; such terms must be
/// bounded by other means (Look).   \param margin  function of t.   \returns the failure of an evaluation.
/// Source: Trefethen, Approximation Theory and Practice (2013), ch. 4, 8; the grid on which a polynomial is bounded:
/// Ehlich & Zeller, Math. Z. 86 (1964) 41–44.
[[nodiscard]] Outcome<FirstFall> find_first_fall(const std::function<Outcome<double>(double t)>& margin, double begin,
                                                 double end, int parts);

}  // namespace vinculum::integrate
