#pragma once

#include <vector>

#include "vinculum/equations/system.hpp"

namespace vinculum::equations {

/// A row as a form in x = (q, t): θ_a = ω_a dq + β_a dt, whatever the speeds are.
struct PfaffianForm {
  int row = -1;                   ///< in System::rows; −1: the norm of a quaternion, which does not change
  bool is_position = false;       ///< dφ of a row of position level, or such a norm: closed by itself
  Dimension dimension;            ///< of θ_a itself
  std::vector<expr::Expr> theta;  ///< [nq + 1]
};

/// All rows that are forms: of position level, and of velocity level where they are linear or affine in the velocities.
struct PfaffianForms {
  std::vector<expr::Expr> x;          ///< [nq + 1] q, t
  std::vector<Dimension> dimensions;  ///< [nq + 1] of x
  std::vector<PfaffianForm> forms;
  std::vector<expr::Expr> phi;  ///< of those that are `is_position`, in their order: 0 on the constraints
};
[[nodiscard]] PfaffianForms pfaffian_forms(const System& system);

}  // namespace vinculum::equations
