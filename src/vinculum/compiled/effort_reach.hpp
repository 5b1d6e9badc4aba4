#pragma once

#include "vinculum/compiled/binding.hpp"

namespace vinculum::sim {

/// True if the efforts can enforce their rows at some state: A M⁻¹Γᵀ, with the rows of ideal law enforced, has the rank
/// of the rows at a random state. If false at all states, the servo constraint has a higher index, for example because
/// a spring separates the actuator from the load. Derives the equations again; used for messages only. Source:
/// theory.md §6.9.
[[nodiscard]] bool do_efforts_reach(const Binding& bound);

}  // namespace vinculum::sim
