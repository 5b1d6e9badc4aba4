#pragma once

#include "vinculum/motion/dynamics.hpp"

namespace vinculum::sim {

/// Bounds the rounding errors of the rates y' at a state, by running error analysis of forces and right-hand sides.
/// Near static equilibrium the forces cancel, so the computed rates consist of such errors only.
///
///   M u' = f + C + Aᵀλ + Γᵀe,  A u' = b:   |δu'| ≤ |inverse of this system| (|δf| + |δC|, |δb|)
///
/// The state is taken as exact, and so are the multipliers on which C may depend.
/// \returns [ny] ≥ 0, for q, u, z; zeros if the model has more than 128 speeds, the reactions are not found at
/// this state, or a bound is not finite.
/// \cost one pass over the expressions of the equations of motion and O((nu + nc)³); allocates
/// Source: Higham, Accuracy and Stability of Numerical Algorithms, §3.3.   Test: rate_rounding_test.cpp
[[nodiscard]] Vector rounding_of_rates(Dynamics& dynamics, const Mode& mode, double t, const Vector& y);

}  // namespace vinculum::sim
