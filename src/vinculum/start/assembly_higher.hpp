#pragma once

#include "vinculum/start/assembly.hpp"

namespace vinculum::sim {

/// Start of derivatives that are states (theory.md §6.5), at assembled q and u: stated ones are held or guessed, others
/// are guessed 0, and all of them change least so that the state satisfies every equation with fewer than its
/// derivatives. Multipliers μ and their stated derivatives keep their values. \pre `start` holds q, u and the states of
/// the model; its z has all places.
/// \returns kAssembly naming what cannot be met: constraints of higher order and start conditions.
[[nodiscard]] Outcome<void> assemble_higher(const Binding& bound, const AssemblyOptions& options, Start& start);

}  // namespace vinculum::sim
