#pragma once

#include "vinculum/base/linear_algebra.hpp"
#include "vinculum/compiled/binding.hpp"

namespace vinculum::sim {

/// Typical size of each highest derivative (theory.md §6.5) [n], from a mass, a length and the duration of the run in
/// its dimension. Equations that contain several of them are scaled by these sizes.
/// \pre constraints of higher order
[[nodiscard]] Vector highest_derivative_scale(const Binding& bound);

/// Regularity of the system of the highest derivatives (theory.md §6.5): sign of the determinant, and the last pivot
/// divided by the first one, after equilibration. 1 and 1 if no constraint is of higher order.
struct Regularity {
  int sign = 1;
  double pivot = 1.0;
};

}  // namespace vinculum::sim
