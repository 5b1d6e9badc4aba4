#pragma once

#include "vinculum/expr/graph.hpp"

namespace vinculum::equations {

/// A condition whose truth changes at surfaces only: `a == b` and `a != b` become `0.5 < (a == b)`. Such comparisons
/// are of values that change by jumps only, so that the difference of the two sides is ±0.5 and changes its sign at a
/// jump.
[[nodiscard]] expr::Expr with_surfaces(expr::Expr condition);

}  // namespace vinculum::equations
