#pragma once

#include <functional>
#include <span>

#include "vinculum/sensitivity/quantity.hpp"

namespace vinculum::sensitivity {

/// The start y = (q, u, z) of a run in which one quantity is changed by this much.
using StartOf = std::function<Outcome<Vector>(const Quantity& quantity, double change)>;

/// Derivatives of the start with respect to quantities, by differences of starts, extrapolated twice. Where conditions
/// determine the start, `ModeEquations::project` makes them exact.
/// \param size  typical size of a change of each quantity, > 0
/// \returns [ny × quantities]; a failure if a neighboring start does not exist, or if neighboring starts do not differ
/// smoothly
[[nodiscard]] Outcome<Matrix> start_gradient(std::span<const Quantity> quantities, std::span<const double> sizes,
                                             const Vector& scale, const StartOf& start_of);

}  // namespace vinculum::sensitivity
