#pragma once

#include <vector>

#include "vinculum/exports/derive_lines.hpp"

namespace vinculum::report {

/// Speeds that are not affine in the derivatives of the coordinates, in the symbols of the equations. Grows the graph.
struct NonlinearValues {
  std::vector<expr::Expr> values;  ///< of t, q, u
  std::vector<expr::Expr> rates;   ///< of t, q, u, u'
};
[[nodiscard]] NonlinearValues nonlinear_values(const Derivation& derivation);

/// Their part of the kinematics in a listing; nothing without them.
void list_nonlinear_speeds(Lines& lines, const Derivation& derivation);

}  // namespace vinculum::report
