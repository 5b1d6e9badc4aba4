#pragma once

#include <array>

namespace vinculum::integrate {

/// Coefficients of an explicit Runge–Kutta method, known at compile time (meaning: see RungeKutta).
///
///   k_i = F(t + c_i h, y + h Σ_{j<i} a_ij k_j),   i = 0 … stages−1;   y_new = y + h Σ_j a_sj k_j,   s = stages
///
/// Row s of `a` contains the weights b of the step, so k_s = F(t + h, y_new) is also the first stage of the next step.
/// The rows after row s are the additional stages of the dense output.
template <int kStagesOfStep, int kExtraStages, int kErrorRows, int kDenseRows>
struct Tableau {
  static constexpr int kStages = kStagesOfStep;
  static constexpr int kExtra = kExtraStages;
  static constexpr int kRows = kStagesOfStep + 1 + kExtraStages;
  static constexpr int kErrors = kErrorRows;
  static constexpr int kDense = kDenseRows;
  using Row = std::array<double, kRows>;

  Row c;
  std::array<Row, kRows> a;
  std::array<Row, kErrorRows> e;
  std::array<Row, kDenseRows> d;
};

}  // namespace vinculum::integrate
