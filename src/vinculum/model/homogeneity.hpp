#pragma once

#include <optional>

#include "vinculum/model/model.hpp"

namespace vinculum::model {

/// Degree k in which F is homogeneous in the velocities: F(q, s q', t) = s^k F(q, q', t) for s > 0. F is a row of
/// velocity level, or the rate of a row of position level. Such a row restricts the directions of velocities and not
/// their magnitudes, and F_q'·q' = k F (Euler). The test uses random states with random parameter values. Nothing if F
/// is not homogeneous, or not finite at any of the states.
[[nodiscard]] std::optional<double> degree_in_rates(const Model& model, Term relation);

/// Whether F changes with time at fixed q and q', because the relation, a frame or a point contains the time. The test
/// uses random states.
[[nodiscard]] bool changes_with_time(const Model& model, Term relation);

}  // namespace vinculum::model
