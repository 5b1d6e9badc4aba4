#pragma once

#include <array>

#include "vinculum/expr/graph.hpp"

namespace vinculum::dynamics {

/// Measure numbers of a vector in some frame, and a rotation matrix R_AB (columns: B's basis vectors in A), as expressions.
using ExprVector = std::array<expr::Expr, 3>;
using ExprRotation = std::array<std::array<expr::Expr, 3>, 3>;

[[nodiscard]] ExprVector zero_vector(expr::Graph& graph);
[[nodiscard]] ExprVector add(const ExprVector& a, const ExprVector& b);
[[nodiscard]] ExprVector subtract(const ExprVector& a, const ExprVector& b);
[[nodiscard]] ExprVector negate(const ExprVector& a);
[[nodiscard]] ExprVector scale(expr::Expr factor, const ExprVector& a);
[[nodiscard]] expr::Expr dot(const ExprVector& a, const ExprVector& b);
[[nodiscard]] ExprVector cross(const ExprVector& a, const ExprVector& b);

[[nodiscard]] ExprRotation identity_rotation(expr::Graph& graph);
[[nodiscard]] ExprVector rotate(const ExprRotation& R, const ExprVector& a);
[[nodiscard]] ExprRotation multiply(const ExprRotation& A, const ExprRotation& B);
[[nodiscard]] ExprRotation transpose(const ExprRotation& R);
/// Rotation by `angle` about axis 0, 1 or 2.
[[nodiscard]] ExprRotation simple_rotation(int axis, expr::Expr angle);
/// Rotation by `angle` about the unit vector `axis`: c 1 + s [axis]× + (1 − c) axis axisᵀ (Rodrigues).
[[nodiscard]] ExprRotation rotation_about(const ExprVector& axis, expr::Expr angle);

}  // namespace vinculum::dynamics
