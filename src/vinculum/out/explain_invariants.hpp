#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "vinculum/sim/invariants.hpp"

namespace vinculum::out {

/// What the motion keeps and why, and which energies and momenta it does not and who works against them.
[[nodiscard]] std::string invariants_text(const sim::CompiledModel& compiled, const sim::Invariants& invariants);
/// {"found": [{"name", "why", "conserved"}], "missed": [{"name", "why"}]}, as text.
[[nodiscard]] nlohmann::ordered_json invariants_json(const sim::CompiledModel& compiled, const sim::Invariants& invariants);

}  // namespace vinculum::out
