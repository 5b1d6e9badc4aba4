#pragma once

#include "vinculum/base/linear_algebra.hpp"
#include "vinculum/compiled/binding.hpp"

namespace vinculum::sim {

/// Typical size of each highest derivative (theory.md §6.5) [n]: a mass, a length and the time of the run, in its
/// dimension. Equations that hold several of them are measured by these.   \pre constraints of higher order
[[nodiscard]] Vector highest_derivative_scale(const Binding& bound);

}  // namespace vinculum::sim
