#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "vinculum/compiled/motion_equations.hpp"

namespace vinculum::sim {

/// The equations of a motion with the forces of its elastic and viscous elements as unknowns of their own:
///
///   M u' = f(s) + …,   0 = F_k − s_k
///
/// for every tension of a spring and every row of a constraint whose law makes a force of it (`stiff`, `viscous`).
/// Where a stiff force is eliminated, Newton's iteration for an implicit step sees its direction turn, times the
/// stiffness; where it is an unknown only the direction itself, so that a step is as long as the motion allows. Source:
/// Hairer & Wanner II, VII.4 (ε-embedding); docs/numerics.md.
struct LiftedEquations {
  MotionEquations motion;         ///< state: t, q, u, z, s;   S: q', u', z', F − s
  std::vector<expr::Expr> force;  ///< [s] F, of t, q, u, z
};

/// \returns nothing where there is no such element, or motion_equations has none.
[[nodiscard]] std::optional<LiftedEquations> lifted_equations(const std::shared_ptr<const model::Model>& model,
                                                              std::span<const Embedding> embedding);

}  // namespace vinculum::sim
