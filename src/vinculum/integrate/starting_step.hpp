#pragma once

#include "vinculum/integrate/problem.hpp"
#include "vinculum/integrate/rate_noise.hpp"

namespace vinculum::integrate {

/// Time, state and rate at the start of a motion.
struct StartingPoint {
  double t;
  const double *y, *y_dot;  ///< [padded] state and its rate
};

/// Computes the size of the first step of a motion. Let T be the shortest time, over the components, in which the
/// change due to y'' equals the component's magnitude plus its change due to y'. The first step is a fraction of T.
/// Takes one evaluation of y'.
/// \param error  permitted relative error of the step.   \param error_exponent  the error is proportional to h to this
/// power.
/// \param longest  upper bound of the result, > 0.
/// Source: Hairer, Nørsett & Wanner I, II.4, "starting step size", with times instead of norms, so that no units
/// matter.
[[nodiscard]] double starting_step(const Problem& problem, const StartingPoint& at, const RateNoise& noise,
                                   double error, int error_exponent, double longest);

}  // namespace vinculum::integrate
