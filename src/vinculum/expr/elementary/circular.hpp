#pragma once

namespace vinculum::expr::elementary {

/// Of one argument in radians. Each is within 0.9 units in the last place, for every argument that is a number; ±0,
/// exact reduction of the largest arguments, NaN for ±∞.   Laws: circular_test.cpp, accuracy_test.cpp, tests/accuracy.
[[nodiscard]] double sine(double x) noexcept;
[[nodiscard]] double cosine(double x) noexcept;
[[nodiscard]] double tangent(double x) noexcept;

struct SineAndCosine {
  double sine;
  double cosine;
};

/// Bit for bit `sine` and `cosine`.
[[nodiscard]] SineAndCosine sine_and_cosine(double x) noexcept;

}  // namespace vinculum::expr::elementary
