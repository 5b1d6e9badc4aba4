#pragma once

#include <vector>

#include "vinculum/exports/derive_lines.hpp"

namespace vinculum::report {

/// Speeds that are not affine in the rates q': their values and rates in the symbols of the equations. Adds nodes to
/// the graph.
struct NonlinearValues {
  std::vector<expr::Expr> values;  ///< values of the speeds, in t, q, u
  std::vector<expr::Expr> rates;   ///< rates of the speeds, in t, q, u, u'
};
[[nodiscard]] NonlinearValues nonlinear_values(const Derivation& derivation);

/// Adds the definitions and rates of speeds that are not affine in q' to a listing; adds nothing if there are none.
void list_nonlinear_speeds(Lines& lines, const Derivation& derivation);

}  // namespace vinculum::report
