#pragma once

#include <array>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "vinculum/base/outcome.hpp"
#include "vinculum/equations/system.hpp"

namespace vinculum::equations {

/// A scalar force of the model that becomes an unknown of the equations ("force unknown", for a stiff spring or
/// penalty).
struct HeldForce {
  model::Term force;
  expr::Expr symbol, value;  ///< the unknown in the equations, and the expression of the force; `derive` writes both
};

/// Derives the equations of motion of a model by Kane's method. Partial velocities follow from the kinematics, and M
/// and f from these. Lagrangian functions and reaction laws add their contributions. Constraint relations are
/// differentiated exactly to A u' = b.
/// \param held  forces that become unknowns: tensions of springs (model::tension), or multipliers of reaction laws that
///   define them as a force
/// \returns kSingularKinematics, with the names of the speeds, if the definitions of the speeds cannot be solved for q'
/// Source: [R] 2.3, 5.2; theory.md §1, §2.   Independent routes: lagrange_test.cpp, constraint_rows_test.cpp,
/// newton_euler_test.cpp.
[[nodiscard]] Outcome<std::shared_ptr<System>> derive(std::shared_ptr<const model::Model> model,
                                                      std::span<HeldForce> held = {});

/// Converts a term to its components as expressions of t, q, u, λ, λ_ideal, the parameters, and u' if the term contains
/// accelerations. A scalar has 1 component, a vector its 3 measure numbers in `frame`. Adds to the graph of the system.
[[nodiscard]] std::vector<expr::Expr> lower(const System& system, model::Term term,
                                            model::FrameId frame = model::Model::newtonian());
/// Components of a scalar or vector as `lower` returns them. They are NaN if the term contains derivatives of speeds
/// that the equations of motion do not determine (HigherOrder::not_known).
[[nodiscard]] std::vector<expr::Expr> lower_known(const System& system, model::Term term,
                                                  model::FrameId frame = model::Model::newtonian());
[[nodiscard]] std::vector<std::vector<expr::Expr>> lower_all(const System& system, std::span<const model::Term> terms,
                                                             std::span<const model::FrameId> frames);

/// [nu][3] Partial velocities ∂v^P/∂u_r of a point, measure numbers in the newtonian frame.
[[nodiscard]] std::vector<std::array<expr::Expr, 3>> partial_velocities(const System& system, model::PointId point);
/// [nu][3] Partial angular velocities ∂ω^B/∂u_r of a frame, measure numbers in the newtonian frame.
[[nodiscard]] std::vector<std::array<expr::Expr, 3>> partial_angular_velocities(const System& system,
                                                                                model::FrameId frame);

}  // namespace vinculum::equations
