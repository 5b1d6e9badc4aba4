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
/// There is one unknown for every tension of a spring and every row of a constraint whose law makes a force of it
/// (`stiff`, `viscous`). If a stiff force is eliminated, Newton's iteration of an implicit step depends on the rotation
/// of its direction times the stiffness. If it is an unknown, only the rotation matters, so the step can be as long as
/// the motion allows. Source: Hairer & Wanner II, VII.4 (ε-embedding); docs/numerics.md.
struct LiftedEquations {
  MotionEquations motion;         ///< state t, q, u, z, s;   S: q', u', z', F − s
  std::vector<expr::Expr> force;  ///< [s] forces F as functions of t, q, u, z
};

/// \returns nothing if there is no such element, or if motion_equations fails.
[[nodiscard]] std::optional<LiftedEquations> lifted_equations(const std::shared_ptr<const model::Model>& model,
                                                              std::span<const Embedding> embedding);

}  // namespace vinculum::sim
