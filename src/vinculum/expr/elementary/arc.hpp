#pragma once

namespace vinculum::expr::elementary {

/// Inverse circular functions. The error is at most 0.6 units in the last place for every argument (1 for subnormal
/// results of arc_tangent2).
/// Tests: special_cases_test.cpp, accuracy_test.cpp, tests/accuracy.
[[nodiscard]] double arc_sine(double x) noexcept;    ///< arc sine; NaN for |x| > 1
[[nodiscard]] double arc_cosine(double x) noexcept;  ///< arc cosine; NaN for |x| > 1
[[nodiscard]] double arc_tangent(double x) noexcept;
/// The angle of (x, y), with the special cases of IEEE 754's atan2, including signed zeros.
[[nodiscard]] double arc_tangent2(double y, double x) noexcept;

}  // namespace vinculum::expr::elementary
