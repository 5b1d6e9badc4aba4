#pragma once

#include "vinculum/base/linear_algebra.hpp"
#include "vinculum/compiled/binding.hpp"

namespace vinculum::sim {

/// Bounds the rounding error of x − y of a switching surface (x of a floor) by a running error analysis. The state y is
/// taken as exact.
/// \param y  [q, u, z]
/// \returns ≥ 0.
/// \cost one interpretation of the surface; allocates.
[[nodiscard]] double surface_rounding(const Binding& bound, std::size_t surface, double t, const Vector& y);

}  // namespace vinculum::sim
