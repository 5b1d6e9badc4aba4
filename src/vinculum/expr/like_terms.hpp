#pragma once

#include "vinculum/base/rounded.hpp"
#include "vinculum/expr/graph.hpp"

/// Terms of a sum that join to one. Rules are exact in real arithmetic, up to what rounding leaves of constants.
namespace vinculum::expr {

/// e = factor × core; the core carries neither a constant factor nor a sign.
struct Scaled {
  Rounded factor;
  Expr core;
};
[[nodiscard]] Scaled split_factor(Expr e);
[[nodiscard]] Expr scale(const Rounded& factor, Expr core);
/// Whether a factor may take the place of two: collecting must neither overflow nor lose the term.
[[nodiscard]] bool is_usable_factor(const Rounded& c);

/// a ± b where both are the same but for constant factors, whatever the order of their products: c p ± d p = (c ± d) p;
/// where they have sin² x and cos² x beside the same, c p sin² x + c p cos² x = c p; and where that holds for one term
/// of a sum with the other. Not valid where nothing joins.
/// \param op  kAdd or kSubtract   \cost a dozen nodes a term, of four terms at most.
[[nodiscard]] Expr collect_terms(Op op, Expr a, Expr b);

}  // namespace vinculum::expr
