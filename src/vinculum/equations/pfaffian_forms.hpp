#pragma once

#include <vector>

#include "vinculum/equations/system.hpp"

namespace vinculum::equations {

/// A row as a differential form in x = (q, t): θ_a = ω_a dq + β_a dt, independent of the choice of speeds.
struct PfaffianForm {
  int row = -1;                   ///< in System::rows; −1: constant norm of a quaternion
  bool is_position = false;       ///< dφ of a position-level row, or the norm of a quaternion: a closed form
  Dimension dimension;            ///< dimension of the form θ_a
  std::vector<expr::Expr> theta;  ///< [nq + 1]
};

/// All rows that are forms: position-level rows, and velocity-level rows that are linear or affine in the velocities.
struct PfaffianForms {
  std::vector<expr::Expr> x;          ///< [nq + 1] q, t
  std::vector<Dimension> dimensions;  ///< [nq + 1] dimensions of x
  std::vector<PfaffianForm> forms;
  std::vector<expr::Expr> phi;  ///< φ of each form with `is_position`, in the same order: 0 on the constraints
};
[[nodiscard]] PfaffianForms pfaffian_forms(const System& system);

}  // namespace vinculum::equations
