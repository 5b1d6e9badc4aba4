#pragma once

#include <vector>

#include "vinculum/base/linear_algebra.hpp"

namespace vinculum::numeric {

/// Whether every entry is finite. Branch-free: 0 x is 0 for finite x and NaN otherwise; four sums, none of which waits
/// for another.
[[nodiscard]] inline bool is_finite(const double* x, Eigen::Index size) {
  double sums[4] = {0.0, 0.0, 0.0, 0.0};
  Eigen::Index i = 0;
  for (; i + 4 <= size; i += 4) {
    for (int k = 0; k < 4; ++k) sums[k] += x[i + k] * 0.0;
  }
  for (; i < size; ++i) sums[0] += x[i] * 0.0;
  return (sums[0] + sums[1]) + (sums[2] + sums[3]) == 0.0;
}
[[nodiscard]] bool is_finite(ConstMatrix values);
/// Copies, and says whether all is finite. As is_finite in its sums; numbers pass in pairs, as native code stores them.
[[nodiscard]] inline bool copy_finite(const double* __restrict from, Eigen::Index size, double* __restrict to) {
  double sums[4] = {0.0, 0.0, 0.0, 0.0};
  Eigen::Index i = 0;
  for (; i + 4 <= size; i += 4) {
    for (int k = 0; k < 4; ++k) {
      const double x = from[i + k];
      to[i + k] = x;
      sums[k] += x * 0.0;
    }
  }
  for (; i < size; ++i) {
    to[i] = from[i];
    sums[0] += from[i] * 0.0;
  }
  return (sums[0] + sums[1]) + (sums[2] + sums[3]) == 0.0;
}
/// The same for the lower triangle of a square matrix.
[[nodiscard]] bool is_lower_triangle_finite(ConstMatrix values);
/// Indices of the rows that hold an entry that is not finite. Allocates.
[[nodiscard]] std::vector<int> non_finite_rows(ConstMatrix values);

}  // namespace vinculum::numeric
