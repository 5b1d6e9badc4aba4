#pragma once

#include <vector>

#include "vinculum/base/linear_algebra.hpp"

namespace vinculum::numeric {

/// Whether every entry is finite. Branch-free: x − x is 0 for finite x and NaN otherwise.
[[nodiscard]] bool is_finite(ConstMatrix values);
/// The same for the lower triangle of a square matrix.
[[nodiscard]] bool is_lower_triangle_finite(ConstMatrix values);
/// Indices of the rows that hold an entry that is not finite. Allocates.
[[nodiscard]] std::vector<int> non_finite_rows(ConstMatrix values);

}  // namespace vinculum::numeric
