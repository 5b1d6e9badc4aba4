#pragma once

#include <vector>

#include "vinculum/compiled/motion_equations.hpp"

namespace vinculum::sim {

/// The components of an output of the model as functions of the state and the unknowns of the equations; empty if it
/// contains another quantity, such as the reaction of a motion without friction.
/// \param output  index into Model::outputs
[[nodiscard]] std::vector<expr::Expr> output_expressions(const MotionEquations& equations, std::size_t output);

/// The multipliers of a constraint, one per row, likewise; empty if actuators enforce it, or if they are other
/// quantities than state and unknowns.
[[nodiscard]] std::vector<expr::Expr> multiplier_expressions(const MotionEquations& equations,
                                                             model::ConstraintId constraint);

}  // namespace vinculum::sim
