#pragma once

#include <cstdint>

namespace vinculum {

/// The number significand · 10^power; the significand does not end in 0.
struct Decimal {
  std::uint64_t significand;
  int power;
};

/// The shortest decimal that reads back as x; if several have the same number of digits, the one nearest to x.
/// \pre x is finite and > 0
[[nodiscard]] Decimal shortest_decimal(double x);

}  // namespace vinculum
