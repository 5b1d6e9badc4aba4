#pragma once

#include <functional>

#include "vinculum/base/linear_algebra.hpp"

namespace vinculum::integrate {

/// y' at s of the way through a step; false where there is none.
using RateInStep = std::function<bool(double s, const Vector& y, Vector& y_dot)>;

/// One step of Radau IIA with three stages, of order 5: stable however fast y decays. Newton's method with the Jacobian
/// at the start, by differences.
/// \param h  ≥ 0.   \param y  at the start, then at the end; unchanged on failure.
/// \returns false where a rate is missing or the stages are not found.   Source: Hairer & Wanner II, IV.5, IV.8.
[[nodiscard]] bool radau_step(double h, Vector& y, const RateInStep& rate);

}  // namespace vinculum::integrate
