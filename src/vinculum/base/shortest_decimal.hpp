#pragma once

#include <cstdint>

namespace vinculum {

/// significand · 10^power, the significand without zeros at its end.
struct Decimal {
  std::uint64_t significand;
  int power;
};

/// Of the decimals with the fewest digits that read back as x, the one next to x.   \pre x is finite and > 0.
[[nodiscard]] Decimal shortest_decimal(double x);

}  // namespace vinculum
