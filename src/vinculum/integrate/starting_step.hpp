#pragma once

#include "vinculum/integrate/problem.hpp"
#include "vinculum/integrate/rate_noise.hpp"

namespace vinculum::integrate {

/// Time, state and rate at the start of a motion.
struct StartingPoint {
  double t;
  const double *y, *y_dot;  ///< [padded] state and its rate
};

/// Size of the first step of a motion. It is a fraction of the time in which y'' changes some component by as much as
/// its own magnitude plus its change by y'. Takes one evaluation of y'.
/// \param error  permitted relative error of the step.   \param error_exponent  the error is proportional to h to this
/// power.
/// \param longest  upper bound of the result, > 0.
/// Source: Hairer, Nørsett & Wanner I, II.4, "starting step size", with times instead of norms, so that no units
/// matter.
[[nodiscard]] double starting_step(const Problem& problem, const StartingPoint& at, const RateNoise& noise,
                                   double error, int error_exponent, double longest);

}  // namespace vinculum::integrate
