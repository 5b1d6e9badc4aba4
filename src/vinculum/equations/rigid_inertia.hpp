#pragma once

#include "vinculum/equations/expr_vector.hpp"

namespace vinculum::equations {

/// Symmetric 3×3 tensor. diagonal[i] is the entry (i, i); off[i] is the entry (j, k) with i, j, k cyclic.
struct Tensor {
  ExprVector diagonal, off;
};

[[nodiscard]] ExprVector times(const Tensor& I, const ExprVector& a);
/// R I Rᵀ for the rotation R about axis 0, 1 or 2.
[[nodiscard]] Tensor turned(int axis, const SineCosine& by, const Tensor& I);
[[nodiscard]] Tensor turned(const ExprRotation& R, const Tensor& I);

/// Mass, first moment h and inertia tensor of a rigid body about a point fixed in it.
struct Inertia {
  expr::Expr mass;
  ExprVector h;
  Tensor I;
};

/// The inertia about a new reference point. \param r  vector from the new point to the old one.
[[nodiscard]] Inertia shifted(const Inertia& old, const ExprVector& r);

}  // namespace vinculum::equations
