#pragma once

#include "vinculum/expr/graph.hpp"

namespace vinculum::equations {

/// Rewrites the comparisons `a == b` and `a != b` in a condition as `0.5 < (a == b)` and `0.5 < (a != b)`, so that they
/// have a switching surface like other comparisons. `a == b` is 0 or 1, so the difference from 0.5 is ±0.5 and changes
/// its sign where the comparison changes. Both sides a and b of such a comparison change by jumps only.
[[nodiscard]] expr::Expr with_surfaces(expr::Expr condition);

}  // namespace vinculum::equations
