#pragma once

#include <vector>

#include "vinculum/out/program/derive_listing.hpp"
#include "vinculum/out/program/derive_reduction.hpp"

namespace vinculum::out {

/// The partial velocities of particles, mass centres and bodies by the independent speeds, with their heading; partial
/// accelerations where the rows are not linear in the speeds. Where there are too many to read they are counted
/// instead.
void append_partials(const Derivation& derivation, const Reduction& reduction, std::vector<Line>& lines);

}  // namespace vinculum::out
