#pragma once

#include <functional>

#include "vinculum/base/linear_algebra.hpp"

namespace vinculum::integrate {

/// Evaluates y' at the fraction s of a step; returns false if it cannot be evaluated.
using RateInStep = std::function<bool(double s, const Vector& y, Vector& y_dot)>;

/// One step of the Radau IIA method with three stages, order 5. The method is stable for any rate of decay of y.
/// Newton's method solves for the stages, with the Jacobian at the start of the step from finite differences.
/// \param h  step size, ≥ 0.   \param y  value at the start, then at the end; unchanged on failure.
/// \returns false if a rate cannot be evaluated or Newton's method does not converge.   Source: Hairer & Wanner II,
/// IV.5, IV.8.
[[nodiscard]] bool radau_step(double h, Vector& y, const RateInStep& rate);

}  // namespace vinculum::integrate
