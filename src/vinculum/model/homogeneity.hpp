#pragma once

#include <optional>

#include "vinculum/model/model.hpp"

namespace vinculum::model {

/// Degree k in which F of a row (of velocity level, or the rate of one of position level) is homogeneous in the
/// velocities, F(q, s q', t) = s^k F(q, q', t) for s > 0: the row restricts directions of velocities and not their
/// magnitudes, and F_q'·q' = k F (Euler). Judged at random states with random values of the parameters; nothing where
/// it is not homogeneous, or finite at none of the states.
[[nodiscard]] std::optional<double> degree_in_rates(const Model& model, Term relation);

/// Whether F changes with the time at held coordinates and rates, by relation, frames, points or parameters. Judged as
/// above.
[[nodiscard]] bool changes_with_time(const Model& model, Term relation);

}  // namespace vinculum::model
