#pragma once

#include <vector>

#include "vinculum/equations/system.hpp"

namespace vinculum::equations {

/// A speed of Model::nonlinear_speeds over the others, as functions of (t, q, u): U = value, U' = by_u u' + rest.
struct NonlinearSpeed {
  expr::Expr value;
  std::vector<expr::Expr> by_u;  ///< [nu]
  expr::Expr rest;
  expr::Expr rate = {};  ///< U' as it is, of u' too
};

/// In their order in the model.
[[nodiscard]] std::vector<NonlinearSpeed> nonlinear_speeds(const System& system);

}  // namespace vinculum::equations
