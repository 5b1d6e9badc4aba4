#include "vinculum/run/trajectory.hpp"

#include <algorithm>
#include <cmath>

#include "vinculum/base/tolerance.hpp"

namespace vinculum::sim {
bool Trajectory::is_on_surface(double t) const {
  // Each step may have an error as large as the tolerance. The time at which a surface is reached has the same relative
  // error.
  const auto steps = std::ranges::count_if(step_times, [t](double end) { return end <= t; });
  const double known =
      std::max(tolerance * static_cast<double>(steps + 1), vinculum::tolerance::kSameTime) * std::abs(t);
  int along = 0;
  for (const RunEvent& event : events) {
    const auto* const passed = std::get_if<Passage>(&event);
    if (passed != nullptr && std::abs(passed->t - t) <= known) return true;
    const auto* const change = std::get_if<SurfaceChange>(&event);
    if (change != nullptr && (change->t < t || (change->is_along && change->t == t)))
      along += change->is_along ? 1 : -1;
  }
  return along > 0;
}

}  // namespace vinculum::sim
