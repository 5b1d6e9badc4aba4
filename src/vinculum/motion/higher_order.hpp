#pragma once

#include "vinculum/base/linear_algebra.hpp"
#include "vinculum/compiled/binding.hpp"

namespace vinculum::sim {

/// Typical size of each highest derivative (theory.md §6.5) [n]: a mass, a length and the time of the run, in its
/// dimension. Equations that hold several of them are measured by these.   \pre constraints of higher order
[[nodiscard]] Vector highest_derivative_scale(const Binding& bound);

/// Of the system of the highest derivatives (theory.md §6.5): the sign of its determinant and its last pivot over the
/// first, equilibrated. 1 and 1 where no constraint is of higher order.
struct Regularity {
  int sign = 1;
  double pivot = 1.0;
};

}  // namespace vinculum::sim
