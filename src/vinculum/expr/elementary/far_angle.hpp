#pragma once

#include <cstdint>

#include "vinculum/expr/elementary/pair.hpp"

namespace vinculum::expr::elementary {

/// The decomposition x = n π/2 + rest of an angle.
struct FarAngle {
  Pair rest;           ///< x − n π/2 with |rest| ≤ π/4 and relative error 2^-70
  std::uint64_t turn;  ///< n modulo 4
};

/// Reduces any x. It uses only those bits of 2/π that affect the result (Payne and Hanek 1983).   \pre x finite, |x| ≥
/// 1/2
[[nodiscard]] FarAngle reduce_far(double x) noexcept;

}  // namespace vinculum::expr::elementary
