#pragma once

#include "vinculum/compiled/binding.hpp"

namespace vinculum::sim {

/// True if actuator efforts can enforce the servo constraints at some random state: the response A M⁻¹Γᵀ of these rows
/// to the efforts, under the rows of ideal law, has full rank. If false, the servo constraint has a higher index, for
/// example because a spring connects the actuator with the load. Derives the equations again, so use it for messages
/// only. Source: theory.md §6.9.
[[nodiscard]] bool do_efforts_reach(const Binding& bound);

}  // namespace vinculum::sim
