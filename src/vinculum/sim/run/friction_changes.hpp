#pragma once

#include "vinculum/sim/plant/dynamics.hpp"
#include "vinculum/sim/run/run_record.hpp"

namespace vinculum::sim {

/// Records the contacts that stick, set off or reverse at an instant at which equations switch.
/// \param dynamics  with the state of friction after t.  \param before  the state of friction before t [s].
void record_changes(const Dynamics& dynamics, const FrictionState& before, double t, RunRecord& run);

}  // namespace vinculum::sim
