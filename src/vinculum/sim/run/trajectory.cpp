#include "vinculum/sim/run/trajectory.hpp"

#include <algorithm>
#include <cmath>

#include "vinculum/base/tolerance.hpp"

namespace vinculum::sim {
namespace {

void join(double residual, double t, Eigen::Index constraint, Trajectory& run) {
  if (residual <= run.worst_residual[constraint]) return;
  run.worst_residual[constraint] = residual;
  run.worst_residual_t[constraint] = t;
}

}  // namespace

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

void Trajectory::note_residuals(double t, const Vector& of_rows, const CompiledModel& compiled) {
  for (int row = 0; row < compiled.nc(); ++row) {
    const auto& of = compiled.system->rows[static_cast<std::size_t>(row)];
    join(of_rows[row], t, static_cast<Eigen::Index>(of.constraint.index()), *this);
  }
}

void Trajectory::note_residuals(const Sample& sample) {
  for (Eigen::Index i = 0; i < sample.residual.size(); ++i) join(sample.residual[i], sample.t, i, *this);
}

}  // namespace vinculum::sim
