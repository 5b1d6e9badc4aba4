#pragma once

namespace vinculum::expr::elementary {

/// Each is within 0.6 units in the last place, for every argument (subnormal results of arc_tangent2 within 1).
/// Laws: special_cases_test.cpp, accuracy_test.cpp, tests/accuracy.
[[nodiscard]] double arc_sine(double x) noexcept;    ///< NaN beyond ±1
[[nodiscard]] double arc_cosine(double x) noexcept;  ///< NaN beyond ±1
[[nodiscard]] double arc_tangent(double x) noexcept;
/// The angle of (x, y) with the cases of IEEE 754's atan2, which knows the sign of zeros.
[[nodiscard]] double arc_tangent2(double y, double x) noexcept;

}  // namespace vinculum::expr::elementary
