#pragma once

#include "vinculum/integrate/problem.hpp"
#include "vinculum/integrate/rate_noise.hpp"

namespace vinculum::integrate {

/// Start of a motion, with its rate.
struct StartingPoint {
  double t;
  const double *y, *y_dot;  ///< [padded]
};

/// Size of a first step: from the time in which y'' changes a component by its own magnitude plus its change by y'.
/// Takes one evaluation.
/// \param error  permitted relative error of the step.   \param error_exponent  power of h to which the error is
///   proportional.
/// \param longest  > 0, upper bound of the result.
/// Source: Hairer, Nørsett & Wanner I, II.4, "starting step size", with times instead of norms, so that no units
/// matter.
[[nodiscard]] double starting_step(const Problem& problem, const StartingPoint& at, const RateNoise& noise,
                                   double error, int error_exponent, double longest);

}  // namespace vinculum::integrate
