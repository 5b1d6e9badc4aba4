#pragma once

#include <optional>
#include <vector>

#include "vinculum/linear/tangent.hpp"

namespace vinculum::linear {

/// A continuous symmetry of the equations: a rotation and translation of the state, y ↦ y + ε (S y + s), that maps
/// motions to motions. S is skew: it turns coordinates of the same dimension, and speeds, into each other; s shifts
/// coordinates. The rotation of a whole system about the vertical is an example.
struct Symmetry {
  Matrix S;  ///< [ny × ny]
  Vector s;  ///< [ny]
};

/// A basis of the symmetries, from the condition S F(y) = F_y (S y + s) at random states near y and other times. It
/// holds for all states if it does for more states than there are unknowns.
/// \param size  [ny] typical sizes, speeds relative to `time` [s]
/// \returns none for a system with more unknowns than the search admits
[[nodiscard]] std::vector<Symmetry> find_symmetries(LinearEquations& equations, const Tangent& tangent,
                                                    const Vector& size, double time, double t, const Vector& y,
                                                    const NearState& near);

/// The symmetry along which a state moves: F(y) = S y + s. So the motion is the one of a rigid body, and stationary in
/// a frame that moves with it.   \returns nothing if there is none
[[nodiscard]] std::optional<Symmetry> symmetry_of_motion(const std::vector<Symmetry>& symmetries, const Vector& size,
                                                         double time, const Vector& y, const Vector& F);

/// Finds a state near y that moves along one of the symmetries (a relative equilibrium), by Newton's method on
/// F(y) = Σ c_k (S_k y + s_k) with unknown y and c, with steps of least norm relative to the typical sizes.
/// \param is_fixed  [ny] 1: keeps its value
/// \returns kAssembly if no state near y moves so; the failures of `linearize`
[[nodiscard]] Outcome<Vector> find_steady_motion(LinearEquations& equations, const sim::Binding& bound, double t,
                                                 const Vector& y, const Vector& u_dot,
                                                 const std::vector<char>& is_fixed);

}  // namespace vinculum::linear
