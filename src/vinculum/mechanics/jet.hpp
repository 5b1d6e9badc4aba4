#pragma once

#include <array>

#include "vinculum/expr/operation.hpp"
#include "vinculum/expr/spline.hpp"

namespace vinculum::mechanics {

/// A quantity with its first and second time derivatives, as numbers. Where a derivative would need more of the motion
/// than is known it is NaN.
struct Jet {
  double value = 0.0;
  double rate = 0.0;
  double second = 0.0;
};

Jet operator+(Jet a, Jet b);
Jet operator-(Jet a, Jet b);
Jet operator-(Jet a);
Jet operator*(Jet a, Jet b);
Jet operator/(Jet a, Jet b);

/// One operation of the table on jets. Unused operands are ignored.
[[nodiscard]] Jet evaluate_jet(expr::Op op, Jet a, Jet b = {}, Jet c = {});
[[nodiscard]] Jet evaluate_jet(const expr::Spline& spline, int derivative_order, Jet x);
[[nodiscard]] Jet square_root(Jet x);

/// The time derivative as a jet of its own; its second derivative is not known.
[[nodiscard]] Jet rate_of(Jet x);

using JetVector = std::array<Jet, 3>;
using JetRotation = std::array<std::array<Jet, 3>, 3>;  ///< rows of R_AB: components in A of B's vectors

[[nodiscard]] Jet dot(const JetVector& a, const JetVector& b);
[[nodiscard]] JetVector cross(const JetVector& a, const JetVector& b);
[[nodiscard]] JetVector scale(Jet factor, const JetVector& v);
[[nodiscard]] JetVector add(const JetVector& a, const JetVector& b);
[[nodiscard]] JetVector rate_of(const JetVector& v);
[[nodiscard]] JetVector rotate(const JetRotation& R, const JetVector& v);
[[nodiscard]] JetRotation multiply(const JetRotation& A, const JetRotation& B);
[[nodiscard]] JetRotation transpose(const JetRotation& R);
[[nodiscard]] JetRotation identity_rotation();
/// Rotation by `angle` about the unit vector `axis`: R = c 1 + s [axis]× + (1 − c) axis axisᵀ (Rodrigues).
[[nodiscard]] JetRotation rotation_about(const JetVector& axis, Jet angle);
/// Rotation by a quaternion of any length but zero: R = 1 + 2 (e0 [e]× + [e]×²)/|(e0, e)|².
[[nodiscard]] JetRotation rotation_by(const std::array<Jet, 4>& e);

}  // namespace vinculum::mechanics
