#pragma once

#include <functional>

#include "vinculum/hybrid/look.hpp"

namespace vinculum::sim {

/// Whether equations on the other side of a surface than the one in force take a state on it away to that side, while
/// those in force do not take it there: the motion from there is one of two.
/// \param take  puts sides in force, as the guard of switches does; those at the call are in force at the end.
/// \param duration  [s] of the run
[[nodiscard]] bool goes_the_other_way(Dynamics& dynamics, Look& look,
                                      const std::function<void(std::vector<double>)>& take, double t, const Vector& y,
                                      std::size_t surface, double duration);

}  // namespace vinculum::sim
