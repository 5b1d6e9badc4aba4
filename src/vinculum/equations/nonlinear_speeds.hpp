#pragma once

#include <vector>

#include "vinculum/equations/system.hpp"

namespace vinculum::equations {

/// A speed of Model::nonlinear_speeds as a function of (t, q, u): U = value, with the rate U' = by_u u' + rest.
struct NonlinearSpeed {
  expr::Expr value;
  std::vector<expr::Expr> by_u;  ///< [nu] ∂U/∂u
  expr::Expr rest;
  expr::Expr rate = {};  ///< U' as one expression, which also depends on u'
};

/// Returns one entry for each entry of Model::nonlinear_speeds.
[[nodiscard]] std::vector<NonlinearSpeed> nonlinear_speeds(const System& system);

}  // namespace vinculum::equations
