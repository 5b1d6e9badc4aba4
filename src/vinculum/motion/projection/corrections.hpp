#pragma once

#include <algorithm>
#include <cmath>

#include "vinculum/motion/mode.hpp"

namespace vinculum::sim {

/// Adds `change` to the components of y that begin at index `first`.
/// \param moved  raised to the largest change in units of tolerance × typical size
/// \returns the largest change relative to typical sizes.
inline double add_correction(const Sizes& sizes, double* y, int first, ConstVector change, double& moved) {
  double largest = 0.0;
  for (Eigen::Index i = 0; i < change.size(); ++i) {
    y[first + i] += change[i];
    largest = std::max(largest, std::abs(change[i]) * sizes.inverse_scale[first + i]);
  }
  moved = std::max(moved, largest);
  return sizes.tolerance > 0.0 ? sizes.tolerance * largest : largest;  // before a run `inverse_scale` does not
                                                                       // contain the tolerance
}

}  // namespace vinculum::sim
