#pragma once

#include "vinculum/hybrid/event_source.hpp"

namespace vinculum::sim {

/// Records the contacts that stick, start to slide or reverse at an instant at which the equations switch.
/// \param before  state of friction before the transition
void record_changes(const equations::System& system, const FrictionState& before, Transition& to);

}  // namespace vinculum::sim
