#pragma once

#include "vinculum/compiled/binding.hpp"

namespace vinculum::sim {

/// Whether the efforts can keep their rows at some place: A M⁻¹Γᵀ, with the rows of ideal law enforced, has the rank of
/// the rows at a random state. If at none, the servo constraint has a higher index, as that of a load behind a
/// spring. Used for messages only: evaluates the equations anew. Source:
/// theory.md §6.9.
[[nodiscard]] bool do_efforts_reach(const Binding& bound);

}  // namespace vinculum::sim
