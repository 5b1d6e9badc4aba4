#pragma once

#include "vinculum/start/assembly.hpp"

namespace vinculum::sim {

/// Start values of derivatives that are states (theory.md §6.5), for assembled q and u. Stated values are fixed (`=`)
/// or guesses (`~`); others have the guess 0. All of them change as little as possible so that the state satisfies the
/// equations, and the derivatives of the equations that are conditions on the state. Multipliers μ and their stated
/// derivatives keep their values.
/// \pre `start` contains q, u and the states of the model; its z has the full size.
/// \returns kAssembly with the constraints of higher order and start conditions that cannot be satisfied.
[[nodiscard]] Outcome<void> assemble_higher(const Binding& bound, const AssemblyOptions& options, Start& start);

}  // namespace vinculum::sim
