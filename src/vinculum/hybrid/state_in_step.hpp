#pragma once

#include "vinculum/integrate/integrator.hpp"
#include "vinculum/motion/dynamics.hpp"

namespace vinculum::sim {

/// Computes the state at an instant t of an accepted step: at its ends the states of the step, between them the dense
/// output, projected onto the constraints.
/// \returns the failures of `Step::interpolate` and of `Dynamics::project`.
[[nodiscard]] Outcome<void> state_in_step(Dynamics& dynamics, const Mode& mode, const integrate::Step& step, double t,
                                          Vector& y);

}  // namespace vinculum::sim
