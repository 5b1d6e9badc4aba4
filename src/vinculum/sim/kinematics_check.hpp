#pragma once

#include <optional>

#include "vinculum/sim/compiled_model.hpp"

namespace vinculum::sim {

/// Why q' = G u + g is not finite at a state, where the fault lies with the definitions u = Y q' + y0 of the speeds: they
/// are finite there, and Y is singular. Nothing where G and g are finite or a term of a definition is not.
/// \param y [q, u]
/// \returns kSingularKinematics with the speed that depends on the others most and the coordinates whose q' is left open.
/// For explanations: derives the definitions anew.
[[nodiscard]] std::optional<Failure> explain_singular_kinematics(const CompiledModel& compiled, double t, const double* y);

}  // namespace vinculum::sim
