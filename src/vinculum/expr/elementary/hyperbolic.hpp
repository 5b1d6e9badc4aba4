#pragma once

namespace vinculum::expr::elementary {

/// Hyperbolic functions. The error is at most 0.7 units in the last place for every argument.
/// Tests: special_cases_test.cpp, accuracy_test.cpp, tests/accuracy.
[[nodiscard]] double hyperbolic_sine(double x) noexcept;
[[nodiscard]] double hyperbolic_cosine(double x) noexcept;
[[nodiscard]] double hyperbolic_tangent(double x) noexcept;

}  // namespace vinculum::expr::elementary
