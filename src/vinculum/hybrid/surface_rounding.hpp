#pragma once

#include "vinculum/base/linear_algebra.hpp"
#include "vinculum/compiled/binding.hpp"

namespace vinculum::sim {

/// Bound of the rounding error of x − y of a switching surface (x of a floor) at a state taken as exact, by running
/// error analysis.
/// \param y  [q, u, z]
/// \returns ≥ 0.
/// \cost one interpretation of the surface; allocates.
[[nodiscard]] double surface_rounding(const Binding& bound, std::size_t surface, double t, const Vector& y);

}  // namespace vinculum::sim
