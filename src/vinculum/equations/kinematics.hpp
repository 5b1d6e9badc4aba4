#pragma once

#include <optional>

#include "vinculum/base/failure.hpp"
#include "vinculum/equations/lowering.hpp"
#include "vinculum/equations/system.hpp"

namespace vinculum::equations {

/// Fills q_dot, G, g and the quaternions from the definitions of the speeds, u = Y r + y0: the rates r are q_i' of each
/// coordinate that stands alone and, for each quaternion, the measure numbers w of the frame's angular velocity in its
/// parent, in itself; e' = ½E w.
/// \param[out] symbols  q_dot, quaternion_rates and u_by_q_dot.   \pre its other symbols are there.
/// \returns kSingularKinematics where the definitions cannot be solved for the rates, by name.
/// Source: [R] 2.3; theory.md §0.
[[nodiscard]] std::optional<Failure> write_kinematics(System& system, LeafSymbols& symbols);

/// w = 2 Eᵀe'/|e|² of every quaternion's frame, for symbols whose q_dot are independent of each other.
[[nodiscard]] std::map<model::FrameId, ExprVector> quaternion_rates_from_q_dot(const model::Model& model,
                                                                               const LeafSymbols& symbols);

}  // namespace vinculum::equations
