#pragma once

#include <vector>

#include "vinculum/hybrid/event_source.hpp"

namespace vinculum::sim {

/// [slides] Whether each friction contact may have a force: 0 for that of a constraint that does not act in a mode.
[[nodiscard]] std::vector<char> acting_slides(Dynamics& dynamics, const Mode& mode);
/// \param rows  [nc] whether each row acts
[[nodiscard]] std::vector<char> acting_slides(const Binding& bound, const std::vector<char>& rows);
/// Records the contacts that stick, start to slide or reverse in a transition, except those of which it records a
/// change already. A contact that opens does not start to slide, and one that closes does not reverse.
/// \param before, after  modes before and after the transition
void record_changes(Dynamics& dynamics, const Mode& before, const Mode& after, Transition& to);

/// Whether a friction contact has a coefficient or bound above 0. Without one it only has a sliding velocity, whose
/// zeros are no changes of friction.
[[nodiscard]] bool has_friction(Dynamics& dynamics, const Transition& at, int slide);

}  // namespace vinculum::sim
