#pragma once

#include <optional>

#include "vinculum/base/failure.hpp"
#include "vinculum/equations/lowering.hpp"
#include "vinculum/equations/system.hpp"

namespace vinculum::equations {

/// Writes q_dot, G, g and the quaternions from the definitions of the speeds, u = Y r + y0. The rates r are q_i' for
/// each ordinary coordinate. For each quaternion they are the measure numbers w of its frame's angular velocity
/// relative to the parent, in the frame; e' = ½E w.
/// \param[out] symbols  receives q_dot, quaternion_rates and u_by_q_dot.   \pre its other symbols are set.
/// \returns kSingularKinematics, with the names of the speeds, if the definitions cannot be solved for the rates
/// Source: [R] 2.3; theory.md §0.
[[nodiscard]] std::optional<Failure> write_kinematics(System& system, LeafSymbols& symbols);

/// w = 2 Eᵀe'/|e|² for the frame of every quaternion. Use it with symbols in which the entries of q_dot are independent
/// symbols.
[[nodiscard]] std::map<model::FrameId, ExprVector> quaternion_rates_from_q_dot(const model::Model& model,
                                                                               const LeafSymbols& symbols);

}  // namespace vinculum::equations
