#include "vinculum/run/trajectory.hpp"

#include <algorithm>
#include <cmath>

#include "vinculum/base/tolerance.hpp"

namespace vinculum::sim {
bool Trajectory::is_on_surface(double t) const {
  // Each step may be off by the tolerance, and so may be when a surface is reached.
  const auto steps = std::ranges::count_if(step_times, [t](double end) { return end <= t; });
  const double known =
      std::max(tolerance * static_cast<double>(steps + 1), vinculum::tolerance::kSameTime) * std::abs(t);
  const auto is_now = [&](double passed) { return std::abs(passed - t) <= known; };
  if (std::ranges::any_of(passages, is_now)) return true;
  int along = 0;
  for (const SurfaceChange& change : surface_changes)
    if (change.t < t || (change.is_along && change.t == t)) along += change.is_along ? 1 : -1;
  return along > 0;
}

}  // namespace vinculum::sim
