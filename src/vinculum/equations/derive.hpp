#pragma once

#include <array>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "vinculum/base/outcome.hpp"
#include "vinculum/equations/system.hpp"

namespace vinculum::equations {

/// A scalar of a model that is to be an unknown of its equations.
struct HeldForce {
  model::Term force;
  expr::Expr symbol, value;  ///< what it stands for in the equations, what it is; written by `derive`
};

/// Equations of motion of a model by Kane's method: partial velocities from the kinematics, M and f from them, what
/// Lagrangian functions and the laws of the constraints add, constraint rows differentiated exactly to A u' = b.
/// \returns kSingularKinematics where the speeds' definitions cannot be solved for q', by name.
/// Source: [R] 2.3, 5.2; theory.md §1, §2.   Second route: lagrange_test.cpp, constraint_rows_test.cpp,
/// newton_euler_test.cpp.
/// \param held  tensions of springs (model::tension), multipliers of laws that make a force of them.
[[nodiscard]] Outcome<std::shared_ptr<System>> derive(std::shared_ptr<const model::Model> model,
                                                      std::span<HeldForce> held = {});

/// Components of a term as expressions: 1 for a scalar; for a vector its 3 measure numbers in `frame`. Expressions of
/// t, q, u, u' (only where the term holds accelerations), λ, λ_ideal and the parameters. Grows the system's graph.
[[nodiscard]] std::vector<expr::Expr> lower(const System& system, model::Term term,
                                            model::FrameId frame = model::Model::newtonian());
/// The same; NaN if the term holds derivatives of speeds that the equations of motion do not determine
/// (HigherOrder::not_known).
[[nodiscard]] std::vector<expr::Expr> lower_known(const System& system, model::Term term);
[[nodiscard]] std::vector<std::vector<expr::Expr>> lower_all(const System& system, std::span<const model::Term> terms,
                                                             std::span<const model::FrameId> frames);

/// Partial velocities ∂v^P/∂u_r of a point, measure numbers in the newtonian frame: [nu][3].
[[nodiscard]] std::vector<std::array<expr::Expr, 3>> partial_velocities(const System& system, model::PointId point);
/// Partial angular velocities ∂ω^B/∂u_r of a frame, likewise.
[[nodiscard]] std::vector<std::array<expr::Expr, 3>> partial_angular_velocities(const System& system,
                                                                                model::FrameId frame);

}  // namespace vinculum::equations
