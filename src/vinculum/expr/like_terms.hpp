#pragma once

#include "vinculum/base/rounded.hpp"
#include "vinculum/expr/graph.hpp"

/// Combines like terms of a sum. The rules are exact in real arithmetic, up to the rounding of constants.
namespace vinculum::expr {

/// The product factor × core = e, where the core has neither a constant factor nor a sign.
struct Scaled {
  Rounded factor;
  Expr core;
};
[[nodiscard]] Scaled split_factor(Expr e);
[[nodiscard]] Expr scale(const Rounded& factor, Expr core);
/// Whether a product c of two constants may replace them: it must be neither infinite nor 0.
[[nodiscard]] bool is_usable_factor(const Rounded& c);

/// Combines a ± b into one term, if both are equal except for constant factors and the order of their factors: c p ± d
/// p = (c ± d) p. Also combines c p sin² x + c p cos² x = c p. If a is a sum and b combines with one of its terms, the
/// sum is rewritten. Invalid if nothing combines.
/// \param op  kAdd or kSubtract   \cost a dozen nodes per term, for at most four terms
[[nodiscard]] Expr collect_terms(Op op, Expr a, Expr b);

}  // namespace vinculum::expr
