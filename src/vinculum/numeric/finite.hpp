#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "vinculum/base/linear_algebra.hpp"

namespace vinculum::numeric {

namespace detail {

/// A 64-bit word whose highest bit is set if x is not finite. The exponent bits of such an x are all ones, so adding
/// one to them carries into the sign bit. The two integer operations take one cycle each.
[[nodiscard]] inline std::uint64_t carry_of_exponent(double x) {
  constexpr std::uint64_t kExponent = 0x7ff0'0000'0000'0000, kOfOne = 0x0010'0000'0000'0000;
  return (std::bit_cast<std::uint64_t>(x) & kExponent) + kOfOne;
}

/// Whether none of the four words has its highest bit set.
[[nodiscard]] inline bool has_none(const std::uint64_t (&carries)[4]) {
  return ((carries[0] | carries[1]) | (carries[2] | carries[3])) >> 63 == 0;
}

}  // namespace detail

/// Whether every entry is finite, without a branch per entry.
[[nodiscard]] inline bool is_finite(const double* x, Eigen::Index size) {
  std::uint64_t carries[4] = {0, 0, 0, 0};
  Eigen::Index i = 0;
  for (; i + 4 <= size; i += 4) {
    for (int k = 0; k < 4; ++k) carries[k] |= detail::carry_of_exponent(x[i + k]);
  }
  for (; i < size; ++i) carries[0] |= detail::carry_of_exponent(x[i]);
  return detail::has_none(carries);
}
[[nodiscard]] bool is_finite(ConstMatrix values);
/// Copies `size` numbers from `from` to `to`. \returns whether all of them are finite
[[nodiscard]] inline bool copy_finite(const double* __restrict from, Eigen::Index size, double* __restrict to) {
  std::uint64_t carries[4] = {0, 0, 0, 0};
  Eigen::Index i = 0;
  for (; i + 4 <= size; i += 4) {
    for (int k = 0; k < 4; ++k) {
      const double x = from[i + k];
      to[i + k] = x;
      carries[k] |= detail::carry_of_exponent(x);
    }
  }
  for (; i < size; ++i) {
    to[i] = from[i];
    carries[0] |= detail::carry_of_exponent(from[i]);
  }
  return detail::has_none(carries);
}
/// Whether every entry in the lower triangle of a square matrix is finite.
[[nodiscard]] bool is_lower_triangle_finite(ConstMatrix values);
/// Indices of the rows with an entry that is not finite. Allocates.
[[nodiscard]] std::vector<int> non_finite_rows(ConstMatrix values);

}  // namespace vinculum::numeric
