#pragma once

#include "vinculum/base/linear_algebra.hpp"
#include "vinculum/compiled/binding.hpp"

namespace vinculum::sim {

/// Bound of the rounding error of x - y of a switching surface, of x of a floor, at a state that is taken as exact: the
/// running error of all its operations.
/// \param y  [q, u, z]   \returns >= 0.   \cost one interpretation of the surface; allocates.
[[nodiscard]] double surface_rounding(const Binding& bound, std::size_t surface, double t, const Vector& y);

}  // namespace vinculum::sim
