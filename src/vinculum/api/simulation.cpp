#include <fmt/format.h>

#include <cmath>

#include "vinculum/api/force_table.hpp"
#include "vinculum/sim/run/simulate.hpp"

namespace vinculum {

struct Simulation::Own {
  std::shared_ptr<const Model::Shared> model;
  mutable sim::Dynamics dynamics;
  sim::SimulateOptions options;
  State state;
};

Simulation::Simulation(std::unique_ptr<Own> own) : own_(std::move(own)) {}
Simulation::~Simulation() = default;
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;

Result<Simulation> Model::simulation() const {
  const auto plant = shared_->compiled();
  if (!plant) return Unexpected<Error>{plant.error()};
  auto start = assemble();
  if (!start) return Unexpected<Error>{start.error()};
  return Simulation(std::make_unique<Simulation::Own>(
      Simulation::Own{shared_, sim::Dynamics(*plant), sim::options_of(*shared_->model), *std::move(start)}));
}

const State& Simulation::state() const { return own_->state; }

Result<void> Simulation::set_state(const State& state) {
  auto nearest = nearest_state(own_->dynamics, state);
  if (!nearest) return Unexpected<Error>{nearest.error()};
  own_->state = *std::move(nearest);
  return {};
}

Result<void> Simulation::advance(double t) {
  const double t0 = own_->state.t;
  if (!(t >= t0) || !std::isfinite(t))
    return wrong_call(fmt::format("the simulation is at {} s and cannot go to {} s", t0, t));
  if (t == t0) return {};
  const auto vector = [](const std::vector<double>& values) -> Vector {
    return Eigen::Map<const Vector>(values.data(), static_cast<Eigen::Index>(values.size()));
  };
  own_->options.duration = own_->options.output_step = t - t0;
  const sim::Start start{t0, vector(own_->state.q), vector(own_->state.u), vector(own_->state.z)};
  const sim::Trajectory run = sim::simulate(own_->dynamics, start, own_->options);
  if (!run.samples.empty()) {
    const sim::Sample& end = run.samples.back();
    own_->state = {end.t, to_std(end.q), to_std(end.u), to_std(end.z)};
  }
  if (!run.stopped) return {};
  return Unexpected<Error>{motion_error(*own_->model->model, own_->dynamics.compiled().system.get(), *run.stopped)};
}

Result<Matrices> Simulation::matrices() const { return matrices_at(own_->dynamics, own_->state); }

Result<Forces> Simulation::forces() const {
  const auto table = own_->model->force_table();
  if (!table) return Unexpected<Error>{table.error()};
  return forces_at(own_->dynamics, **table, own_->state);
}

Result<std::vector<double>> Simulation::accelerations() const {
  auto forces = this->forces();
  if (!forces) return Unexpected<Error>{forces.error()};
  return std::move(forces->u_dot);
}

}  // namespace vinculum
