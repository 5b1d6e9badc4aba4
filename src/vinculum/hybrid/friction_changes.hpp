#pragma once

#include "vinculum/hybrid/run_record.hpp"
#include "vinculum/motion/dynamics.hpp"

namespace vinculum::sim {

/// Records the contacts that stick, set off or reverse at an instant at which equations switch.
/// \param dynamics  with the state of friction after t.  \param before  the state of friction before t [s].
void record_changes(const Dynamics& dynamics, const FrictionState& before, double t, RunRecord& run);

}  // namespace vinculum::sim
