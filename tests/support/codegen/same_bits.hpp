#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace vinculum::test_support {

/// Equal in every bit, the sign of zero with them; any two that are not numbers are alike.
inline bool is_same_bits(double a, double b) {
  return (std::isnan(a) && std::isnan(b)) || std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

}  // namespace vinculum::test_support
