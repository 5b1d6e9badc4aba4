#pragma once

#include "vinculum/hybrid/event_source.hpp"

namespace vinculum::sim {

/// Records the contacts that stick, set off or reverse at an instant at which equations switch.
/// \param before  the state of friction ahead of the transition.
void record_changes(const equations::System& system, const FrictionState& before, Transition& to);

}  // namespace vinculum::sim
