#pragma once

#include "vinculum/expr/elementary/pair.hpp"

namespace vinculum::expr::elementary {

inline constexpr double kBeyondRange = 800.0;  ///< e^800 overflows to ∞, and e^−800 underflows to 0

/// exp(x). Its error, and that of the two functions below, is at most 0.6 units in the last place for every argument
/// (0.9 for subnormal results).
/// Tests: special_cases_test.cpp, accuracy_test.cpp, tests/accuracy.
[[nodiscard]] double exponential(double x) noexcept;
/// Natural logarithm; −∞ at ±0, NaN for x < 0.
[[nodiscard]] double logarithm(double x) noexcept;
/// x^y with the special cases of IEEE 754's pow: 1 if y = 0 or x = 1, even if the other argument is NaN; NaN for x < 0
/// unless y is an integer.
[[nodiscard]] double power(double x, double y) noexcept;

/// The number value × 2^exponent.
struct ScaledPair {
  Pair value;  ///< significand between 1 and 2
  int exponent;
};

/// exp(x.high + x.low) with a relative error of 2^-60.   \pre |x| < 800
[[nodiscard]] ScaledPair exponential_pair(Pair x) noexcept;
/// ln(x 2^exponent) with a relative error of 2^-64.   \pre x is positive, finite and not subnormal
[[nodiscard]] Pair logarithm_pair(double x, int exponent) noexcept;
/// value × 2^exponent, rounded; 0 or ∞ outside the range of doubles.
[[nodiscard]] double rounded(const ScaledPair& x) noexcept;

}  // namespace vinculum::expr::elementary
