#pragma once

#include "vinculum/hybrid/look.hpp"

namespace vinculum::sim {

/// Whether equations on the other side of a surface than the one in force take a state on it away to that side, while
/// those in force do not take it there: the motion from there is one of two.
/// \param mode  of the motion.  \param look  on the same sides, as at the end.
/// \param duration  [s] of the run
[[nodiscard]] bool goes_the_other_way(Dynamics& dynamics, const Mode& mode, Look& look, double t, const Vector& y,
                                      std::size_t surface, double duration);

}  // namespace vinculum::sim
