#pragma once

#include "vinculum/equations/expr_vector.hpp"

namespace vinculum::equations {

/// Symmetric, by its entries: diagonal[i] = ii, off[i] = jk with i, j, k cyclic.
struct Tensor {
  ExprVector diagonal, off;
};

[[nodiscard]] ExprVector times(const Tensor& I, const ExprVector& a);
/// R I Rᵀ for the rotation R about axis 0, 1 or 2.
[[nodiscard]] Tensor turned(int axis, const SineCosine& by, const Tensor& I);
[[nodiscard]] Tensor turned(const ExprRotation& R, const Tensor& I);

/// Mass, first moment and inertia about a point at rest in it.
struct Inertia {
  expr::Expr mass;
  ExprVector h;
  Tensor I;
};

/// About a point from which the old one lies at r.
[[nodiscard]] Inertia shifted(const Inertia& old, const ExprVector& r);

}  // namespace vinculum::equations
