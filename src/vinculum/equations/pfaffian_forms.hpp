#pragma once

#include <vector>

#include "vinculum/equations/system.hpp"

namespace vinculum::equations {

/// A row as a differential form in x = (q, t): θ_a = ω_a dq + β_a dt. It does not depend on the choice of speeds.
struct PfaffianForm {
  int row = -1;                   ///< index into System::rows; −1: the constant norm of a quaternion
  bool is_position = false;       ///< dφ of a position-level row, or the norm of a quaternion: a closed form
  Dimension dimension;            ///< dimension of the form θ_a
  std::vector<expr::Expr> theta;  ///< [nq + 1] coefficients of dq and dt
};

/// All rows that are differential forms: position-level rows, and velocity-level rows linear or affine in the
/// velocities.
struct PfaffianForms {
  std::vector<expr::Expr> x;          ///< [nq + 1] the variables q, t
  std::vector<Dimension> dimensions;  ///< [nq + 1] dimensions of x
  std::vector<PfaffianForm> forms;
  /// φ of each form with `is_position`, in the order of `forms`; it is 0 on the constraints
  std::vector<expr::Expr> phi;
};
[[nodiscard]] PfaffianForms pfaffian_forms(const System& system);

}  // namespace vinculum::equations
