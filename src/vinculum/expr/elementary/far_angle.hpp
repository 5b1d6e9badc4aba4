#pragma once

#include <cstdint>

#include "vinculum/expr/elementary/pair.hpp"

namespace vinculum::expr::elementary {

/// The decomposition x = n π/2 + rest.
struct FarAngle {
  Pair rest;           ///< |rest| ≤ π/4, relative error 2^-70
  std::uint64_t turn;  ///< n modulo 4
};

/// Reduces any x, using only the bits of 2/π that matter (Payne and Hanek 1983).   \pre x finite, |x| ≥ 1/2
[[nodiscard]] FarAngle reduce_far(double x) noexcept;

}  // namespace vinculum::expr::elementary
