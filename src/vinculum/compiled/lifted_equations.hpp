#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "vinculum/compiled/motion_equations.hpp"

namespace vinculum::sim {

/// Equations of a motion in which the forces of elastic and viscous elements are additional unknowns:
///
///   M u' = f(s) + …,   0 = F_k − s_k
///
/// F_k is the force as a function of the state. There is one unknown s_k for every tension of a spring, and for every
/// row of a constraint whose law replaces the row by a force (`stiff`, `viscous`). If a stiff force were eliminated,
/// the convergence of Newton's iteration in an implicit step would depend on the rotation of the force's direction
/// times the stiffness. With the force as an unknown it depends on the rotation alone, so the stiffness does not limit
/// the step. Source: Hairer & Wanner II, VII.4 (ε-embedding); docs/numerics.md.
struct LiftedEquations {
  MotionEquations motion;         ///< its `state` is t, q, u, z, s; its S is q', u', z', F − s
  std::vector<expr::Expr> force;  ///< [s] forces F as functions of t, q, u, z
};

/// \returns nothing if the model has no such force, if such a force depends on multipliers, or if motion_equations
/// fails.
[[nodiscard]] std::optional<LiftedEquations> lifted_equations(const std::shared_ptr<const model::Model>& model,
                                                              std::span<const Embedding> embedding);

}  // namespace vinculum::sim
