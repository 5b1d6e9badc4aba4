#pragma once

#include "vinculum/compiled/binding.hpp"

namespace vinculum::sim {

/// True if actuator efforts can enforce the servo constraints at some random state, that is, if the response A M⁻¹Γᵀ of
/// these rows to the efforts has full rank. The response is computed with the rows of ideal law satisfied. If false,
/// the servo constraint has a higher index, for example because a spring connects the actuator with the load. Derives
/// the equations again, so use it for messages only. Source: theory.md §6.9.
[[nodiscard]] bool do_efforts_reach(const Binding& bound);

}  // namespace vinculum::sim
