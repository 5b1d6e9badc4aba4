#pragma once

#include <string>

#include "vinculum/sim/invariants/invariants.hpp"

namespace vinculum::out {

/// What the motion keeps and why, and which energies and momenta it does not and who works against them.
[[nodiscard]] std::string invariants_text(const sim::CompiledModel& compiled, const sim::Invariants& invariants);
/// The text of {"found": [{"name", "why", "conserved"}], "missed": [{"name", "why"}]}.
[[nodiscard]] std::string invariants_json(const sim::CompiledModel& compiled, const sim::Invariants& invariants);

}  // namespace vinculum::out
