#pragma once

#include "vinculum/expr/elementary/pair.hpp"

namespace vinculum::expr::elementary {

inline constexpr double kBeyondRange = 800.0;  ///< e^±800 is ∞ and 0

/// Each is within 0.6 units in the last place (0.9 below the normal numbers), for every argument.
/// Laws: special_cases_test.cpp, accuracy_test.cpp, tests/accuracy.
[[nodiscard]] double exponential(double x) noexcept;
/// Natural; −∞ at ±0, NaN below.
[[nodiscard]] double logarithm(double x) noexcept;
/// x^y with the cases of IEEE 754's pow: 1 for y = 0 and for x = 1 whatever the other is, NaN for x < 0 unless y is
/// whole.
[[nodiscard]] double power(double x, double y) noexcept;

/// value × 2^exponent.
struct ScaledPair {
  Pair value;  ///< from 1 to 2
  int exponent;
};

/// exp(x.high + x.low) to a relative 2^-60.   \pre |x| < 800
[[nodiscard]] ScaledPair exponential_pair(Pair x) noexcept;
/// ln x to a relative 2^-64.   \pre x positive, finite, not subnormal after 2^exponent is taken out: x 2^exponent is
/// meant
[[nodiscard]] Pair logarithm_pair(double x, int exponent) noexcept;
/// value × 2^exponent, rounded; 0 and ∞ beyond the range.
[[nodiscard]] double rounded(const ScaledPair& x) noexcept;

}  // namespace vinculum::expr::elementary
