#pragma once

#include "vinculum/base/linear_algebra.hpp"
#include "vinculum/compiled/binding.hpp"

namespace vinculum::sim {

/// Returns the typical size of each highest derivative (theory.md §6.5) [n]. It is the product of powers of a typical
/// mass, a typical length and the duration of the run that has the dimension of the derivative. Equations are scaled
/// with these sizes.
/// \pre the model has constraints of higher order
[[nodiscard]] Vector highest_derivative_scale(const Binding& bound);

/// Regularity of the matrix J of the highest derivatives (theory.md §6.5), with rows and columns scaled to similar
/// size. Both numbers are 1 if no constraint is of higher order.
struct Regularity {
  int sign = 1;        ///< sign of det J, or 0
  double pivot = 1.0;  ///< |last pivot| / |first pivot| of the elimination with full pivoting
};

}  // namespace vinculum::sim
