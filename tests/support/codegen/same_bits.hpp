#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace vinculum::test_support {

/// Whether all bits are equal, including the sign of zero. All NaNs count as equal.
inline bool is_same_bits(double a, double b) {
  return (std::isnan(a) && std::isnan(b)) || std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

}  // namespace vinculum::test_support
