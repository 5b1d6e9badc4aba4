#pragma once

#include <algorithm>
#include <cmath>

#include "vinculum/motion/mode.hpp"

namespace vinculum::sim {

/// Changes the part of y that begins at `first`. \returns the largest part of the change relative to typical sizes;
/// `moved` grows to the largest relative to `Dynamics::set_scale`.
inline double add_correction(const Sizes& sizes, double* y, int first, ConstVector change, double& moved) {
  double largest = 0.0;
  for (Eigen::Index i = 0; i < change.size(); ++i) {
    y[first + i] += change[i];
    largest = std::max(largest, std::abs(change[i]) * sizes.inverse_scale[first + i]);
  }
  moved = std::max(moved, largest);
  return sizes.tolerance > 0.0 ? sizes.tolerance * largest : largest;  // before a run there is none in the inverse
}

}  // namespace vinculum::sim
