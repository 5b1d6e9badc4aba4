#pragma once

namespace vinculum::expr::elementary {

/// Circular functions of an angle in radians. The error is at most 0.9 units in the last place for every finite
/// argument; the reduction of large arguments is exact. ±0 is kept; ±∞ gives NaN.
/// Tests: circular_test.cpp, accuracy_test.cpp, tests/accuracy.
[[nodiscard]] double sine(double x) noexcept;
[[nodiscard]] double cosine(double x) noexcept;
[[nodiscard]] double tangent(double x) noexcept;

struct SineAndCosine {
  double sine;
  double cosine;
};

/// Sine and cosine together, with the bits of `sine` and `cosine`.
[[nodiscard]] SineAndCosine sine_and_cosine(double x) noexcept;

}  // namespace vinculum::expr::elementary
