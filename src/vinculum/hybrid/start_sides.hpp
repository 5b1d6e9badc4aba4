#pragma once

#include "vinculum/hybrid/look.hpp"

namespace vinculum::sim {

/// Whether a motion from a state on a surface is one of two: the equations of the other side move the state away to
/// that side, and the equations in force do not move it there.
/// \param mode  of the motion
/// \param look  has the same sides, before and after the call
/// \param duration  [s] of the run
[[nodiscard]] bool goes_the_other_way(Dynamics& dynamics, const Mode& mode, Look& look, double t, const Vector& y,
                                      std::size_t surface, double duration);

}  // namespace vinculum::sim
