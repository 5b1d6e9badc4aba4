#pragma once

#include "vinculum/start/assembly.hpp"

namespace vinculum::sim {

/// Finds start values of the derivatives that are states (theory.md §6.5), for assembled q and u. Stated values are
/// fixed (`=`) or guesses (`~`); values without a statement have the guess 0. Guesses change by the least amount after
/// which the state satisfies the equations of higher order and those of their derivatives that restrict the state.
/// Multipliers μ and their stated derivatives keep their values.
/// \pre `start` contains q, u and the states of the model; its z has the full size.
/// \returns kAssembly with the constraints of higher order and start conditions that cannot be satisfied.
[[nodiscard]] Outcome<void> assemble_higher(const Binding& bound, const AssemblyOptions& options, Start& start);

}  // namespace vinculum::sim
