#pragma once

#include <array>

#include "vinculum/expr/graph.hpp"

namespace vinculum::equations {

/// Measure numbers of a vector in some frame, and a rotation matrix R_AB (columns: B's basis vectors in A), as
/// expressions.
using ExprVector = std::array<expr::Expr, 3>;
using ExprRotation = std::array<std::array<expr::Expr, 3>, 3>;

[[nodiscard]] ExprVector zero_vector(expr::Graph& graph);
[[nodiscard]] bool is_zero(const ExprVector& a);
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
struct SineCosine {
  expr::Expr s, c;
};
/// Sine and cosine of an angle. If the angle is constant and within rounding of a multiple of π/2, the results are
/// exactly 0 and ±1, so that quarter turns add no terms.
[[nodiscard]] SineCosine sine_cosine(expr::Expr angle);
/// R a, where R is the rotation about axis 0, 1 or 2 with the sine and cosine `by`; `turned_back` returns Rᵀ a.
[[nodiscard]] ExprVector turned(int axis, const SineCosine& by, const ExprVector& a);
[[nodiscard]] ExprVector turned_back(int axis, const SineCosine& by, const ExprVector& a);
/// Rotation by `angle` about axis 0, 1 or 2.
[[nodiscard]] ExprRotation simple_rotation(int axis, expr::Expr angle);
/// Rotation by `angle` about the unit vector `axis`: c 1 + s [axis]× + (1 − c) axis axisᵀ (Rodrigues).
[[nodiscard]] ExprRotation rotation_about(const ExprVector& axis, expr::Expr angle);

/// Rotation by a quaternion: R = 1 + 2 (e0 [e]× + [e]×²)/|(e0, e)|².
[[nodiscard]] ExprRotation quaternion_rotation(const std::array<expr::Expr, 4>& e);
/// The 4×3 matrix ½E in e' = ½E w, with w the angular velocity, in the rotated frame. These rates preserve |(e0, e)|.
[[nodiscard]] std::array<std::array<expr::Expr, 3>, 4> quaternion_rates(const std::array<expr::Expr, 4>& e);

}  // namespace vinculum::equations
