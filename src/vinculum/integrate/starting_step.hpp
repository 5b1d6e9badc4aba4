#pragma once

#include "vinculum/integrate/problem.hpp"
#include "vinculum/integrate/rate_noise.hpp"

namespace vinculum::integrate {

/// Where a motion starts, with its rate there.
struct StartingPoint {
  double t;
  const double *y, *y_dot;  ///< [padded]
};

/// Size of a first step: from the time in which y'' changes a component by as much as it has, or as y' brings it. One
/// evaluation.
/// \param error  that the step may have, relative.   \param error_exponent  which it has by h.
/// \param longest  > 0, bound of the result.
/// Source: Hairer, Nørsett & Wanner I, II.4, "starting step size", with times in place of norms: no units enter.
[[nodiscard]] double starting_step(const Problem& problem, const StartingPoint& at, const RateNoise& noise,
                                   double error, int error_exponent, double longest);

}  // namespace vinculum::integrate
