#pragma once

#include "vinculum/hybrid/look.hpp"

namespace vinculum::sim {

/// True if two motions are possible from a state on a switching surface. The equations of the other side of the surface
/// move the state to that other side, while the equations in force do not move it there.
/// \param mode  mode of the motion
/// \param look  has the sides of `mode`; the call restores them
/// \param duration  [s] duration of the run
[[nodiscard]] bool goes_the_other_way(Dynamics& dynamics, const Mode& mode, Look& look, double t, const Vector& y,
                                      std::size_t surface, double duration);

}  // namespace vinculum::sim
