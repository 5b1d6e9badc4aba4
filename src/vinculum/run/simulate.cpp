#include "vinculum/run/simulate.hpp"

#include <chrono>

#include "vinculum/run/run.hpp"

namespace vinculum::sim {

Trajectory simulate(Dynamics& dynamics, const Start& start, const SimulateOptions& options) {
  Run run(dynamics, start, options);
  run.go_on();
  return run.end();
}

Trajectory simulate(Dynamics& dynamics, const SimulateOptions& options) {
  const auto begin = std::chrono::steady_clock::now();
  const auto start = assemble(dynamics);
  if (start) {
    const double assembly = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    Trajectory trajectory = simulate(dynamics, *start, options);
    trajectory.seconds += assembly;
    if (trajectory.profile) trajectory.profile->of(Profile::Part::kStart).seconds += assembly;
    return trajectory;
  }
  Trajectory trajectory;
  const auto constraints = static_cast<Eigen::Index>(dynamics.binding()->model->constraints.size());
  trajectory.worst_residual = trajectory.worst_residual_t = Vector::Zero(constraints);
  trajectory.stopped = start.error();
  return trajectory;
}

}  // namespace vinculum::sim
